"""Verified text while the model still writes: a sentence is shown as soon as its treatment can no longer change.

What is shown cannot be taken back, so everything is shown word for word and in order, up to the first sentence that
may still be changed; that one and all after it wait. A sentence may still change

- while it, or the line it stands on, is not complete (the next word, or the next line, can move where it ends);
- while the call that it speaks of has no outcome;
- when it was found false: whether it is replaced or removed depends on what else the reply tells;
- when it introduces others (a colon, a heading, a table's head) and what it introduces is not complete.

A question that is still to come can only make a sentence true (SPEC 3.2), never false, and so can an amount, so what
was kept with less text is kept with more. `tests/test_streaming.py` holds that for every reply of the shared material.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from verifier.appender import separator
from verifier.lines import BREAKS, CHECKS, SPACES
from verifier.model import Claim, Outcome, Sentence
from verifier.removal import content_end
from verifier.splice import splice
from verifier.splitter import split

if TYPE_CHECKING:
    from verifier.ledger import Ledger
    from verifier.verdict import Verdict
    from verifier.verify import Verifier

STEP = 16  # a reply is looked at again when it has grown by this fraction, so that the work stays linear
KNOWN_LINE = 12  # so many characters, with a letter, tell what a line is (a bullet, a number, words)
COLONS = (":", "：")
CLAIMS_NOTHING = frozenset({None, Claim.ASKS, Claim.MENTIONS})
OPEN = frozenset({Outcome.UNKNOWN, Outcome.PENDING_CONFIRMATION})
_UNSURE = "|{[<>#*_`~=+-:"  # a line that starts so can still become a table, code, a heading, a rule, a quotation
_CLOSERS = "*_\"'”’»)] "


class Stream:
    """A reply on its way to the person: `feed` gives what may be shown now, `close` the rest."""

    def __init__(self, verifier: Verifier, ledger: Ledger, *, final: bool | None = None) -> None:
        """`final=False` for a message that will also carry tool calls."""
        self.verdict: Verdict | None = None  # of the whole reply, after `close`
        self._verifier, self._ledger, self._final = verifier, ledger, final
        self._pieces: list[str] = []
        self._text = ""
        self._length = 0
        self._looked_at = 0  # how long the text was when it was last looked at
        self._version = -1  # of the ledger, then
        self._verified = (-1, -1)  # the length and the ledger's version that were verified last
        self._shown = 0
        self._whole = decided_as_a_whole(verifier)

    def feed(self, chunk: str) -> str:
        """Take in more of the reply; gives the text that may be shown now, often nothing."""
        self._pieces.append(chunk)
        self._length += len(chunk)
        grown = self._length - self._looked_at
        changed = self._version != self._ledger.version
        if self._whole or not (any(map(chunk.__contains__, " \n\r")) or changed):
            return ""
        if grown * STEP < self._length and not changed:
            return ""
        self._looked_at, self._version = self._length, self._ledger.version
        text = self._join()
        return self._show(max(self._shown, self._settled(text)))

    def close(self, *, final: bool | None = None) -> str:
        """The reply is complete: gives the rest of it, verified as a whole.

        `final=False` where only now it is known that the message carries calls; that never takes back what was shown.
        """
        text = self._join()
        last = self._final if final is None else final
        verdict = self.verdict = self._verifier.verify(text, self._ledger, final=last)
        shown = self._shown
        if all(edit.start >= shown for edit in verdict.edits) and verdict.text.startswith(text[:shown]):
            return verdict.text[shown:]
        return _corrected(verdict, shown)

    def _join(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def _show(self, end: int) -> str:
        start, self._shown = self._shown, end
        return self._join()[start:end]

    def _settled(self, text: str) -> int:
        """How much of a text will be shown as it is, whatever follows."""
        language = self._verifier.settings.language
        sentences = _complete(text, split(text, language))
        state = (sentences[-1].end if sentences else 0, self._ledger.version)
        if state[0] <= self._shown or state == self._verified:
            return 0
        self._verified = state
        part = text[: state[0]]
        verdict = self._verifier.verify(part, self._ledger, final=self._final)
        if not verdict.read or split(part, language) != sentences:
            return 0
        kept = _kept(part, sentences, verdict)
        end = 0
        for index in range(kept):
            waits = sentences[index].end > self._shown and _introduces(part, sentences[index])
            if waits and not _is_over(sentences, index, kept, verdict):
                break
            end = content_end(text, sentences[index])
        return end


def decided_as_a_whole(verifier: Verifier) -> bool:
    """Whether settings let the end of a reply decide about its beginning: then nothing is shown before the end."""
    settings = verifier.settings
    if settings.composer == "template" or settings.unread == "template":
        return True
    return any(rule.enabled and _acts_on_the_whole(rule) for rule in verifier.rules.rules)


def _acts_on_the_whole(rule: Any) -> bool:
    """Whether a rule can block the reply, put a text elsewhere than at its end, or find words across sentences."""
    actions = {rule.action, *getattr(rule.detail, "actions", {}).values()}
    return "block" in actions or getattr(rule.detail, "place", "end") != "end" or rule.kind == "banned"


def _complete(text: str, sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The first sentences whose ends, kinds and leads no following text can move."""
    if text.lstrip(BREAKS)[:1] in ("{", "["):
        return ()
    line, known = _known_lines(text)
    count = 0
    while count < len(sentences) and sentences[count].end <= known:
        if _is_unsure(text, sentences[count]):
            return sentences[:count]
        count += 1
    while count < len(sentences) - 1 and known == line <= sentences[count].start:
        if not _ends_here(text, sentences, count):
            break
        count += 1
    return sentences[:count]


