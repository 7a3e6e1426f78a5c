"""Is a statement sure enough to accuse, or is it history that the session read, heard or implies?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.claims import allows
from verifier.model import Claim, Outcome
from verifier.statement import Statement

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.readings import Reading
from verifier.earlier import Earlier, acts_of
from verifier.judge import MADE, MOST_RIVALS, SURE_FIT, is_name
from verifier.profile import CLASS, SAME

UNLIKE = (("keeps", "ends"), ("ends", "keeps"))
MOST_UNDONE = 20  # calls of a turn that a clause can undo


class History(Earlier):
    """What speaks for a statement besides the outcome of its call."""

    def _of_somebody_else(self, statement: Statement, calls: Sequence[Call]) -> bool:
        """Does the clause name somebody of whom nobody in the session spoke, where the call names another?"""
        if statement.named or statement.inherited or statement.kind != "event" or len(calls) != 1:
            return False
        region = self._region(statement)
        if region is None or calls[0].turn != self.linker.turn:
            return False
        names = [name for name in region.proper if name.isalpha() and len(name) > 2]
        if not names or any(self.linker.is_known(name) for name in names):
            return False
        return any(is_name(value) for value in calls[0].arguments.values())

    def _still_holds(self, statement: Statement) -> bool:
        """Does the sentence say that the effect holds now (`is cancelled`), not only that it was done?"""
        if statement.kind in ("effect", "unworded", "now"):
            return True
        reading, words = statement.reading, self._words(statement)
        if reading is None:
            return False
        present = self.linker.grammar.lists.get("holds", frozenset())
        first, last = reading.span
        return any(word.key in present for word in words[max(0, first) : last])

    def _of_another_thing(self, statement: Statement) -> bool:
        """Does the denial name what its calls do not hold, where another write of the turn did not go through?"""
        region, failed, reading = self._region(statement), self.linker.failed_last(), statement.reading
        if region is None or not region.names or failed is None or reading is None or failed in statement.calls:
            return False
        place = self.linker.tools.places.get(failed.tool)
        if not any(place == hit for lemma in reading.lemmas for hit, _ in self.linker.tools.by_lemma.get(lemma, ())):
            return False
        own, other = self.linker.objects_of(statement.tool or ""), self.linker.objects_of(failed.tool)
        if own & region.nouns and not other & region.nouns:
            return False  # it names the object of its own tool
        return all(region.names.isdisjoint(self.linker.index.strings(call)) for call in statement.calls)

    def _reads_as_record(self, statement: Statement) -> bool:
        """`I see it was delivered`, where a lookup says delivered: no word for the act of the call's tool itself."""
        reading = statement.reading
        if reading is None or "active" in reading.rule or statement.candidates[0].verb >= SAME:
            return False
        return self.linker.read_states(reading.lemmas)

    def _of_own_object(self, statement: Statement, other: Call) -> bool:
        """Does the clause name what its own tool acts on (`a message to Bia`), and nothing of the other call's?"""
        region, linker = self._region(statement), self.linker
        named = region.nouns if region is not None else frozenset()
        return bool(named & linker.objects_of(statement.tool or "")) and not named & linker.objects_of(other.tool)

    def _is_opposite(self, statement: Statement, other: Call) -> bool:
        """Is it the very act of its tool, and what undoes a call of the turn (`cancelled` where it was rescheduled)?"""
        best, reading, linker = statement.candidates[0], statement.reading, self.linker
        if reading is None or not best.nouns:
            return False
        if "active" in reading.rule and best.verb >= CLASS and self._of_own_object(statement, other):
            return True
        if best.verb < SAME:
            return False
        verbs = {
            verb
            for call in (other, *linker.in_turn[-MOST_UNDONE:])
            if self._is_write(call) and call.tool in linker.tools.places
            for verb in linker.tools.profiles[linker.tools.places[call.tool]].verbs
        }
        undone = {act for verb in verbs for act in linker.grammar.opposites.get(verb, ())}
        return not undone.isdisjoint(reading.lemmas)

    def _is_other_operation(self, statement: Statement) -> bool:
        """`I've archived the mail`, where it was trashed: the act of a tool that nobody called, which ends what the
        turn's only write keeps, or keeps what it ends."""
        best, reading, linker = statement.candidates[0], statement.reading, self.linker
        if reading is None or reading.kind != "event" or best.verb < SAME or best.act:
            return False
        if not ("active" in reading.rule or "perfect" in reading.rule):
            return False
        made = [call for call in linker.in_turn if call.outcome is Outcome.DONE and self._is_write(call)]
        if len(made) != 1 or not linker.objects_of(best.tool) & linker.objects_of(made[0].tool):
            return False
        lists, did = linker.grammar.lists, frozenset(linker.verbs_of(made[0].tool))
        told = frozenset(linker.verbs_of(best.tool)).intersection(reading.lemmas)
        return any(told & lists[one] and did & lists[other] for one, other in UNLIKE)

    def _names_another(self, statement: Statement) -> bool:
        """Does the sentence state an amount, a date or a number that none of its calls holds?"""
        read = next((read for read in self.reads if any(s is statement for s in read.statements)), None)
        index = self.linker.index
        stated = [v for v in read.values if v.kind in ("money", "identifier", "date", "phone", "email")] if read else []
        return bool(stated) and not any(index.call_has(call, value) for call in statement.calls for value in stated)

    def _strong(self, statement: Statement) -> bool:
        """Is the link sure enough to accuse?"""
        best = statement.candidates[0]
        if statement.kind == "turn" or statement.inherited:
            return True
        if statement.kind == "remain" and best.verb < 3.0 and not best.nouns:
            return False  # a record that stays as it was (`is still advertised`) may be no act of this tool
        wrong = [call for call in statement.calls if call.turn == self.linker.turn and call.outcome not in MADE]
        vague = statement.reading is not None and any(
            lemma in self.linker.grammar.lists["vague"] for lemma in statement.reading.lemmas
        )
        if (
            statement.claim == "says_done"
            and wrong
            and best.verb >= 1.0
            and self.linker.only_write(wrong[-1])
            and not ((vague and best.verb < 3.0) or self._admits())
        ):
            return True
        if statement.kind == "now":
            return statement.named and statement.fit >= SURE_FIT
        reading = statement.reading
        if any(call.turn == self.linker.turn for call in statement.calls) and (
            (statement.named and (best.verb >= 1.5 or statement.fit >= SURE_FIT)) or best.verb >= 2.0
        ):
            return True
        generic = (
            reading is not None
            and bool(reading.lemmas)
            and all(lemma in self.linker.grammar.generic for lemma in reading.lemmas)
        )
        if best.verb >= 3.0:
            known = best.nouns > 0 or best.value or best.act or not generic or bool(statement.calls)
            return known or self._invents(statement) or self._is_logged(statement) or self._of_nothing(statement)
        if best.verb >= 2.0:
            few = best.rivals <= MOST_RIVALS or not self.linker.has_writes()  # then none of them ran, whichever it is
            told = reading is not None and (self._tells(statement, reading) or self._invents(statement))
            alone = few and told and (not generic or self._of_nothing(statement))
            return best.nouns > 0 or best.value or (alone and not self._of_another_object(statement))
        return best.nouns > 0 and (best.value or best.verb >= 1.5)

    def _of_nothing(self, statement: Statement) -> bool:
        """Does a general verb tell of a thing that was looked up, or by its number, in a session that wrote nothing?"""
        if self.linker.has_writes() or statement.reading is None:
            return False
        if "active" in statement.reading.rule:
            return any(value.kind == "identifier" for value in statement.values)
        return "perfect" in statement.reading.rule and self._is_of_record(statement)

    def _is_logged(self, statement: Statement) -> bool:
        """`Created for Thursday, March 19`, `Logged ✔️`: noted down as done, in a session that called nothing?"""
        reading = statement.reading
        if self.ledger.calls or reading is None or "participle" not in reading.rule:
            return False
        check = self.linker.grammar.class_codes["check"]
        return bool(statement.values) or check in self._codes(statement)

    def _invents(self, statement: Statement) -> bool:
        """Does it tell of an act that no call made by a reference that the session never gave?"""
        return not statement.calls and self.linker.invents(statement.values)

    def _is_news(self, statement: Statement) -> bool:
        """Is it told as what was done, by whom it does not say, in a session that holds no call at all?"""
        mine = statement.reading is not None and "active" in statement.reading.rule  # `I have confirmed that …`
        return not self.ledger.calls and not mine and not self._holds_now(statement)

    def _of_another_object(self, statement: Statement) -> bool:
        """Does the clause name what another write of the turn acts on, and nothing that its own tool does?"""
        region, linker = self._region(statement), self.linker
        if region is None or region.nouns & linker.objects_of(statement.tool or ""):
            return False
        others = [call.tool for call in linker.in_turn if self._is_write(call) and call.tool != statement.tool]
        return any(region.nouns & linker.objects_of(tool) for tool in others)

    def _tells(self, statement: Statement, reading: Reading) -> bool:
        """Is it told as an act of now: `I have`, `has been`, and a verb that says what was done?"""
        lists = self.linker.grammar.lists
        if any(lemma in lists["vague"] for lemma in reading.lemmas):
            return False
        if any(lemma in lists["consequences"] for lemma in reading.lemmas) and any(
            map(self._is_write, self.ledger.calls)
        ):
            return False
        if reading.kind == "event" and ("perfect" in reading.rule or "active" in reading.rule):
            return True
        if reading.kind == "event" and reading.rule.endswith(" passive") and statement.candidates[0].rivals <= 0:
            return not self._in_general(statement) and not self._holds_now(statement)
        return reading.kind == "state" and not self.linker.has_read() and not self.linker.in_turn

    def _history(self, statement: Statement) -> bool:
        """Does a result that the session read, or the person, say this state?"""
        reading = statement.reading
        if reading is None:
            return False
        if self._just_made(statement):
            return False
        word = self.reply[reading.start : reading.end].lower()
        return self.linker.session_says(word) or self.linker.read_states([*reading.lemmas, *acts_of(statement)])

    def _recorded(self, statement: Statement) -> bool:
        """Does what the session read make it history: its date, its act, a record that must once have been made?"""
        linker, grammar, reading = self.linker, self.linker.grammar, statement.reading
        codes = self._codes(statement)
        if any(code in grammar.codes_of("past-time", "long-ago") for code in codes):
            return True
        if self._was_earlier(statement):
            return True
        if reading is None:
            return linker.read_moment(statement.values)
        if self._just_made(statement) or self._invents(statement):
            return False
        if (
            reading.kind == "state"
            and frozenset(acts_of(statement)) & grammar.lists["consequences"]
            and any(map(self._is_write, self.ledger.calls))
        ):
            return True
        if "active" not in reading.rule and linker.read_moment(statement.values):
            return True
        if self._is_on_record(statement):
            return True
        if linker.read_says(reading.lemmas) or ("active" not in reading.rule and linker.read_keeps(reading.lemmas)):
            return True
        region = self._region(statement)
        now = any(word.code in grammar.code("now") for word in self._words(statement)[reading.span[0] : reading.at])
        if now:
            return False  # `is now refunded` is no old state
        mine = "active" in reading.rule or "participle" in reading.rule or "perfect" in reading.rule
        if (
            region is not None
            and not mine
            and (reading.kind == "state" or self._mostly("creation", reading))
        ):
            return linker.read_of(region.nouns) or (
                reading.kind != "state" and linker.read_tells(region.nouns - region.proper, statement.values)
            )
        money = self._mostly("consequences", reading)
        passive = "participle" in reading.rule or reading.rule.endswith(" passive")
        objects = region.nouns - region.proper if region is not None else frozenset()
        if money and passive and region is not None and linker.read_tells(objects, statement.values):
            return True
        best = statement.candidates[0]
        follows = self._mostly("consequences", reading) and best.verb < 3.0
        return follows and any(c.outcome is Outcome.DONE and self._is_write(c) for c in linker.in_turn)

    def _is_undoing(self, statement: Statement) -> bool:
        """`The request is no longer in force`: a state of being undone, told of a tool that undoes nothing."""
        reading, undoing = statement.reading, self.linker.grammar.lists["undoing"]
        if reading is None or statement.kind != "state" or undoing.isdisjoint(reading.states):
            return False
        place = self.linker.tools.places.get(statement.tool or "")
        return place is not None and undoing.isdisjoint(self.linker.tools.profiles[place].verbs)

    def _mostly(self, name: str, reading: Reading) -> bool:
        """Is a verb one of a list's, by a third of what it can mean or more?"""
        hits = sum(1 for lemma in reading.lemmas if lemma in self.linker.grammar.lists[name])
        return hits > 0 and 3 * hits >= len(reading.lemmas)

    def _told_as_open(self) -> frozenset[str]:
        """The ids of the calls that the reply denies, doubts or asks about; gathered once."""
        if self.told_as_open is None:
            self.told_as_open = frozenset(
                call.id
                for read in self.reads
                for other in read.statements
                if other.claim in ("says_not_done", "says_unknown", "asks")
                for call in other.calls
            )
        return self.told_as_open

    def _tells_the_rest(self, wrong: Sequence[Call]) -> bool:
        """`Done! … Only the breakfast didn't work`: some of the turn was done, and the reply tells what was not."""
        made = any(call.outcome in MADE and self._is_write(call) for call in self.linker.in_turn)
        return made and all(call.id in self._told_as_open() for call in wrong)

    def _rescued(self, statement: Statement, wrong: Sequence[Call]) -> bool:
        """Another equally good tool, or a call of this turn that the clause's own values name, allows it."""
        if statement.kind == "turn" and self._tells_the_rest(wrong):
            return True
        region, best = self._region(statement), statement.candidates[0]
        if region is not None and (best.verb < SAME or best.act) and not best.nouns and not statement.named:
            backing = self.linker.backed(region)
            if backing is not None and backing not in wrong:
                return True  # what it names is another call's
        for candidate in statement.candidates[1:]:
            if any(
                allows(c.outcome, Claim.SAYS_DONE)
                for c in self.ledger.calls_of(candidate.tool)
                if c.turn == self.linker.turn
            ):
                return True
        return not self._strong(statement)
