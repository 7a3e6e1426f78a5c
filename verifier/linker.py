"""Which tool a reading speaks of, and which of its calls.

Evidence adds up: the verb (or its class), the objects of the tool's name, words of its description, the user's
vocabulary, the values and names that the clause states, and whether the tool was called in this turn or before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.profile import SAME
from verifier.reader import read_sentence
from verifier.readings import Reading, SentenceReading, all_nouns
from verifier.text import tokenize
from verifier.units import Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from verifier.call import Call
    from verifier.model import Value
from verifier.candidates import (
    IDENTIFIER,
    LINKED,
    MAX_CANDIDATES,
    MENTIONED,
    MOST_CALLS,
    MOST_NOUNS,
    MOST_WEAK,
    NAME,
    NEXT_NOUN,
    NOUN,
    PHRASE,
    SESSION,
    SHORT_NAME,
    THIS_TURN,
    TIE,
    WEAK,
    Candidate,
    Link,
    Region,
)
from verifier.recall import Recall
from verifier.rivals import called, stand_back


class Linker(Recall):
    """Links the readings of one reply to the tools and calls of one ledger."""

    def link(self, sentence: SentenceReading, reading: Reading, values: Sequence[Value]) -> Link:
        """The tools that a reading is about, best first, and the calls of the best."""
        region, reading = self.region(sentence, reading.segment, values), self.stopped(reading)
        found: dict[int, Candidate] = {}
        self._by_verb(sentence, reading, region, found)
        self._by_phrase(sentence, reading, found)
        self._by_made(reading, region, found)
        told = reading.lemmas and reading.claim in ("says_done", "says_not_done")
        if told and self.grammar.generic.issuperset(reading.lemmas):
            self._add(((place, 1.5) for place in self.named_writes(region)), "named", found)
        by_object = reading.kind in ("effect", "state") if found else not self.is_recorded(reading)
        if reading.kind == "remain" and not called(found, self.turn_tools):
            reading = self._by_opposite(reading, found)
        elif by_object and reading.claim != "mentions":
            self._by_object(region, found)
        if not found and reading.claim in ("says_done", "says_not_done"):
            self._by_turn(sentence, reading, region, found)
        for place, candidate in found.items():
            self._weigh(candidate, place, region, sentence, reading)
        stand_back(reading, found, self.grammar.generic, self.turn_tools)
        ranked = sorted(found.values(), key=lambda c: (-c.score, c.tool))
        least = MENTIONED if reading.claim == "mentions" else LINKED
        kept = tuple(c for c in ranked if c.score >= max(least, ranked[0].score - TIE))
        if kept:
            others = [c for c in ranked if c is not kept[0] and self._writes(c.tool)]
            kept[0].elsewhere = any(self._held_by(c.tool, region) for c in others)
            kept[0].rivals = sum(1 for c in ranked if c.verb >= 2.0 and self._writes(c.tool)) - 1
        link = Link(reading, kept)
        if kept:
            self._choose_calls(link, region, sentence)
        return self._consequence(link)

    def _consequence(self, link: Link) -> Link:
        """`The difference was refunded` follows from the only write of the turn, where no refund was called."""
        reading = link.reading
        told = reading.claim == "says_done" and reading.kind == "event" and "active" not in reading.rule
        money = not self.grammar.lists["consequences"].isdisjoint(reading.lemmas)
        if link.calls or not link.candidates or not told or not money:
            return link
        writes = [call for call in self.in_turn if self._writes(call.tool)]
        if len({call.tool for call in writes}) != 1:
            return link
        own = link.candidates[0].verb >= SAME and link.candidates[0].nouns > 0  # a tool that does just this wins
        if own or any(call.outcome.value not in ("done", "undone") for call in writes):
            return link
        return Link(reading, (Candidate(writes[0].tool, LINKED, 1.0, why=["consequence"]),), tuple(writes))

    def _by_verb(
        self, sentence: SentenceReading, reading: Reading, region: Region, found: dict[int, Candidate]
    ) -> None:
        for lemma in reading.lemmas:
            self._add(self.tools.by_lemma.get(lemma, ()), f"verb {lemma}", found)
        if any(lemma in self.grammar.reading for lemma in reading.lemmas):
            self._by_read(region, found)
        for state in reading.states:
            self._add(self.tools.by_state.get(state, ()), f"state {state}", found)
        grammar, lists = self.grammar, self.grammar.lists
        carries = not reading.lemmas or not grammar.generic.isdisjoint(reading.lemmas)
        silent = bool(reading.lemmas) and all(  # `I found your booking` books nothing; or the turn says it
            lemma in lists["retries"] or (lemma in grammar.reading and lemma not in grammar.generic)
            for lemma in reading.lemmas
        )
        if (reading.fails or not found or carries) and not (silent or self.names_no_act(sentence, reading)):
            most = SAME if reading.fails or carries else 2.0  # the act of a verb that no tool's class holds
            a, b = sentence.segments[reading.segment]
            object_first = (
                reading.kind == "state" or "passive" in reading.rule or "participle" in reading.rule
            ) and any(self._nominal(word) for word in sentence.words[a : reading.at])  # but `foi feito o estorno`
            determiners = grammar.codes_of("det")
            for i in range(a, reading.at if object_first and not reading.fails else b):
                unit = sentence.words[i].unit
                if i == reading.at or unit is None or not unit.lemmas or self._modifies(sentence, i, b):
                    continue
                named = i > a and sentence.codes[i - 1] in determiners  # `your report`
                base = "BASE" in unit.forms and (reading.fails or named)
                if base or "NOUN" in unit.forms or "ING" in unit.forms:
                    for lemma in unit.lemmas:
                        hits = ((place, min(score, most)) for place, score in self.tools.by_lemma.get(lemma, ()))
                        self._add(hits, f"act {lemma}", found)

    def _nominal(self, word: Word) -> bool:
        """Can a word name what an act is done to?"""
        if word.unit is None:
            return word.code in self.named_codes
        return bool(word.unit.nouns) or "NOUN" in word.unit.forms

    def _by_read(self, region: Region, found: dict[int, Candidate]) -> None:
        """A verb of looking (`I found`, `let me check`) can be about any read that was made, or of what it names."""
        for name in sorted(self.session_tools):
            place = self.tools.places.get(name)
            if place is not None and not self.tools.profiles[place].tool.write:
                self._add(((place, 2.0),), "read", found)
        for noun in sorted(region.nouns):
            for place in self.tools.by_noun.get(noun, ())[:MAX_CANDIDATES]:
                if not self.tools.profiles[place].tool.write:
                    self._add(((place, 1.5),), "read", found)

    def _modifies(self, sentence: SentenceReading, i: int, end: int) -> bool:
        """`return instructions`: the noun of an act before another noun only says which kind of thing that is."""
        if i + 1 >= end:
            return False
        after, lists = sentence.words[i + 1], self.grammar.lists
        if after.key in lists["light-nouns"] or after.key in lists["qualified"]:
            return after.key in lists["qualified"]
        return after.unit is not None and bool(after.unit.nouns) and not after.unit.forms & {"PART", "PAST", "STATE"}

    def _add(self, hits: Iterable[tuple[int, float]], why: str, found: dict[int, Candidate]) -> None:
        for place, score in hits:
            candidate = found.get(place)
            if candidate is None:
                if len(found) >= MAX_CANDIDATES:
                    return
                candidate = found[place] = Candidate(self.tools.profiles[place].tool.name)
            if score > candidate.verb:
                candidate.verb = score
                candidate.act = why.startswith("act ") and score >= SAME
                candidate.why.append(why)

    def _by_object(self, region: Region, found: dict[int, Candidate]) -> None:
        """An act that no class of a tool holds, done to the object of a write that this turn called."""
        for name in sorted(self.turn_tools):
            place = self.tools.places.get(name)
            if (
                place is not None
                and self.tools.profiles[place].tool.write
                and self.tools.profiles[place].nouns & region.nouns
            ):
                self._add(((place, 1.0),), "object", found)

    def _by_made(self, reading: Reading, region: Region, found: dict[int, Candidate]) -> None:
        """`I've set an alarm`: the verbs of making stand for one another where the tool's own object is made."""
        making = self.grammar.lists.get("unnamed-acts", frozenset())
        if reading.claim == "mentions" or not reading.lemmas or making.isdisjoint(reading.lemmas):
            return
        if any(self.tools.profiles[place].nouns & region.nouns for place in found):
            return
        for noun in sorted(region.nouns):
            for place in self.tools.by_noun.get(noun, ())[:MAX_CANDIDATES]:
                profile = self.tools.profiles[place]
                if profile.tool.write and not making.isdisjoint(profile.verbs):
                    self._add(((place, 2.0),), "made", found)

    def _by_opposite(self, reading: Reading, found: dict[int, Candidate]) -> Reading:
        """`The account stays blocked` denies that it was unblocked."""
        opposites = sorted({other for lemma in reading.lemmas for other in self.grammar.opposites.get(lemma, ())})
        against: dict[int, Candidate] = {}
        for lemma in opposites:
            self._add(self.tools.by_lemma.get(lemma, ()), f"opposite {lemma}", against)
        if not against or (found and not called(against, self.turn_tools)):
            return reading
        found.clear()
        found.update(against)
        return replace(reading, claim="says_not_done", lemmas=tuple(opposites))

    def _by_turn(
        self, sentence: SentenceReading, reading: Reading, region: Region, found: dict[int, Candidate]
    ) -> None:
        """`It worked this time`, `the one for Saturday failed`: the write that holds what is named, or the only one."""
        whole = self.grammar.lists["whole-acts"] | self.grammar.fails
        mine = reading.at and sentence.codes[reading.at - 1] in self.grammar.code("i")  # `I went through the list`
        if not reading.lemmas or mine or not whole.issuperset(reading.lemmas):
            return
        writes = [call for call in self.in_turn if self._writes(call.tool)]
        fitting = [call for call in writes if self.fit(call, region) >= NAME] or writes
        tools = {call.tool for call in fitting}
        if len(tools) == 1:
            self._add(((self.tools.places[tools.pop()], 1.5),), "turn", found)

    def _by_phrase(self, sentence: SentenceReading, reading: Reading, found: dict[int, Candidate]) -> None:
        if not self.tools.by_phrase:
            return
        a, b = sentence.segments[reading.segment]
        keys = [word.key for word in sentence.words[a:b]]
        for i, key in enumerate(keys):
            for phrase, place in self.tools.by_phrase.get(key, ()):
                if tuple(keys[i : i + len(phrase)]) == phrase:
                    candidate = found.setdefault(place, Candidate(self.tools.profiles[place].tool.name))
                    candidate.verb = max(candidate.verb, PHRASE)
                    candidate.why.append(f"words {' '.join(phrase)}")

    def _weigh(
        self, candidate: Candidate, place: int, region: Region, sentence: SentenceReading, reading: Reading
    ) -> None:
        profile = self.tools.profiles[place]
        nouns = len(profile.nouns & region.nouns)
        if not nouns and len(sentence.segments) > 1:
            bonus = NEXT_NOUN if profile.nouns & all_nouns(sentence) else 0.0
        else:
            candidate.nouns, bonus = nouns, min(NOUN + NEXT_NOUN * (nouns - 1), MOST_NOUNS) if nouns else 0.0
        weak = min(WEAK * len(profile.weak & region.nouns), MOST_WEAK)
        if not profile.verbs and not nouns and candidate.verb < PHRASE:
            candidate.verb = candidate.score = 0.0  # without a verb in its name a tool is known by its objects
            return
        name = profile.tool.name
        called = THIS_TURN if name in self.turn_tools else SESSION if name in self.session_tools else 0.0
        candidate.score = candidate.verb + bonus + weak + called + self._value_score(candidate, region)
        if not profile.tool.write:
            reads = any(lemma in self.grammar.reading for lemma in reading.lemmas)
            candidate.score -= 0.0 if reads else 1.5

    def _choose_calls(self, link: Link, region: Region, sentence: SentenceReading) -> None:
        """The calls of the best tool that the clause is about (SPEC 2.3)."""
        best = link.candidates[0]
        calls = self.ledger.calls_of(best.tool)
        if not calls:
            return
        targets = [value for value in region.values if value.kind in ("identifier", "email", "phone")]
        holding = [call for call in calls if any(self.index.call_has(call, value) for value in targets)]
        if holding:
            link.named = True
            link.fit = IDENTIFIER
            held = [
                frozenset(i for i, value in enumerate(targets) if self.index.call_has(call, value)) for call in holding
            ]
            most = max(map(len, held))
            link.calls = tuple(call for call, places in zip(holding, held, strict=True) if len(places) == most)
            link.every = len({places for places in held if len(places) == most}) > 1
            link.calls = self._latest_of_target(link.calls, targets)
            return
        link.foreign = bool(targets) and not any(self.index.holders(value) for value in targets)
        link.foreign = link.foreign or self._other_of_kind(calls, region)
        in_turn = tuple(call for call in calls if call.turn == self.turn)
        pool = in_turn or calls
        fits = [self.fit(call, region) for call in pool]
        if in_turn and max(fits) < NAME and (earlier := self._earlier(calls, region)):
            link.calls, link.named = (earlier,), True
            return
        top = link.fit = max(fits)
        if not targets and len(in_turn) > 1 and self._speaks_of_all(sentence, link.reading):
            link.calls, link.every = in_turn, True
            return
        if top >= NAME and (fits.count(top) < len(fits) or len(fits) == 1):
            link.calls = tuple(call for call, fit in zip(pool, fits, strict=True) if fit == top)
            link.named = True
        elif top >= NAME and self._each_named(pool, fits, region):
            link.calls, link.named, link.every = tuple(pool), True, True
            return
        elif in_turn:
            link.calls = in_turn
        else:
            link.calls = pool[-1:]
        link.every = not link.named and len(link.calls) > 1 and self._speaks_of_all(sentence, link.reading)

    def _earlier(self, calls: Sequence[Call], region: Region) -> Call | None:
        """The last call of another turn that holds a word with digits (`5528-4`) of what the clause names."""
        numbers = frozenset(name for name in region.names if any(map(str.isdigit, name)))
        held = [call for call in calls if numbers & self.index.strings(call)] if numbers else []
        return held[-1] if held else None

    def _other_of_kind(self, calls: Sequence[Call], region: Region) -> bool:
        """`K3 has been opened` where the calls hold K1: a short name of their kind that nobody holds."""
        for name in region.proper:
            kind = SHORT_NAME.fullmatch(name)
            if kind and name not in self._session_words():
                like = any(
                    other != name and (m := SHORT_NAME.fullmatch(other)) and m[1] == kind[1]
                    for call in calls[-MOST_CALLS:]
                    for other in self.index.strings(call)
                )
                if like:
                    return True
        return False

    def _each_named(self, pool: Sequence[Call], fits: Sequence[float], region: Region) -> bool:
        """`E1, E2 and E3 are shut`: each call is named, by another word."""
        named = [frozenset(region.names & self.index.strings(call)) for call in pool]
        return len(pool) > 1 and all(named) and len(set(named)) == len(named)

    def requested(self) -> tuple[str, ...]:
        """The write tools that the person asked for in this turn, by a verb of theirs and their object."""
        cache = self.ledger.cache
        texts = tuple(text for turn, text in self.ledger.heard if turn == self.turn)
        key = ("requested", self.grammar.language, texts)
        if cache.get("requested-key") != key:
            cache["requested-key"], cache["requested"] = key, self._requested(" ".join(texts)[:2000])
        found: tuple[str, ...] = cache["requested"]
        return found

    def _requested(self, text: str) -> tuple[str, ...]:
        tokens = tokenize(text, self.grammar.language)
        sentence = read_sentence(tokens, 0, len(tokens.key), self.grammar, self.tools.overlay)
        best: dict[str, float] = {}
        for reading in sentence.readings:
            link = self.link(sentence, reading, ())
            for candidate in link.candidates:
                profile = self.tools.profiles[self.tools.places[candidate.tool]]
                if profile.tool.write and candidate.verb >= 2.0 and (candidate.verb >= 3.0 or candidate.nouns):
                    best[candidate.tool] = max(best.get(candidate.tool, 0.0), candidate.score)
        if not best:
            return ()
        top = max(best.values())
        return tuple(tool for tool, score in sorted(best.items()) if score >= top - TIE)

    def _speaks_of_all(self, sentence: SentenceReading, reading: Reading) -> bool:
        a, b = sentence.segments[reading.segment]
        every = self.grammar.lists.get("every", frozenset())
        codes = self.grammar.code("every")
        return any(word.key in every or word.code in codes for word in sentence.words[a:b])
