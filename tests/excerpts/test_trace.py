from __future__ import annotations

import pytest
from hypothesis import given
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import ODD, STRUCTURE, VERDICT
from trimtab.excerpts.trace import Trace

READ = Trace().read
PYTEST = """\
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.0.0
collected 4 items

tests/test_x.py::test_ok PASSED                                          [ 25%]
tests/test_x.py::test_eq FAILED                                          [ 50%]

=================================== FAILURES ===================================
___________________________________ test_eq ____________________________________

    def test_eq():
>       assert total(3) == 4
E       AssertionError: needle one
E       assert 3 == 4

tests/test_x.py:5: AssertionError
----------------------------- Captured stdout call -----------------------------
captured words
=========================== short test summary info ============================
FAILED tests/test_x.py::test_eq - AssertionError: needle one
========================= 1 failed, 97 passed in 2.10s =========================
"""
PYTHON = """\
Traceback (most recent call last):
  File "/home/me/app.py", line 4, in <module>
    main()
    ~~~~^^
  File "/v/lib/python3.11/site-packages/click/core.py", line 9, in main
    return self.invoke(ctx)
ValueError: needle
"""
UNITTEST = "F.\n" + "=" * 70 + "\nFAIL: test_a (m.T.test_a)\n" + "-" * 70 + "\n" + PYTHON + "\n" + "-" * 70
UNITTEST += "\nRan 2 tests in 0.001s\n\nFAILED (failures=1)\n"
JAVA = """\
Exception in thread "main" java.lang.RuntimeException: outer
\tat com.me.A.main(A.java:1)
\tat org.junit.Runner.run(Runner.java:9)
Caused by: java.lang.IllegalStateException: needle
\tat com.me.A.f(A.java:1)
\t... 1 more
"""
NODE = """\
TypeError: Cannot read properties of null (reading 'x')
    at f (/app/src/x.js:1:19)
    at run (/app/node_modules/lib/index.js:1:23)
    at node:internal/main/run:51:3
"""
GO = """\
--- FAIL: TestX (0.00s)
    x_test.go:9: needle
panic: boom

goroutine 7 [running]:
main.f(0x1)
\t/app/x.go:12 +0x1d
main.g(...)
\t/usr/local/go/src/testing/testing.go:1 +0x1
FAIL\texample.com/x\t0.010s
ok  \texample.com/y\t0.010s
"""
CARGO = """\
running 2 tests
test a ... FAILED

---- a stdout ----
thread 'a' panicked at src/lib.rs:2:9:
assertion `left == right` failed: needle
  left: 1

test result: FAILED. 1 passed; 1 failed; 0 ignored; finished in 0.11s
error: test failed, to rerun pass `--lib`
"""
RUSTC = """\
error[E0308]: mismatched types
 --> src/a.rs:1:25
  |
1 | let x: i32 = "a";
  |      ^^^

error: aborting due to 1 previous error
"""
GCC = """\
gcc -c m.c
m.c: In function 'f':
m.c:2:22: error: 'b' undeclared
    2 | int f(int a){ return b; }
      |                      ^
m.c:3:23: warning: initialization of 'char *' from 'int'
make: *** [Makefile:2: m.o] Error 1
"""
JEST = """\
FAIL src/x.test.js
  ✕ adds (3 ms)

  ● adds

    expect(received).toBe(expected)

Tests:       1 failed, 3 passed, 4 total
"""
MAVEN = """\
[INFO] Scanning for projects...
[ERROR] Tests run: 5, Failures: 1, Errors: 0
[INFO] BUILD FAILURE
"""


@pytest.mark.parametrize(
    ("text", "needle", "why", "sums"),
    [
        (PYTEST, "E       AssertionError", "assertion", "1 failed, 97 passed in 2.10s"),
        (PYTEST, "FAILED tests/", "failed", "1 failed, 97 passed in 2.10s"),
        (PYTEST, "1 failed, 97", "count", "1 failed, 97 passed in 2.10s"),
        ("F\nx\n3 failed, 97 passed in 2.1s", "3 failed", "count", "3 failed, 97 passed in 2.1s"),
        (PYTHON, "needle", "exception", ""),
        (UNITTEST, "needle", "exception", "FAILED (failures=1) · Ran 2 tests in 0.001s"),
        (JAVA, "outer", "exception", ""),
        (JAVA, "needle", "cause", ""),
        (NODE, "Cannot read", "exception", ""),
        (GO, "--- FAIL", "failed", "packages: 1 FAIL, 1 ok"),
        (GO, "panic: boom", "panic", "packages: 1 FAIL, 1 ok"),
        (CARGO, "needle", "panic", "test result: FAILED. 1 passed; 1 failed; 0 ignored; finished in 0.11s"),
        (RUSTC, "mismatched", "error", "errors 1, warnings 0"),
        (GCC, "undeclared", "error", "errors 1, warnings 1"),
        (GCC, "make: ***", "build", "errors 1, warnings 1"),
        ("src/a.ts(3,5): error TS2304: needle\n", "needle", "error", "errors 1, warnings 0"),
        ("src/a.py:3:5: F401 needle\nFound 1 error.\n", "needle", "error", "errors 1, warnings 0"),
        ("src/a.py:3: error: needle  [x]\n", "needle", "error", "errors 1, warnings 0"),
        ("# x\n./x.go:3:2: undefined: needle\n", "needle", "error", "errors 1, warnings 0"),
        (JEST, "Tests: ", "count", "Tests:       1 failed, 3 passed, 4 total"),
        (
            MAVEN,
            "BUILD FAILURE",
            "count",
            "[ERROR] Tests run: 5, Failures: 1, Errors: 0 · [INFO] BUILD FAILURE",
        ),
    ],
)
def test_what_failed_and_how_all_came_out(text: str, needle: str, why: str, sums: str) -> None:
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    found = unit_of(text, outline, needle)
    assert (found.why, found.weight) == (why, VERDICT)
    assert outline.sums == sums


