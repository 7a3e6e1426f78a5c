"""`verify`: the steps from a reply and a ledger to a verdict, in the order of SPEC 3 and 4."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier import facts
from verifier.appender import append
from verifier.checker import Checker
from verifier.composer import compose
from verifier.grammar import Grammar, load
from verifier.judge import Judged
from verifier.leads import inherit
from verifier.linker import Linker
from verifier.model import Clause, Edit, Sentence
from verifier.phrasing import Phrasings
from verifier.profile import ToolIndex, index_of
from verifier.reader import read_sentence
from verifier.renderings import own_sentences
from verifier.repairs import repair
from verifier.rules import Ruling
from verifier.rules import load as load_rules
from verifier.rules.ruling import fired_of
from verifier.settings import Settings, read_settings, settings_of
from verifier.splice import splice
from verifier.splitter import split
from verifier.statement import ReadSentence
from verifier.statements import statements_of
from verifier.text import Tokens, tokenize
from verifier.told import spoken_of, told_of
from verifier.unworded import facts_of_code
from verifier.values import find
from verifier.verdict import SentenceVerdict, Verdict
from verifier.vocabulary import Vocabulary

if TYPE_CHECKING:
    from verifier.ledger import Ledger
    from verifier.reading import ReadClause
    from verifier.tool import Tool

TOOLS = "tool index"  # our slot in ledger.cache
FEWEST_WORDS = 4  # a shorter reply is always read (SPEC, languages)
COMMON_SHARE = 0.25
MAX_WORDS_LOOKED_AT = 400  # enough to tell a language


class Verifier:
    """Settings for many replies. Everything it holds is read-only, so threads share one."""

    def __init__(self, **settings: Any) -> None:
        """Take the keyword arguments of `verify`. Raises ValueError, TypeError or DataError for a wrong one."""
        self.settings = settings_of(settings)
        chosen = self.settings
        self.grammar = load(chosen.language)
        self.phrasings = Phrasings.load(
            chosen.phrasing_language or chosen.language, chosen.phrasings, nothing=chosen.nothing
        )
        self.vocabulary = Vocabulary.load(chosen.vocabulary, chosen.language)
        self.rules = load_rules(chosen.rules)

    @classmethod
    def from_config(cls, config: Mapping[str, Any] | str | Path) -> Verifier:
        """A verifier from a mapping or a YAML file of settings, the seed's `replies:` among them."""
        return cls(**read_settings(config))

    def verify(self, reply: str, ledger: Ledger, *, final: bool | None = None) -> Verdict:
        """Hold a reply to its ledger. `final=False` for a message that itself carries tool calls."""
        if self.settings.composer == "template":
            return self._compose(reply, ledger)
        tokens = tokenize(reply, self.grammar.language)
        if not is_read(tokens, self.grammar):
            if self.settings.unread == "template":
                return self._compose(reply, ledger, read=False)
            return self._unread(reply, ledger, final)
        reads, linker = self._read(reply, ledger, tokens)
        settings = self.settings if final is None else _with_final(self.settings, final)
        checker = Checker(reply, reads, linker, settings)
        return self._finish(reply, ledger, reads, checker)

    def stream(self, chunks: Iterable[str], ledger: Ledger, *, final: bool | None = None) -> Iterator[str]:
        """Verified text while the model still writes; joined, it is `verify(whole).text`. `chunks` may cut anywhere."""
        from verifier.streaming import stream_with

        return stream_with(self, chunks, ledger, final=final)

    def astream(self, chunks: AsyncIterable[str], ledger: Ledger, *, final: bool | None = None) -> AsyncIterator[str]:
        """`stream` of asynchronous chunks."""
        from verifier.streaming import astream_with

        return astream_with(self, chunks, ledger, final=final)

    def _read(self, reply: str, ledger: Ledger, tokens: Tokens) -> tuple[list[ReadSentence], Linker]:
        index = self._tools_of(ledger)
        linker = Linker(self.grammar, index, ledger, facts.index(ledger))
        reads: list[ReadSentence] = []
        body = reply.lstrip(" \t\r\n")[:1] in ("{", "[")  # a reply that is JSON is read, code inside a reply is not
        own = own_sentences(reply, ledger, self.phrasings)
        for sentence in split(reply, self.grammar.language):
            read = ReadSentence(sentence, None)
            end = _models_end(sentence, own)
            first = bisect_left(tokens.start, sentence.body_start)
            last = bisect_left(tokens.start, end)
            if last > first and (sentence.kind not in ("blank", "code") or (body and sentence.kind == "code")):
                read.values = find(reply, sentence.body_start, end, locale=self.grammar.language, now=ledger.now)
                read.reading = read_sentence(tokens, first, last, self.grammar, index.overlay, read.values)
                read.statements = (
                    facts_of_code(read, linker)
                    if sentence.kind == "code"
                    else statements_of(read, linker, reads)
                )
            reads.append(read)
        inherit(reads, linker)
        return reads, linker

    def _tools_of(self, ledger: Ledger) -> ToolIndex:
        """The index of a ledger's tools, kept with the ledger until it lists more of them."""
        tools = ledger.tools
        held = ledger.cache.get(TOOLS)
        if held is None or held[:2] != (len(tools), self.grammar.language) or held[2] is not self.vocabulary:
            index = index_of(self.vocabulary.extend(tools), self.grammar.language)
            held = ledger.cache[TOOLS] = (len(tools), self.grammar.language, self.vocabulary, index)
        found: ToolIndex = held[3]
        return found

    def _finish(self, reply: str, ledger: Ledger, reads: Sequence[ReadSentence], checker: Checker) -> Verdict:
        judged = checker.check()
        sentences = [read.sentence for read in reads]
        repairs = repair(reply, sentences, judged.clauses, self.phrasings, ledger)
        ruling = self._ruling(reply, sentences, ledger, checker.settings.final, judged.clauses)
        cut = ruling.cut(repairs.edits)
        actions = ruling.actions(repairs.actions, repairs.edits, cut.edits)
        said = frozenset() if cut.blocked else repairs.said
        spoken = spoken_of(reads, actions, ledger) | said
        appended = append(
            reply,
            cut.edits,
            ledger,
            self.phrasings,
            spoken=spoken | told_of(reads, actions, checker.linker, spoken),
            asks=not cut.blocked and checker.asks_something(),
            omitted=self.settings.omitted,
            lost=repairs.lost,
        )
        ruled = ruling.close(cut, () if appended.edit is None else (appended.edit,))
        text = splice(reply, ruled.edits) if ruled.edits else reply
        return Verdict(
            reply,
            text,
            True,
            ruled.edits,
            _verdicts(reply, sentences, actions, judged),
            appended.calls,
            (*judged.reports, *ruled.reports),
            fired_of(ruled),
        )

    def _ruling(
        self,
        reply: str,
        sentences: Sequence[Sentence],
        ledger: Ledger,
        final: bool | None = None,
        clauses: Sequence[Sequence[Clause]] = (),
    ) -> Ruling:
        final = self.settings.final if final is None else final
        return Ruling(reply, sentences, ledger, self.rules, self.grammar.language, clauses, self.phrasings, final)

    def _unread(self, reply: str, ledger: Ledger, final: bool | None) -> Verdict:
        """A reply in another language: only the reply rules apply."""
        sentences = split(reply, self.grammar.language)
        ruling = self._ruling(reply, sentences, ledger, final)
        ruled = ruling.whole(())
        actions = ruling.actions(("kept",) * len(sentences), (), ruled.edits)
        return Verdict(
            reply,
            splice(reply, ruled.edits),
            False,
            ruled.edits,
            _kept(reply, sentences, actions),
            (),
            ruled.reports,
            fired_of(ruled),
        )

    def _compose(self, reply: str, ledger: Ledger, read: bool = True) -> Verdict:
        text, calls = compose(ledger, self.phrasings)
        if not read and not calls:
            return self._unread(reply, ledger, None)
        ruled = self._ruling(reply, (), ledger).whole((Edit(0, len(reply), text, "compose", "", "composer"),))
        text = splice(reply, ruled.edits)
        if text == reply:
            return Verdict(reply, reply, read)
        return Verdict(reply, text, read, ruled.edits, (), calls, ruled.reports, fired_of(ruled))


