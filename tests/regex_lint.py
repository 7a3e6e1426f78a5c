"""What is wrong with a pattern: repeats without a bound or that read in many ways, categories of all scripts.

Conservative on purpose: a pattern that it refuses wrongly is written as code instead.
"""

from __future__ import annotations

import re._constants as op
import re._parser as parser
from collections.abc import Iterator
from typing import Any

MAX_LOOK = 100  # characters that a look-ahead may read
SAMPLE = frozenset(range(0x250))  # Latin letters and all of ASCII; what only differs above it counts as equal
CATEGORIES = {op.CATEGORY_DIGIT: r"\d", op.CATEGORY_SPACE: r"\s"}


def complaints(pattern: str) -> list[str]:
    """Everything wrong with a pattern, nothing where it is bounded."""
    parsed = parser.parse(pattern)
    return [f"{what} in {pattern!r}" for what in dict.fromkeys([*_look_at(parsed, None), *_references(parsed)])]


def _references(parsed: Any) -> Iterator[str]:
    """Back-references to more than one character; the second of two equal marks (`3/4/2025`) costs nothing."""
    widths = parsed.state.groupwidths
    for item in _everywhere(parsed):
        if item[0] is op.GROUPREF_EXISTS or (item[0] is op.GROUPREF and widths[item[1]][1] > 1):
            yield "a back-reference to more than one character"


def _everywhere(items: Any) -> Iterator[Any]:
    for item in items:
        yield item
        for part in item[1] if isinstance(item[1], tuple) else (item[1],):
            if isinstance(part, parser.SubPattern):
                yield from _everywhere(part)
            elif isinstance(part, list):
                for branch in part:
                    if isinstance(branch, parser.SubPattern):
                        yield from _everywhere(branch)


def _look_at(items: Any, outer: Any) -> Iterator[str]:
    for kind, value in items:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield from _repeat(value, outer)
        elif kind is op.SUBPATTERN:
            yield from _look_at(value[3], outer)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _look_at(branch, outer)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            if value[1].getwidth()[1] > MAX_LOOK:
                yield f"a look-around of more than {MAX_LOOK} characters"
            yield from _look_at(value[1], None)
        elif kind is op.ATOMIC_GROUP:
            yield from _look_at(value, None)
        elif kind is op.IN and value[0][0] is not op.NEGATE:  # [^\W\d_] is how `re` spells a letter
            yield from (
                f"{CATEGORIES[name]} (all scripts)"
                for what, name in value
                if what is op.CATEGORY and name in CATEGORIES
            )


def _repeat(value: Any, outer: Any) -> Iterator[str]:
    low, high, body = value
    if high is op.MAXREPEAT:
        yield "a repeat without a bound"
    if low != high and high > 1 and outer is not None and _can_start_with_what_it_repeats(outer, body):
        yield "a repeat in a repeat that can be read in many ways"
    yield from _look_at(body, body if low != high and high > 1 else outer)


def _can_start_with_what_it_repeats(outer: Any, body: Any) -> bool:
    """Whether the next round of the outer repeat could take over characters of the inner one."""
    return bool(_first(outer) & _all(body))


def _first(items: Any) -> frozenset[int]:
    """The characters with which these items can start (all of the sample where that is not simple to say)."""
    found: frozenset[int] = frozenset()
    for item in items:
        kind, value = item
        if kind is op.AT or kind in (op.ASSERT, op.ASSERT_NOT):
            continue
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            found |= _first(value[2])
            if value[0] == 0:
                continue
            return found
        return found | _chars(item, _first)
    return found


def _all(items: Any) -> frozenset[int]:
    return frozenset().union(
        *(
            _all(item[1][2]) if item[0] in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT) else _chars(item, _all)
            for item in items
        )
    )


def _chars(item: Any, inside: Any) -> frozenset[int]:
    kind, value = item
    if kind is op.LITERAL:
        return frozenset({value})
    if kind is op.IN:
        return _set(value)
    if kind is op.SUBPATTERN:
        return frozenset(inside(value[3]))
    if kind is op.BRANCH:
        return frozenset().union(*(inside(branch) for branch in value[1]))
    if kind is op.AT or kind in (op.ASSERT, op.ASSERT_NOT):
        return frozenset()
    return SAMPLE


def _set(members: Any) -> frozenset[int]:
    found: set[int] = set()
    for kind, value in members:
        if kind is op.LITERAL:
            found.add(value)
        elif kind is op.RANGE:
            found |= set(range(value[0], min(value[1] + 1, 0x250)))
        elif kind is op.CATEGORY:
            found |= {code for code in SAMPLE if _in_category(chr(code), value)}
    return SAMPLE - found if members[0][0] is op.NEGATE else frozenset(found)


def _in_category(char: str, name: Any) -> bool:
    word = char.isalnum() or char == "_"
    if name in (op.CATEGORY_WORD, op.CATEGORY_NOT_WORD):
        return word is (name is op.CATEGORY_WORD)
    if name in (op.CATEGORY_SPACE, op.CATEGORY_NOT_SPACE):
        return char.isspace() is (name is op.CATEGORY_SPACE)
    return char.isdigit() is (name is op.CATEGORY_DIGIT)
