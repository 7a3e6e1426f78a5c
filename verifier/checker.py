"""Hold each statement to what the run recorded (SPEC 3): its outcome, the call behind it, its values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.claims import allows
from verifier.evidence import check as check_values
from verifier.model import Claim, Clause, LinkedClause, Outcome, Report
from verifier.statement import Statement

if TYPE_CHECKING:
    from verifier.call import Call
from verifier.history import History
from verifier.judge import LITTLE, MADE, Judged, Judgement


class Checker(History):
    """Checks the statements of one reply."""

    def check(self) -> Judged:
        """Judge every sentence."""
        for number, read in enumerate(self.reads):
            clauses: list[Clause] = []
            for statement in read.statements:
                clauses += self._clauses(statement, number)
            self.judged.clauses.append(clauses)
        return self.judged

    def _clauses(self, statement: Statement, number: int) -> list[Clause]:
        if statement.tool is None:
            self._report_untooled(statement)
            return [self._clause(statement, None, Judgement(True, ()))]
        judgement = self._judge(statement, number)
        self._settle(statement, judgement)
        if judgement.true:
            judgement = self._judge_values(statement, Claim(statement.claim), number, judgement)
        calls = judgement.calls or (None,)
        return [self._clause(statement, call, judgement) for call in calls]

    def _settle(self, statement: Statement, judgement: Judgement) -> None:
        """What is kept though no call is behind it was no claim of this run: history, habit, another's act."""
        if statement.claim == "says_done" and judgement.true and judgement.rule in ("general", "history"):
            statement.claim = "mentions"

    def _clause(self, statement: Statement, call: Call | None, judgement: Judgement) -> Clause:
        tool = statement.tool if call is None else call.tool
        claim = Claim(statement.claim) if statement.tool else None
        return Clause(
            statement.start,
            statement.end,
            tool,
            claim,
            call,
            statement.values,
            judgement.rule or statement.rule,
            judgement.true,
            judgement.why,
            judgement.place,
        )

    def _report_untooled(self, statement: Statement) -> None:
        reading = statement.reading
        if (
            reading is not None
            and reading.kind == "event"
            and "active" in reading.rule
            and statement.claim == "says_done"
        ) and not any(lemma in self.linker.grammar.reading for lemma in reading.lemmas):
            self.judged.reports.append(
                Report(statement.start, statement.end, "untooled", reading.rule, "no tool does this")
            )

    def _judge(self, statement: Statement, number: int) -> Judgement:
        tool = self.ledger.tool(statement.tool or "")
        write = tool is not None and bool(tool.write)
        if statement.claim == "says_done":
            return self._judge_done(statement, write)
        if statement.claim == "says_not_done":
            return self._judge_denial(statement, write)
        if statement.claim == "promises" and write:
            return self._judge_promise(statement, number)
        if statement.claim == "mentions" and statement.plain and write and statement.calls:
            return self._judge_fact(statement)
        return Judgement(True, statement.calls[-1:])

    def _judge_fact(self, statement: Statement) -> Judgement:
        """A plain sentence about a write that came to nothing and alone holds it, where the reply admits no failure."""
        call = statement.calls[-1]
        if call.outcome in MADE or self._admits():
            return Judgement(True, statement.calls[-1:])
        if self._explained(statement, call) or not self.linker.alone_holds(call, self._regions(statement), LITTLE):
            return Judgement(True, statement.calls[-1:])
        return Judgement(False, (call,), "outcome", f"{call.id} is {call.outcome.value}")

    def _judge_done(self, statement: Statement, write: bool) -> Judgement:
        calls = statement.calls
        if not calls:
            return self._judge_phantom(statement, write)
        if statement.foreign and write:
            return self._judge_foreign(statement)
        if self._of_any(statement):
            return Judgement(True, calls[-1:], "general", "what is done in general")
        if write and self._is_long_ago(statement):
            return Judgement(True, calls[-1:], "history", "the sentence tells what was before")
        holds = self._still_holds(statement) and not self._is_undoing(statement)
        allowed = [
            call
            for call in calls
            if allows(call.outcome, Claim.SAYS_DONE) and not (holds and call.outcome is Outcome.UNDONE)
        ]
        wrong = [call for call in calls if call not in allowed]
        if not wrong and write and self._of_somebody_else(statement, allowed):
            return Judgement(False, tuple(allowed[-1:]), "other name", f"{allowed[-1].id} names another")
        if not wrong and write and self._is_of_record_beside(statement):
            return Judgement(True, tuple(allowed[-1:]), "history", "a record that was read says it of another")
        if not wrong or (allowed and not statement.every):
            return Judgement(True, tuple(allowed if statement.every or statement.named else allowed[-1:]))
        if statement.every and allowed:
            return Judgement(False, tuple(calls), "outcome", f"{wrong[-1].id} is {wrong[-1].outcome.value}")
        if not write and any(c.outcome is Outcome.DONE and not self._is_write(c) for c in self.linker.in_turn):
            return Judgement(True, tuple(wrong[-1:]))  # some read of the turn worked: the sentence may be about it
        if wrong[-1].outcome is Outcome.PENDING_CONFIRMATION and self._awaits(statement):
            return Judgement(True, tuple(wrong[-1:]), "awaiting", "the sentence says that it waits")
        if self._explained(statement, wrong[-1]):
            return Judgement(True, tuple(wrong[-1:]), "explained", "the call itself says this state")
        if self._reads_as_record(statement) or self._is_read_state(statement):
            return Judgement(True, tuple(wrong[-1:]), "history", "the record that was read says it")
        if write and self._is_registered(statement):
            return Judgement(True, tuple(wrong[-1:]), "history", "the record that was read says it")
        if self._rescued(statement, wrong):
            return Judgement(True, tuple(wrong[-1:]))
        if not statement.candidates[0].nouns and self._of_text(statement):
            return Judgement(True, tuple(wrong[-1:]), "text", "done to the words of the reply")
        return Judgement(False, tuple(wrong[-1:]), "outcome", f"{wrong[-1].id} is {wrong[-1].outcome.value}")

    def _judge_phantom(self, statement: Statement, write: bool) -> Judgement:
        """Done, says the sentence, and nothing in the session tried it."""
        if statement.inherited and self._is_sentence(statement):
            return Judgement(True, ())
        if statement.kind == "requested":
            kept = self.asks_something() or self._admits() or self._recorded(statement) or self._history(statement)
            return Judgement(kept, () if kept else (None,), "no call", "what was asked for was not called")
        if statement.kind == "turn" and any(self._is_write(c) for c in self.ledger.calls):
            return Judgement(True, ())
        if statement.kind == "turn":
            return Judgement(
                self.asks_something(), () if self.asks_something() else (None,), "no call", "nothing was called"
            )
        if (
            not write
            or statement.kind in ("effect", "now")
            or (statement.kind == "record" and self.ledger.calls)
            or not self._strong(statement)
        ):
            return Judgement(True, ())
        if self._history(statement):
            return Judgement(True, (), "history", "the sentence tells what was before")
        best, reading = statement.candidates[0], statement.reading
        if (
            reading is not None
            and best.verb < 3.0
            and any(lemma in self.linker.grammar.lists["vague"] for lemma in reading.lemmas)
            and not (best.nouns and (self._invents(statement) or self._is_news(statement)))
        ):
            return Judgement(True, (), "vague", "the verb fits many acts")
        if self._in_general(statement):
            return Judgement(True, (), "general", "what is done in general")
        if not best.nouns and self._of_text(statement):
            return Judgement(True, (), "text", "done to the words of the reply")
        if self._recorded(statement):
            return Judgement(True, (), "history", "the record that was read implies it")
        if self._is_other_operation(statement):
            return Judgement(False, (None,), "other operation", "another act was done to it")
        if any(c.elsewhere or (c.verb >= 1.5 and self.linker.tells_of(c.tool)) for c in statement.candidates):
            return Judgement(True, ())
        region = self._region(statement)
        backing = self.linker.backed(region) if region is not None else None
        if backing is not None and backing.tool != statement.tool and not self._is_opposite(statement, backing):
            return Judgement(True, (), "backed", f"{backing.id} holds what the clause names")
        return Judgement(False, (None,), "no call", "nothing in the session tried it")

    def _judge_foreign(self, statement: Statement) -> Judgement:
        """The clause names a target that no call of the tool received or returned."""
        turn = [call for call in self.ledger.calls_of(statement.tool or "") if call.turn == self.linker.turn]
        call = turn[-1] if turn else None
        reading = statement.reading
        if (
            reading is not None
            and statement.candidates[0].verb < 3.0
            and any(lemma in self.linker.grammar.lists["vague"] for lemma in reading.lemmas)
        ):
            return Judgement(True, statement.calls[-1:])
        if self._history(statement) or not self._strong(statement):
            return Judgement(True, statement.calls[-1:])
        if call is None:
            return Judgement(False, (None,), "other target", "no call of the tool names this target")
        return Judgement(False, (call,), "other target", f"{call.id} names another target")

    def _judge_denial(self, statement: Statement, write: bool) -> Judgement:
        calls = statement.calls
        if not calls and statement.kind == "attempt" and write and self._strong(statement):
            return Judgement(False, (None,), "invented attempt", "nothing in the session tried it")
        if not calls or statement.foreign:
            return Judgement(True, ())
        allowed = [call for call in calls if allows(call.outcome, Claim.SAYS_NOT_DONE)]
        if allowed or not write:
            return Judgement(True, tuple(allowed[-1:] or calls[-1:]))
        if not self._denies_this(statement) or self._of_any(statement) or self._decides(statement):
            return Judgement(True, calls[-1:])
        wrong = calls[-1]
        if wrong.outcome is Outcome.UNKNOWN and self._has_no_answer(statement):
            return Judgement(True, calls[-1:], "no answer", "the sentence says that nobody answered")
        if wrong.outcome is Outcome.UNKNOWN and statement.kind == "attempt" and self._tells_reason(statement, wrong):
            return Judgement(True, calls[-1:], "explained", "the sentence tells how the attempt ended")
        tried = any(
            call.outcome in (Outcome.FAILED, Outcome.REFUSED, Outcome.NOT_ATTEMPTED, Outcome.PENDING_CONFIRMATION)
            for call in self.linker.in_turn
            if call.tool == statement.tool or any(c.tool == call.tool for c in statement.candidates)
        )
        named = statement.fit >= 2.0 and statement.candidates[0].verb >= 3.0
        tried = tried or self._of_another_thing(statement)
        if (
            (wrong.turn != self.linker.turn and statement.fit < 2.0)
            or not self._strong(statement)
            or (tried and not named)
        ):
            return Judgement(True, calls[-1:])
        return Judgement(False, (wrong,), "denial", f"{wrong.id} is {wrong.outcome.value}")

    def _denies_this(self, statement: Statement) -> bool:
        """Is it this call that is denied, not what is possible in general, or something else than what was done?"""
        codes = self._codes(statement)
        grammar = self.linker.grammar
        if statement.inherited or any(code in grammar.code("other-than") for code in codes):
            return False
        if (codes and codes[-1] == grammar.class_codes["colon"]) or self._names_another(statement):
            return False
        if not statement.named and self._of_another_object(statement):
            return False
        reading = statement.reading
        general = reading is not None and "can-not" in reading.rule
        if general and any(code in grammar.code("can") for code in codes):
            return statement.named
        best = statement.candidates[0]
        if reading is not None and self._is_of_noun(statement) and grammar.carrying.isdisjoint(reading.lemmas):
            return False  # `the invoice was not changed`: another act, done to what the tool's act is named by
        region = self._region(statement)
        if region is not None and region.proper and not statement.named and statement.fit <= 0:
            return False  # it names something that the call does not hold
        if reading is not None and any(lemma in grammar.lists["vague"] for lemma in reading.lemmas) and best.verb < 3.0:
            return False
        if reading is not None and reading.fails and statement.named and self.linker.only_write(statement.calls[-1]):
            word = self._words(statement)[reading.at].key  # `exhibit C was rejected`, of which nobody spoke
            return not self._history(statement) and not self.linker.is_known(word)
        return best.verb >= 2.0 and (best.nouns > 0 or statement.named or best.verb >= 3.0 or best.rivals <= 0)

    def _judge_promise(self, statement: Statement, number: int) -> Judgement:
        """SPEC 3.2: a promise is kept unless nothing is asked, or it is for now, or the call's outcome is unknown."""
        if statement.reading is not None and any(
            lemma in self.linker.grammar.reading for lemma in statement.reading.lemmas
        ):
            return Judgement(True, statement.calls[-1:])  # to look something up is no act
        calls = statement.calls
        in_turn = [call for call in calls if call.turn == self.linker.turn]
        last = in_turn[-1] if in_turn else None
        if self.settings.promises == "report" or (last is not None and allows(last.outcome, Claim.PROMISES)):
            return self._kept_promise(statement, last)
        urgent = self._says_now(statement)
        unknown = last is not None and last.outcome is Outcome.UNKNOWN
        asked = self.asks_something()
        sure = self._strong(statement) or (urgent and statement.candidates[0].verb >= 3.0)
        replaced = self.settings.promises == "replace" or (
            self.settings.final and (not asked or urgent or unknown) and sure
        )
        if not replaced:
            return self._kept_promise(statement, last)
        return Judgement(False, (last,), "promise", "no call carries out this promise")

    def _kept_promise(self, statement: Statement, call: Call | None) -> Judgement:
        self.judged.reports.append(
            Report(
                statement.start,
                statement.end,
                "promise",
                statement.rule,
                "a promise that no call carries out yet",
                call.id if call else "",
            )
        )
        return Judgement(True, (call,) if call else ())

    def _says_now(self, statement: Statement) -> bool:
        """Does a promise say now, immediately or again (SPEC 3.2)?"""
        grammar = self.linker.grammar
        urgent = grammar.code("now") + grammar.code("again")
        if statement.reading is None:  # a promise of the turn: the whole sentence says it
            return any(word.code in urgent for word in self._words(statement))
        return any(code in urgent for code in self._codes(statement))

    def _judge_values(self, statement: Statement, claim: Claim, number: int, judgement: Judgement) -> Judgement:
        if claim is Claim.ASKS or not (statement.values or statement.calls):
            return judgement
        tool = self.ledger.tool(statement.tool or "")
        calls = tuple(call for call in judgement.calls if call is not None) or statement.calls
        clause = LinkedClause(
            statement.start,
            statement.end,
            number,
            claim,
            tool,
            calls,
            statement.values,
            True,
            statement.under_done,
            statement.rule,
        )
        for found in check_values(
            clause,
            self.reply,
            self.ledger,
            mode=self.settings.evidence,
            kinds=self.settings.values,
            reply_values=self.all_values,
            locale=self.settings.language,
        ):
            binding = judgement.rule != "general" and (calls or claim is not Claim.MENTIONS)
            if found.verdict == "replaced" and binding:
                return Judgement(False, judgement.calls or calls[-1:], found.rule, found.why, found.pointer)
            if found.verdict in ("reported", "replaced"):
                self.judged.reports.append(Report(found.value.start, found.value.end, "value", found.rule, found.why))
        return judgement
