"""What in a note must be copied exactly: numbers, paths, addresses, ids, names of code; and what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class Kind(StrEnum):
    """What an identifier names."""

    NUMBER = "number"
    PATH = "path"
    NAME = "name"


class Found(NamedTuple):
    """An identifier and where it stands."""

    text: str
    start: int
    kind: Kind

    @property
    def stop(self) -> int:
        return self.start + len(self.text)


_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff65"
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s\"'<>`|)\]}]+")
CHUNK = re.compile(rf"(?:(?<!\w)[A-Za-z]:(?=[\\/]))?(?:(?![{_CJK}])[\w./@~+%#&\\$€£-]|(?<=\d),(?=\d{{3}}))+")
"""What may be an identifier; `=`, `:` and `?` part two of them."""

MARKS, BEFORE = ".,:;!?%&#+~-\\/", ".,:;!?%&+-\\$€£"
"""What does not belong to an identifier behind it and before it."""

HEX = re.compile(r"(?=[^\d]{0,63}\d)[0-9a-f]{7,64}")
"""A digest, or the beginning of one."""

SPAN = re.compile(r"(\d{1,7})[-–](\d{1,7})")
NUMBER = re.compile(r"[\d.,]*\d[\d.,]*")
NAME = re.compile(
    r".*(?:\d|[^\W_]_|_[^\W_]|@|[a-zà-ÿ][A-Z]|[A-Z]{2,}[a-z]{2,})|--?\w[\w-]*$|#\w|\$\w|\w{2,}(?:\.\w{2,})+$"
)
ENDINGS = (
    "py pyi ipynb js jsx mjs cjs ts tsx vue svelte json jsonl toml yaml yml ini cfg conf env properties lock xml"
    " html htm css scss md rst txt log csv tsv parquet sql db sqlite sh bash zsh ps1 bat rs go mod sum java kt kts"
    " scala c h cc cpp hpp cs swift m mm rb erb php pl pm lua r jl hs ex exs erl clj dart proto tf gradle cmake mk"
    " make diff patch pdf png jpg jpeg gif svg webp ico zip tar gz tgz bz2 xz whl jar so dll exe bin wasm traj"
).split()
"""What the name of a file ends with; `os.environ` is a name of code, `setup.py` a path."""

PATH = re.compile(
    r"(?:[~.]{0,2}/|[A-Za-z]:\\|\\\\)?[^\s/\\]+(?:[/\\][^\s/\\]+)+|[~.]{0,2}/[^\s/\\]+"
    rf"|[\w.-]*\w\.(?:{'|'.join(ENDINGS)})",
    re.IGNORECASE,
)
ABBREVIATIONS = frozenset(
    {"e.g", "i.e", "z.b", "p.ex", "and/or", "either/or", "w/o", "n/a", "he/she", "yes/no", "a.m", "p.m"}
)
"""What looks like an identifier and is none."""

LONGEST = 300
"""Characters of an identifier; more of it is a blob."""


def identifiers(text: str) -> list[Found]:
    """The identifiers of a text in their order."""
    found, done = list[Found](), 0
    for address in ADDRESS.finditer(text):
        found += _within(text, done, address.start())
        found.append(Found(address[0].rstrip(MARKS), address.start(), Kind.PATH))
        done = address.end()
    return [*found, *_within(text, done, len(text))]


def _within(text: str, start: int, stop: int) -> Iterator[Found]:
    for chunk in CHUNK.finditer(text, start, stop):
        head = len(chunk[0]) - len(chunk[0].lstrip(BEFORE if not chunk[0].startswith("--") else ".,"))
        bare = chunk[0][head:].rstrip(MARKS)
        if bare.startswith(".") and not PATH.fullmatch(bare):
            head, bare = head + 1, bare[1:]
        if span := SPAN.fullmatch(bare):
            yield Found(span[1], chunk.start() + head, Kind.NUMBER)
            yield Found(span[2], chunk.start() + head + span.start(2), Kind.NUMBER)
        elif (kind := _kind(bare)) is not None:
            yield Found(bare, chunk.start() + head, kind)


@lru_cache(maxsize=20_000)
def _kind(bare: str) -> Kind | None:
    """What a chunk names, None for a word."""
    if not bare or len(bare) > LONGEST or bare.casefold() in ABBREVIATIONS:
        return None
    if NUMBER.fullmatch(bare):
        return Kind.NUMBER
    if PATH.fullmatch(bare) and any(map(str.isalpha, bare)):
        return Kind.PATH
    return Kind.NAME if NAME.match(bare) else None


LEAST_MEANT = 5
"""Characters from which on a mistyped identifier is told by its likeness; numbers are alike by chance."""


EDGE = 2
"""Signs at both ends of an identifier, one of which a slip of the pen leaves as they were."""


class Known:
    """The identifiers of a source, and which of them a wrong one was meant for."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._plain, self._edges = dict[str, list[str]](), dict[tuple[bool, str], list[str]]()
        for text in dict.fromkeys(texts):
            self._plain.setdefault(_plain(text), []).append(text)
            for edge in _edges(text):
                self._edges.setdefault(edge, []).append(text)

    def meant(self, wrong: str) -> str:
        """The one identifier that a wrong one can be taken for, "" where there is none or more than one.

        Taken for another are the same signs in other letter case or with other joints, and one slip of the pen:
        a sign that is wrong, missing, too much, or two that changed places (Damerau 1964: most slips are these).
        """
        near = {*self._plain.get(_plain(wrong), ())}
        if not near and len(wrong) >= LEAST_MEANT and not NUMBER.fullmatch(wrong):
            alike = (one for edge in _edges(wrong) for one in self._edges.get(edge, ()))
            near = {one for one in alike if abs(len(one) - len(wrong)) <= 1 and _one_slip(wrong, one)}
        return near.pop() if len(near) == 1 else ""


def _edges(text: str) -> tuple[tuple[bool, str], tuple[bool, str]]:
    return (True, text[:EDGE]), (False, text[-EDGE:])


def _plain(text: str) -> str:
    """What remains of an identifier that is written carelessly; the points in numbers and versions stay."""
    return text.replace(",", "") if NUMBER.fullmatch(text) else re.sub(r"[_\s-]+", "", text).casefold()


@lru_cache(maxsize=20_000)
def shape(text: str) -> str:
    """What an identifier looks like: alike are two numbers, two digests, two tickets, two paths."""
    if NUMBER.fullmatch(text):
        return "0"
    if HEX.fullmatch(text):
        return "x"
    if ADDRESS.match(text) or _kind(text) is Kind.PATH:
        return "/"
    return re.sub(r"[^\W\d]+", "a", re.sub(r"\d+", "0", text))


def _one_slip(one: str, other: str) -> bool:
    """Whether one sign makes the difference."""
    head = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    left, right = one[head:], other[head:]
    if len(left) == len(right):
        return left[1:] == right[1:] or (left[:2] == right[1::-1] and left[2:] == right[2:])
    return left[1:] == right if len(left) > len(right) else left == right[1:]
