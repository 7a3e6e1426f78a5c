"""Which calls of a turn the kept sentences of a reply already tell, so that they are not told a second time."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from verifier.fields import plain_words
from verifier.matching import matches
from verifier.model import Outcome
from verifier.profile import CLASS, SAME
from verifier.records import Scalar, scalars
from verifier.unworded import regions_of
from verifier.values.lexicon import lexicon

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.candidates import Region
    from verifier.ledger import Ledger
    from verifier.linker import Linker
    from verifier.readings import SentenceReading
    from verifier.statement import ReadSentence

MOST_LEFT = 20  # writes that may be told in other words; of more, the rest is told at the end
MOST_WRITES = 400  # of a turn whose arguments are compared
MOST_ARGUMENTS = 40  # of a call that are looked for
MOST_SAID = 8  # words of an argument that a sentence repeats
HALF = 0.5  # `the quartet` for `string quartet`, where something is denied
LONG = 4  # letters; a shorter word of a reason says little
CAME_TO_NOTHING = frozenset({Outcome.FAILED, Outcome.REFUSED})
KEPT = frozenset({"kept", "edited"})


def spoken_of(reads: Sequence[ReadSentence], actions: Sequence[str], ledger: Ledger) -> set[str]:
    """The ids of the calls that a kept sentence speaks of: those that it names, else every call of its tools."""
    spoken: set[str] = set()
    for read, action in zip(reads, actions, strict=True):
        if action not in KEPT:
            continue
        for statement in read.statements:
            spoken.update(call.id for call in statement.calls)
            if not statement.named and not statement.inherited:  # its lead speaks for the others, if it stays
                for candidate in statement.candidates:
                    spoken.update(call.id for call in ledger.calls_of(candidate.tool) if call.turn == ledger.turn)
    return spoken


def told_of(
    reads: Sequence[ReadSentence], actions: Sequence[str], linker: Linker, spoken: Collection[str]
) -> set[str]:
    """The ids of this turn's writes, none of them `spoken`, of which a kept sentence states enough."""
    left = [call for call in linker.in_turn if call.id not in spoken and linker.writes(call)][:MOST_LEFT]
    told: set[str] = set()
    if not left:
        return told
    turn = _Turn(linker)
    for read, action in zip(reads, actions, strict=True):
        if action in KEPT and read.reading is not None and not read.reading.question:
            words = frozenset(word for one in read.reading.words for word in plain_words(one.key))
            told.update(call.id for call in left if _Telling(read, linker, call, turn, words).tells())
    return told


class _Turn:
    """What the writes of a turn share and do not share, worked out once for a reply."""

    def __init__(self, linker: Linker) -> None:
        self.linker = linker
        self.writes = [call for call in linker.in_turn if linker.writes(call)][:MOST_WRITES]
        self.numbers = Counter(call.tool for call in linker.in_turn)
        self.holders: Counter[str] = Counter()
        for call in self.writes:
            self.holders.update({str(leaf.raw) for leaf in _leaves(call)})
        self.objects: dict[str, frozenset[str]] = {}
        self.leaves: dict[str, list[tuple[Scalar, tuple[str, ...], tuple[str, ...]]]] = {}

    def own_texts(self, call: Call) -> list[tuple[Scalar, tuple[str, ...], tuple[str, ...]]]:
        """The own leaves of a call with their words, and those of them that tell something."""
        found = self.leaves.get(call.id)
        if found is None:
            common = self.linker.grammar.common
            texts = [(leaf, tuple(plain_words(str(leaf.raw)))) for leaf in self.own_leaves(call)]
            found = self.leaves[call.id] = [
                (leaf, words, tuple(word for word in words if len(word) > 2 and word not in common))
                for leaf, words in texts
            ]
        return found

    def own_leaves(self, call: Call) -> list[Scalar]:
        """The texts and numbers that a call was given and no other write of the turn was."""
        return [leaf for leaf in _leaves(call) if self.holders[str(leaf.raw)] == 1]

    def own_objects(self, tool: str) -> frozenset[str]:
        """What a tool acts on and no other tool that wrote in the turn does."""
        if tool not in self.objects:
            others = {call.tool for call in self.writes} - {tool}
            self.objects[tool] = self.linker.objects_of(tool).difference(*map(self.linker.objects_of, others))
        return self.objects[tool]


def _leaves(call: Call) -> list[Scalar]:
    return scalars(call.arguments, None)[:MOST_ARGUMENTS]


