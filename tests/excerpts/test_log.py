from __future__ import annotations

import pytest
from hypothesis import given
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import ODD
from trimtab.excerpts.log import Log, entry

READ = Log().read
CALM = [
    f"2024-01-02 03:{n // 60 % 60:02d}:{n % 60:02d},123 INFO worker.{n % 7} served {n} in {n % 97}ms\n"
    for n in range(500)
]


def with_lines(*lines: str, at: int = 250) -> str:
    return "".join([*CALM[:at], *lines, *CALM[at:]])


@pytest.mark.parametrize(
    ("line", "stamp", "level"),
    [
        ("2024-01-02 03:04:05,123 - app.db - ERROR - boom", "2024-01-02 03:04:05,123", "ERROR"),
        ("2024-01-02T03:04:05.123Z [warning] slow", "2024-01-02T03:04:05.123Z", "WARN"),
        ("2024-01-02T03:04:05+01:00\terror\tmain.go:10\tx", "2024-01-02T03:04:05+01:00", "ERROR"),
        ("2024-01-02 03:04:05.123  INFO 1 --- [main] c.e.App : x", "2024-01-02 03:04:05.123", "INFO"),
        ("2024-01-02 03:04:05 | CRITICAL | m:f:1 - x", "2024-01-02 03:04:05", "CRITICAL"),
        ("[2024-01-02 03:04:05] local.ERROR: x", "2024-01-02 03:04:05", "ERROR"),
        ("2024/01/02 03:04:05 [error] 12#12: *1 open() failed", "2024/01/02 03:04:05", "ERROR"),
        ("Jan  2 03:04:05 host systemd[1]: Started x.", "Jan  2 03:04:05", ""),
        ("[Sat Oct 11 14:32:52 2024] [core:error] [pid 1] x", "Sat Oct 11 14:32:52 2024", "ERROR"),
        ("E0102 03:04:05.123456   12 x.go:1] boom", "0102 03:04:05.123456", "ERROR"),
        (
            '10.0.0.1 - - [02/Jan/2024:03:04:05 +0000] "GET /\\"x HTTP/1.1" 503 1',
            "02/Jan/2024:03:04:05 +0000",
            "5xx",
        ),
        ('time="2024-01-02T03:04:05Z" level=fatal msg="x y"', "2024-01-02T03:04:05Z", "FATAL"),
        ('level=warn msg="level=error inside"', "", "WARN"),
        ("01-02 03:04:05.123  123  456 E Tag: x", "01-02 03:04:05.123", "ERROR"),
        ("[    0.123456] usb 1-1: reset", "    0.123456", ""),
        ("web-1  | 12:03:04 WARN x", "12:03:04", "WARN"),
        ("ERROR:root:boom", "", "ERROR"),
    ],
)
def test_heads(line: str, stamp: str, level: str) -> None:
    found = entry(line)
    assert found is not None
    assert (found.stamp, found.level) == (stamp, level)


@pytest.mark.parametrize(
    "line",
    [
        "2024-01-02 03:04:05,web,200",
        "2024-01-02 03:04:05,123,ok",
        "2024-01-02 03:04:05;ok",
        "app.log:12:2024-01-02 03:04:05 ERROR x",
        "00:00:01,000-->00:00:02,000",
        "Information about errors",
        "[INFO] BUILD SUCCESS",
        '{"time": "2024-01-02T03:04:05Z"}',
    ],
)
def test_what_only_looks_like_a_head(line: str) -> None:
    assert entry(line) is None


def test_the_rare_error_stands_out_and_the_sums_count() -> None:
    text = with_lines("2024-01-02 03:04:05,123 ERROR db connection to 10.0.0.7 refused\n")
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    assert [unit.weight for unit in outline.units if unit.weight] == [ODD]
    assert unit_of(text, outline, "refused").why == "error"
    assert outline.sums == ("501 entries, INFO 500 · ERROR 1, 2024-01-02 03:00:00,123 to 2024-01-02 03:08:19,123")


def test_repeated_errors_weigh_less_and_another_one_does_not() -> None:
    same = [f"2024-01-02 03:04:05,123 ERROR retry {n} of job{n}\n" for n in range(12)]
    text = with_lines(*same, "2024-01-02 03:04:05,123 ERROR disk full\n")
    text += "2024-01-02 03:09:05,123 WARNING slow query\n"
    outline = READ(text)
    assert outline is not None
    assert unit_of(text, outline, "slow query").weight == ODD / 3
    weights = [unit_of(text, outline, f"retry {n} of").weight for n in range(12)]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] == ODD
    assert weights[-1] == 0
    assert unit_of(text, outline, "disk full").weight == ODD


def test_where_all_are_errors_none_stands_out() -> None:
    text = "".join(f"2024-01-02 03:04:05 ERROR {'abcdefghij'[n % 10] * (n // 10 + 1)}\n" for n in range(300))
    outline = READ(text)
    assert outline is not None
    assert max(unit.weight for unit in outline.units) < ODD / 5


def test_a_stack_trace_needs_its_entry() -> None:
    text = with_lines(
        "2024-01-02 03:04:05,123 ERROR request failed\n",
        "Traceback (most recent call last):\n",
        '  File "app.py", line 3, in go\n',
        "    raise ValueError(needle)\n",
        "ValueError: needle at the end\n",
    )
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    assert above(text, outline, "raise ValueError") == ["2024-01-02 03:04:05,123 ERROR request failed"]
    assert unit_of(text, outline, "ValueError: needle").weight == ODD


def test_levels_in_colour_and_behind_line_numbers() -> None:
    coloured = "".join(f"12:00:{n:02d} \x1b[31mWARN\x1b[0m x\n" for n in range(9))
    numbered = "".join(f"{n:6}\t12:00:{n:02d} WARN x\n" for n in range(1, 10))
    for text in (coloured, numbered, numbered.replace("\n", "\r\n")):
        outline = READ(text)
        assert outline is not None
        check(text, outline)
        assert "WARN 9" in outline.sums


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE,
        "".join(f"2024-01-02 03:04:0{n},a,{n}\n" for n in range(9)),
        "".join(f"app.log:{n}:2024-01-02 03:04:0{n} ERROR x\n" for n in range(9)),
        "".join(f"{n * 3}:2024-01-02 03:04:0{n} ERROR x\n" for n in range(9)),
        "2024-01-02 03:04:05 INFO x\n" * 4,
        "# Notes\n" + "2024-01-02 03:04:05 INFO x\nsome prose\n" * 9,
        "2024-01-02 03:04:05 INFO x\nsome prose\n" * 9,
        "$ tail app.log\n" + "2024-01-02 03:04:05 INFO x\n" * 99,
        "2024-01-02T03:04:05.1234567Z ##[group]Run make\n" * 9,
        "".join(f"1\n00:00:0{n},000 --> 00:00:0{n},900\nHello\n\n" for n in range(9)),
    ],
)
def test_what_is_no_log(text: str) -> None:
    assert READ(text) is None


def test_an_overlong_entry_is_cut_and_its_pieces_need_its_head() -> None:
    text = with_lines("2024-01-02 03:04:05,123 ERROR " + "x" * 2_000 + " needle\n")
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    assert above(text, outline, "needle")[0].startswith("2024-01-02 03:04:05,123 ERROR")


@given(
    over(
        "2024-01-02 03:04:05 INFO a", "12:00:00 ERROR b", "  at c", "\tx", "level=warn y=1", "Caused by: z", "a\rb"
    )
)
def test_any_text(text: str) -> None:
    check(text, READ(text))
