"""Hold each statement to what the run recorded (SPEC 3): its outcome, the call behind it, its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.claims import allows
from verifier.evidence import check as check_values
from verifier.values.lexicon import fold
from verifier.model import Claim, Clause, LinkedClause, Outcome, Report
from verifier.statements import ReadSentence, Statement

if TYPE_CHECKING:
    from verifier.call import Call
    from verifier.linker import Linker, Region
    from verifier.reader import Reading, Word
    from verifier.settings import Settings

MAX_NAME = 40  # characters of an argument that may be a name
LITTLE = 0.6  # one name of a call is enough where the reply admits nothing and nothing else was done
LONG_WORD = 5  # letters; a shorter word of a state says nothing of its own
SURE_FIT = 1.6  # two names, or an identifier, of a call: the sentence is about it
MOST_RIVALS = 1  # a verb that fits more write tools than this and one other says too little alone
MADE = frozenset({Outcome.DONE, Outcome.UNDONE})
RAN = frozenset({Outcome.DONE, Outcome.UNDONE, Outcome.FAILED, Outcome.REFUSED, Outcome.UNKNOWN,
                 Outcome.PENDING_CONFIRMATION, Outcome.NOT_ATTEMPTED})


def _is_name(value: object) -> bool:
    """A short text of capitalised words: somebody's name, or a place's."""
    if not isinstance(value, str) or not 2 < len(value) <= MAX_NAME:
        return False
    words = value.replace("-", " ").split()
    return all(word[:1].isupper() and word.replace(".", "").replace("'", "").isalpha() for word in words) and not value.isupper()


@dataclass(slots=True)
class Judged:
    """What was decided: the clauses of each sentence, and what is only reported."""

    clauses: list[list[Clause]] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a statement may stand; if not, the call whose phrasing tells the truth (None: never attempted)."""

    true: bool
    calls: tuple[Call | None, ...]
    rule: str = ""
    why: str = ""
    place: str = ""


