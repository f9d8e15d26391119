"""The page on wires is what the code makes of it."""

from __future__ import annotations

from scripts.wires_page import PAGE, page


def test_the_page_on_wires_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make docs"
