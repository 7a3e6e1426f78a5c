"""What the adapters of frameworks share: verify a reply where it passes, and never fall over with it.

A framework may swallow an exception of a hook and let the reply through, or end the run with it. Neither is left to
chance: errors of ours are caught here, logged, and answered by one policy.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from verifier.streaming import Stream
from verifier.tool import Tool
from verifier.verify import Verifier

if TYPE_CHECKING:
    from verifier.ledger import Ledger
    from verifier.verdict import Verdict

OnError = Literal["pass", "block"]
ON_ERROR = ("pass", "block")
# True whatever was done: what stands in place of a reply that could not be verified.
BLOCKED = {
    "en": "I can't say reliably right now what was done.",
    "pt-BR": "Não consigo dizer com segurança agora o que foi feito.",
}
_log = logging.getLogger(__name__)


class Guard:
    """Gives the text that a person may read. `on_verdict` is told each verdict, for metrics or reports."""

    def __init__(
        self,
        verifier: Verifier | None = None,
        *,
        tools: Iterable[object] = (),
        on_error: OnError = "pass",
        blocked: str = "",
        on_verdict: Callable[[Verdict], object] | None = None,
    ) -> None:
        """`tools` are specs or `Tool`s that say more than the framework's own.

        `on_error="pass"` lets a reply through as it is when verifying it failed, "block" puts `blocked`
        (by default a sentence of the language) in its place. Raises `ValueError`.
        """
        if on_error not in ON_ERROR:
            raise ValueError(f"on_error={on_error!r:.40} is not possible; it can be {', '.join(ON_ERROR)}")
        self.verifier = verifier or Verifier()
        self.tools = tuple(Tool.from_spec(tool) for tool in tools)
        self.on_error, self.on_verdict = on_error, on_verdict
        settings = self.verifier.settings
        self.blocked = blocked or BLOCKED[settings.phrasing_language or settings.language]

    def listed(self, specs: Iterable[object]) -> list[Tool]:
        """The guard's own tools, and those of the framework that it does not name."""
        found = {tool.name: tool for tool in map(Tool.from_spec, specs)}
        return list((found | {tool.name: tool for tool in self.tools}).values())

    def text(self, reply: str, ledger: Callable[[], Ledger], *, final: bool = True) -> str:
        """The verified reply. `ledger` is asked here, so that its errors fall under the policy."""
        if not reply:
            return reply
        try:
            verdict = self.verifier.verify(reply, ledger(), final=final)
            if self.on_verdict is not None:
                self.on_verdict(verdict)
        except Exception:
            return self.failed(reply)
        return verdict.text

    def failed(self, reply: str) -> str:
        """What is shown instead of a reply that could not be verified."""
        _log.exception("the reply could not be verified; on_error=%s", self.on_error)
        return reply if self.on_error == "pass" else self.blocked

    def note(self, record: Callable[[], object]) -> None:
        """Record something; a failure is logged and leaves the framework's own course alone."""
        try:
            record()
        except Exception:
            _log.exception("a call could not be recorded")

    def held(self, ledger: Callable[[], Ledger], *, final: bool = True) -> Held:
        """A reply that comes in chunks."""
        return Held(self, ledger, final)

    def stream(self, chunks: Iterable[str], ledger: Callable[[], Ledger], *, final: bool = True) -> Iterator[str]:
        """Verified text while it is written."""
        held = self.held(ledger, final=final)
        for chunk in chunks:
            if ready := held.feed(chunk):
                yield ready
        if rest := held.close():
            yield rest

    async def astream(
        self, chunks: AsyncIterable[str], ledger: Callable[[], Ledger], *, final: bool = True
    ) -> AsyncIterator[str]:
        """`stream` of asynchronous chunks."""
        held = self.held(ledger, final=final)
        async for chunk in chunks:
            if ready := held.feed(chunk):
                yield ready
        if rest := held.close():
            yield rest


class Held:
    """A stream under the guard's policy: after an error nothing is shown before the end."""

    def __init__(self, guard: Guard, ledger: Callable[[], Ledger], final: bool) -> None:
        """Read the ledger."""
        self.guard = guard
        self.pieces: list[str] = []
        self.length = 0  # of what is shown
        self.stream: Stream | None = None
        try:
            self.stream = Stream(guard.verifier, ledger(), final=final)
        except Exception:
            _log.exception("the ledger could not be read")

    @property
    def shown(self) -> str:
        """What `feed` has given so far."""
        return "".join(self.pieces)[: self.length]

    def feed(self, chunk: str) -> str:
        """Take in more; gives what may be shown now."""
        self.pieces.append(chunk)
        if self.stream is None:
            return ""
        try:
            ready = self.stream.feed(chunk)
        except Exception:
            self.stream = None
            _log.exception("a part of the reply could not be verified")
            return ""
        self.length += len(ready)
        return ready

    def close(self, *, final: bool | None = None) -> str:
        """The rest, when the reply is complete."""
        rest = "".join(self.pieces)[self.length :]
        if not self.length and not rest:
            return ""  # a message without text is no reply
        if self.stream is None:
            return self.guard.failed(rest)
        try:
            done = self.stream.close(final=final)
            if self.guard.on_verdict is not None and self.stream.verdict is not None:
                self.guard.on_verdict(self.stream.verdict)
        except Exception:
            return self.guard.failed(rest)
        return done
