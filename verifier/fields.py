"""The records that a result gives, each as its fields: what a reply that was only told them may tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.records import MAX_DEPTH, MAX_SCALARS, CallFacts, escape, key_words, loaded
from verifier.values.lexicon import fold

ROOT = "/result"
MOST_NAMED = 8  # words of a text that names something
MOST_WORDS = 40  # of a field; a longer text is told, not named


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record: the words of its keys from the record inwards, its value, its place, the value's words."""

    keys: frozenset[str]
    key: str
    raw: Any
    pointer: str
    words: tuple[str, ...]
    depth: int  # keys from the record inwards


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping of a result, or one that stands in a list, with what its own mappings and plain lists hold."""

    fields: tuple[Field, ...]
    words: frozenset[str]
    names: frozenset[str]  # the words of its short texts
    whole: bool  # the result itself


def stored_records(held: CallFacts) -> tuple[Record, ...]:
    """The records of a call's result, outer ones first; worked out once for a call."""
    found: tuple[Record, ...] = held.once("records", _records)
    return found


def _records(held: CallFacts) -> tuple[Record, ...]:
    body = loaded(held.call.result)
    left = [MAX_SCALARS]
    return tuple(_record(node, place, left) for node, place in _roots(body, ROOT, 0))


def _roots(node: Any, pointer: str, depth: int) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The mapping of a result and those in its lists, wherever they stand."""
    if depth > MAX_DEPTH:
        return
    if isinstance(node, Mapping):
        if depth == 0:
            yield node, pointer
        for name, child in node.items():
            yield from _roots(child, f"{pointer}/{escape(str(name))}", depth + 1)
    elif _is_list(node):
        for place, child in enumerate(node):
            if isinstance(child, Mapping):
                yield child, f"{pointer}/{place}"
            yield from _roots(child, f"{pointer}/{place}", depth + 1)


def _record(node: Mapping[str, Any], pointer: str, left: list[int]) -> Record:
    fields = tuple(_fields(node, pointer, (), left, 0))
    words = frozenset(word for field in fields for word in field.words)
    names = frozenset(word for field in fields if len(field.words) <= MOST_NAMED for word in field.words)
    return Record(fields, words, names, pointer == ROOT)


def _fields(node: Any, pointer: str, path: tuple[str, ...], left: list[int], level: int) -> Iterator[Field]:
    if level > MAX_DEPTH or left[0] <= 0:
        return
    if isinstance(node, Mapping):
        for name, child in node.items():
            key = str(name)
            yield from _fields(child, f"{pointer}/{escape(key)}", (*path, key), left, level + 1)
    elif _is_list(node):
        for place, child in enumerate(node):
            if not isinstance(child, Mapping):  # a mapping in a list is a record of its own
                yield from _fields(child, f"{pointer}/{place}", path, left, level + 1)
    elif path and node is not None and node is not False and node not in ("", "0", 0):
        left[0] -= 1
        keys = frozenset(word for key in path for word in key_words(key))
        words = () if node is True else tuple(plain_words(str(node)))
        yield Field(keys, path[-1], node, pointer, words, len(path))


def plain_words(text: str) -> list[str]:
    """The folded words of a value, without the marks around them."""
    plain = "".join(char if char.isalnum() else " " for char in fold(text[:400]))
    return plain.split()[:MOST_WORDS]


def _is_list(node: Any) -> bool:
    return isinstance(node, Sequence) and not isinstance(node, str | bytes)
