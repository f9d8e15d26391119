"""Many files: in one process or several, interrupted and taken up again, with files that are no sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.replay.recorded import MODEL, recorded, results, rounds, saved, words

from trimtab.errors import ConfigError
from trimtab.replay.report import to_csv, to_dict
from trimtab.replay.rows import Options, rows_of
from trimtab.replay.runner import SHOWN, replay
from trimtab.replay.totals import total
from trimtab.sessions.base import Session, Usage

OPTIONS = Options()


def talk(number: int, results: int = 4) -> list[dict[str, object]]:
    return rounds(*(({"path": f"src/f{n}.py"}, words(30, f"{number} f{n}")) for n in range(results)))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [str(saved(tmp_path, talk(number), f"{number}.jsonl")) for number in range(3)]


def test_several_processes_give_what_one_gives(files: list[str]) -> None:
    assert replay(files, OPTIONS, workers=2) == replay(files, OPTIONS)


def test_each_file_counts_as_a_step(files: list[str]) -> None:
    steps = []
    replay(files, OPTIONS, step=lambda: steps.append(1))
    assert len(steps) == 3


def test_what_is_no_session_is_told_of_and_passed_over(files: list[str], tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("no session")
    found = replay([*files, str(other), str(tmp_path / "missing")], OPTIONS)
    assert len(found.rows) == 3
    assert [Path(one.path).name for one in found.failed] == ["missing", "notes.txt"]
    assert all(one.failed for one in found.failed)


def test_a_fault_in_one_file_does_not_end_the_others(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(session: Session) -> None:
        raise KeyError("odd")

    monkeypatch.setattr("trimtab.replay.rows.needs", broken)
    found = replay(files, OPTIONS)
    assert found.rows == ()
    assert [one.failed for one in found.failed] == ["a fault in trimtab: KeyError: 'odd'"] * 3


def test_an_interrupted_replay_goes_on_where_it_stood(files: list[str], tmp_path: Path) -> None:
    kept = str(tmp_path / "kept.jsonl")
    whole = replay(files, OPTIONS, resume=kept)
    lines = [*filter(None, Path(kept).read_bytes().split(b"\n"))]
    assert len(lines) == 3
    Path(kept).write_bytes(lines[0] + b"\n" + lines[1][:100])
    assert replay(files, OPTIONS, resume=kept) == whole
    assert replay(files, OPTIONS, resume=kept) == whole
    keys = [json.loads(line)[0] for line in Path(kept).read_bytes().split(b"\n") if line.endswith(b"]")]
    assert len(keys) == len(set(keys)) == 3


def test_other_options_and_a_changed_file_are_replayed_anew(files: list[str], tmp_path: Path) -> None:
    kept = str(tmp_path / "kept.jsonl")
    replay(files, OPTIONS, resume=kept)
    replay(files, Options(marks="naive"), resume=kept)
    assert len([*filter(None, Path(kept).read_bytes().split(b"\n"))]) == 6
    saved(tmp_path, talk(7, results=6), "0.jsonl")
    (row, *_) = replay(files, OPTIONS, resume=kept).rows
    assert row.policies["keep-all"].figures.calls == 7


def test_a_place_for_results_that_cannot_be_used_is_an_error(files: list[str], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="kept"):
        replay(files, OPTIONS, resume=str(tmp_path / "no folder" / "kept.jsonl"))


def test_a_name_that_is_no_text_is_replayed_and_not_put_on_record(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    path = saved(tmp_path, talk(1))
    path.write_text(path.read_text().replace("session.json", "\\ud800"))
    found = replay([str(path)], OPTIONS, resume=str(kept))
    assert [row.session for row in found.rows] == ["\ud800"]
    assert not kept.exists()


def test_only_the_dearest_keep_their_course(tmp_path: Path) -> None:
    paths = [str(saved(tmp_path, talk(n, results=1 + n % 4), f"{n}.jsonl")) for n in range(SHOWN + 4)]
    rows = replay(paths, Options(presets=())).rows
    assert sum(row.policies["keep-all"].course is not None for row in rows) == SHOWN


def test_the_halves_are_all_there_is_and_share_nothing() -> None:
    sessions = [recorded(talk(number)) for number in range(12)]
    halves = [
        [n for n, one in enumerate(sessions) if [*rows_of("f", one, Options(half=half, presets=()))]]
        for half in (1, 2)
    ]
    assert sorted(halves[0] + halves[1]) == [*range(12)]
    assert all(halves)


def test_the_totals_are_fractions_over_sums() -> None:
    found = results(talk(1, 12), talk(2, 3))
    long = total(found.rows, "mask all but 10 results")
    kept = sum(row.policies["keep-all"].figures.dollars for row in found.rows)
    own = sum(row.policies["mask all but 10 results"].figures.dollars for row in found.rows)
    assert long is not None
    assert long.dollars_change == pytest.approx(own / kept - 1)
    assert long.worst_session >= long.dollars_change
    assert total([], "keep-all") is None


def test_the_json_holds_what_is_documented() -> None:
    found = to_dict(results(talk(1)))
    keys = {"dollars_change", "miss_adjusted_change", "visible", "intact", "recoverable", "worst_session"}
    assert keys <= set(found["policies"]["default"]["all"])
    assert found["policies"]["default"]["long"] is None
    assert set(found["policies"]["keep-all"]["all"]["grounded"]) == set(
        found["policies"]["keep-all"]["all"]["literal"]
    )
    page = (Path(__file__).parents[2] / "docs" / "replay.md").read_text(encoding="utf-8")
    for name in [*found, *found["policies"]["default"]["all"], *found["sessions"][0]]:
        assert f"`{name}`" in page or f"`{name}." in page, name
    assert json.loads(json.dumps(found)).keys() == found.keys()


def test_csv_has_a_line_for_each_segment_and_policy() -> None:
    found = results(talk(1), talk(2))
    lines = to_csv(found).splitlines()
    assert len(lines) == 1 + len(found.rows) * len(found.names)
    assert lines[0].startswith("file,session,number,format,model,compacted,long,last,billed,policy,dollars")


def test_a_prediction_is_set_against_the_bill() -> None:
    sizes = [1_000 + 500 * n for n in range(5)]
    usage = [Usage(input=size, read=size - 500, written=500, output=10) for size in sizes]
    (row,) = rows_of("f", recorded(talk(1), usage=usage), OPTIONS)
    expected = sum((size - 500) * 0.5 + 500 * 6.25 + 10 * 25 for size in sizes) / 1e6
    assert row.billed == pytest.approx(expected)
    assert row.predicted == row.policies["keep-all"].figures.dollars
    (other,) = rows_of("f", recorded(talk(1), usage=usage), Options(price_as=MODEL))
    assert other.billed is None