def _known_lines(text: str) -> tuple[int, int]:
    """Where the last line starts, and up to where the lines above are known for what they are."""
    start = max(text.rfind("\n"), text.rfind("\r")) + 1
    last = text[start:].strip(SPACES)
    before = text[:start].rstrip(BREAKS)
    gap = text[len(before) : start]
    if (gap.count("\n") or gap.count("\r")) > 1:  # an empty line ends what stands above it
        return start, start if last else len(text)
    if len(last) >= KNOWN_LINE and any(map(str.isalpha, last)) and last[0] != "|":
        return start, start
    return start, max(before.rfind("\n"), before.rfind("\r")) + 1


def _is_unsure(text: str, sentence: Sentence) -> bool:
    """A quotation, or a line that may be part of a JSON or an indented block: what follows decides what it is."""
    at = max(text.rfind("\n", 0, sentence.body_start), text.rfind("\r", 0, sentence.body_start)) + 1
    bare = text[at : sentence.end].lstrip(SPACES)
    lead = text[at : sentence.end][: sentence.end - at - len(bare)]
    if sentence.kind == "prose" and len(lead) + 3 * lead.count("\t") >= 4:
        return True
    return bare[:1] == ">" or (bare[:1] in ("{", "[") and sentence.kind != "item")


def _ends_here(text: str, sentences: Sequence[Sentence], index: int) -> bool:
    """Whether a sentence on the last, incomplete line is complete: the next one has begun with a whole word."""
    sentence, following = sentences[index], text[sentences[index].end :]
    start = max(text.rfind("\n"), text.rfind("\r")) + 1
    line = text[start:].lstrip(SPACES)
    if sentence.kind not in ("prose", "item") or "|" in line or _is_unsure(text, sentence):
        return False
    if sentence.kind == "prose" and (line[0] in _UNSURE or line[0] in CHECKS):
        return False
    if index and sentences[index - 1].kind in ("row", "blank") and "|" in text[sentences[index - 1].start : start]:
        return False
    word, blank, _ = following.partition(" ")
    return bool(blank) and word[:1].isalpha()


