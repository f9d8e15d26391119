"""How the cells of a table are told apart, and the proof that every row has as many."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from trimtab.excerpts.text import LONGEST

MOST_COLUMNS = 200

_NAME = re.compile(r"[^\W\d][^\n:={}<>\"'`;!?\\]{0,39}|[#%_][\w .%#-]{0,20}")
_BORDER = re.compile(r"[-+|:=─━═┼├┤┌┐└┘┬┴│┃┏┓┗┛┳┻┣┫╋┡┩╇╞╡╪╒╕╘╛╤╧\s]+")
_LINES = ("--", "==", "──", "━━", "══", "-|", ":-", "-:")
_BAR = re.compile(r"(?<!\\)[|│┃]")
_COUNT = re.compile(r"\(?[0-9,]+ (?:rows?|records?|Zeilen?)(?: in set)?\b.{0,40}|Time: .{1,40}|Query OK.{0,60}")
_CAPITALS = re.compile(r"[ ]*[A-Z%#][A-Z0-9%#_()/.-]*(?: +[A-Z%#(][A-Z0-9%#_()/.-]*)+ *")
_DASHES = re.compile(r"[ ]*-{2,}(?: +-{2,})+ *")
_DASH = re.compile("-+")
_SOLID = re.compile(r"[^ ]")


class Grid(NamedTuple):
    """A text as records: the line each begins with, which are rows with what cells, which is the header."""

    firsts: Sequence[int]
    header: int
    names: Sequence[str]
    rows: Sequence[tuple[int, Sequence[str]]]
    verdicts: Sequence[int] = ()


def barred(lines: Sequence[str]) -> Grid | None:
    """Cells between bars under a header with a border, as markdown and database shells draw them."""
    border = next((number for number, line in enumerate(lines[:4]) if _is_border(line) and number), None)
    if border is None or not _BAR.search(lines[border - 1]):
        return None
    end = len(lines)
    while end and (not lines[end - 1].strip() or _COUNT.fullmatch(lines[end - 1].strip())):
        end -= 1
    header = _between_bars(lines[border - 1])
    found = list[tuple[int, Sequence[str]]]()
    for number in range(end):
        if number == border - 1 or _is_border(lines[number]):
            continue
        cells = _between_bars(lines[number])
        if number < border or len(cells) != len(header):
            return None
        found.append((number, cells))
    verdicts = [number for number in range(end, len(lines)) if lines[number].strip()]
    return (
        Grid(range(len(lines)), border - 1, header, found, verdicts) if 1 < len(header) <= MOST_COLUMNS else None
    )


def _is_border(line: str) -> bool:
    return _BORDER.fullmatch(line) is not None and any(drawn in line for drawn in _LINES)


def _between_bars(line: str) -> list[str]:
    cells = [cell.strip() for cell in _BAR.split(line.strip())]
    return cells[1:-1] if len(cells) > 2 and not cells[0] and not cells[-1] else cells


def separated(lines: Sequence[str]) -> Grid | None:
    """Cells between tabs, commas, semicolons or bars, quoted or not, under a row of names."""
    for mark in "\t,;|":
        if lines and mark in lines[0] and (grid := _separated(lines, mark)):
            return grid
    return None


def _separated(lines: Sequence[str], mark: str) -> Grid | None:
    firsts, records, spaced = [0], list[list[str]](), False
    reader = csv.reader(lines, delimiter=mark, strict=True)
    try:
        for cells in reader:
            if records and len(cells) != len(records[0]):
                break
            spaced = spaced or any(cell.startswith(" ") for cell in cells[1:])
            records.append([cell.strip() for cell in cells])
            firsts.append(reader.line_num)
    except csv.Error:
        return None
    if any(line.strip() for line in lines[firsts.pop() :]) or not _is_header(records):
        return None
    if spaced and mark == "," and len(records[0]) == 2:
        return None  # as prose has it
    return Grid(firsts, 0, records[0], list(enumerate(records))[1:])


def _is_header(records: Sequence[Sequence[str]]) -> bool:
    """Whether the first record names what stands beneath it, one column of which is of single words at least."""
    names, body = records[0] if records else (), records[1:]
    if not body or not 1 < len(names) <= MOST_COLUMNS or len(set(names)) < len(names):
        return False
    if not all(_is_name(name) or (name == "" and not number) for number, name in enumerate(names)):
        return False
    columns = list(zip(*body, strict=True))
    recurs = any(name in column for name, column in zip(names, columns, strict=True) if name)
    return not recurs and any(all(" " not in cell for cell in column) for column in columns)


def _is_name(name: str) -> bool:
    words = _NAME.fullmatch(name) is not None and len(name.split()) <= 5
    return words and name.count("(") == name.count(")")


def aligned(lines: Sequence[str]) -> Grid | None:
    """Columns that begin at the same place in every line, under names in capitals or over a line of dashes."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    body = [line.rstrip() for line in lines[:end]]
    if len(body) < 3 or not all(body) or any("\t" in line for line in body):
        return None
    if _DASHES.fullmatch(body[1]):
        starts, first = [match.start() for match in _DASH.finditer(body[1])], 2
    elif _CAPITALS.fullmatch(body[0]):
        starts, first = _columns(body), 1
    else:
        return None
    if len(starts) < 4 - first or len(starts) > MOST_COLUMNS:
        return None
    table = [(number, _cells(line, starts)) for number, line in enumerate(body) if number == 0 or number >= first]
    (_, names), *found = table
    return Grid(range(len(lines)), 0, names, found) if _is_aligned(body, starts, names, found) else None


def _columns(lines: Sequence[str]) -> list[int]:
    """Where columns begin: behind places that are blank in every line, where the first line has something."""
    width = min(max(map(len, lines)), LONGEST)
    blank = -1
    for line in lines:
        blank &= int(_SOLID.sub("0", line[:width].ljust(width)).replace(" ", "1"), 2)
    runs = re.finditer("0+", f"{blank:0{width}b}")
    return [run.start() for run in runs if lines[0][run.start() : run.end()].strip()]


def _cells(line: str, starts: Sequence[int]) -> list[str]:
    return [line[start:stop].strip() for start, stop in pairwise([*starts, len(line) + 1])]


def _is_aligned(
    lines: Sequence[str], starts: Sequence[int], names: Sequence[str], found: Sequence[tuple[int, Sequence[str]]]
) -> bool:
    """Whether nothing crosses from one column into the next, and the cells are filled, the first ones all."""
    crossed = any(line[start - 1 : start].strip() for line in lines for start in starts if start)
    filled = [sum(map(bool, cells)) for _, cells in found]
    columns = zip(*(cells for _, cells in found), strict=True)
    recurs = any(name in column for name, column in zip(names, columns, strict=True))
    firsts = all(cells[0] for _, cells in found)
    full = all(2 * count > len(names) for count in filled) and 5 * sum(filled) >= 4 * len(found) * len(names)
    return not crossed and firsts and full and not recurs and all(names)
