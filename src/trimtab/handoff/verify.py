"""A note held against its ground: each sentence stands, is corrected, or is struck; and that is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trimtab.handoff.checks import CHECKS, ENDS, Sentence
from trimtab.handoff.ground import Ground, plain
from trimtab.handoff.headings import Sections

CORRECTED, STRUCK = "note-corrected", "note-struck"


class Fault(NamedTuple):
    """What was done to a sentence of a note, and why."""

    rule: str
    text: str
    why: str

    def __str__(self) -> str:
        return f"{self.text[:160]!r}: {self.why}"


LONGEST, MOST = 2_000, 300
"""Characters of an item, and items of a section, that are looked at; what is more is no note."""


def verified(note: Sections, ground: Ground) -> tuple[Sections, list[Fault]]:
    """What of a note stands, and what was wrong with the rest."""
    faults, kept = list[Fault](), Sections()
    for section, items in note.items():
        fit = [item for item in items if len(item) <= LONGEST][:MOST]
        if len(fit) < len(items):
            faults.append(Fault(STRUCK, section, f"{len(items) - len(fit)} items too long, or too many of them"))
        made = [text for item in fit if (text := _item(item, section, note, ground, faults))]
        if made:
            kept[section] = [*dict.fromkeys(made)]
    return kept, faults


def _item(item: str, section: str, note: Sections, ground: Ground, faults: list[Fault]) -> str:
    kept = ""
    for text in ENDS.split(item):
        if text and (stands := _sentence(text, section, kept, note, ground, faults)):
            kept = f"{kept} {stands}" if kept else stands
    return kept


def _sentence(
    text: str, section: str, before: str, note: Mapping[str, Sequence[str]], ground: Ground, faults: list[Fault]
) -> str:
    """What becomes of one sentence."""
    for check in CHECKS:
        ruling = check(Sentence(text, section, before, note, ground))
        if ruling is None:
            continue
        faults.append(Fault(CORRECTED if ruling.text else STRUCK, text, ruling.why))
        if not ruling.text:
            return ""
        text = ruling.text
    return text


def news(note: Mapping[str, Sequence[str]], program: str) -> dict[str, list[str]]:
    """A note without what the program's own words say already."""
    said = plain(program)
    kept = {key: [item for item in items if plain(item).strip(" .\"'") not in said] for key, items in note.items()}
    return {key: items for key, items in kept.items() if items}
