"""The command line: what it prints, how it exits, and that bad input never ends in a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sources import ROOT
from typer.testing import CliRunner, Result

from verifier import Ledger, Tool
from verifier.cli.app import app
from verifier.cli.demo import checked, conversations

TRUE, FALSE = "I couldn't refund order 4412.", "I've refunded order 4412."
CHAT = [
    {"role": "user", "content": "Refund order 4412, please."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "refund_card", "arguments": '{"order_id": "4412"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": '{"error": "card expired"}'},
]


def run(*arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=given)


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    made = Ledger([Tool("refund_card", write=True), Tool("get_order", write=False)])
    made.hear("Refund order 4412, please.")
    made.record("refund_card", {"order_id": "4412"}, outcome="failed", reason="card expired")
    return write(tmp_path, "ledger.json", made.to_json())


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_bytes(text.encode())
    return str(path)


def chat(reply: str) -> list[dict[str, object]]:
    return [*CHAT, {"role": "assistant", "content": reply}]


# check ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reply", "code"), [(TRUE, 0), (FALSE, 1)])
def test_the_exit_code_tells_whether_something_was_repaired(tmp_path: Path, ledger: str, reply: str, code: int) -> None:
    assert run("check", write(tmp_path, "reply.txt", reply), "--ledger", ledger).exit_code == code


def test_a_reply_is_shown_as_written_and_as_read_with_the_reason(tmp_path: Path, ledger: str) -> None:
    shown = run("check", write(tmp_path, "reply.txt", FALSE), "--ledger", ledger).stdout

    assert f"[-{FALSE}-]" in shown
    assert "{+Not done: refund card: card expired.+}" in shown
    assert "says done of refund_card" in shown


def test_the_text_alone_is_byte_for_byte(ledger: str) -> None:
    reply = f"Hello!\r\n\r\n{TRUE}\r\n"

    result = run("check", "-", "--ledger", ledger, "--text", given=reply.encode())

    assert result.exit_code == 0
    assert result.stdout_bytes == reply.encode()


def test_json_is_one_verdict_a_line(tmp_path: Path) -> None:
    rows = "\n".join(json.dumps({"messages": chat(reply)}) for reply in (TRUE, FALSE))

    result = run("check", write(tmp_path, "chats.jsonl", rows), "--json")
    verdicts = [json.loads(line) for line in result.stdout.split("\n") if line]

    assert result.exit_code == 1
    assert [verdict["changed"] for verdict in verdicts] == [False, True]
    assert verdicts[1]["where"].startswith(f"{tmp_path / 'chats.jsonl'}:2")


@pytest.mark.parametrize("form", ["list", "object", "lines"])
def test_a_conversation_may_be_a_list_an_object_or_a_message_a_line(tmp_path: Path, form: str) -> None:
    messages = chat(FALSE)
    text = {
        "list": json.dumps(messages),
        "object": json.dumps({"messages": messages}, indent=2),
        "lines": "\n".join(map(json.dumps, messages)),
    }[form]

    assert run("check", write(tmp_path, "chat.json", text), "--text").stdout == "Not done: refund card: card expired.\n"


def test_tools_say_what_a_conversation_could_have_called(tmp_path: Path) -> None:
    specs = [{"name": "refund_card", "write": True}, {"name": "send_email", "write": True}]
    tools = write(tmp_path, "tools.json", json.dumps(specs))
    reply = write(tmp_path, "chat.json", json.dumps(chat(f"{TRUE} I've sent you an e-mail.")))

    assert run("check", reply, "--tools", tools, "--text").stdout == f"{TRUE} Not done: send email.\n"


def test_a_reply_cannot_steer_the_terminal(ledger: str) -> None:
    shown = run("check", "-", "--ledger", ledger, given=f"{TRUE}\x1b[2J\u202e[bold]").stdout

    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[bold]" in shown


# Bad input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.json", "", "a.json: is empty"),
        ("a.json", '{"messages": [\n  {"role": }]}', "a.json:2:12: is not JSON"),
        ("a.jsonl", '{"messages": []}\n{"messages": [}', "a.jsonl:2:15: is not JSON"),
        ("a.json", '{"rows": []}', "must be a list of chat messages"),
        ("a.json", "7", "must be a list of chat messages"),
        ("a.json", '{"messages": 7}', "a.json: /messages"),
        ("a.json", '[{"role": "person", "content": "Hi"}]', "/messages/0/role"),
        ("a.json", '{"messages": [], "tools": 7}', "tools must be a list"),
        ("a.json", '{"messages": [], "tools": [{"name": ""}]}', "/tools/0"),
        ("a.json", '{"messages": [], "language": 7}', "/language"),
        ("a.json", '{"reply": 7}', "/reply must be a text"),
        ("a.json", '{"reply": "x", "ledger": {"calls": 7}}', "/ledger"),
        ("a.json", "[" * 100_000, "a.json:1"),
        ("a.txt", "Hello", "a reply needs --ledger"),
    ],
)
def test_bad_input_is_one_message_with_its_place(tmp_path: Path, name: str, text: str, told: str) -> None:
    result = run("check", write(tmp_path, name, text))

    assert told in result.stderr
    assert result.stderr.startswith("verifier: ")
    assert result.exit_code == 2
    assert result.exception is None or isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("option", ["--ledger", "--tools", "--phrasings", "--config"])
def test_a_missing_file_is_named(tmp_path: Path, option: str) -> None:
    chats = write(tmp_path, "chat.json", json.dumps(chat(TRUE)))

    result = run("check", chats, option, str(tmp_path / "nowhere.file"))

    assert "nowhere.file" in result.stderr
    assert result.exit_code == 2


def test_bytes_that_are_no_text_are_told(tmp_path: Path, ledger: str) -> None:
    (tmp_path / "reply.txt").write_bytes(b"caf\xe9")

    result = run("check", str(tmp_path / "reply.txt"), "--ledger", ledger)

    assert "byte 3 is not UTF-8" in result.stderr
    assert result.exit_code == 2


def test_a_language_that_is_not_read_is_told(tmp_path: Path, ledger: str) -> None:
    result = run("check", write(tmp_path, "reply.txt", TRUE), "--ledger", ledger, "--language", "pt-PT")

    assert "pt-PT" in result.stderr
    assert result.exit_code == 2


# explain, lint, demo ----------------------------------------------------------------------------------------


def test_a_verdict_is_explained_with_the_rule_and_its_line(tmp_path: Path, ledger: str) -> None:
    told = run("explain", write(tmp_path, "reply.txt", FALSE), "--ledger", ledger).stdout

    assert "says_done of refund_card" in told
    assert "FALSE" in told


def test_a_sentence_is_explained_without_a_ledger() -> None:
    result = run("explain", "I've sent your money back.", "--tool", "refund_card", "--tool", "get_order")

    assert "says_done of refund_card" in result.stdout
    assert "en.yaml:" in result.stdout
    assert result.exit_code == 0


def test_our_data_files_have_no_problem() -> None:
    result = run("lint")

    assert result.stdout == "0 errors, 0 warnings\n"
    assert result.exit_code == 0


def test_phrasings_are_linted_with_their_place(tmp_path: Path) -> None:
    own = write(tmp_path, "own.yaml", 'refund_card:\n  done: "Refunded {argument.amount}."\n  fialed: "No."\n')

    result = run("lint", own)

    assert "own.yaml:3:3" in result.stdout
    assert result.exit_code == 1


def test_a_phrasing_that_says_something_else_is_a_warning(tmp_path: Path) -> None:
    own = write(tmp_path, "own.yaml", 'refund_card:\n  failed: "I\'ve refunded your card."\n')

    result = run("lint", own)

    assert result.stdout.startswith("warning: own.yaml:2:11")
    assert result.exit_code == 0


def test_a_vocabulary_is_linted(tmp_path: Path) -> None:
    own = write(tmp_path, "words.yaml", "settings: {language: en}\nwords:\n  a: [money back]\n  b: [Money back]\n")

    result = run("lint", own)

    assert "words.yaml:4:7" in result.stdout
    assert result.exit_code == 1


DOCUMENTS = [(name, at, row) for name, rows in conversations() for at, row in enumerate(rows)]


@pytest.mark.parametrize(("name", "at", "document"), DOCUMENTS, ids=[f"{name}-{at}" for name, at, _ in DOCUMENTS])
def test_the_demo_comes_out_as_it_says(name: str, at: int, document: dict[str, object]) -> None:
    found = list(checked(name, document))
    if "becomes" in document:
        assert [document["becomes"]] == [verdict.text for _, verdict in found]
        return
    expected = document["expect"]
    assert isinstance(expected, list)
    assert len(expected) == len(found)
    for wanted, (turn, verdict) in zip(expected, found, strict=True):
        assert [text for text in wanted["gone"] if text in verdict.text] == [], verdict.explain()
        assert [text for text in wanted["kept"] if text not in verdict.text] == [], verdict.explain()
        assert wanted["added"] == [call.tool for call in verdict.appended], verdict.explain()
        if not wanted["gone"] and not wanted["added"]:
            assert verdict.text is turn.reply, verdict.explain()


def test_the_shop_of_the_demo_is_that_of_the_examples() -> None:
    demo, example = ROOT / "verifier/demo/shop.phrasings.yaml", ROOT / "examples/phrasings.yaml"

    assert demo.read_text(encoding="utf-8") == example.read_text(encoding="utf-8")


def test_the_demo_runs_to_its_closing_line() -> None:
    result = run("demo")

    assert result.exit_code == 0
    assert " kept byte for byte; " in result.stdout.replace("\n", " ")


def test_without_typer_the_command_says_what_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None; from verifier.cli import main; main()"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)

    assert done.returncode == 1
    assert "pip install 'reply-verifier[cli]'" in done.stderr
    assert "Traceback" not in done.stderr
