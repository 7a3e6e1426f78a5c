"""What a session holds of a stretch of words: calls that state it, results that say it, objects that it names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.labels import COMPARABLE, names, result_keys
from verifier.sources import Sources
from verifier.values.lexicon import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verifier.call import Call
    from verifier.candidates import Candidate
    from verifier.facts import Index
    from verifier.grammar import Grammar
    from verifier.ledger import Ledger
    from verifier.model import Value
    from verifier.profile import ToolIndex
    from verifier.readings import Reading, SentenceReading
from verifier.candidates import (
    IDENTIFIER,
    MAX_CANDIDATES,
    MOMENT,
    MOMENTS,
    MOST_CALLS,
    NAME,
    NOUNLIKE,
    PARTS,
    SURE,
    Region,
)

DONE_FORMS = frozenset({"PAST", "PART"})
MOST_LABELLED = 20  # words; a longer sentence says more of a record than one field


class Recall(Sources):
    """The calls, results and texts of one ledger, asked for what a reply says."""

    def __init__(self, grammar: Grammar, tools: ToolIndex, ledger: Ledger, index: Index) -> None:
        """Hold what every clause of the reply shares."""
        self.grammar, self.tools, self.ledger, self.index = grammar, tools, ledger, index
        self.turn = ledger.turn
        self.possible: dict[str, bool] = {}
        self.named_codes = grammar.class_codes["other"] + grammar.class_codes["value"]
        self.in_turn = ledger.calls_in(self.turn)
        self.turn_tools = frozenset(call.tool for call in self.in_turn)
        called = ledger.tools_called if self.turn > 1 else ()
        self.session_tools = (
            frozenset(name for name in called if tools.places.get(name, 512) < 512) if called else self.turn_tools
        )

    def region(self, sentence: SentenceReading, segment: int, values: Sequence[Value]) -> Region:
        """What the words of a segment name: objects, acts, keys and values; read once for each segment."""
        found = sentence.regions.get(segment)
        if found is None:
            found = sentence.regions[segment] = self._region(sentence, segment, values)
        return found

    def _region(self, sentence: SentenceReading, segment: int, values: Sequence[Value]) -> Region:
        a, b = sentence.segments[segment]
        words = sentence.words[a:b]
        nouns: set[str] = set()
        keys: set[str] = set()
        lemmas = []
        names: set[str] = set()
        proper: set[str] = set()
        common = self.grammar.common
        for word in words:
            unit, key = word.unit, word.key
            keys.add(key)
            if unit is None:
                if word.code in self.named_codes and len(key) > 1 and key not in common:
                    names.add(key)
                    if word.upper or not key.isalpha():
                        proper.add(key)
                nouns.add(key)
                if key.endswith("s") and len(key) > 3:
                    nouns.add(key[:-1])
                continue
            if unit.nouns:
                nouns.update(unit.nouns)
            forms = unit.forms
            nounlike = bool(forms) and not NOUNLIKE.isdisjoint(forms)
            if (unit.nouns or nounlike) and DONE_FORMS.isdisjoint(forms) and len(key) > 2 and key not in common:
                names.add(key)
            if nounlike:
                nouns.add(key)
                if key.endswith("s"):
                    nouns.add(key[:-1])
            if forms:
                lemmas.append((key, forms))
        start, end = words[0].start, words[-1].end
        inside = tuple(value for value in values if start <= value.start < end)
        marked = tuple([name for name in names if len(name) > 3 and not name.isalnum()])
        return Region(
            frozenset(nouns), frozenset(keys), tuple(lemmas), inside, frozenset(names), frozenset(proper), marked
        )

    def _held_by(self, tool: str, region: Region) -> bool:
        """Does a call of the session that took effect hold a date, amount, identifier or two names of the region?"""
        return any(
            call.outcome.value in ("done", "undone") and self.fit(call, region) >= MOMENT
            for call in self.ledger.calls_of(tool)[-20:]
        )

    def fit(self, call: Call, region: Region) -> float:
        """How much of what a clause states a call holds: identifiers first, then names and other words."""
        score = region.fits.get(call.id)
        if score is not None:
            return score
        score = 0.0
        for value in region.values:
            if self.index.call_has(call, value):
                score += (
                    IDENTIFIER if value.kind in ("identifier", "email") else MOMENT if value.kind in MOMENTS else 0.0
                )
        score += min(self._named(call, region), 1.8)
        region.fits[call.id] = score
        return score

    def _named(self, call: Call, region: Region) -> float:
        """The weight of the names that a call holds; a file's name or a dotted one says more than a word."""
        if not region.names:
            return 0.0
        strings = self.index.strings(call)
        if not region.marked and strings.isdisjoint(region.names):
            return 0.0
        weight = 0.0
        for name in region.names:
            if name in strings:
                weight += NAME if name.isalnum() else 3 * NAME
            elif len(name) > 3 and not name.isalnum():
                parts = [part for part in PARTS.split(name) if part]
                if parts and strings.issuperset(parts):
                    weight += NAME if len(parts) == 1 else 2 * NAME
        return weight

    def stopped(self, reading: Reading) -> Reading:
        """`The change was blocked`, `I postponed it`: an act of no write tool that keeps another from being done."""
        stops = self.grammar.lists["stops"]
        if reading.claim != "says_done" or stops.isdisjoint(reading.lemmas):
            return reading
        hits = [place for lemma in reading.lemmas for place, _ in self.tools.by_lemma.get(lemma, ())]
        if any(self.tools.profiles[place].tool.write for place in hits):
            return reading
        return replace(reading, claim="says_not_done", fails=True)

    def failed_last(self) -> Call | None:
        """The last write of this turn that did not go through."""
        for call in reversed(self.in_turn):
            tool = self.ledger.tool(call.tool)
            if (
                tool is not None
                and tool.write
                and call.outcome.value in ("failed", "refused", "unknown", "not_attempted")
            ):
                return call
        return None

    def by_nouns(self, regions: Sequence[Region]) -> str | None:
        """The write tool most of whose objects the regions name, the first in the ledger's order; None for none."""
        best: tuple[float, int] = (0.0, 0)
        nouns = frozenset().union(*(region.nouns for region in regions))
        for noun in sorted(nouns):
            for place in self.tools.by_noun.get(noun, ())[:MAX_CANDIDATES]:
                profile = self.tools.profiles[place]
                score = len(profile.nouns & nouns) + (0.5 if profile.tool.name in self.turn_tools else 0.0)
                score += 0.1 * len(profile.weak & nouns)
                if profile.tool.write and (score, -place) > best:
                    best = (score, -place)
        return self.tools.profiles[-best[1]].tool.name if best[0] >= 1.0 else None

    def by_facts(self, regions: Sequence[Region], least: float = 1.2) -> Call | None:
        """The call that holds most of what the regions state, this turn's before the session's; None if none does."""
        best: tuple[float, int] = (0.0, 0)
        found: Call | None = None
        telling = [region for region in regions if region.values or region.names]
        for place, call in enumerate(self.ledger.calls[-MOST_CALLS:] if telling else ()):
            score = sum([self._states(call, region) for region in telling])
            score += 0.5 if call.turn == self.turn and score > 0 else 0.0
            if (score, place) > best and score >= least:
                best, found = (score, place), call
        return found

    def _states(self, call: Call, region: Region) -> float:
        """How many values and names of a region a call holds."""
        score = 0.0
        for value in region.values:
            if self.index.call_has(call, value):
                score += 1.0
        return score + self._named(call, region)

    def holder_of_shape(self, region: Region) -> Call | None:
        """The last call of this turn, for an address that nobody else accounts for."""
        if any(value.kind in ("url", "email") for value in region.values) and self.in_turn:
            return self.in_turn[-1]
        return None

    def is_write_tool(self, name: str) -> bool:
        """Is this one of the session's write tools?"""
        return name in self.tools.places and self._writes(name)

    def named_writes(self, region: Region) -> list[int]:
        """The places of the turn's writes that a clause names (`The coffee break is confirmed`): a general word's."""
        words = frozenset(name for name in region.names if name.isalpha())  # a number says which, not what
        return [
            self.tools.places[call.tool]
            for call in (self.in_turn[-MOST_CALLS:] if len(words) > 1 else ())
            if self._writes(call.tool) and len(words & self.index.strings(call)) > 1
        ]

    def holder_of_label(self, sentence: SentenceReading, values: Sequence[Value]) -> Call | None:
        """The one call whose result has a field that the sentence names (`Your balance is £4,210.33`)."""
        if not values or sentence.condition or sentence.offer or len(sentence.words) > MOST_LABELLED:
            return None
        said = [word.key for word in sentence.words] + [key for value in values for key in value.text.split()]
        words = frozenset(map(fold, said))
        kinds = {kind for value in values for kind in COMPARABLE.get(value.kind, ())}
        holders = [
            call
            for call in self.ledger.calls[-MOST_CALLS:]
            if call.outcome.value == "done"
            and any(names(key, words) for kind in kinds for key in result_keys(self.index.facts(call)).get(kind, ()))
        ]
        return holders[0] if len(holders) == 1 else None

    def writes(self, call: Call) -> bool:
        """Is this the call of a write tool?"""
        return self.is_write_tool(call.tool)

    def only_write(self, call: Call) -> bool:
        """Is this the one write of the turn?"""
        return [c for c in self.in_turn if self._writes(c.tool)] == [call]

    def names_object(self, call: Call, regions: Sequence[Region]) -> bool:
        """Do the words name what the call's tool acts on, or something of the person's (`your place`)?

        `Ole is busy on 15 June` does neither: it tells why the meeting was not made.
        """
        objects, yours = self.objects_of(call.tool), self.grammar.lists["yours"]
        return any(objects & region.nouns or yours & region.keys for region in regions)

    def alone_holds(self, call: Call, regions: Sequence[Region], least: float = SURE) -> bool:
        """Does this call hold `least` of what the regions state (a name is 0.6), and no other call as much?"""
        fit = max((self.fit(call, region) for region in regions), default=0.0)
        if fit < least:
            return False
        others = [c for c in self.ledger.calls[-MOST_CALLS:] if c.id != call.id]
        return all(max(self.fit(c, region) for region in regions) < fit - 0.5 for c in others)

    def backed(self, region: Region) -> Call | None:
        """A call of this turn that took effect and holds an address, identifier or name that the region states."""
        for call in reversed(self.in_turn):
            tool = self.ledger.tool(call.tool)
            if tool is not None and tool.write and call.outcome.value in ("done", "undone", "unknown"):
                if any(
                    value.kind in ("identifier", "email") and self.index.call_has(call, value)
                    for value in region.values
                ):
                    return call
                if len(region.names & self.index.strings(call)) >= 1:
                    return call
        return None

    def _value_score(self, candidate: Candidate, region: Region) -> float:
        best = 0.0
        for call in self.ledger.calls_of(candidate.tool)[-20:]:
            score = self.fit(call, region)
            if score > best:
                best = score
        candidate.value = best >= IDENTIFIER
        return min(best, 3.0)

    def _latest_of_target(self, calls: tuple[Call, ...], targets: Sequence[Value]) -> tuple[Call, ...]:
        """What this turn recorded outranks the session."""
        in_turn = tuple(call for call in calls if call.turn == self.turn)
        return in_turn or calls[-1:] if len(targets) == 1 else calls

    def names_no_act(self, sentence: SentenceReading, reading: Reading) -> bool:
        """`One change is allowed` tells a rule; what `I confirmed that the change is free` names was not done by it."""
        grammar, codes = self.grammar, sentence.codes
        if "active" not in reading.rule and not grammar.lists["policy-acts"].isdisjoint(reading.lemmas):
            return True
        after = codes[reading.at + 1 : reading.at + 3]
        return len(after) > 1 and after[0] in grammar.codes_of("that") and after[1] in grammar.codes_of("det")