class _Telling:
    """One sentence beside one call."""

    def __init__(
        self, read: ReadSentence, linker: Linker, call: Call, turn: _Turn, words: frozenset[str]
    ) -> None:
        assert read.reading is not None
        self.words = words
        self.read, self.linker, self.call, self.turn = read, linker, call, turn
        self.sentence: SentenceReading = read.reading
        self.regions = regions_of(read, linker)

    def tells(self) -> bool:
        """Does the sentence tell what became of the call?"""
        outcome = self.call.outcome
        if outcome is Outcome.DONE and self.read.values and self.linker.alone_holds(self.call, self.regions):
            return True
        if self._supposes():
            return False
        if outcome is Outcome.UNDONE and self._tells_undoing():
            return True
        if outcome in (Outcome.DONE, Outcome.UNDONE):
            return not self._has("not", "no", "unable") and self._tells_done()
        if outcome is Outcome.UNKNOWN:
            about = self._names_object() or self._arguments() > 0 or self._names_act()
            return about and self._has("unknown", "may", "not", "whether")
        if outcome in CAME_TO_NOTHING:
            denied = self._has("not", "no", "unable", "cross", "unavailable") or self._fails()
            if self._has("remain", "unchanged") and self._names_own_object():
                return True  # `the password stays the same`
            return denied and (self._tells_reason() or self._arguments(HALF) > 0 or self._names_own_object())
        return False

    def _fails(self) -> bool:
        """Does the sentence tell of a failure (`refused`, `an error`)?"""
        failure = self.linker.grammar.lists.get("failure", frozenset())
        return any(reading.fails for reading in self.sentence.readings) or any(
            word.key in failure for word in self.sentence.words
        )

    def _tells_undoing(self) -> bool:
        """`The move to Gold was undone`: undoing, and the object or an argument of the call."""
        undoing = self.linker.grammar.lists["undoing"]
        told = any(not undoing.isdisjoint(reading.lemmas) for reading in self.sentence.readings)
        return told and (self._names_object() or self._arguments() > 0)

    def _names_act(self) -> bool:
        """Does a word of the sentence, in any form, name the tool's own act?"""
        verbs = frozenset(self.linker.verbs_of(self.call.tool))
        return any(word.unit is not None and not verbs.isdisjoint(word.unit.lemmas) for word in self.sentence.words)

    def _supposes(self) -> bool:
        return self.sentence.offer or self.sentence.condition or self.sentence.request

    def _has(self, *classes: str) -> bool:
        return not self.linker.grammar.codes_of(*classes).isdisjoint(self.sentence.codes)

    def _tells_done(self) -> bool:
        """The act and what it was done to, the object and a value of it, or two values, where something is told."""
        verb, stated = self._verb(), self._arguments()
        if verb >= SAME and self._is_only_of_tool():
            return True
        if verb >= CLASS and (stated or (self._names_object() and self._is_only_of_tool())):
            return True
        if self._has("now") and (self._values() > 1 or self._names_own_object()):
            return True  # `the pickup is at three now`
        single = self._is_only_of_tool()
        if self._is_placed() and (stated or (single and self._names_own_object())):
            return True
        if single and self._names_own_object(self._told_segments()):
            return True  # `blinds closed`
        if not any(reading.claim == "says_done" for reading in self.sentence.readings):
            return stated > 0 and self._names_own_object() and not self._has("will", "can", "could", "would")
        every = any(word.key in self.linker.grammar.lists["every"] for word in self.sentence.words)
        return stated > 1 or ((stated > 0 or every) and self._names_own_object())

    def _verb(self) -> float:
        """How well an act that the sentence tells fits the call's tool."""
        place = self.linker.tools.places.get(self.call.tool)
        best = 0.0
        for reading in self.sentence.readings:
            told = reading.claim == "says_done" or (reading.claim == "mentions" and not reading.turned)
            if told and reading.forms & {"PAST", "PART", "PAST_I", "WENT"}:
                for lemma in reading.lemmas:
                    hits = self.linker.tools.by_lemma.get(lemma, ())
                    best = max([best, *(score for hit, score in hits if hit == place)])
        return best

    def _is_only_of_tool(self) -> bool:
        """Is the call the only one of its tool in the turn, or are as many told as there are (`two reminders`)?"""
        number = self.turn.numbers[self.call.tool]
        units = lexicon(self.linker.grammar.language).units
        said = {units[word.key] for word in self.sentence.words if word.key in units}
        said |= {int(word.key) for word in self.sentence.words if word.key.isdecimal() and len(word.key) < LONG}
        return number == 1 or number in said

    def _names_object(self) -> bool:
        objects = self.linker.objects_of(self.call.tool)
        return any(objects & region.nouns for region in self.regions)

    def _told_segments(self) -> list[Region]:
        """The stretches in which something is told as done, or the whole sentence under a word of being done."""
        if self._has("done-word"):
            return self.regions
        told = {reading.segment for reading in self.sentence.readings if reading.claim == "says_done"}
        return [self.regions[segment] for segment in sorted(told)]

    def _is_placed(self) -> bool:
        """`Theo's in, Rita's out`, `the blinds are down`: is something said to be in, out, on, off, up or down?"""
        grammar = self.linker.grammar
        placed, being = grammar.lists.get("placed", frozenset()), grammar.codes_of("be", "apos")
        return any(
            one.code in being and other.key in placed for one, other in itertools.pairwise(self.sentence.words)
        )

    def _names_own_object(self, regions: Sequence[Region] | None = None) -> bool:
        """Does the sentence, or do these stretches, name an object that no other write of the turn acts on?"""
        objects = self.turn.own_objects(self.call.tool)
        return any(objects & region.nouns for region in (self.regions if regions is None else regions))

    def _arguments(self, share: float = 1.0) -> int:
        """How many arguments of the call, which no other write of the turn holds, the sentence states.

        `share` is how many of a text's telling words it must repeat.
        """
        held = self.linker.index.facts(self.call)
        places = {fact.pointer for value in self.read.values for fact in matches(value, held) if not fact.in_result}
        words = self.words
        objects = self.linker.objects_of(self.call.tool)
        found = set()
        for leaf, said, telling in self.turn.own_texts(self.call):
            repeated = sum(word in words for word in telling)
            full = 0 < len(said) <= MOST_SAID and bool(telling) and repeated >= share * len(telling)
            if leaf.pointer in places or (full and not objects.issuperset(said)):
                found.add(leaf.pointer)
        return len(found)

    def _values(self) -> int:
        """How many of the sentence's values the call was given."""
        held = self.linker.index.facts(self.call)
        return sum(any(not fact.in_result for fact in matches(value, held)) for value in self.read.values)

    def _tells_reason(self) -> bool:
        """`Taxi: no cars available`: the reason that the call gives, word for word."""
        reason = plain_words(self.call.reason)
        words = self.words
        return any(len(word) >= LONG for word in reason) and len(reason) > 1 and words.issuperset(reason)