class Checker:
    """Checks the statements of one reply."""

    def __init__(self, reply: str, reads: Sequence[ReadSentence], linker: Linker, settings: Settings) -> None:
        """Hold what every check shares."""
        self.reply, self.reads, self.linker, self.settings = reply, reads, linker, settings
        self.ledger = linker.ledger
        self.judged = Judged()
        self.admits: bool | None = None
        self.of_statement = {id(statement): read for read in reads for statement in read.statements}
        self.all_values = tuple(value for read in reads for value in read.values)

    def check(self) -> Judged:
        """Judge every sentence."""
        for number, read in enumerate(self.reads):
            clauses: list[Clause] = []
            for statement in read.statements:
                clauses += self._clauses(statement, number)
            self.judged.clauses.append(clauses)
        return self.judged

    def _clauses(self, statement: Statement, number: int) -> list[Clause]:
        claim = Claim(statement.claim)
        if statement.tool is None:
            self._report_untooled(statement)
            return [self._clause(statement, None, Judgement(True, ()))]
        judgement = self._judge(statement, number)
        if judgement.true:
            judgement = self._judge_values(statement, claim, number, judgement)
        calls = judgement.calls or (None,)
        return [self._clause(statement, call, judgement) for call in calls]

    def _clause(self, statement: Statement, call: Call | None, judgement: Judgement) -> Clause:
        tool = statement.tool if call is None else call.tool
        claim = Claim(statement.claim) if statement.tool else None
        return Clause(statement.start, statement.end, tool, claim, call, statement.values,
                      judgement.rule or statement.rule, judgement.true, judgement.why, judgement.place)

    def _report_untooled(self, statement: Statement) -> None:
        reading = statement.reading
        if reading is not None and reading.kind == "event" and "active" in reading.rule and statement.claim == "says_done":
            if not any(lemma in self.linker.grammar.reading for lemma in reading.lemmas):
                self.judged.reports.append(Report(statement.start, statement.end, "untooled", reading.rule,
                                                  "no tool does this"))

    # Outcome ---------------------------------------------------------------------------------------------------------

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
        """A plain sentence about the one write of a turn that came to nothing, in a reply that admits no failure."""
        call = statement.calls[-1]
        if call.outcome in MADE or not self.linker.only_write(call) or self._admits():
            return Judgement(True, statement.calls[-1:])
        if self._explained(statement, call) or not self.linker.alone_holds(call, self._regions(statement), LITTLE):
            return Judgement(True, statement.calls[-1:])
        return Judgement(False, (call,), "outcome", f"{call.id} is {call.outcome.value}")

    def _admits(self) -> bool:
        """Does any sentence of the reply say that something was not done, failed or is not known?"""
        if self.admits is None:
            grammar = self.linker.grammar
            codes = "".join(grammar.code(name) for name in (
                "not", "no", "unable", "unknown", "cross", "unavailable", "awaiting", "could", "may", "until"))
            failure = grammar.lists.get("failure", frozenset())
            self.admits = any(
                read.reading is not None and (
                    any(code in codes for code in read.reading.codes)
                    or any(r.fails for r in read.reading.readings) or any(w.key in failure for w in read.reading.words)
                    or any(s.claim in ("says_not_done", "says_unknown", "asks") for s in read.statements))
                for read in self.reads)
        return self.admits

    def _regions(self, statement: Statement) -> list[Region]:
        read = self.of_statement.get(id(statement))
        if read is None or read.reading is None:
            return []
        return [self.linker.region(read.reading, n, read.values) for n in range(len(read.reading.segments))]

    def _judge_done(self, statement: Statement, write: bool) -> Judgement:
        calls = statement.calls
        if not calls:
            return self._judge_phantom(statement, write)
        if statement.foreign and write:
            return self._judge_foreign(statement)
        holds = self._still_holds(statement)
        allowed = [call for call in calls if allows(call.outcome, Claim.SAYS_DONE)
                   and not (holds and call.outcome is Outcome.UNDONE)]
        wrong = [call for call in calls if call not in allowed]
        if not wrong and write and self._of_somebody_else(statement, allowed):
            return Judgement(False, tuple(allowed[-1:]), "other name", f"{allowed[-1].id} names another")
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
        if self._rescued(statement, wrong):
            return Judgement(True, tuple(wrong[-1:]))
        return Judgement(False, tuple(wrong[-1:]), "outcome", f"{wrong[-1].id} is {wrong[-1].outcome.value}")

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
        return any(_is_name(value) for value in calls[0].arguments.values())

    def _awaits(self, statement: Statement) -> bool:
        """Does the sentence itself say that the act waits (`it's waiting for your approval`)?"""
        awaiting = self.linker.grammar.code("awaiting")
        return any(word.code in awaiting for word in self._words(statement))

    def _explained(self, statement: Statement, call: Call) -> bool:
        """Does the sentence tell of the failure, or say a state that the failed call itself gives (`waitlisted`)?"""
        reading, grammar = statement.reading, self.linker.grammar
        words = self._words(statement)
        for place, word in enumerate(words):
            if word.key in grammar.lists.get("failure", frozenset()) and not any(
                before.code in grammar.code("no") or before.key == "without" for before in words[max(0, place - 2) : place]
            ):
                return True
        said = frozenset(fold(call.reason).replace(".", " ").replace(",", " ").split())
        if reading is not None and reading.kind == "state":
            said |= self.linker.index.strings(call)
        start, end = (reading.start, reading.end) if reading is not None else (statement.start, statement.end)
        text = fold(self.reply[start:end]).replace(".", " ").replace(",", " ")
        long = [word for word in text.split() if len(word) >= LONG_WORD]
        return any(other.startswith(word) for word in long for other in said)

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

    def _is_sentence(self, statement: Statement) -> bool:
        """Does a list item say something of its own, with a finite verb?"""
        finite = self.linker.grammar.finite
        return any(word.code in finite for word in self._words(statement))

    def _words(self, statement: Statement) -> list[Word]:
        read = self.of_statement.get(id(statement))
        return read.reading.words if read is not None and read.reading is not None else []

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
            return Judgement(self.asks_something(), () if self.asks_something() else (None,), "no call", "nothing was called")
        if not write or statement.kind in ("effect", "record", "now") or not self._strong(statement) or self._history(statement):
            return Judgement(True, ())
        best, reading = statement.candidates[0], statement.reading
        if reading is not None and best.verb < 3.0 and any(lemma in self.linker.grammar.lists["vague"] for lemma in reading.lemmas):
            return Judgement(True, (), "vague", "the verb fits many acts")
        if self._in_general(statement):
            return Judgement(True, (), "general", "what is done in general")
        if self._recorded(statement):
            return Judgement(True, (), "history", "the record that was read implies it")
        if any(c.elsewhere or c.verb >= 1.5 and self.ledger.calls_of(c.tool) for c in statement.candidates):
            return Judgement(True, ())
        region = self._region(statement)
        backing = self.linker.backed(region) if region is not None else None
        if backing is not None and backing.tool != statement.tool:
            return Judgement(True, (), "backed", f"{backing.id} holds what the clause names")
        return Judgement(False, (None,), "no call", "nothing in the session tried it")

    def _judge_foreign(self, statement: Statement) -> Judgement:
        """The clause names a target that no call of the tool received or returned."""
        turn = [call for call in self.ledger.calls_of(statement.tool or "") if call.turn == self.linker.turn]
        call = turn[-1] if turn else None
        reading = statement.reading
        if reading is not None and statement.candidates[0].verb < 3.0 and any(
            lemma in self.linker.grammar.lists["vague"] for lemma in reading.lemmas
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
        if not self._denies_this(statement):
            return Judgement(True, calls[-1:])
        wrong = calls[-1]
        tried = any(call.outcome in (Outcome.FAILED, Outcome.REFUSED, Outcome.NOT_ATTEMPTED, Outcome.PENDING_CONFIRMATION)
                    for call in self.linker.in_turn
                    if call.tool == statement.tool or any(c.tool == call.tool for c in statement.candidates))
        named = statement.fit >= 2.0 and statement.candidates[0].verb >= 3.0
        tried = tried or self._of_another_thing(statement)
        if wrong.turn != self.linker.turn and statement.fit < 2.0 or not self._strong(statement) or (tried and not named):
            return Judgement(True, calls[-1:])
        return Judgement(False, (wrong,), "denial", f"{wrong.id} is {wrong.outcome.value}")

    def _denies_this(self, statement: Statement) -> bool:
        """Is it this call that is denied, not what is possible in general, or something else than what was done?"""
        codes = self._codes(statement)
        grammar = self.linker.grammar
        if statement.inherited or any(code in grammar.code("other-than") for code in codes):
            return False
        if codes and codes[-1] == grammar.class_codes["colon"] or self._names_another(statement):
            return False
        reading = statement.reading
        general = reading is not None and "can-not" in reading.rule
        if general and any(code in grammar.code("can") for code in codes):
            return statement.named
        best = statement.candidates[0]
        region = self._region(statement)
        if region is not None and region.proper and not statement.named and statement.fit <= 0:
            return False  # it names something that the call does not hold
        if reading is not None and any(lemma in grammar.lists["vague"] for lemma in reading.lemmas) and best.verb < 3.0:
            return False
        return best.verb >= 2.0 and (best.nouns > 0 or statement.named or best.verb >= 3.0 or best.rivals <= 0)

    def _of_another_thing(self, statement: Statement) -> bool:
        """Does the denial name things that its calls do not hold, where another write of the turn did not go through?"""
        region, failed, reading = self._region(statement), self.linker.failed_last(), statement.reading
        if region is None or not region.names or failed is None or reading is None or failed in statement.calls:
            return False
        place = self.linker.tools.places.get(failed.tool)
        if not any(place == hit for lemma in reading.lemmas for hit, _ in self.linker.tools.by_lemma.get(lemma, ())):
            return False
        return all(region.names.isdisjoint(self.linker.index.strings(call)) for call in statement.calls)

    def _names_another(self, statement: Statement) -> bool:
        """Does the sentence state an amount, a date or a number that none of its calls holds?"""
        read = next((read for read in self.reads if any(s is statement for s in read.statements)), None)
        index = self.linker.index
        stated = [v for v in read.values if v.kind in ("money", "identifier", "date", "phone", "email")] if read else []
        return bool(stated) and not any(index.call_has(call, value) for call in statement.calls for value in stated)

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
        sure = self._strong(statement) or urgent and statement.candidates[0].verb >= 3.0
        replaced = self.settings.promises == "replace" or (
            self.settings.final and (not asked or urgent or unknown) and sure)
        if not replaced:
            return self._kept_promise(statement, last)
        return Judgement(False, (last,), "promise", "no call carries out this promise")

    def _kept_promise(self, statement: Statement, call: Call | None) -> Judgement:
        self.judged.reports.append(Report(statement.start, statement.end, "promise", statement.rule,
                                          "a promise that no call carries out yet", call.id if call else ""))
        return Judgement(True, (call,) if call else ())

    def _says_now(self, statement: Statement) -> bool:
        """Does a promise say now, immediately or again (SPEC 3.2)?"""
        grammar = self.linker.grammar
        urgent = grammar.code("now") + grammar.code("again")
        if statement.reading is None:  # a promise of the turn: the whole sentence says it
            return any(word.code in urgent for word in self._words(statement))
        return any(code in urgent for code in self._codes(statement))

    def _codes(self, statement: Statement) -> str:
        read = self.of_statement.get(id(statement))
        if read is None or read.reading is None:
            return ""
        return read.reading.codes[statement.segment[0] : statement.segment[1]]

    def asks_something(self) -> bool:
        closing = self.linker.grammar.code("nothing-more") + self.linker.grammar.code("closing")
        for read in self.reads:
            reading = read.reading
            if reading is None or any(code in closing for code in reading.codes):
                continue
            if reading.question or any(s.claim == "asks" for s in read.statements) or reading.offer:
                return True
        return False

    def _strong(self, statement: Statement) -> bool:
        """Is the link sure enough to accuse?"""
        best = statement.candidates[0]
        if statement.kind == "turn" or statement.inherited:
            return True
        wrong = [call for call in statement.calls if call.turn == self.linker.turn and call.outcome not in MADE]
        vague = statement.reading is not None and any(
            lemma in self.linker.grammar.lists["vague"] for lemma in statement.reading.lemmas)
        if statement.claim == "says_done" and wrong and best.verb >= 1.0 and self.linker.only_write(wrong[-1]) and not (
            vague and best.verb < 3.0 or self._admits()
        ):
            return True
        if statement.kind == "now":
            return statement.named and statement.fit >= SURE_FIT
        reading = statement.reading
        if any(call.turn == self.linker.turn for call in statement.calls) and (
            statement.named and (best.verb >= 1.5 or statement.fit >= SURE_FIT) or best.verb >= 2.0
        ):
            return True
        generic = reading is not None and bool(reading.lemmas) and all(
            lemma in self.linker.grammar.generic for lemma in reading.lemmas)
        if best.verb >= 3.0:
            return best.nouns > 0 or best.value or best.act or not generic or bool(statement.calls)
        if best.verb >= 2.0:
            alone = best.rivals <= MOST_RIVALS and not generic and reading is not None and self._tells(statement, reading)
            return best.nouns > 0 or best.value or alone
        return best.nouns > 0 and (best.value or best.verb >= 1.5)

    def _tells(self, statement: Statement, reading: Reading) -> bool:
        """Is it told as an act of now: `I have`, `has been`, and a verb that says what was done?"""
        lists = self.linker.grammar.lists
        if any(lemma in lists["vague"] for lemma in reading.lemmas):
            return False
        if any(lemma in lists["consequences"] for lemma in reading.lemmas) and any(map(self._is_write, self.ledger.calls)):
            return False
        if reading.kind == "event" and ("perfect" in reading.rule or "active" in reading.rule):
            return True
        if reading.kind == "event" and reading.rule.endswith(" passive") and statement.candidates[0].rivals <= 0:
            return not self._in_general(statement) and not self._holds_now(statement)
        return reading.kind == "state" and not self.linker.has_read() and not self.linker.in_turn

    def _holds_now(self, statement: Statement) -> bool:
        """Is it told in the present (`is set`), as a state that may be old?"""
        reading = statement.reading
        present = self.linker.grammar.lists.get("holds", frozenset())
        return reading is not None and any(
            word.key in present for word in self._words(statement)[reading.span[0] : reading.at])

    def _history(self, statement: Statement) -> bool:
        """Does a result that the session read, or the person, say this state?"""
        reading = statement.reading
        if reading is None:
            return False
        word = self.reply[reading.start : reading.end].lower()
        return self.linker.session_says(word) or self.linker.read_states(reading.lemmas)

    def _in_general(self, statement: Statement) -> bool:
        """`Returns are submitted per order`: a present passive without a value that names one."""
        reading = statement.reading
        if reading is None or not reading.rule.endswith(" passive"):
            return False
        present = self.linker.grammar.lists.get("holds", frozenset())
        lists = self.linker.grammar.lists
        words = self._words(statement)
        subject = words[statement.segment[0] : reading.span[0]]
        named = self.linker.named_codes + self.linker.grammar.class_codes["quote"]
        if any(word.key in lists["definite"] for word in subject) or any(word.code in named for word in subject):
            return False
        return any(word.key in present for word in words[reading.span[0] : reading.at])

    def _recorded(self, statement: Statement) -> bool:
        """Does what the session read make it history: its date, its act, a record that must once have been made?"""
        linker, grammar, reading = self.linker, self.linker.grammar, statement.reading
        codes = self._codes(statement)
        if any(code in grammar.code("past-time") for code in codes):
            return True
        if reading is None:
            return linker.read_moment(statement.values)
        acts = {why.removeprefix("act ") for why in statement.candidates[0].why}
        if reading.kind == "state" and acts & grammar.lists["consequences"] and any(map(self._is_write, self.ledger.calls)):
            return True
        if "active" not in reading.rule and linker.read_moment(statement.values):
            return True
        if linker.read_says(reading.lemmas):
            return True
        region = self._region(statement)
        now = any(word.code in grammar.code("now") for word in self._words(statement)[reading.span[0] : reading.at])
        if now:
            return False  # `is now refunded` is no old state
        mine = "active" in reading.rule or "participle" in reading.rule or "perfect" in reading.rule
        if region is not None and not mine and (
            reading.kind == "state" or any(lemma in grammar.lists["creation"] for lemma in reading.lemmas)
        ):
            return linker.read_of(region.nouns) or reading.kind != "state" and linker.has_read()
        money = any(lemma in grammar.lists["consequences"] for lemma in reading.lemmas)
        if money and ("participle" in reading.rule or reading.rule.endswith(" passive")) and linker.has_read():
            return True
        best = statement.candidates[0]
        follows = any(lemma in grammar.lists["consequences"] for lemma in reading.lemmas) and best.verb < 3.0
        return follows and any(c.outcome is Outcome.DONE and self._is_write(c) for c in linker.in_turn)

    def _is_write(self, call: Call) -> bool:
        tool = self.ledger.tool(call.tool)
        return tool is not None and bool(tool.write)

    def _region(self, statement: Statement) -> Region | None:
        reading = statement.reading
        read = self.of_statement.get(id(statement))
        if reading is None or read is None or read.reading is None:
            return None
        return self.linker.region(read.reading, reading.segment, read.values)

    def _rescued(self, statement: Statement, wrong: Sequence[Call]) -> bool:
        """Another equally good tool, or a call of this turn that the clause's own values name, allows it."""
        for candidate in statement.candidates[1:]:
            if any(allows(c.outcome, Claim.SAYS_DONE) for c in self.ledger.calls_of(candidate.tool) if c.turn == self.linker.turn):
                return True
        return not self._strong(statement)

    # Values ----------------------------------------------------------------------------------------------------------

    def _judge_values(self, statement: Statement, claim: Claim, number: int, judgement: Judgement) -> Judgement:
        if claim is Claim.ASKS or not (statement.values or statement.calls):
            return judgement
        tool = self.ledger.tool(statement.tool or "")
        calls = tuple(call for call in judgement.calls if call is not None) or statement.calls
        clause = LinkedClause(statement.start, statement.end, number, claim, tool, calls, statement.values,
                              claim is not Claim.ASKS, statement.under_done, statement.rule)
        for found in check_values(clause, self.reply, self.ledger, mode=self.settings.evidence,
                                  kinds=self.settings.values, reply_values=self.all_values,
                                  locale=self.settings.language):
            if found.verdict == "replaced" and (calls or claim is not Claim.MENTIONS):
                return Judgement(False, judgement.calls or calls[-1:], found.rule, found.why, found.pointer)
            if found.verdict in ("reported", "replaced"):
                self.judged.reports.append(Report(found.value.start, found.value.end, "value", found.rule, found.why))
        return judgement
