"""docs/formats.md tells of every reader, and of no other."""

from __future__ import annotations

import re
from pathlib import Path

from trimtab.sessions import READERS

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
TABLE, RECORDED = PAGE.split("\n## On recorded sessions\n")
NAMES = [reader.name for reader in READERS]


def rows(text: str) -> list[list[str]]:
    """The cells of each row that begins with a name in back quotes."""
    return [re.split(r" *\| *", line.strip("| ")) for line in re.findall(r"^\| `.*$", text, re.MULTILINE)]


def test_the_table_lists_the_readers_that_there_are() -> None:
    assert [row[0].strip("`") for row in rows(TABLE)] == NAMES


def test_each_row_says_what_is_kept_what_is_lost_and_which_test_shows_it() -> None:
    for name, kept, lost, tests in rows(TABLE):
        assert kept, name
        assert lost, name
        for test in re.findall(r"`(.*?)`", tests):
            assert (Path(__file__).parent / test).is_file()


def test_the_totals_are_of_readers_and_add_up() -> None:
    found = rows(RECORDED)
    assert {row[0].strip("`") for row in found} <= set(NAMES)
    whole = re.findall(r"^\| all \| (.*) \|$", RECORDED, re.MULTILINE)
    columns = zip(*(row[1:] for row in found), strict=True)
    sums = [sum(int(cell.replace(",", "") or 0) for cell in column) for column in columns]
    assert [int(cell.replace(",", "")) for cell in whole[0].split(" | ")] == sums