def test_a_failed_test_is_named_by_what_stands_above() -> None:
    outline = READ(PYTEST)
    assert outline is not None
    name = "_" * 35 + " test_eq " + "_" * 36
    for needle in (
        "E       AssertionError",
        "E       assert 3",
        ">       assert",
        "captured words",
        "test_x.py:5",
    ):
        assert above(PYTEST, outline, needle) == [name]
    assert above(PYTEST, outline, "FAILED tests/") == []
    assert unit_of(PYTEST, outline, "E       assert 3").weight == STRUCTURE
    assert unit_of(PYTEST, outline, ">       assert").weight == ODD
    assert unit_of(PYTEST, outline, "test_ok").weight == 0


@pytest.mark.parametrize(
    ("text", "own", "foreign"),
    [
        (PYTHON, "app.py", "site-packages"),
        (JAVA, "com.me.A.main", "org.junit"),
        (NODE, "/app/src", "node_modules"),
        (GO, "/app/x.go", "/usr/local/go"),
    ],
)
def test_frames_of_the_user_weigh_more(text: str, own: str, foreign: str) -> None:
    outline = READ(text)
    assert outline is not None
    assert unit_of(text, outline, own).weight == STRUCTURE
    assert unit_of(text, outline, foreign).weight == 0


def test_code_and_places_count_only_in_a_failed_test() -> None:
    text = ">   quoted\nREADME.md:3: \n" + PYTHON
    outline = READ(text)
    assert outline is not None
    assert unit_of(text, outline, "quoted").weight == unit_of(text, outline, "README").weight == 0


def test_details_need_what_they_are_details_of() -> None:
    for text, needle, head in [
        (PYTHON, "main()", 'File "/home/me/app.py", line 4, in <module>'),
        (PYTHON, "needle", "Traceback (most recent call last):"),
        (JAVA, "A.f(", 'Exception in thread "main" java.lang.RuntimeException: outer'),
        (GCC, "    2 | int", "m.c:2:22: error: 'b' undeclared"),
        (RUSTC, "1 | let", "error[E0308]: mismatched types"),
        (GO, "main.f", "goroutine 7 [running]:"),
        (CARGO, "needle", "thread 'a' panicked at src/lib.rs:2:9:"),
    ]:
        outline = READ(text)
        assert outline is not None
        assert above(text, outline, needle)[0] == head


def test_behind_the_stamps_of_a_build_service_in_colour_and_numbered() -> None:
    lines = PYTEST.splitlines()
    stamped = "".join(f"build\ttest\t2024-01-02T03:04:05.1234567Z {line}\n" for line in lines)
    coloured = "".join(f"\x1b[31m{line}\x1b[0m\n" for line in lines)
    numbered = "".join(f"{n:6}\t{line}\r\n" for n, line in enumerate(lines, 1))
    for text in (stamped, coloured, numbered):
        outline = READ(text)
        assert outline is not None
        check(text, outline)
        assert unit_of(text, outline, "AssertionError: needle").weight == VERDICT
        assert outline.sums == "1 failed, 97 passed in 2.10s"


def test_a_traceback_at_the_end_of_other_output_counts_one_far_above_does_not() -> None:
    prose = "working on it\n" * 500
    outline = READ(prose + PYTHON)
    assert outline is not None
    assert sum(unit.weight > 0 for unit in outline.units) == 3
    assert READ(PYTHON + prose) is None


def test_the_exit_code_around_the_output_is_a_verdict() -> None:
    text = "Process exited with code 1\nOutput:\n" + PYTHON + "[Command finished with exit code 1]"
    outline = READ(text)
    assert outline is not None
    assert unit_of(text, outline, "Process exited").weight == VERDICT
    assert unit_of(text, outline, "[Command finished").weight == VERDICT


def test_of_hundreds_of_failures_the_count_stands_out() -> None:
    text = "".join(f"FAILED tests/test_x.py::test_{n} - x\n" for n in range(900)) + "900 failed in 2.1s\n"
    outline = READ(text)
    assert outline is not None
    assert unit_of(text, outline, "900 failed").weight == VERDICT
    assert unit_of(text, outline, "test_3 ").weight < 1


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE,
        "Use it so:\n```\n" + PYTHON + "```\n",
        "The log said: Traceback (most recent call last):\nand nothing more\n",
        'TEXT = """\n' + PYTHON + '"""\n',
        "A literal block::\n\n" + "".join("  " + line + "\n" for line in PYTHON.splitlines()),
        "Traceback (most recent call last):\nis what Python prints\n",
        "".join(f"src/a.py:{n}:    raise ValueError('error: {n}')\n" for n in range(9)),
        "".join(f"2024-01-02 03:04:05 ERROR {n} failed, {n} passed in {n}s\n" for n in range(9)),
        "".join("> " + line + "\n" for line in PYTEST.splitlines()),
        "E   \nE   x\n>   y\n",
        "An Error: that is all\n    at least I think so, in prose\n",
        "def f():\n    raise ValueError\n\nValueError: x\n",
    ],
)
def test_what_is_no_run(text: str) -> None:
    assert READ(text) is None


@given(over(*PYTEST.splitlines(), *PYTHON.splitlines(), *GO.splitlines(), *CARGO.splitlines(), *GCC.splitlines()))
def test_any_text(text: str) -> None:
    check(text, READ(text))
