"""The commands `check`, `explain`, `lint`, `bench`, `batch` and `demo`.

Exit codes: 0 nothing to repair, 1 something was repaired (for `lint`: something is wrong), 2 the input is bad.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from verifier.cli import inputs
from verifier.cli.inputs import STDIN, BadInput, Turn

if TYPE_CHECKING:
    from verifier import Verdict, Verifier

app = typer.Typer(
    help="Check what an AI agent's model says against what the agent did.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
CLEAN, REPAIRED, BAD = 0, 1, 2

FILE_HELP = "A reply, or conversations as JSON or JSON Lines; - is the standard input."
File = Annotated[str, typer.Argument(metavar="[FILE]", help=FILE_HELP)]
SENTENCE_HELP = "As for check; or a sentence, with --tool or --tools."
FileOrSentence = Annotated[str, typer.Argument(metavar="[FILE | SENTENCE]", help=SENTENCE_HELP)]
ToolNames = Annotated[list[str] | None, typer.Option("--tool", help="A tool's name, for a sentence; may be repeated.")]
LINT_HELP = "Your phrasings, vocabulary or rule files; ours by default."
LintFiles = Annotated[list[str] | None, typer.Argument(metavar="[FILES]", help=LINT_HELP)]
LEDGER_HELP = "The ledger of the reply, as JSON. FILE is then the reply's text."
LedgerFile = Annotated[str, typer.Option("--ledger", help=LEDGER_HELP)]
TOOLS_HELP = "A JSON list of function specs: the tools of the conversations."
ToolsFile = Annotated[str, typer.Option("--tools", help=TOOLS_HELP)]
LANGUAGE_HELP = "en or pt-BR. [default: what a conversation names, else en]"
Language = Annotated[str, typer.Option("--language", help=LANGUAGE_HELP)]
PhrasingsFile = Annotated[str, typer.Option("--phrasings", help="Your own phrasings (YAML).")]
CONFIG_HELP = "Settings of the verifier (YAML), as Verifier.from_config takes them."
Config = Annotated[str, typer.Option("--config", help=CONFIG_HELP)]
BATCH_HELP = "JSON Lines or Parquet files, or folders of them; last the folder to write."
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a reply, a line each.")]
AsText = Annotated[bool, typer.Option("--text", help="Only the checked replies, as the person reads them.")]


def command(run: Callable[..., int]) -> Callable[..., None]:
    """Register a command: bad input ends with one message and code 2, never with a traceback."""

    @app.command()
    @wraps(run)
    def guarded(*arguments: Any, **options: Any) -> None:
        try:
            code = run(*arguments, **options)
        except BadInput as error:
            for line in str(error).split("\n"):
                print(f"verifier: {line}", file=sys.stderr)
            code = BAD
        raise typer.Exit(code)

    return guarded


@command
def check(
    file: File = STDIN,
    ledger: LedgerFile = "",
    tools: ToolsFile = "",
    language: Language = "",
    phrasings: PhrasingsFile = "",
    config: Config = "",
    as_json: AsJson = False,
    as_text: AsText = False,
) -> int:
    """Check replies and show each as written and as read, with the reason of every change."""
    code = CLEAN
    for turn, verdict in verdicts(turns(file, ledger, tools), language, phrasings, config):
        if verdict.changed:
            code = REPAIRED
        if as_json:
            print(json.dumps({"where": turn.where, **verdict.to_dict()}, ensure_ascii=False))
        elif as_text:
            sys.stdout.write(verdict.text if ledger else f"{verdict.text}\n")
        else:
            from verifier.cli.show import side_by_side

            side_by_side(console(), turn, verdict)
    return code


@command
def explain(
    file: FileOrSentence = STDIN,
    tool: ToolNames = None,
    ledger: LedgerFile = "",
    tools: ToolsFile = "",
    language: Language = "",
    phrasings: PhrasingsFile = "",
    config: Config = "",
) -> int:
    """Tell how each sentence was read: tool, claim, call, rule (file:line) and the place that decided."""
    from verifier.cli.explaining import explain_sentence, explain_verdict

    if tool or (tools and file != STDIN and not Path(file).is_file()):
        found = named_tools(tool or []) + (inputs.read_tools(tools) if tools else ())
        explain_sentence(console(), file, found, language or "en")
        return CLEAN
    code = CLEAN
    for turn, verdict in verdicts(turns(file, ledger, tools), language, phrasings, config):
        explain_verdict(console(), turn, verdict)
        code = max(code, REPAIRED if verdict.changed else CLEAN)
    return code


@command
def lint(
    files: LintFiles = None,
    language: Language = "",
) -> int:
    """Check data files: every example in them is run; each mistake is told with file, line and column."""
    from verifier.cli.linting import WARNING, lint_files, lint_ours

    errors = warnings = 0
    for problem in lint_files(files, language or "en") if files else lint_ours():
        warnings += problem.startswith(WARNING)
        errors += not problem.startswith(WARNING)
        print(problem)
    print(f"{errors} errors, {warnings} warnings")
    return REPAIRED if errors else CLEAN


@command
def bench(
    paths: Annotated[list[Path], typer.Argument(metavar="PATHS", help="JSON Lines files, or folders of them.")],
    tools: Annotated[Path | None, typer.Option("--tools", help="The folder of tool specs, DOMAIN.json each.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Keep what was done with each sentence here.")] = None,
    against: Annotated[Path | None, typer.Option("--against", help="An earlier --out to compare with.")] = None,
    language: Language = "",
) -> int:
    """Check every reply of stored conversations; tell what was changed, how often, and whether the promises held."""
    from verifier.bench import run_command

    settings = {"language": language} if language else None
    try:
        return run_command(paths, tools=tools, out=out, against=against, settings=settings, echo=typer.echo)
    except (ValueError, OSError) as error:
        raise BadInput(str(error)) from None


@command
def batch(
    inputs: Annotated[list[Path], typer.Argument(metavar="IN... OUT", help=BATCH_HELP)],
    config: Config = "",
    language: Language = "",
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Processes. [default: all cores]")] = None,
) -> int:
    """Verify stored transcripts on all cores. Stopped, it goes on where it was. Exits with 2 where rows were bad."""
    from verifier.cli.batch import run_batch, summary
    from verifier.settings import read_settings

    if len(inputs) < 2:
        raise BadInput("give the files to read, and last the folder to write")
    try:
        settings = read_settings(config) if config else {}
        settings |= {"language": language} if language else {}
        counts = run_batch(inputs[:-1], inputs[-1], settings=settings, workers=workers)
    except (ValueError, TypeError, OSError) as error:
        raise BadInput(str(error)) from None
    print(summary(counts, inputs[-1]))
    return BAD if counts.bad else CLEAN


@command
def demo() -> int:
    """Show the verifier at work: a shop's refunds, and conversations of a dozen trades, before and after."""
    from verifier.cli.demo import run

    run(console())
    return CLEAN


