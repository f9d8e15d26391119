from __future__ import annotations

from tests.cases.transcripts import texts, wires
from tests.passes.ingesting import asked, ingest, ingested, shell

from trimtab.passes import FoldResults
from trimtab.passes.point_to_same import PointToSame
from trimtab.testing import lines

TEXT = lines(400)


@wires
def test_the_same_result_again_is_one_line_that_names_the_first(wire: str) -> None:
    ran = [asked("read", TEXT, path="a.py"), shell("cat a.py", TEXT), asked("read", TEXT, path="a.py")]
    first, second, third = ingest([PointToSame()], *ran, wire=wire)
    assert first == TEXT
    assert second == third
    assert second.startswith("[trimtab: the same, word for word, as the result of read {")
    assert "a.py" in second


def test_what_differs_by_a_character_is_sent_whole() -> None:
    ran = [shell("ls", TEXT), shell("ls", TEXT + " ")]
    assert ingest([PointToSame()], *ran) == [TEXT, TEXT + " "]


def test_a_short_result_is_not_worth_a_line() -> None:
    assert ingest([PointToSame()], shell("true", "ok"), shell("true", "ok")) == ["ok", "ok"]


def test_nothing_points_to_what_was_folded() -> None:
    ran = [shell("cat a", TEXT), *[shell("make", lines(60, f"step {n}")) for n in range(3)], shell("cat b", TEXT)]
    sent = ingested([PointToSame(), FoldResults()], *ran, budget=600, protect_results=0)
    first, *_, again = texts(sent.payload)[:-1]
    assert first.startswith("[trimtab: result of shell")
    assert again.startswith("[trimtab: result of shell")
