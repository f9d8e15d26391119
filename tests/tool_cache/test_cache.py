"""An answer from the cache is what the tool would say now; a call that need not run does not."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from trimtab.errors import ConfigError
from trimtab.tool_cache import ToolCache

READ = ("read_file", "grep*", "list_files")
EFFECTS = frozenset({"write_file", "delete_folder", "bash", "git_status"})


class Host:
    """A folder of files and the tools on it; `ran` are the calls that were carried out."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.ran: list[str] = []

    def do(self, name: str, arguments: dict[str, Any]) -> Any:
        self.ran.append(name)
        path = "/".join(step for step in str(arguments.get("path", "")).split("/") if step not in ("", "."))
        below = {one: text for one, text in self.files.items() if not path or f"{one}/".startswith(f"{path}/")}
        match name:
            case "read_file":
                return self.files.get(path)
            case "grep":
                return sorted(one for one, text in below.items() if arguments["pattern"] in text)
            case "list_files":
                return sorted(below)
            case "write_file":
                self.files[path] = arguments["text"]
            case "delete_folder":
                self.files = {one: text for one, text in self.files.items() if one not in below}
            case "bash":
                self.files = dict.fromkeys(self.files, arguments["text"])
        return "ok"


PATHS = st.sampled_from(["a.py", "./a.py", "src/a.py", "src//a.py", "src/deep/b.py"])
FOLDERS = st.sampled_from(["", ".", "src", "src/", "./src/deep"])
TEXTS = st.sampled_from(["x", "y", "xy"])
CALLS = st.one_of(
    st.tuples(st.just("read_file"), st.fixed_dictionaries({"path": PATHS})),
    st.tuples(st.just("read_file"), st.fixed_dictionaries({"path": PATHS})),
    st.tuples(st.just("grep"), st.fixed_dictionaries({"pattern": TEXTS}, optional={"path": FOLDERS})),
    st.tuples(st.just("list_files"), st.fixed_dictionaries({}, optional={"path": FOLDERS})),
    st.tuples(st.just("write_file"), st.fixed_dictionaries({"path": PATHS, "text": TEXTS})),
    st.tuples(st.just("delete_folder"), st.fixed_dictionaries({"path": FOLDERS})),
    st.tuples(st.just("bash"), st.fixed_dictionaries({"command": st.just("sed"), "text": TEXTS})),
    st.tuples(st.just("git_status"), st.just({})),
)


@given(calls=st.lists(CALLS, max_size=30), explicit=st.booleans())
def test_an_answer_is_never_stale_and_an_effect_never_left_out(
    calls: list[tuple[str, dict[str, Any]]], explicit: bool
) -> None:
    cached, plain, cache = Host(), Host(), ToolCache(READ)
    for name, arguments in calls:
        expected = plain.do(name, arguments)
        if explicit:
            answer = cache.get(name, arguments)
            if answer is None:
                answer = cache.put(name, arguments, cached.do(name, arguments))
        else:
            answer = cache.run(name, arguments, partial(cached.do, name, arguments))
        assert answer == expected
    assert cached.files == plain.files
    assert [name for name in cached.ran if name in EFFECTS] == [name for name in plain.ran if name in EFFECTS]


def counting(answer: Any = "text") -> tuple[Callable[[], Any], list[int]]:
    ran: list[int] = []

    def tool() -> Any:
        ran.append(1)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return tool, ran


@given(reads=st.lists(PATHS, max_size=20), most=st.integers(1, 4))
def test_a_repeat_runs_only_when_it_was_pushed_out(reads: list[str], most: int) -> None:
    cache, held = ToolCache(READ, most=most), list[str]()
    for path in reads:
        tool, ran = counting(path)
        assert cache.run("read_file", {"path": path}, tool) == path
        assert bool(ran) == (path not in held)
        held = [*(one for one in held if one != path), path][-most:]
        assert len(cache) == len(held)


def test_a_write_leaves_other_files_alone() -> None:
    cache = ToolCache(READ)
    for path in ("/r/a.py", "/r/b.py"):
        cache.put("read_file", {"path": path}, path)
    cache.put("write_file", {"path": "/r/./a.py", "text": ""}, "ok")
    assert cache.get("read_file", {"path": "/r/a.py"}) is None
    assert cache.get("read_file", {"path": "/r/b.py"}) == "/r/b.py"


def test_a_write_that_fails_may_have_written() -> None:
    cache, (tool, _) = ToolCache(READ), counting(OSError("disk full"))
    cache.put("read_file", {"path": "a"}, "old")
    with pytest.raises(OSError, match="disk full"):
        cache.run("write_file", {"path": "a"}, tool)
    assert len(cache) == 0
    cache.put("read_file", {"path": "a"}, "old")
    cache.get("bash", {"command": "make"})
    assert len(cache) == 0


def test_what_was_read_while_something_was_written_is_not_held() -> None:
    cache = ToolCache(READ)

    def tool() -> str:
        cache.run("write_file", {"path": "a"}, lambda: "ok")
        return "as it was before"

    assert cache.run("read_file", {"path": "a"}, tool) == "as it was before"
    assert len(cache) == 0


