"""A question whose words name no act: what it asks for, or what the reply asked before, says which tool it is about."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from verifier.profile import name_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from verifier.candidates import Region
    from verifier.linker import Linker
    from verifier.profile import ToolIndex
    from verifier.statement import ReadSentence, Statement

MOST_BEFORE = 8  # sentences of the reply in which the act in question was last named
MOST_PARAMETERS = 12  # of a tool; who needs more asks for them in other words
NUMBERS = frozenset({"id", "number", "code", "reference"})  # what people call an identifier


def tool_in_question(
    regions: Sequence[Region], linker: Linker, before: Sequence[ReadSentence], *, asks: bool
) -> str | None:
    """The tool that a question or condition is about; None where nothing tells.

    The one that needs what it asks for, the one whose objects it names, the one last asked about or spoken of, and
    at last what the person asked for (a mere condition, `asks` false, is about none of the last two).
    """
    tool = (_needing(regions, linker) or _identifying(regions, linker) if asks else None) or linker.by_nouns(regions)
    if tool or not asks:
        return tool
    return _last_asked(before, linker) or _last_named(before) or next(iter(linker.requested()), None)


def asks_to_be_told(statement: Statement, linker: Linker) -> bool:
    """`Could you give me your e-mail?`: the verb is what the person should do, and no tool's act."""
    reading = statement.reading
    told = linker.grammar.lists["telling"]
    return reading is not None and statement.claim == "asks" and not told.isdisjoint(reading.lemmas)


def looked_up_by(statement: Statement, regions: Sequence[Region], linker: Linker) -> str | None:
    """`Your e-mail, so that I can find your account`: of the lookups the one that takes what is asked for; or None."""
    if statement.claim != "asks" or statement.tool is None:
        return None
    if linker.is_write_tool(statement.tool) and statement.kind != "mention":
        return None
    tool = _needing(regions, linker)
    return None if tool is None or linker.is_write_tool(tool) else tool


def _identifying(regions: Sequence[Region], linker: Linker) -> str | None:
    """The first lookup of a person, for `I need to verify your identity`."""
    lists = linker.grammar.lists
    if all(region.keys.isdisjoint(lists["identifying"]) for region in regions):
        return None
    for noun in sorted(lists["persons"]):
        for place in linker.tools.by_noun.get(noun, ()):
            tool = linker.tools.profiles[place].tool
            if not tool.write:
                return tool.name
    return None


def _needing(regions: Sequence[Region], linker: Linker) -> str | None:
    """The tool that takes what is asked for (`your e-mail address`): a lookup first, then the one of least else."""
    words = frozenset().union(*(region.keys | region.nouns for region in regions))
    words |= NUMBERS if not words.isdisjoint(NUMBERS) else frozenset()
    taken, takers = _parameters(linker.tools)
    best: tuple[int, bool, int, int] | None = None
    for place in sorted({place for word in words for place in takers.get(word, ())}):
        tool = linker.tools.profiles[place].tool
        names = taken[place]
        asked = sum(1 for name in names if words.issuperset(name))
        if asked:
            rank = (asked, not tool.write, -len(names), -place)
            best = max(best, rank) if best else rank
    return linker.tools.profiles[-best[3]].tool.name if best else None


def _parameters(tools: ToolIndex) -> tuple[Sequence[Sequence[tuple[str, ...]]], Mapping[str, Sequence[int]]]:
    """What each tool takes, as words, and the places of the tools by the first word of it; kept with the tools."""
    if tools.taken is None:
        taken = [_names(profile.tool.parameters) for profile in tools.profiles]
        takers: dict[str, list[int]] = {}
        for place, names in enumerate(taken):
            for name in names:
                takers.setdefault(name[0], []).append(place)
        tools.takers, tools.taken = takers, taken
    return tools.taken, tools.takers


def _names(parameters: Mapping[str, object]) -> list[tuple[str, ...]]:
    """The names of what a tool takes, as words: `order_id` is (order, id)."""
    properties = parameters.get("properties")
    names: Iterable[str] = properties if hasattr(properties, "keys") else ()  # type: ignore[assignment]
    return [words for name in islice(names, MOST_PARAMETERS) if (words := tuple(name_words(name)))]


def _last_asked(before: Sequence[ReadSentence], linker: Linker) -> str | None:
    """The tool of the act that the reply last asked about or promised, a write before a lookup."""
    lookup = None
    for read in reversed(before[-MOST_BEFORE:]):
        for statement in read.statements:
            if statement.tool is not None and statement.claim in ("asks", "promises"):
                if linker.is_write_tool(statement.tool):
                    return statement.tool
                lookup = lookup or statement.tool
    return lookup


def _last_named(before: Sequence[ReadSentence]) -> str | None:
    """The tool that the reply last spoke of."""
    for read in reversed(before[-MOST_BEFORE:]):
        for statement in read.statements:
            if statement.tool is not None:
                return statement.tool
    return None
