"""An index over a ledger's calls: who holds which value, and which results share an identifier with a call.

It grows with the ledger: once this module is loaded (a `Verifier` does), each call is read when it is recorded, so that
no verdict waits for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Set
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from verifier.ledger import READERS
from verifier.matching import ends_in, matches
from verifier.model import Value
from verifier.records import CallFacts, Fact, Length, Scalar, facts_of, is_named, key_words, scalars
from verifier.session import NAMED, Session
from verifier.values.identifiers import identifier_key
from verifier.values.lexicon import fold

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.ledger import Ledger

T = TypeVar("T")
CACHE = "facts"  # our slot in ledger.cache
MAX_LINK = 64  # characters of a text that may be an identifier
MAX_WORDS = 4_000  # words of one call that the linker compares with
_WORD = re.compile(r"[a-z0-9]{2,40}")


class Index:
    """What the calls of a ledger hold. Get it from `index(ledger)`; it goes on from where it was."""

    def __init__(self, ledger: Ledger) -> None:
        """Nothing is read yet; `refresh` does."""
        self._ledger = ledger
        self._version = 0
        self._places: dict[str, int] = {}
        self._calls: list[Call] = []
        self._scalars: list[list[Scalar]] = []
        self._links: list[frozenset[str]] = []
        self._full: list[CallFacts | None] = []
        self._strings: list[frozenset[str] | None] = []
        self._worded = 0
        self._words: dict[str, set[str]] = {}
        self._reworded: set[str] = set()
        self._holders: dict[str, list[int]] = {}
        self._tails: dict[str, list[str]] = {}
        self._session = Session()
        self._told = (0, 0, 0)
        self._stale: set[int] = set()
        self._calculations: list[int] = []
        self._memo: dict[str, Any] = {}
        self._lock = Lock()

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What `make` works out of the whole session, worked out again only when a call was added."""
        if name not in self._memo:
            self._memo[name] = make()
        found: T = self._memo[name]
        return found

    def refresh(self) -> None:
        """Take in what the ledger recorded since the last look."""
        if self._version == self._ledger.version:
            return
        with self._lock:
            version = self._ledger.version
            for event in self._ledger.events(self._version):
                if event.kind in ("call", "settle"):
                    self._take(event.value)
                    self._memo.clear()
            self._version = version

    def prepare(self) -> None:
        """Read in full what the ledger recorded last, and what was said: what every verdict asks for."""
        for place in [*range(self._told[0], len(self._calls)), *sorted(self._stale)]:
            self.strings(self._calls[place])
        self._read_words()
        _ = self.session

    def _take(self, call: Call) -> None:
        leaves = scalars(call.arguments, call.result)
        links = frozenset(_links(leaves))
        place = self._places.get(call.id)
        if place is None:
            place = self._places[call.id] = len(self._calls)
            self._calls.append(call)
            self._scalars.append(leaves)
            self._links.append(links)
            self._full.append(None)
            self._strings.append(None)
            if any(not leaf.in_result and _is_calculation(leaf.raw) for leaf in leaves[:4]):
                self._calculations.append(place)
        else:
            self._calls[place], self._scalars[place], self._links[place] = call, leaves, links
            self._full[place] = self._strings[place] = None
            self._stale.add(place)
            self._reworded.add(call.tool)
        for key in links:
            held = self._holders.setdefault(key, [])
            if not held or held[-1] != place:
                held.append(place)
            tail = key[-4:]
            if len(key) > 4 and tail.isdigit():
                self._tails.setdefault(tail, []).append(key)

    def _place(self, call: Call) -> int:
        return self._places[call.id]

    def facts(self, call: Call) -> CallFacts:
        """Every fact of a call of this ledger. Raises `KeyError` for a call of another."""
        place = self._place(call)
        full = self._full[place]
        if full is None:
            full = self._full[place] = self._read(place)
        return full

    def _read(self, place: int) -> CallFacts:
        facts = tuple(fact for leaf in self._scalars[place] for fact in facts_of(leaf))
        kinds: dict[str, list[Fact]] = {}
        for fact in facts:
            kinds.setdefault(fact.kind, []).append(fact)
        grouped = {kind: tuple(found) for kind, found in kinds.items()}
        return CallFacts(self._calls[place], facts, grouped, self._links[place])

    def holders(self, key: str | Value) -> tuple[Call, ...]:
        """The calls that received or returned an identifier (a key as `identifier_key` gives it, or a `Value`)."""
        places: set[int] = set()
        for name in [key] if isinstance(key, str) else self._names(key):
            places.update(self._holders.get(name, ()))
        return tuple(self._calls[place] for place in sorted(places))

    def _names(self, value: Value) -> list[str]:
        """The recorded identifiers that a value can mean: itself, or those that end in its digits."""
        names = []
        for meaning in value.meanings:
            text = str(meaning)
            if value.kind == "phone" or text.startswith("*"):
                digits = text.lstrip("*")
                names += [name for name in self._tails.get(digits[-4:], ()) if ends_in(name, digits)]
                names.append(digits)
            else:
                names.append(identifier_key(text) if value.kind == "email" else text)
        return names

    def linked(self, call: Call) -> tuple[Call, ...]:
        """The other calls whose arguments or result share an identifier with the call, in recorded order."""
        own = self._place(call)
        places = {place for key in self._links[own] for place in self._holders.get(key, ())}
        return tuple(self._calls[place] for place in sorted(places) if place != own)

    def strings(self, call: Call) -> frozenset[str]:
        """The folded words of a call's texts, and its short texts as a whole: what links a sentence to it."""
        place = self._place(call)
        found = self._strings[place]
        if found is None:
            words: set[str] = set()
            for leaf in self._scalars[place]:
                if isinstance(leaf.raw, Length):
                    continue
                text = fold(str(leaf.raw)[:2000])
                words.update(_WORD.findall(text))
                if len(text) <= MAX_LINK:
                    words.add(text)
                if len(words) > MAX_WORDS:
                    break
            found = self._strings[place] = frozenset(words)
        return found

    def words_of_tool(self, tool: str) -> Set[str]:
        """What `strings` gives of all calls of a tool together."""
        self._read_words()
        if tool in self._reworded:  # a call was settled: what it returned before is gone
            self._words[tool] = set().union(*map(self.strings, self._ledger.calls_of(tool)))
            self._reworded.discard(tool)
        return self._words.get(tool, frozenset())

    def _read_words(self) -> None:
        with self._lock:
            for place in range(self._worded, len(self._calls)):
                call = self._calls[place]
                self._words.setdefault(call.tool, set()).update(self.strings(call))
            self._worded = len(self._calls)

    def call_has(self, call: Call, value: Value) -> Fact | None:
        """The fact of a call that a value states, or None."""
        return next(matches(value, self.facts(call)), None)

    def session_has(self, kind: str, meaning: Hashable) -> tuple[Call, Fact] | None:
        """A call and the fact of it with exactly this kind and meaning, the earliest; None if no call holds it."""
        found = self.session.has(kind, meaning)
        return (self._calls[found[0]], found[1]) if found else None

    def session_find(self, value: Value) -> tuple[Call, Fact] | None:
        """A call and the fact of it that the value states; None if no call holds it."""
        if value.kind in NAMED:
            for call in self.holders(value):
                fact = self.call_has(call, value)
                if fact:
                    return call, fact
        return next(self.session_facts(value), None)

    def session_facts(self, value: Value) -> Iterator[tuple[Call, Fact]]:
        """The calls and their facts that the value states, the latest first."""
        for place, fact in self.session.find(value):
            yield self._calls[place], fact

    def session_text(self, name: str) -> Call | None:
        """A call in one of whose texts the key of an identifier or address stands, letter by letter."""
        place = self.session.in_text(name)
        return None if place is None else self._calls[place]

    @property
    def session(self) -> Session:
        """What all calls hold and what was said, read up to now."""
        heard, contexts = self._ledger.heard, self._ledger.contexts
        told = (len(self._calls), len(heard), len(contexts))
        if self._told == told and not self._stale:
            return self._session
        with self._lock:
            for place in [*range(self._told[0], told[0]), *sorted(self._stale)]:
                self._session.add(place, self.facts(self._calls[place]))
            for text in (*(text for _, text in heard[self._told[1] :]), *contexts[self._told[2] :]):
                self._session.hear(text)
            self._told = told
            self._stale.clear()
        return self._session

    def calculations(self) -> tuple[Call, ...]:
        """The calls that were given a calculation (`(399 + 165) * 3`): their results belong to every record."""
        return tuple(self._calls[place] for place in self._calculations)

    def calls(self) -> tuple[Call, ...]:
        """The calls, as recorded."""
        return tuple(self._calls)