def test_DEDUP_02_times_of_files_are_no_matter(tmp_path: Path) -> None:
    cache, file = ToolCache(READ), tmp_path / "a.txt"
    call = {"path": str(file)}
    file.write_text("v1")
    os.utime(file, (1, 1))
    assert cache.run("read_file", call, file.read_text) == "v1"
    cache.run("write_file", call, lambda: file.write_text("v2"))
    os.utime(file, (1, 1))
    assert cache.run("read_file", call, file.read_text) == "v2"


def test_DEDUP_06_a_write_by_another_tool_or_the_user_is_seen() -> None:
    cache = ToolCache(READ)
    for write in (
        lambda: cache.run("notebook_edit", {"notebook_path": "/r/f"}, str),
        lambda: cache.wrote("/r/f"),
        lambda: cache.wrote("/r"),
        lambda: cache.wrote(),
    ):
        cache.put("read_file", '{"path": "/r/f"}', "v1")
        cache.put("read_file", '{"path": "/r/f2"}', "v1")
        write()
        assert cache.get("read_file", '{"path":"/r/f"}') is None


@pytest.mark.parametrize(
    "name", ["send", "git_status", "get_time", "poll_job", "mcp__github__create_issue", "Bash"]
)
def test_DEDUP_08_effects_and_status_run_each_time(name: str) -> None:
    cache, (tool, ran) = ToolCache(("*",)), counting()
    for _ in range(2):
        assert cache.get(name, {}) is None
        cache.run(name, {}, tool)
    assert len(ran) == 2


def test_tools_that_are_not_named_run_each_time() -> None:
    cache, (tool, ran) = ToolCache(("read_file",)), counting()
    for _ in range(2):
        cache.run("read_files", {}, tool)
    assert len(ran) == 2


def test_what_is_never_answered_can_be_set() -> None:
    cache, (tool, ran) = ToolCache(("get_run_logs", "read*"), never=("read_secret",)), counting()
    for name in ("get_run_logs", "get_run_logs", "read_secret", "read_secret"):
        cache.run(name, {}, tool)
    assert len(ran) == 3


def test_harmless_tools_evict_nothing() -> None:
    cache = ToolCache(READ, harmless=("ask_*",))
    cache.put("read_file", {"path": "a"}, "text")
    cache.put("ask_user", {"question": "?"}, "yes")
    assert len(cache) == 1
    cache.put("weather", {"city": "Bern"}, "rain")
    assert len(cache) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"tools": "read_file"},
        {"tools": ["get_status"]},
        {"tools": ["write*"]},
        {"tools": [], "never": "bash"},
        {"tools": [], "harmless": "ask"},
        {"tools": [], "most": 0},
        {"tools": [], "most_bytes": 0},
    ],
)
def test_a_bad_setting_is_told(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"ToolCache|may have effects"):
        ToolCache(**wrong)


def test_errors_and_what_cannot_be_copied_are_not_held() -> None:
    cache = ToolCache(READ)
    tool, ran = counting(ValueError("no such file"))
    for _ in range(2):
        with pytest.raises(ValueError, match="no such file"):
            cache.run("read_file", {"path": "a"}, tool)
    assert len(ran) == 2
    for _ in range(2):
        stream = cache.run("read_file", {"path": "a"}, lambda: (n for n in range(3)))
        assert list(stream) == [0, 1, 2]
    cache.put("grep", {}, "earlier")
    cache.put("grep", {}, (n for n in range(3)))
    assert cache.get("grep", {}) is None


class TornError(Exception):
    """Pickles, and cannot be read again."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__("torn")


def test_a_result_that_cannot_be_read_back_is_fetched_again() -> None:
    cache = ToolCache(READ)
    for _ in range(2):
        assert isinstance(cache.run("read_file", {"path": "a"}, lambda: TornError(1, 2)), TornError)


def test_an_answer_is_a_copy_and_none_is_one() -> None:
    cache, result = ToolCache(READ), {"lines": [1]}
    assert cache.run("read_file", {}, lambda: result) is result
    result["lines"].append(2)
    cache.get("read_file", {})["lines"].append(3)
    assert cache.get("read_file", {}) == {"lines": [1]}
    tool, ran = counting(None)
    for _ in range(2):
        assert cache.run("grep", {}, tool) is None
    assert len(ran) == 1
    assert cache.get("grep", {}, "missing") is None
    assert cache.get("list_files", {}, "missing") == "missing"


def test_memory_is_bounded() -> None:
    cache = ToolCache(READ, most_bytes=1_000)
    cache.put("read_file", {"path": "a"}, "a" * 900)
    cache.put("read_file", {"path": "b"}, "b" * 50)
    assert len(cache) == 2
    cache.put("read_file", {"path": "c"}, "c" * 500)
    assert cache.get("read_file", {"path": "a"}) is None
    cache.put("read_file", {"path": "c"}, "d" * 1_000)
    assert cache.get("read_file", {"path": "c"}) is None
    cache.put("read_file", {"path": "c"}, "e" * 800)
    assert len(cache) == 2


def test_arguments_that_cannot_be_compared_run_each_time() -> None:
    cache, (tool, ran) = ToolCache(READ), counting()
    for arguments in ({"path": Path("a")}, {"path": Path("a")}, "no JSON", "no JSON"):
        cache.run("read_file", arguments, tool)
    assert (len(ran), len(cache)) == (4, 0)
