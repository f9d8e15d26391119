from __future__ import annotations

import pytest
from hypothesis import given
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import ODD, STRUCTURE, VERDICT, Outline
from trimtab.excerpts.table import Table

READ = Table().read

CSV = "id,name,status\n" + "".join(f'{n},"Müller, 名 {n}",{"failed" if n == 77 else "ok"}\n' for n in range(1_000))
PSQL = " id | name \n----+------\n" + "".join(f" {n:2} | u{n} \n" for n in range(20)) + "(20 rows)\n\n"
MYSQL = "+----+---+\n| id | n |\n+----+---+\n" + "".join(f"| {n:2} | x |\n" for n in range(9)) + "+----+---+\n"
MARKDOWN = "| a | b |\n|---|:-:|\n" + "".join(f"| {n} | x \\| y |\n" for n in range(9))
DRAWN = "┏━━━┳━━━┓\n┃ a ┃ b ┃\n┡━━━╇━━━┩\n" + "".join(f"│ {n} │ x │\n" for n in range(9)) + "└───┴───┘\n"
PODS = "NAMESPACE   NAME      READY   STATUS             RESTARTS\n" + "".join(
    f"default     web-{n:03}   1/1     {'CrashLoopBackOff' if n == 33 else 'Running         '}   0\n"
    for n in range(60)
)
PROCESSES = "USER         PID %CPU COMMAND\n" + "".join(
    f"root       {n:5}  0.{n % 9} /bin/run --port {n} and more\n" for n in range(95, 200)
)
PACKAGES = "Package    Version\n---------- -------\n" + "".join(f"pkg-{n:03}    1.{n}\n" for n in range(20))
ALL = (
    CSV,
    CSV.replace(",", "\t").replace("\t 名", ", 名"),
    PSQL,
    MYSQL,
    MARKDOWN,
    DRAWN,
    PODS,
    PROCESSES,
    PACKAGES,
)


def read(text: str) -> Outline:
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    return outline


@given(over("id,name", "1,a", "| a | b |", "|---|---|", "NAME   READY", "a      1", "", "a\tb", '"x'))
def test_other_texts_are_none_or_lawful(text: str) -> None:
    check(text, READ(text))


@pytest.mark.parametrize("text", ALL)
def test_a_row_is_a_unit_that_needs_the_header(text: str) -> None:
    outline = read(text)
    headers = [unit for unit in outline.units if unit.weight == STRUCTURE]
    assert len(headers) == 1
    rows = [unit for unit in outline.units if unit.needs >= 0]
    assert {outline.units[unit.needs] for unit in rows} == {headers[0]}
    assert len(rows) >= 9
    assert len(outline.units) == len(text.splitlines())


@pytest.mark.parametrize("text", ALL)
def test_with_numbers_in_front_it_is_the_same_table(text: str) -> None:
    numbered = "".join(f"{n:6}\t{line}" for n, line in enumerate(text.splitlines(keepends=True), 1))
    assert read(numbered).sums == read(text).sums


@pytest.mark.parametrize("text", ALL)
def test_a_row_with_a_cell_too_few_or_another_text_beneath_makes_it_none(text: str) -> None:
    lines = text.splitlines(keepends=True)
    assert READ("".join([*lines[:6], "7\n", *lines[6:]])) is None
    assert READ(text + "\nThat was the table.\n") is None


NOT_TABLES = {
    "log with commas": "2024-01-01 10:00:00,123 INFO a b\n2024-01-01 10:00:01,124 INFO c d\n" * 9,
    "log of fields": "INFO, server, up\nWARN, disk, full\n" * 9,
    "prose": "Hello, world\nThis, that\nfor, now\nit, is\nin, all\n",
    "ragged": "a,b\n1,2\n3\n4,5\n",
    "code": "def f(a, b):\n    return a, b\nx = f(1, 2)\ny = g(2, 3)\n",
    "diff stat": " a.go | 16 ++\n b.go |  2 +-\n c.go |  2 +-\n d.go |  2 --\n",
    "open quote": 'a,b\n"x,y\n' + "1,2\n" * 9,
    "numbers": "1,2\n3,4\n5,6\n7,8\n9,10\n",
    "a name that crosses": PACKAGES + "a-long-name 1.0\n",
    "headings": "A  B  C\n" * 9,
    "rule": "-" * 1_000_000,
    "commas": "," * 1_000_000,
    "javascript": "var a=1,b=2;function f(c,d){return c+d}\n" * 9,
}


@pytest.mark.parametrize("text", [*HOSTILE[:-1], *NOT_TABLES.values()])
def test_what_looks_like_a_table_is_none(text: str) -> None:
    assert READ(text) is None


def test_the_row_that_differs_is_odd() -> None:
    for text, needle, why in ((CSV, "failed", "rare status"), (PODS, "CrashLoop", "rare STATUS")):
        outline = read(text)
        assert [unit for unit in outline.units if unit.weight == ODD] == [unit_of(text, outline, needle)]
        assert unit_of(text, outline, needle).why == why


def test_the_count_beneath_is_a_verdict() -> None:
    assert unit_of(PSQL, read(PSQL), "(20 rows)").weight == VERDICT


def test_sums_tell_ranges_and_counts() -> None:
    assert read(CSV).sums == "1,000 rows: status ok ×999 · failed ×1, id 0 to 999"
    assert read(PROCESSES).sums.startswith("105 rows: USER always root, PID 95 to 199")


def test_versions_are_no_numbers() -> None:
    assert read(PACKAGES).sums == "20 rows"


def test_a_quoted_cell_may_hold_lines_and_an_overlong_row_comes_in_parts() -> None:
    text = 'id,note\n1,"one\ntwo, three"\n2,"' + "long word " * 90 + 'needle"\n3,x\n4,y\n'
    outline = read(text)
    assert above(text, outline, "three") == ["id,note"]
    assert unit_of(text, outline, "one") == unit_of(text, outline, "three")
    assert above(text, outline, "needle")[-1] == "id,note"
    assert above(text, outline, "needle")[0].startswith('2,"long')