def turns(file: str, ledger: str, tools: str) -> Iterator[Turn]:
    """The replies of the input. Raises `BadInput`."""
    if ledger:
        return inputs.turns_of_reply(file, ledger)
    if file == STDIN and sys.stdin.isatty():
        raise BadInput("nothing to check: name a file, or pipe one in")
    if file != STDIN and not Path(file).suffix.startswith(".json"):
        raise BadInput(f"{file}: a reply needs --ledger; conversations are files named .json or .jsonl")
    return inputs.turns_of_chats(file, inputs.read_tools(tools) if tools else None)


def verdicts(found: Iterable[Turn], language: str, phrasings: str, config: str) -> Iterator[tuple[Turn, Verdict]]:
    """Each reply with its verdict. Raises `BadInput` where a setting is wrong."""
    made: dict[str, Verifier] = {}
    for turn in found:
        wanted = language or turn.language
        if wanted not in made:
            made[wanted] = verifier_for(wanted, phrasings, config, turn.where)
        yield turn, made[wanted].verify(turn.reply, turn.ledger, final=turn.final)


def verifier_for(language: str, phrasings: str, config: str, where: str) -> Verifier:
    """A verifier with these settings; those of the command line outrank the file's. Raises `BadInput`."""
    from verifier import Verifier
    from verifier.settings import read_settings

    chosen = {key: value for key, value in (("language", language), ("phrasings", phrasings)) if value}
    try:
        return Verifier(**{**(read_settings(Path(config)) if config else {}), **chosen})
    except (ValueError, TypeError) as error:
        raise BadInput(f"{config or where}: {error}" if not phrasings else str(error)) from None


def named_tools(names: list[str]) -> tuple[Any, ...]:
    """Tools of which only the names are known; what they do is read from the name's verb. Raises `BadInput`."""
    from verifier import Tool

    try:
        return tuple(Tool(name) for name in names)
    except ValueError as error:
        raise BadInput(f"--tool {error}") from None


def console() -> Console:
    """The terminal; a width of 100 where the output is a file, so that it is the same everywhere."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=100)
