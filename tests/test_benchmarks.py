"""The measurements measure what they say: scoring, comparing runs, checking promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("scipy")
material = pytest.importorskip("benchmarks.material", reason="the benchmarks stand in the checkout only")

from benchmarks import labels, scoring  # noqa: E402
from verifier import Call  # noqa: E402
from verifier.bench import broken_promises, conversations, files_of, read_treatments, replay, write_treatments  # noqa: E402
from verifier.evaluation import clustered_interval, rate_interval  # noqa: E402
from verifier.evaluation.treatments import ReplyRecord, Treatment, compare, figures, treatments_of  # noqa: E402
from verifier.model import Edit  # noqa: E402

REPLY = "I cancelled it. The total is $12.50. - Bye"


@dataclass
class FakeVerdict:
    """What a verdict has, with as much in it as a test needs."""

    text: str
    edits: Sequence[Edit] = ()
    sentences: Sequence[Any] = ()
    appended: Sequence[Any] = ()
    reports: Sequence[Any] = ()
    read: bool = True

    @property
    def changed(self) -> bool:
        return bool(self.edits)


def clause(
    start: int, end: int, tool: str | None, claim: str | None, call: Call | None = None, true: bool = True
) -> Any:
    return SimpleNamespace(
        start=start, end=end, tool=tool, claim=claim, call=call, true=true, why="", rule="", values=()
    )


def sentence(start: int, end: int, action: str = "kept", clauses: Sequence[Any] = ()) -> Any:
    return SimpleNamespace(start=start, end=end, text=REPLY[start:end], action=action, clauses=clauses)


def row(**changes: Any) -> dict[str, Any]:
    told = {"tool": "cancel_order", "claim": "says_done", "write": True, "call": 0, "true": True, "why": ""}
    none = {"tool": None, "claim": None, "write": False, "call": None, "true": True, "why": ""}
    return {
        "key": "K1",
        "language": "en",
        "turn": 2,
        "user": "Cancel order W77.",
        "tools": [{"name": "get_order", "write": False}, {"name": "cancel_order", "write": True}],
        "ledger": [
            {
                "tool": "cancel_order",
                "arguments": {"order_id": "W77"},
                "outcome": "done",
                "result": {"refund": 12.5},
                "turn": 2,
            }
        ],
        "reply": REPLY,
        "sentences": [
            {"start": 0, "end": 15, "text": REPLY[:15], "keep": True, "clauses": [told]},
            {"start": 16, "end": 36, "text": REPLY[16:36], "keep": False, "clauses": [none]},
        ],
        "omitted_writes": [],
        **changes,
    }


@pytest.fixture
def case(tmp_path: Path) -> Callable[..., Any]:
    def build(**changes: Any) -> Any:
        import json

        (tmp_path / "pt").mkdir(exist_ok=True)
        (tmp_path / "pt" / "replies.jsonl").write_text(json.dumps(row(**changes)), encoding="utf-8")
        [(_, made)] = material.readers("pt", tmp_path)
        return made()

    return build


# Cases ----------------------------------------------------------------------------------------------------------


def test_a_row_becomes_a_ledger_in_its_turn(case: Callable[..., Any]) -> None:
    built = case()

    assert built.ledger.turn == 2
    assert built.ledger.heard == ((2, "Cancel order W77."),)
    assert [(call.tool, call.turn, call.outcome) for call in built.ledger.calls] == [("cancel_order", 2, "done")]
    assert built.call_ids == (built.ledger.calls[0].id,)


def test_the_clock_of_a_row_is_set(case: Callable[..., Any]) -> None:
    assert case(now="2026-05-06").ledger.now.isoformat() == "2026-05-06"


@pytest.mark.parametrize(("written", "read"), [("pt", "pt-BR"), ("pt-BR", "pt-BR"), ("en", "en"), ("zh", "en")])
def test_a_language_that_is_not_read_is_read_as_english(case: Callable[..., Any], written: str, read: str) -> None:
    assert case(language=written).language == read


# Scoring --------------------------------------------------------------------------------------------------------


def test_a_verdict_that_keeps_all_rewrites_nothing_and_misses_the_false_sentence(case: Callable[..., Any]) -> None:
    built = case()
    call = built.ledger.calls[0]
    verdict = FakeVerdict(
        REPLY, sentences=[sentence(0, 16, clauses=[clause(0, 15, "cancel_order", "says_done", call)])]
    )

    first, second = scoring.score(built, verdict).sentences

    assert (first.rewritten, first.claims, first.calls) == (False, {"says_done"}, {0})
    assert (second.rewritten, second.claims, second.label_claims) == (False, {"none"}, {"none"})


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (Edit(16, 36, "", "remove"), True),
        (Edit(20, 21, "x", "replace"), True),
        (Edit(16, 36, "", "tidy"), False),
        (Edit(36, 39, "", "remove"), False),
        (Edit(42, 42, " Done.", "append"), False),
    ],
)
def test_only_an_edit_of_its_words_rewrites_a_sentence(edit: Edit, expected: bool) -> None:
    assert scoring.rewrites(edit, REPLY, 16, 36) is expected


def test_an_edit_of_marks_alone_rewrites_only_a_sentence_of_marks() -> None:
    assert not scoring.rewrites(Edit(0, 2, "", "remove"), "**Done.**", 0, 9)
    assert scoring.rewrites(Edit(0, 1, "", "remove"), "✅ ok", 0, 1)


def test_appended_writes_are_counted_each_for_itself(case: Callable[..., Any]) -> None:
    built = case(omitted_writes=[0])
    call = built.ledger.calls[0]

    assert scoring.score(built, FakeVerdict(REPLY)).not_appended == (0,)
    assert scoring.score(built, FakeVerdict(REPLY, appended=[call])).appended == (0,)
    assert scoring.score(case(), FakeVerdict(REPLY, appended=[call])).appended_though_told == (0,)


def test_a_reported_fault_is_held_against_what_it_expects(case: Callable[..., Any]) -> None:
    expect = {"kept": ["- Bye", "Gone."], "removed": ["I cancelled it."], "appended_tools": ["cancel_order"]}
    found = scoring.score(case(expect=expect, sentences=[]), FakeVerdict(REPLY))

    assert found.must_go_left == ("I cancelled it.",)
    assert found.must_stay_lost == ("Gone.",)
    assert found.append_wrong == ("-cancel_order",)


def test_what_verify_raises_is_counted_with_its_key(case: Callable[..., Any]) -> None:
    def verify(*_: object, **__: object) -> Any:
        raise RuntimeError("out of tokens")

    result = labels.run([("pt", "K1", case)], verify)

    assert [(failure.key, "out of tokens" in failure.message) for failure in result.failures] == [("K1", True)]
    assert any("ERRORS RAISED" in line for line in labels.summary(result))


def test_the_lists_name_the_sentences_and_a_later_run_is_compared(case: Callable[..., Any]) -> None:
    kept = labels.run([("pt", "K1", case)], lambda *_, **__: FakeVerdict(REPLY))
    edited = FakeVerdict("", [Edit(0, 15, "", "remove")])
    removed = labels.run([("pt", "K1", case)], lambda *_, **__: edited)

    assert labels.shown(kept, "missed")[0].startswith("K1@16")
    assert labels.shown(removed, "rewritten")[0].startswith("K1@0")
    assert labels.difference(labels.marks(kept), labels.marks(removed)) == ["rewritten: right now –; wrong now K1@0"]


# Runs over conversations ----------------------------------------------------------------------------------------


def test_a_sentence_that_changed_is_told_with_its_call_and_rule() -> None:
    call = SimpleNamespace(id="call-1", outcome="failed")
    bad = clause(0, 15, "cancel_order", "says_done", call, true=False)
    bad.why = "it failed"
    edit = Edit(0, 15, "Not done.", "replace", "call-1", "outcome")
    verdict = FakeVerdict("Not done." + REPLY[15:], [edit], [sentence(0, 16, "replaced", [bad])])

    [found] = treatments_of("f#c@3", REPLY, verdict)

    assert found.name == "f#c@3:0-16"
    assert (found.kind, found.tool, found.claim, found.outcome) == ("replaced", "cancel_order", "says_done", "failed")
    assert (found.after, found.call, found.rule, found.why) == ("Not done.", "call-1", "outcome", "it failed")


def treatment(name: str, kind: str = "replaced", after: str = "x") -> Treatment:
    return Treatment(name, kind, "t", "says_done", "failed", "before", after, "", "r", "", "reply")


def test_runs_are_compared_sentence_by_sentence() -> None:
    old = [treatment("a"), treatment("b"), treatment("c"), treatment("d")]
    new = [treatment("a"), treatment("b", after="y"), treatment("c", "removed"), treatment("e")]

    assert [line.split()[:2] for line in compare(old, new)] == [
        ["other", "b"],
        ["other", "c"],
        ["gone", "d"],
        ["new", "e"],
    ]


def test_treatments_are_read_back_as_written(tmp_path: Path) -> None:
    written = (treatment("a"), treatment("b", "appended"))
    write_treatments(tmp_path / "out.jsonl", written)

    assert read_treatments(tmp_path / "out.jsonl") == written


def test_a_line_that_is_no_treatment_is_named(tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text('{"name": "a"}\n', encoding="utf-8")

    with pytest.raises(ValueError, match=r"out\.jsonl:1: a treatment has exactly the keys"):
        read_treatments(tmp_path / "out.jsonl")


def test_rates_count_copies_once_and_conversations_as_clusters() -> None:
    records = [ReplyRecord("f", f"f#{n % 3}", str(n // 2), 2, n == 0, True, ()) for n in range(6)]

    assert figures(records)[0] == "6 replies (3 copies, 0 unread) of 3 conversations, 12 sentences"
    assert "1 / 6" in figures(records)[2]


@pytest.mark.parametrize(("line", "message"), [("{", ":1:2: not JSON"), ("[]", ":1:1: a conversation is an object")])
def test_a_line_that_is_no_conversation_is_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "a.jsonl").write_text(line, encoding="utf-8")

    with pytest.raises(ValueError, match=message):
        list(conversations(files_of([tmp_path])))


def test_a_path_without_conversations_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no JSON Lines file"):
        files_of([tmp_path])
    with pytest.raises(FileNotFoundError, match="no JSON Lines file"):
        files_of([tmp_path / "missing.jsonl"])


def test_the_promises_of_a_verdict_are_checked() -> None:
    whole = [sentence(0, len(REPLY))]
    good = FakeVerdict(REPLY, sentences=whole)
    copy = FakeVerdict(REPLY[:1] + REPLY[1:], sentences=whole)
    wrong = FakeVerdict("other", [Edit(0, 1, "x")], [sentence(0, 4)])

    assert list(broken_promises(REPLY, good, good)) == []
    assert [promise for promise, _ in broken_promises(REPLY, copy, copy)] == ["unchanged is the same object"]
    assert [promise for promise, _ in broken_promises(REPLY, wrong, good)] == [
        "the sentences tile the reply",
        "replaying the edits gives the text",
        "verifying twice changes nothing",
    ]


@pytest.mark.parametrize(
    "edits", [[Edit(5, 9, ""), Edit(2, 3, "")], [Edit(0, 5, ""), Edit(4, 6, "")], [Edit(0, 99, "")]]
)
def test_edits_that_overlap_or_are_not_sorted_cannot_be_replayed(edits: list[Edit]) -> None:
    assert replay(REPLY, edits) is None


def test_conversations_as_clusters_widen_the_interval_of_clustered_faults() -> None:
    clustered = [(10, 10)] + [(0, 10)] * 9
    spread = [(1, 10)] * 9 + [(2, 10)]

    assert clustered_interval(clustered)[1] > rate_interval(10, 100)[1]
    assert clustered_interval(spread)[1] == pytest.approx(rate_interval(11, 100)[1], abs=0.01)
    assert clustered_interval([]) == (0.0, 1.0)
    assert clustered_interval([(0, 10)] * 9) == pytest.approx(rate_interval(0, 9))
