"""The model that writes notes: one small protocol, and a call that ends in time whatever it does."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Awaitable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Protocol

import msgspec
from msgspec import Struct

from trimtab.credentials import masked
from trimtab.edits import Ask
from trimtab.errors import WriterError

THINKING = re.compile(r"\s*<(think|thinking)>[\s\S]*?(?:</\1>|\Z)")
"""Thinking that a server leaves in the text, before the answer or in the place of one."""

LATER = 1.0
"""Seconds after which a coroutine that nobody waits for any more is cancelled."""

LONGEST_REASON = 400
"""Characters of what an error says."""


class Written(Struct, frozen=True):
    """What a writer answered. `whole` is False when a limit ended it; tokens are as the provider counts them."""

    text: str
    whole: bool = True
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


class Writer(Protocol):
    """Whoever answers an `Ask`, synchronously or by an awaitable; it may raise whatever it likes."""

    def __call__(self, ask: Ask) -> str | Written | Awaitable[str | Written]:
        """The answer, of at most `ask.most` tokens: its text, or with what else is known of it."""
        ...


def answer(writer: Writer | None, ask: Ask) -> tuple[Written, str]:
    """The writer's answer and "", or an empty one and why: no writer, an error, no time left, nothing said.

    An answer that a limit cut off is returned as such. A writer that runs out of time is left to itself and
    keeps no process from ending; its answer does not count.
    """
    nothing = Written("")
    if writer is None:
        return nothing, "there is no writer; give writer= to the compactor"
    said = Future[object]()
    Thread(target=_run, args=(writer, ask, said), name="trimtab-writer", daemon=True).start()
    try:
        found = said.result(ask.seconds)
    except Exception as error:
        if not said.done():
            return nothing, f"the writer did not answer within {ask.seconds:g} s"
        kind = "" if isinstance(error, WriterError) else f"{type(error).__name__}: "
        reason = " ".join(masked(f"{kind}{error}").split())
        return nothing, f"the writer failed: {reason[:LONGEST_REASON]}"
    written = Written(found) if isinstance(found, str) else found
    if not isinstance(written, Written):
        return nothing, f"the writer answered with {type(found).__name__}, not with text"
    text = (
        THINKING.sub("", written.text, count=1).strip() if THINKING.match(written.text) else written.text.strip()
    )
    if not text:
        return nothing, "the writer answered nothing" + ("" if written.whole else " before its limit of tokens")
    return msgspec.structs.replace(written, text=text), ""


def _run(writer: Writer, ask: Ask, said: Future[object]) -> None:
    try:
        found = writer(ask)
        if inspect.isawaitable(found):
            waited = asyncio.wait_for(_awaited(found), ask.seconds + LATER)
            found = asyncio.run_coroutine_threadsafe(waited, _LOOP.running()).result()
        said.set_result(found)
    except BaseException as error:  # what ends the writer must not end the caller
        said.set_exception(error if isinstance(error, Exception) else RuntimeError(repr(error)))


async def _awaited(found: Awaitable[str | Written]) -> str | Written:
    try:
        return await found
    except (SystemExit, KeyboardInterrupt) as error:  # these would end the loop
        raise RuntimeError(repr(error)) from None


class _Loop:
    """The one event loop of all async writers: a client's open connections belong to the loop it was used in."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: Thread | None = None

    def running(self) -> asyncio.AbstractEventLoop:
        """The loop; another one in a process that was forked from this."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=self._loop.run_forever, name="trimtab-writers", daemon=True)
                self._thread.start()
            return self._loop


_LOOP = _Loop()
