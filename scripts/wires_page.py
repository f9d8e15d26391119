"""Writes docs/wires.md from the tables that stand beside the code of each wire (`make docs`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import get_args

from trimtab.presets import preset
from trimtab.transcript import Part
from trimtab.wires import WIRES
from trimtab.wires.base import Row, Wire

PAGE = Path(__file__).parents[1] / "docs" / "wires.md"
INTRO = """\
# Wires

A wire is a request format that trimtab reads and writes. This page is made by `make docs` from the tables beside \
the code of each wire; `tests/wires/test_rows.py` holds every row against examples, `test_rules.py` every rule.

What passes see of a request are parts: {parts}. A part is

- *overlaid*: its text, or the strings in it, may change where they stand, and nothing beside them;
- *overlaid by a text*, which names the handle of what stood there;
- *kept or dropped*: never edited, but it may go as a whole;
- *kept*: never edited, never dropped by itself. What is not understood is kept.

A request that is *refused* goes out as it came, with a finding that says why. Messages without an edit go out \
byte for byte. What may change need not: the default preset touches {places}.

A message is known again by its *identity*: all that it says, over all that was said before it.

`trimtab.validate(payload)` reports the rules that a request breaks. A4 and A5 need a second request: \
`trimtab.validate(payload, before=…)`, with the one that was sent last or, where none was, the one that `payload` \
was made from.
"""


def page() -> str:
    """The whole page."""
    places = sorted(preset("default").rules().places)
    parts = ", ".join(f"`{one.__name__}`" for one in get_args(Part))
    intro = INTRO.format(places=f"{', '.join(places[:-1])} and {places[-1]}", parts=parts)
    return "\n".join([intro, *(line for wire in WIRES for line in _wire(wire))])


def _wire(wire: Wire) -> Iterator[str]:
    yield f"## {wire.name}\n"
    told = (type(wire).__doc__ or "").split("`")
    if len(told) > 1:
        yield f"`{told[1]}`\n"
    yield from _table(("In the request", "Part", "What becomes of it", "Remark"), map(_row, wire.rows))
    yield f"\nRules of `{wire.name}`:\n"
    yield from _table(("Rule", "Demands"), wire.rules.items())
    if wire.unchecked:
        yield "\nNot checked:\n"
        yield from _table(("Rule", "Why"), wire.unchecked.items())
    yield ""


def _row(row: Row) -> tuple[str, ...]:
    return row.what, f"`{row.part.__name__}`" if row.part else "", row.fate, row.remark


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    heads = list(heads)
    for cells in (heads, ["---"] * len(heads), *rows):
        yield f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
