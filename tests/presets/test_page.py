"""The page on presets is what the presets say of themselves."""

from __future__ import annotations

import pytest
from scripts.presets_page import PAGE, page
from tests.presets.playing import NAMES

from trimtab.presets import PRESETS
from trimtab.presets.base import told


def test_the_page_on_presets_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make docs"


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_says_what_it_keeps_and_what_it_loses(name: str) -> None:
    one = told(PRESETS[name])
    assert (one.name, one.keeps.split()[0], one.loses.split()[0]) == (name, "Keeps", "Loses")
    assert one.does
    assert one.source


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_explained(name: str) -> None:
    """Each stands in the words of its preset, unless its name says what it counts."""
    one = told(PRESETS[name])
    words = f"{one.does} {one.keeps} {one.loses}"
    assert all(f"`{setting}`" in words for setting in one.settings)
