"""Phrases of words: `money back`, `best|lowest price(s)?`, `never ..3 fail`, `guarant*`; found in any disguise.

The marks are four: `a|b` alternatives, `word?` may be missing, `..3` up to three words between, `word*` any ending.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from verifier.rules.letters import Folded, Word, is_unspaced, keys_of

MAX_GAP = 9  # words that `..9` may skip
MAX_PARTS = 24
MAX_ENDING = 16  # letters that `*` stands for
MAX_WAYS = 64  # to write one phrase without blanks
MIN_SPACED = 4  # letters of a phrase that is looked for inside a longer spaced-out run


@dataclass(frozen=True, slots=True)
class Part:
    """One place of a phrase: the words that may stand there, or a gap of up to `gap` words."""

    words: frozenset[str] = frozenset()
    stems: tuple[str, ...] = ()
    optional: bool = False
    gap: int = 0

    def fits(self, word: Word) -> bool:
        """Whether a word may stand here."""
        if any(key in self.words for key in word.keys):
            return True
        return any(
            key.startswith(stem) and len(key) <= len(stem) + MAX_ENDING for stem in self.stems for key in word.keys
        )


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as written, and as parts."""

    written: str
    parts: tuple[Part, ...]
    joined: tuple[str, ...] = ()  # its letters without blanks, to be found in spaced-out or unspaced writing
    unspaced: bool = False

    def __hash__(self) -> int:
        """By what is written: the parts follow from it."""
        return hash(self.written)


@dataclass(frozen=True, slots=True)
class Match:
    """Where a phrase stands."""

    start: int
    end: int
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class PhraseIndex:
    """Phrases by their first word, so that a text costs what it holds and not how many phrases there are."""

    first: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)
    stems: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)
    joined: tuple[Phrase, ...] = ()
    unspaced: tuple[Phrase, ...] = ()

    def __bool__(self) -> bool:
        """Whether it holds a phrase."""
        return bool(self.first or self.stems)


def parse_phrase(written: str) -> Phrase:
    """A phrase from its text. Raises ValueError saying what is wrong with it."""
    raw = written.split()
    if len(raw) > MAX_PARTS:
        raise ValueError(f"a phrase has at most {MAX_PARTS} words; make two of it")
    parts = [part for one in raw for part in _parts(one)]
    if not parts or all(part.gap or part.optional for part in parts):
        raise ValueError("a phrase needs a word that must stand there")
    if parts[0].gap or parts[0].optional or parts[-1].gap or parts[-1].optional:
        raise ValueError("a phrase begins and ends with a word that must stand there")
    joined = _joined(parts)
    return Phrase(written, tuple(parts), joined, any(map(is_unspaced, joined)))


def _joined(parts: Sequence[Part]) -> tuple[str, ...]:
    """The ways to write a phrase without blanks, those without gaps; the longest first."""
    ways = [""]
    for part in parts:
        choices = sorted([*part.words, *part.stems]) + [""] * part.optional if not part.gap else [""]
        ways = [way + choice for way in ways for choice in choices][:MAX_WAYS]
    return tuple(sorted(dict.fromkeys(ways), key=lambda way: (-len(way), way)))


def _parts(written: str) -> Iterator[Part]:
    if written.startswith("..") and written[2:].isdigit():
        if not 1 <= int(written[2:]) <= MAX_GAP:
            raise ValueError(f"`{written}` skips too many words; at most ..{MAX_GAP}")
        yield Part(gap=int(written[2:]))
        return
    optional = written.endswith("?") and len(written) > 1
    choices = (written[:-1] if optional else written).split("|")
    stems = [keys_of(choice[:-1]) for choice in choices if choice.endswith("*")]
    words = [keys_of(choice) for choice in choices if not choice.endswith("*")]
    if any(len(keys) != 1 or len(keys[0]) < 3 for keys in stems):
        raise ValueError(f"`{written}`: three letters or more must stand before the `*`")
    if len(choices) == 1 and words and not optional:
        if not words[0]:
            raise ValueError(f"`{written}` has no letter or digit")
        yield from (Part(frozenset((key,))) for key in words[0])
        return
    if any(len(keys) != 1 for keys in words):
        raise ValueError(f"`{written}`: each alternative must be one word")
    yield Part(frozenset(keys[0] for keys in words), tuple(keys[0] for keys in stems), optional)


