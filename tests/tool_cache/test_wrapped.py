"""Functions run through the cache, one after another, in threads and as coroutines."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from inspect import iscoroutinefunction, signature

import pytest

from trimtab.errors import ConfigError
from trimtab.tool_cache import ToolCache


def test_a_decorated_function_runs_once_however_it_is_called() -> None:
    cache, ran = ToolCache(("read_file",)), list[str]()

    @cache.tool
    def read_file(path: str, start: int = 1, **more: int) -> str:
        """Reads."""
        ran.append(path)
        return f"{path} {start} {more}"

    assert {read_file("a"), read_file(path="a")} == {"a 1 {}"}
    assert cache.get("read_file", '{"path": "a"}') == "a 1 {}"
    assert read_file("a", 2, end=3) == read_file("a", end=3, start=2) == "a 2 {'end': 3}"
    assert cache.get("read_file", {"path": "a", "start": 2, "end": 3}) is not None
    assert ran == ["a", "a"]
    assert (read_file.__name__, read_file.__doc__) == ("read_file", "Reads.")
    assert list(signature(read_file).parameters) == ["path", "start", "more"]
    with pytest.raises(TypeError, match="missing 1 required"):
        read_file()  # type: ignore[call-arg]


def test_a_decorated_write_evicts_and_runs_each_time() -> None:
    cache, files = ToolCache(("read_file",)), {"a": "1"}
    read_file = cache.wrap(lambda path: files[path], name="read_file")

    @cache.tool
    def append_file(path: str, text: str) -> None:
        files[path] += text

    assert read_file("a") == "1"
    append_file("a", "2")
    append_file("a", "2")
    assert read_file("a") == "122"


def test_what_cannot_be_named_is_told() -> None:
    cache = ToolCache(())
    with pytest.raises(ConfigError, match="has no name"):
        cache.wrap(partial(settle))
    with pytest.raises(ConfigError, match="parameters"):
        cache.wrap(type("Odd", (), {"__signature__": "none", "__call__": str})(), name="odd")


class Slow:
    """A tool that waits until it is let go."""

    def __init__(self) -> None:
        self.ran, self.failing = 0, False
        self.gate = asyncio.Event()

    async def __call__(self, path: str) -> list[str]:
        self.ran += 1
        await self.gate.wait()
        if self.failing:
            raise OSError("gone")
        return [path]


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_equal_calls_at_the_same_time_run_once() -> None:
    async def loop() -> None:
        cache, slow = ToolCache(("read_file",)), Slow()
        read = cache.wrap(slow, name="read_file")
        assert iscoroutinefunction(read)
        tasks = [asyncio.ensure_future(read("a")) for _ in range(5)] + [asyncio.ensure_future(read("b"))]
        await settle()
        assert slow.ran == 2
        slow.gate.set()
        first, *others, b = await asyncio.gather(*tasks)
        assert (first, b, slow.ran) == (["a"], ["b"], 2)
        first.append("x")
        assert others == [["a"]] * 4
        assert await read("a") == ["a"]
        assert slow.ran == 2

    asyncio.run(loop())


def test_when_the_first_fails_the_others_run() -> None:
    async def loop() -> None:
        cache, slow = ToolCache(("read_file",)), Slow()
        slow.failing = True
        read = cache.wrap(slow, name="read_file")
        tasks = [asyncio.ensure_future(read("a")) for _ in range(3)]
        await settle()
        slow.gate.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(one) for one in results] == [OSError] * 3
        assert slow.ran == 3
        slow.failing = False
        assert await read("a") == ["a"]

    asyncio.run(loop())


@pytest.mark.parametrize("gone", [0, 1])
def test_who_is_cancelled_leaves_the_others_alone(gone: int) -> None:
    async def loop() -> None:
        cache, slow = ToolCache(("read_file",)), Slow()
        read = cache.wrap(slow, name="read_file")
        tasks = [asyncio.ensure_future(read("a")) for _ in range(3)]
        await settle()
        tasks[gone].cancel()
        await settle()
        slow.gate.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(results.pop(gone), asyncio.CancelledError)
        assert results == [["a"], ["a"]]

    asyncio.run(loop())


def test_a_call_within_the_same_call_does_not_wait_for_itself() -> None:
    async def loop() -> None:
        cache = ToolCache(("read_file",))

        async def text(path: str) -> str:
            return path

        read = cache.wrap(text, name="read_file")
        async with asyncio.timeout(5):
            assert await cache.arun("read_file", {"path": "a"}, lambda: read("a")) == "a"
        assert len(cache) == 1

    asyncio.run(loop())


def test_a_write_meanwhile_is_seen_by_those_who_wait() -> None:
    async def loop() -> None:
        cache, files, gate = ToolCache(("read_file",)), {"a": "old"}, asyncio.Event()

        async def read_file(path: str) -> str:
            text = files[path]
            await gate.wait()
            return text

        async def write_file(path: str, text: str) -> None:
            files[path] = text

        read, write = cache.wrap(read_file), cache.wrap(write_file)
        early = asyncio.ensure_future(read("a"))
        await settle()
        await write("a", "new")
        late = asyncio.ensure_future(read("a"))
        await settle()
        gate.set()
        assert (await early, await late, await read("a")) == ("old", "new", "new")

    asyncio.run(loop())


def test_threads_never_see_what_was_before_the_last_write() -> None:
    cache, version, written = ToolCache(("read_file",)), [0], [0]

    def write() -> None:
        version[0] += 1

    def reads() -> bool:
        return all(written[0] <= cache.run("read_file", {"path": "a"}, lambda: version[0]) for _ in range(2_000))

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(reads) for _ in range(3)]
        for number in range(1, 500):
            cache.run("write_file", {"path": "a"}, write)
            written[0] = number
        assert all(one.result() for one in readers)