def _kept(text: str, sentences: Sequence[Sentence], verdict: Verdict) -> int:
    """How many sentences from the first are kept word for word and speak of no call without an outcome."""
    first = min((edit.start for edit in verdict.edits if edit.start < sentences[-1].body_end), default=len(text) + 1)
    opened = [
        sentence.start
        for sentence in verdict.sentences
        if any(clause.call is not None and clause.call.outcome in OPEN for clause in sentence.clauses)
    ]
    stop = min([first, *opened])
    return sum(1 for sentence in sentences if content_end(text, sentence) <= stop)


def _introduces(text: str, sentence: Sentence) -> bool:
    """Whether a sentence goes when all that it introduces goes."""
    if sentence.kind in ("heading", "row"):
        return True
    return text[sentence.body_start : sentence.body_end].rstrip(_CLOSERS)[-1:] in COLONS


def _is_over(sentences: Sequence[Sentence], index: int, kept: int, verdict: Verdict) -> bool:
    """Whether what a sentence introduces is complete and stays; where it claims nothing, whether any of it stays."""
    below = [at for at in range(index + 1, len(sentences)) if _is_below(sentences, at, index)]
    after = below[-1] + 1 if below else index + 1
    if any(sentences[at].kind != "blank" for at in range(after, kept)):
        return True
    one = sentences[index]
    claims = {
        clause.claim
        for said in verdict.sentences
        if one.start <= said.start < one.end
        for clause in said.clauses
        if clause.tool
    }
    return claims <= CLAIMS_NOTHING and any(sentences[at].kind != "blank" for at in below if at < kept)


def _is_below(sentences: Sequence[Sentence], at: int, index: int) -> bool:
    for _ in range(32):
        if at <= index or at < 0:
            return at == index
        at = sentences[at].lead
    return False


def _corrected(verdict: Verdict, shown: int) -> str:
    """The rest of a reply of which the beginning turned out false after it was shown: the corrections come last.

    That happens only where the ledger learned something else than the outcome of a call while the reply was written.
    """
    rest = [edit for edit in verdict.edits if edit.start >= shown]
    moved = [type(edit)(edit.start - shown, edit.end - shown, edit.text, edit.kind) for edit in rest]
    text = splice(verdict.reply[shown:], moved)
    late = [edit.text.strip() for edit in verdict.edits if edit.start < shown and edit.text.strip()]
    if not late:
        return text
    return text.rstrip(BREAKS) + separator(verdict.reply[:shown] + text) + " ".join(late)


@overload
def stream(chunks: Iterable[str], ledger: Ledger, **settings: Any) -> Iterator[str]:
    """Of chunks."""


@overload
def stream(chunks: AsyncIterable[str], ledger: Ledger, **settings: Any) -> AsyncIterator[str]:
    """Of asynchronous chunks."""


def stream(
    chunks: Iterable[str] | AsyncIterable[str], ledger: Ledger, **settings: Any
) -> Iterator[str] | AsyncIterator[str]:
    """Verified text sentence by sentence while the model writes; joined, it is the text of `verify` on the whole.

    `chunks` may cut anywhere; asynchronous ones give an asynchronous iterator. Settings are those of `verify`.
    """
    from verifier.verify import Verifier

    verifier = Verifier(**settings)
    if isinstance(chunks, AsyncIterable):
        return astream_with(verifier, chunks, ledger)
    return stream_with(verifier, chunks, ledger)


def stream_with(
    verifier: Verifier, chunks: Iterable[str], ledger: Ledger, *, final: bool | None = None
) -> Iterator[str]:
    """`stream` with a verifier's settings."""
    held = Stream(verifier, ledger, final=final)
    for chunk in chunks:
        if ready := held.feed(chunk):
            yield ready
    if rest := held.close():
        yield rest


async def astream_with(
    verifier: Verifier, chunks: AsyncIterable[str], ledger: Ledger, *, final: bool | None = None
) -> AsyncIterator[str]:
    """`stream` of asynchronous chunks."""
    held = Stream(verifier, ledger, final=final)
    async for chunk in chunks:
        if ready := held.feed(chunk):
            yield ready
    if rest := held.close():
        yield rest
