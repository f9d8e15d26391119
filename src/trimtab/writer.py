"""The model that writes notes: one small protocol, and a call that ends in time whatever it does."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable
from concurrent.futures import Future
from threading import Thread
from typing import Protocol

from trimtab.edits import Ask


class Writer(Protocol):
    """Whoever answers an `Ask`, synchronously or by an awaitable; it may raise whatever it likes."""

    def __call__(self, ask: Ask) -> str | Awaitable[str]:
        """The answer, of at most `ask.most` tokens."""
        ...


def answer(writer: Writer | None, ask: Ask) -> tuple[str, str]:
    """The writer's answer and "", or "" and why there is none: no writer, an error, no time left, nothing said.

    A writer that runs out of time is left to itself and keeps no process from ending; its answer does not count.
    """
    if writer is None:
        return "", "there is no writer; give writer= to the compactor"
    said = Future[str]()
    Thread(target=_run, args=(writer, ask, said), name="trimtab-writer", daemon=True).start()
    try:
        text = said.result(ask.seconds).strip()
    except Exception as error:
        if not said.done():
            return "", f"the writer did not answer within {ask.seconds:g} s"
        return "", f"the writer failed: {type(error).__name__}: {error}"
    return (text, "") if text else ("", "the writer answered nothing")


def _run(writer: Writer, ask: Ask, said: Future[str]) -> None:
    try:
        found = writer(ask)
        said.set_result(asyncio.run(_awaited(found)) if inspect.isawaitable(found) else found)
    except BaseException as error:  # what ends the writer must not end the caller
        said.set_exception(error if isinstance(error, Exception) else RuntimeError(repr(error)))


async def _awaited(found: Awaitable[str]) -> str:
    return await found
