"""The page: well formed, complete in itself, and drawn by a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from tests.replay.recorded import results, rounds, words

from trimtab.replay.page import page
from trimtab.replay.page.plot import Plot, apart, ticks
from trimtab.replay.totals import Results

VOID = {"meta", "br"}
SVG = "{http://www.w3.org/2000/svg}"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def found() -> Results:
    return results(rounds(*(({"path": f"src/f{n}.py"}, words(300, f"f{n}")) for n in range(12))))


class Nesting(HTMLParser):
    """Every element is closed where it must be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)


def test_every_element_is_closed(found: Results) -> None:
    reader = Nesting()
    reader.feed(page(found))
    assert reader.open == []
    assert {"svg", "table", "details", "figure"} <= reader.seen


def test_every_chart_is_well_formed_and_within_its_area(found: Results) -> None:
    charts = re.findall(r"<svg.*?</svg>", page(found), re.DOTALL)
    assert len(charts) == 3
    for chart in charts:
        root = ElementTree.fromstring(chart)
        width, height = map(float, root.attrib["viewBox"].split()[2:])
        for line in root.iter(SVG + "polyline"):
            points = [tuple(map(float, pair.split(","))) for pair in line.attrib["points"].split()]
            assert all(0 <= x <= width and 0 <= y <= height for x, y in points)


def test_nothing_is_loaded_from_elsewhere(found: Results) -> None:
    text = page(found).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|//|url\(|@import|<script|<link|<img|src=", text)


def test_every_policy_stands_in_charts_and_tables(found: Results) -> None:
    text = page(found)
    assert all(text.count(name) >= 4 for name in found.names)


def test_names_from_session_files_are_text(found: Results) -> None:
    row = replace(found.rows[0], session="<script>alert(1)</script>", model='"><s>')
    text = page(replace(found, rows=(row,)))
    assert "<script" not in text
    assert '"><s>' not in text
    assert "&lt;script&gt;" in text


def test_many_policies_have_room_for_their_labels(found: Results) -> None:
    names = tuple(f"preset {n}" for n in range(30))
    under = found.rows[0].policies["default"]
    row = replace(found.rows[0], policies={**found.rows[0].policies, **dict.fromkeys(names, under)})
    text = page(replace(found, rows=(row,), options=replace(found.options, presets=names)))
    for chart in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        root = ElementTree.fromstring(chart)
        height = float(root.attrib["viewBox"].split()[3])
        places = [float(one.attrib["y"]) for one in root.iter(SVG + "text") if one.attrib["class"] == "label"]
        assert len(places) == len(names) + 9
        assert all(0 < place < height for place in places)
        assert min(b - a for a, b in pairwise(sorted(places))) > 12


def test_without_sessions_there_is_still_a_page(found: Results) -> None:
    assert "0 segments of recorded sessions" in page(replace(found, rows=()))


@pytest.mark.skipif(BROWSER is None, reason="needs a Chromium in the path, such as Debian's package chromium")
def test_a_browser_draws_it(found: Results, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(page(found), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    shot = tmp_path / "page.png"
    command = [str(BROWSER), *flags, "--window-size=1200,1600", f"--screenshot={shot}", path.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert shot.read_bytes().startswith(b"\x89PNG")
    assert shot.stat().st_size > 40_000
    dumped = subprocess.run(
        [str(BROWSER), *flags, "--dump-dom", path.as_uri()], check=True, capture_output=True, timeout=120
    ).stdout.decode()
    assert dumped.count("<svg") == 3
    assert dumped.count("<polyline") == page(found).count("<polyline")


def test_ticks_are_round_and_within() -> None:
    assert ticks(0, 103) == [0, 25, 50, 75, 100]
    assert ticks(-51, 40) == [-40, -20, 0, 20, 40]
    assert ticks(3, 3) == [3]


def test_labels_stand_apart_and_within() -> None:
    places = apart([5, 6, 7, 100], least=10, low=0, high=100)
    assert places == [5, 15, 25, 100]
    crowded = apart([99, 100], least=10, low=0, high=100)
    assert crowded == [90, 100]


def test_values_map_to_pixels() -> None:
    plot = Plot(width=100, height=100, left=10, right=10, top=10, bottom=10, x_range=(0, 8), y_range=(0, 4))
    assert (plot.x(0), plot.x(8), plot.y(0), plot.y(4)) == (10, 90, 90, 10)
