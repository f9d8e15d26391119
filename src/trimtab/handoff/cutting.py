"""Texts cut between words: half an identifier would be another one."""

from __future__ import annotations

import re

from trimtab.stubs import clip, clip_start

JOINED = re.compile(r"[\w./@~+%#&\\$€£:=?,-]", re.ASCII)
"""What may stand within an identifier."""


def beginning(text: str, most: int) -> str:
    """The first characters of a longer text, at most so many, and a mark that more came."""
    if len(text) <= most:
        return text
    stop = len(clip(text, most))
    while stop and JOINED.match(text[stop - 1]) and JOINED.match(text[stop]):
        stop -= 1
    return f"{text[:stop].rstrip()}…"


def end(text: str, most: int) -> str:
    """The last characters of a longer text, at most so many, behind a mark that more came before."""
    if len(text) <= most:
        return text
    start = len(text) - len(clip_start(text, most))
    while start < len(text) and JOINED.match(text[start - 1]) and JOINED.match(text[start]):
        start += 1
    return f"…{text[start:].lstrip()}"


def one_line(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())