def verify(reply: str, ledger: Ledger, **settings: Any) -> Verdict:
    """Hold every sentence of `reply` to what `ledger` recorded; repair the false ones, add what was left out.

    Settings are those of SPEC 4 (`language`, `phrasing_language`, `phrasings`, `vocabulary`, `composer`, `evidence`,
    `values`, `promises`, `untooled`, `omitted`, `unread`, `rules`, `final`). Raises ValueError or DataError for wrong
    settings; no text is ever an error.

    >>> from verifier import Ledger, Tool
    >>> ledger = Ledger(tools=[Tool("refund_card", write=True)])
    >>> verify("I've refunded your card.", ledger).text
    'Not done: refund card.'
    """
    if not settings:
        return _default().verify(reply, ledger)
    return Verifier(**settings).verify(reply, ledger)


_DEFAULT: list[Verifier] = []


def _default() -> Verifier:
    if not _DEFAULT:
        _DEFAULT.append(Verifier())
    return _DEFAULT[0]


def _models_end(sentence: Sentence, own: Sequence[tuple[int, int, str]]) -> int:
    """Where the model's words of a sentence end: before what a phrasing of ours says, which is not read again."""
    for start, end, _ in own:
        if start < sentence.body_end and sentence.body_start < end:
            return max(start, sentence.body_start)
    return sentence.body_end


def _with_final(settings: Settings, final: bool) -> Settings:
    from dataclasses import replace

    return settings if settings.final == final else replace(settings, final=final)


def is_read(tokens: Tokens, grammar: Grammar) -> bool:
    """Whether a reply is in the grammar's language: at least a quarter of its plain words are common ones."""
    words = [key for key in tokens.key[:MAX_WORDS_LOOKED_AT] if key.isalpha()]
    if len(words) < FEWEST_WORDS:
        return True
    return sum(1 for word in words if word in grammar.common or word in grammar.singles) >= COMMON_SHARE * len(words)


def _kept(reply: str, sentences: Sequence[Sentence], actions: Sequence[str]) -> tuple[SentenceVerdict, ...]:
    return tuple(
        SentenceVerdict(s.start, s.end, reply[s.start : s.end], action)
        for s, action in zip(sentences, actions, strict=True)
    )


def _verdicts(
    reply: str, sentences: Sequence[Sentence], actions: Sequence[str], judged: Judged
) -> tuple[SentenceVerdict, ...]:
    return tuple(
        SentenceVerdict(s.start, s.end, reply[s.start : s.end], action, tuple(clauses))
        for s, action, clauses in zip(sentences, actions, judged.clauses, strict=True)
    )


def read(text: str, tools: Iterable[Tool | str], *, language: str = "en") -> tuple[ReadClause, ...]:
    """Read a text, such as a person's turn: its clauses with the tool each speaks of, best first, and why."""
    from verifier.reading import read_turn

    return read_turn(text, tools, language)