def index_of(phrases: Iterable[Phrase]) -> PhraseIndex:
    """An index over phrases."""
    first: dict[str, list[Phrase]] = {}
    stems: dict[str, list[Phrase]] = {}
    joined: list[Phrase] = []
    unspaced: list[Phrase] = []
    for phrase in phrases:
        (unspaced if phrase.unspaced else joined if phrase.joined else []).append(phrase)
        for word in sorted(phrase.parts[0].words):
            first.setdefault(word, []).append(phrase)
        for stem in phrase.parts[0].stems:
            stems.setdefault(stem[:3], []).append(phrase)
    frozen = {word: tuple(found) for word, found in first.items()}
    return PhraseIndex(frozen, {k: tuple(v) for k, v in stems.items()}, tuple(joined), tuple(unspaced))


def find(folded: Folded, index: PhraseIndex) -> list[Match]:
    """Where phrases stand, by place; the longest first where several begin together."""
    found: dict[tuple[int, int, str], Match] = {}
    words = folded.words
    first, stems = index.first, index.stems
    for at, word in enumerate(words):
        starting = [phrase for key in word.keys if key in first for phrase in first[key]]
        if stems:
            starting += _starting(word, stems)
        for phrase in starting:
            last = _end(phrase.parts, words, at)
            if last >= 0:
                match = Match(word.start, words[last].end, phrase)
                found.setdefault((match.start, match.end, phrase.written), match)
    for match in (*_in_spaced(folded, index), *_in_unspaced(words, index)):
        found.setdefault((match.start, match.end, match.phrase.written), match)
    return sorted(found.values(), key=lambda match: (match.start, -match.end, match.phrase.written))


def _starting(word: Word, stems: Mapping[str, Sequence[Phrase]]) -> Iterator[Phrase]:
    for key in word.keys:
        for phrase in stems.get(key[:3], ()):
            if phrase.parts[0].fits(word):
                yield phrase


def _end(parts: Sequence[Part], words: Sequence[Word], at: int) -> int:
    """The index of the last word of the phrase that begins at word `at`, or -1; the longest way of several."""
    if len(parts) == 1:
        return at if parts[0].fits(words[at]) else -1
    states = {at}  # the words that the next part may take
    best = -1
    for number, part in enumerate(parts):
        following: set[int] = set()
        for state in states:
            if part.gap:
                following.update(_reach(words, state, part.gap))
                continue
            if part.optional:
                following.add(state)
            if state < len(words) and part.fits(words[state]) and (state == at or not words[state].breaks):
                following.add(state + 1)
        if not following:
            return -1
        if number == len(parts) - 1:
            best = max(following) - 1
        states = following
    return best


def _reach(words: Sequence[Word], state: int, gap: int) -> Iterator[int]:
    yield state
    for step in range(state, min(len(words), state + gap)):
        if words[step].breaks:
            return
        yield step + 1


def _in_spaced(folded: Folded, index: PhraseIndex) -> Iterator[Match]:
    """Phrases whose letters stand apart. A short one must be the whole run, or it would be met by chance."""
    for run in folded.spaced:
        for phrase in index.joined:
            for way in phrase.joined:
                for at in _places(run.letters, way):
                    if len(way) >= MIN_SPACED or len(way) == len(run.letters):
                        yield Match(run.places[at][0], run.places[at + len(way) - 1][1], phrase)


def _in_unspaced(words: Sequence[Word], index: PhraseIndex) -> Iterator[Match]:
    """Phrases of scripts without spaces: letters one after the other, wherever words begin."""
    for word in words if index.unspaced else ():
        key = word.keys[0]
        exact = len(key) == word.end - word.start
        for phrase in index.unspaced:
            for way in phrase.joined:
                for at in _places(key, way):
                    start, end = (word.start + at, word.start + at + len(way)) if exact else (word.start, word.end)
                    yield Match(start, end, phrase)


def _places(letters: str, way: str) -> Iterator[int]:
    at = letters.find(way)
    while at >= 0:
        yield at
        at = letters.find(way, at + 1)


def drop_excepted(matches: Sequence[Match], exceptions: Sequence[Match]) -> list[Match]:
    """The matches that stand in no exception."""
    return [m for m in matches if not any(e.start <= m.start and m.end <= e.end for e in exceptions)]
