"""Hostile input must cost time in proportion to its length: twice the text, twice the time."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from random import Random

import msgspec

from benchmarks.conversation import Exchange, first, openai_chat
from benchmarks.subjects import subject, warm
from benchmarks.table import Row
from benchmarks.timing import Best
from trimtab import jsonbytes
from trimtab.blobs import find_blobs
from trimtab.errors import WireError

NAME = "hostile input, 2 MB / 1 MB"
LIMIT = 3
"""Linear is 2, quadratic 4."""
MEGABYTE = 1_000_000
ROUNDS = 5

TEXTS: Mapping[str, Callable[[int], str]] = {
    "one letter": lambda size: "a" * size,
    "spaces": lambda size: " " * size,
    "base64": lambda size: b64encode(Random(1).randbytes(size * 3 // 4)).decode(),
    "brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "quotes": lambda size: '"' * size,
    "backslashes": lambda size: "\\" * size,
    "line ends": lambda size: "\n" * size,
}


def ordinary(size: int) -> str:
    """Tool output of the usual kinds."""
    return "\n".join(one.result for one in first(size // 4000, seed=7, characters=4000))[:size]


def measure() -> Iterator[Row]:
    """For each piece of code the worst of all texts; and how much dearer than ordinary text it is."""
    warm()
    for name, run in SUBJECTS.items():
        usual = _time(run, ordinary(MEGABYTE))
        once = {kind: _time(run, make(MEGABYTE)) for kind, make in TEXTS.items()}
        ratios = {kind: _time(run, make(2 * MEGABYTE)) / once[kind] for kind, make in TEXTS.items()}
        worst, dearest = max(ratios, key=ratios.__getitem__), max(once, key=once.__getitem__)
        yield Row(NAME, name, ratios[worst], LIMIT, 2, note=f"worst of {len(TEXTS)}: {worst}")
        yield Row(NAME, "  the dearest over ordinary output", once[dearest] / usual, note=dearest)


def _time(run: Callable[[str], Callable[[], object]], text: str) -> float:
    best = Best()
    for _ in range(ROUNDS):
        best.time("it", run(text))
    return best["it"]


def _compact(text: str) -> Callable[[], object]:
    """A forced fold of a request in which the text is an old result."""
    session = [Exchange("Reading.", "read_file", {"path": "a"}, text), *first(5, seed=3, characters=2000)]
    body = openai_chat(session)

    def work() -> None:
        with subject() as (compactor, _):
            compactor.compact(body, force=True)

    return work


def _blobs(text: str) -> Callable[[], object]:
    return lambda: find_blobs(text)


def _json(text: str) -> Callable[[], object]:
    """The text as a string, and bare where a JSON document would stand, which is mostly malformed."""
    body = msgspec.json.encode({"a": [text], "b": text})
    bare = b'{"a": ' + text.encode() + b"}"

    def work() -> None:
        jsonbytes.rewrite(body, [jsonbytes.Set(("a", 0), 1), jsonbytes.Delete(("b",))])
        with suppress(WireError):
            jsonbytes.members(bare)

    return work


SUBJECTS = {"compact": _compact, "find_blobs": _blobs, "jsonbytes": _json}
