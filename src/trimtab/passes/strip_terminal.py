"""What only a terminal needs out of results: colour codes, overwritten progress, blanks nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.files import touches_files
from trimtab.passes.base import Stage, View
from trimtab.transcript import ToolResult

CODE = re.compile(
    r"\x1b++(?:"
    r"\[[0-?]*+[ -/]*+(?:[@-~]|(?=\x1b))"  # control sequences: colours, cursor, erasing
    r"|\](?!8;)[^\x07\x1b\n]*+(?:\x07|\x1b\\|(?=\x1b))"  # titles; no links, they hold URLs
    r"|[!-/]++(?:[0-~]|(?=\x1b))|[0-OQ-WYZ`-~])"  # character sets and single commands
)
"""Escape codes by ECMA-48, those cut short by another one too; a bare escape character is not one."""

OVERWRITING = re.compile(r"\r(?=[^\r\n])|\x08|\x1b\[[01]?G")
"""A return that is no part of a line's end, a backspace, or the code for the first column."""

MOVES = re.compile(rf"\r|\x08|[^\r\x08\x1b]++|{CODE.pattern}|\x1b")
BLANKS = re.compile(r"(?<![ \t])[ \t]++(?=\r?(?:\n|\Z))")
EMPTY_LINES = re.compile(r"((?:\r?\n){3})(?:\r?\n)++")


class StripTerminal(Struct, frozen=True):
    """A result reads as a terminal would show it.

    Removes: escape codes, and, where no file was read or written, what a return or a backspace overwrote,
    blanks at the ends of lines, more than two empty lines in a row. Keeps: every other character, links.
    Recovers: the whole original text by its handle. Skips when: nothing is found, nothing would be left.
    """

    name: ClassVar[str] = "strip_terminal"
    stage: ClassVar[Stage] = Stage.INGEST
    loss: ClassVar[Loss] = Loss.NONE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit for each new result that holds something a reader does not see."""
        for at in view.open:
            part = view.part(at)
            if isinstance(part, ToolResult):
                text = without_codes(part.text) if touches_files(view.call(at)) else as_shown(part.text)
                if len(text) < len(part.text) and text.strip():
                    yield Replace(at, msgspec.structs.replace(part, text=text), "terminal codes", Loss.NONE)


def without_codes(text: str) -> str:
    """The text without escape codes."""
    return CODE.sub("", text) if "\x1b" in text else text


def as_shown(text: str) -> str:
    """What is seen of a text on an endless terminal; of the codes only those that rewrite a line count."""
    if OVERWRITING.search(text):
        text = "\n".join(map(_line, text.split("\n")))
    text = BLANKS.sub("", without_codes(text))
    return EMPTY_LINES.sub(r"\1", text)


def _line(line: str) -> str:
    """One line after everything that was written over it."""
    body = line.rstrip("\r")
    if not OVERWRITING.search(body):
        return line
    shown, column = list[str](), 0
    for move in MOVES.findall(body):
        match move:
            case "\r" | "\x1b[G" | "\x1b[0G" | "\x1b[1G":
                column = 0
            case "\x08":
                column = max(column - 1, 0)
            case "\x1b[K" | "\x1b[0K":
                del shown[column:]
            case "\x1b[2K":
                shown, column = [], 0
            case _ if move[0] != "\x1b" or len(move) == 1:
                shown[column : column + len(move)] = move
                column += len(move)
    return "".join(shown) + line[len(body) :]
