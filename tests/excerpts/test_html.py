from __future__ import annotations

import pytest
from hypothesis import given
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import STRUCTURE, Outline
from trimtab.excerpts.html import Html

READ = Html().read

PAGE = """\
<!-- made by hand -->
<!DOCTYPE html>
<html lang="en">
<head><title>The
Boats</title>
<style>h1 { color: red }</style><script>
if (a < b) { document.write("<h2>no heading</h2>"); }
</script></head>
<body>
<H1 class="x">All <em>boats</em></H1>
<p>They lie at the quay.</p><p>They wait.</p>
<h2>Ada</h2>
<ul><li><a href="/a">Twelve metres</a></li><li>Blue<br>hull</li></ul>
<h3>Crew</h3><p>Nine</p>
<h2>Bea</h2>
<p>Fourteen metres</p>
</body>
</html>
"""


def read(text: str) -> Outline:
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    return outline


def flat(text: str) -> str:
    return text.replace("\n", "")


@pytest.mark.parametrize("text", [PAGE, flat(PAGE)], ids=["in lines", "in one line"])
@pytest.mark.parametrize(
    ("needle", "headings"),
    [
        ("at the quay", ["All", "Boats"]),
        ("They wait", ["All", "Boats"]),
        ("Twelve", ["Ada", "All", "Boats"]),
        ("hull", ["Ada", "All", "Boats"]),
        ("Nine", ["Crew", "Ada", "All", "Boats"]),
        ("Fourteen", ["Bea", "All", "Boats"]),
        ("no heading", []),
    ],
)
def test_what_stands_under_what(text: str, needle: str, headings: list[str]) -> None:
    found = above(text, read(text), needle)
    assert len(found) == len(headings)
    assert all(heading in each for heading, each in zip(headings, found, strict=True))


@pytest.mark.parametrize("text", [PAGE, flat(PAGE)], ids=["in lines", "in one line"])
def test_titles_and_headings_are_structure_and_nothing_else(text: str) -> None:
    outline = read(text)
    found = [unit for unit in outline.units if unit.weight]
    assert found == [unit_of(text, outline, part) for part in ("Boats</t", "All", "Ada", "Crew", "Bea")]
    assert {(unit.weight, unit.why) for unit in found} == {(STRUCTURE, "heading")}


@pytest.mark.parametrize("text", [PAGE, flat(PAGE)], ids=["in lines", "in one line"])
def test_each_element_with_text_has_a_unit(text: str) -> None:
    outline = read(text)
    parts = ["at the quay", "They wait", "Twelve", "hull", "Crew", "Nine", "Fourteen", "no heading"]
    assert len({unit_of(text, outline, part) for part in parts}) == len(parts)


def test_sums() -> None:
    assert read(PAGE).sums == "1 link, 5 headings: 4 The Boats, 10 All boats, 12 Ada, 14 Crew, 15 Bea"


def test_numbers_in_front_change_nothing() -> None:
    text = "".join(f"{n:6}\t{line}\n" for n, line in enumerate(PAGE.splitlines(), 1))
    assert [unit.needs for unit in read(text).units] == [unit.needs for unit in read(PAGE).units]


def test_a_needle_in_a_megabyte_of_one_line_has_its_own_unit() -> None:
    row = "<div><div><span>They lie at the quay.</span></div></div>"
    text = f"<div>{row * 9_000}<div>The key is 7.</div>{row * 9_000}</div>"
    unit = unit_of(text, read(text), "The key")
    assert text[unit.start : unit.stop] == "</div><div>The key is 7.</div>"


def test_a_long_paragraph_is_sentences() -> None:
    calm = "They lie at the quay and wait. " * 40
    text = f"<!doctype html><h1>A</h1><p>{calm}The key is 7. {calm}</p>"
    unit = unit_of(text, read(text), "The key")
    assert text[unit.start : unit.stop] == "The key is 7. "
    assert above(text, read(text), "The key") == ["<!doctype html><h1>A</h1>"]


def test_a_picture_in_a_heading_does_not_hide_it() -> None:
    text = "<html><h1>Boats</h1><p>All.</p><h2><svg><path d='M0'/></svg>Ada</h2><p>Blue</p></html>"
    assert above(text, read(text), "Blue")[0].startswith("Ada")


def test_a_piece_of_a_page_is_known_by_its_balanced_tags() -> None:
    assert read("\n <table>" + "<tr><td>שלום</td><td>漢字</td></tr>\n" * 9 + "</table>\n").sums == "0 links"


NOT_HTML = {
    "xml": "<?xml version='1.0'?>\n<project>" + "<dependency><id>x</id></dependency>" * 30 + "</project>",
    "unbalanced": "<div>" * 90 + "</div>" * 9,
    "cut in half": "<div>" + "<p>one</p>" * 9 + "<p>tw",
    "text with tags": "Write <p>one</p> and " * 30,
    "component": "import React from 'react';\nexport default () => <div>" + "<p>x</p>" * 30 + "</div>",
    "few tags": "<p>one</p>",
    "generics": "<T>(a: List<A>, b: List<B>) => a<b>c;\n" * 30,
    "arrows": "<" * 9_000,
    "comment": "<!--" * 9_000,
    "script": "<script " * 9_000,
    "headers": "HTTP/1.1 200 OK\n\n" + PAGE,
}


@pytest.mark.parametrize("text", [*NOT_HTML.values(), *HOSTILE], ids=[*NOT_HTML, *map(str, range(len(HOSTILE)))])
def test_what_is_not_html(text: str) -> None:
    assert READ(text) is None


@given(
    over(
        "<h1>A", "</h1>", "<p>x</p>", "<script>", "</script>", "<!--", "-->", "<title>", "<svg>", "text", "<", ">"
    )
)
def test_units_are_the_text(text: str) -> None:
    check(text, READ(text))
    check(PAGE + text, read(PAGE + text))
