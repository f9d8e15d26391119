from __future__ import annotations

import pytest
from tests.finders.talking import calls, found, gives, user

from trimtab.finders.last_error import MOST

TRACE = """\
Traceback (most recent call last):
  File "a.py", line 3, in <module>
    run()
ValueError: bad rate 0.11
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TRACE, "ValueError: bad rate 0.11"),
        (f"a.py::test_it\n{TRACE}====== 1 failed in 0.10s ======\n", "ValueError: bad rate 0.11"),
        (
            "src/a.c:3:5: error: expected ';'\nsrc/a.c:9:1: error: unknown type\n2 errors generated.\n",
            "3:5: error",
        ),
        (f"{TRACE}\nDuring handling, another:\n\n{TRACE.replace('0.11', '0.99')}", "bad rate 0.99"),
        ("\x1b[31mE   AssertionError: 1 != 2\x1b[0m\n====== 1 failed in 0.10s ======\n", "AssertionError: 1 != 2"),
        ("bash: pyton: command not found\nexit code: 127", "pyton: command not found"),
    ],
)
def test_the_decisive_line(text: str, line: str) -> None:
    (fact,) = found("last_error", gives("fine"), gives(text), gives("x = 1\n"))
    assert line in str(fact.pattern.pattern).replace("\\", "")
    assert fact.pattern.search(text)
    assert not fact.told


def test_a_result_that_says_it_failed_needs_no_known_form() -> None:
    (fact,) = found("last_error", gives("could not reach it\nstatus 503 from host-7", is_error=True))
    assert fact.pattern.search("could not reach it")


def test_only_the_latest_error_counts() -> None:
    (fact,) = found("last_error", gives(TRACE), gives(TRACE.replace("0.11", "0.12")), calls("read"))
    assert fact.pattern.search("ValueError: bad rate 0.12")
    assert not fact.pattern.search(TRACE)


@pytest.mark.parametrize("text", ["", "\n\n", "def fail(): raise ValueError('x')\n", "0 errors\nexit code: 0"])
def test_what_went_well_has_no_error(text: str) -> None:
    assert not found("last_error", user("Traceback!"), gives(text))


def test_an_old_error_is_forgotten() -> None:
    assert found("last_error", gives(TRACE), *[gives("ok")] * (MOST - 1))
    assert not found("last_error", gives(TRACE), *[gives("ok")] * MOST)


def test_a_failed_result_of_a_single_long_line() -> None:
    (fact,) = found("last_error", gives("error " * 100_000, is_error=True))
    assert len(str(fact.pattern.pattern)) < 1_000
