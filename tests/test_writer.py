"""Asking the writer: what counts as an answer, and that no writer holds up or ends whoever asks."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import Any

import pytest

from trimtab.edits import Ask
from trimtab.errors import WriterError
from trimtab.writer import Written, answer

ASK = Ask("What was done?", seconds=30)


def raising(error: BaseException) -> Any:
    def writer(ask: Ask) -> str:
        raise error

    return writer


def test_a_text_is_an_answer_and_so_is_what_is_known_of_it() -> None:
    assert answer(lambda ask: " Read. \n", ASK) == (Written("Read."), "")
    known = Written(" Read. ", whole=False, model="m", tokens_in=3, tokens_out=2)
    assert answer(lambda ask: known, ASK) == (Written("Read.", False, "m", 3, 2), "")


@pytest.mark.parametrize("tag", ["think", "thinking"])
def test_thinking_before_the_text_is_no_part_of_it(tag: str) -> None:
    said = f"\n<{tag}>It is <b>here</b>\n\nor </there>.</{tag}>\n\nRead <think>er</think>s."
    assert answer(lambda ask: said, ASK)[0].text == "Read <think>er</think>s."


@pytest.mark.parametrize("said", ["<think>Only this.</think>", "<think>It never", "<thinking></thinking> \n"])
def test_thinking_alone_is_no_answer(said: str) -> None:
    assert answer(lambda ask: said, ASK) == (Written(""), "the writer answered nothing")
    cut = "the writer answered nothing before its limit of tokens"
    assert answer(lambda ask: Written(said, whole=False), ASK) == (Written(""), cut)


@pytest.mark.parametrize("said", [None, 7, b"Read.", {"text": "Read."}, ["Read."]])
def test_what_is_no_text_is_no_answer(said: Any) -> None:
    kind = type(said).__name__
    assert answer(lambda ask: said, ASK) == (Written(""), f"the writer answered with {kind}, not with text")


def test_an_error_is_told_in_one_line_without_secrets() -> None:
    _, why = answer(raising(OSError(f"no\n route, api_key=s3cr3tValue99 {'x' * 9000}")), ASK)
    assert why.startswith("the writer failed: OSError: no route, api_key=[secret: value] xxx")
    assert len(why) < 450
    assert answer(raising(WriterError("host answered 500")), ASK)[1] == "the writer failed: host answered 500"


async def ends_the_loop(ask: Ask) -> str:
    raise SystemExit(3)


async def sees_the_loop(ask: Ask) -> str:
    return str(id(asyncio.get_running_loop()))


def test_async_writers_share_a_loop_that_none_of_them_can_end() -> None:
    first, _ = answer(sees_the_loop, ASK)
    assert answer(ends_the_loop, ASK)[1] == "the writer failed: RuntimeError: SystemExit(3)"
    second, why = answer(sees_the_loop, ASK)
    assert (second.text, why) == (first.text, "")


def test_an_async_writer_that_takes_too_long_is_cancelled() -> None:
    cancelled = Event()

    async def waits(ask: Ask) -> str:
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return "Read."

    assert answer(waits, Ask("What?", seconds=0.05))[1] == "the writer did not answer within 0.05 s"
    assert cancelled.wait(30)
