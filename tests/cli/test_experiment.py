"""`trimtab experiment`: two tables, or the same as JSON."""

from __future__ import annotations

from tests.cli.conftest import Cli

from trimtab import example
from trimtab.example.experiment import WAYS


def test_the_tables_name_every_way_and_every_fact(cli: Cli) -> None:
    done = cli("experiment", "--variants", "1")
    assert done.code == 0
    out = done.out.decode()
    assert all(out.count(way) >= 2 for way in WAYS)
    assert all(fact in out for fact in example.facts())
    assert "Losses in 1 variant of it" in out
    assert "6,063" in out


def test_the_same_as_json(cli: Cli) -> None:
    rows = cli("experiment", "--variants", "1", "--json").json
    assert [row["way"] for row in rows] == list(WAYS)
    assert rows[0]["bundled"] == {"tokens": rows[0]["bundled"]["tokens"], "lost": []}
    assert list(rows[0]["losses"]) == list(example.facts())


def test_there_are_no_more_than_twenty_variants(cli: Cli) -> None:
    assert cli("experiment", "--variants", "21").code == 2