def index(ledger: Ledger) -> Index:
    """The index of a ledger, up to date; kept in `ledger.cache`."""
    found: Index | None = ledger.cache.get(CACHE)
    if found is None:
        found = ledger.cache.setdefault(CACHE, Index(ledger))
    found.refresh()
    return found


def _prepare(ledger: Ledger) -> None:
    index(ledger).prepare()


READERS.append(_prepare)


def words_of(raw: object) -> list[str]:
    """The folded words of a recorded text."""
    return [] if isinstance(raw, Length) else _WORD.findall(fold(str(raw)[:2000]))


_CALCULATION = re.compile(r"(?=.{0,60}[0-9] ?[-+*/] ?[(0-9])[-+*/(). 0-9]{3,400}")


def _is_calculation(raw: object) -> bool:
    return isinstance(raw, str) and _CALCULATION.fullmatch(raw) is not None and not _DATED.fullmatch(raw)


def _links(leaves: list[Scalar]) -> Iterator[str]:
    """The identifiers among the leaves of a call: what can tie two records together."""
    for leaf in leaves:
        raw = leaf.raw
        if isinstance(raw, str):
            if 2 < len(raw) <= MAX_LINK and (named := _link(raw, leaf.key)):
                yield named
        elif isinstance(raw, int) and not isinstance(raw, Length) and raw > 9 and (raw > 9_999 or is_named(leaf.key)):
            yield str(raw)


_DIGIT = re.compile("[0-9]")
_DATED = re.compile(
    r"(?:19|20)[0-9]{2}-[0-9]{2}(?:-[0-9]{2}.{0,30})?|[0-9]{1,2}:[0-9]{2}.{0,12}|[-+]?[0-9]{1,12}\.[0-9]{1,4}"
)


@lru_cache(maxsize=16_384)
def _link(raw: str, key: str) -> str:
    """The text as an identifier, or an empty text: one with a digit that is no date and no sentence, or an id."""
    if "@" in raw:
        return "" if " " in raw else identifier_key(raw)
    if not _DIGIT.search(raw):
        return identifier_key(raw) if " " not in raw and "id" in key_words(key) else ""
    return "" if _DATED.fullmatch(raw) or raw.count(" ") > 4 else identifier_key(raw)
