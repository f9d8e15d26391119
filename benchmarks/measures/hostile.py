"""Time must grow as the input does: twice the text or twice the messages, twice the time, whatever they hold."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from random import Random

import msgspec

from benchmarks.conversation import Exchange, anthropic, first, openai_chat
from benchmarks.subjects import compact, subject, warm
from benchmarks.table import Row
from benchmarks.timing import Best
from trimtab import jsonbytes
from trimtab.blobs import find_blobs
from trimtab.errors import WireError

NAME = "growth of time"
LIMIT = 3
"""For twice the input: linear is 2, quadratic 4."""
ROUNDS = 5
MODELS = ("claude-sonnet-4-5", "claude-opus-5-5")
"""The second one's thinking is bound to what precedes it, which asks for more looking around."""

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
    """For each piece of code the worst of all texts, and how much dearer than ordinary output one is."""
    warm()
    for name, (run, megabytes) in SUBJECTS.items():
        usual = _times(run, ordinary, megabytes)
        times = {kind: _times(run, make, megabytes) for kind, make in TEXTS.items()}
        growth = {kind: best.ratio("more", "once") for kind, best in times.items()}
        dear = {kind: best["once"] / usual["once"] for kind, best in times.items()}
        worst, dearest = max(growth, key=growth.__getitem__), max(dear, key=dear.__getitem__)
        case = f"{name}, {2 * megabytes} MB / {megabytes} MB"
        yield Row(NAME, case, growth[worst], LIMIT, 2, note=f"worst of {len(TEXTS)}: {worst}")
        yield Row(NAME, "  the dearest over ordinary output", dear[dearest], note=dearest)
    for model in MODELS:
        best = _best(_first_sight(1000, model), _first_sight(4000, model), 2)
        yield Row(NAME, f"4,000 new messages / 1,000, {model}", best.ratio("more", "once"), 2 * LIMIT, 4)


def _times(run: Callable[[str], Callable[[], object]], make: Callable[[int], str], megabytes: int) -> Best:
    size = megabytes * 1_000_000
    return _best(run(make(size)), run(make(2 * size)), ROUNDS)


def _best(once: Callable[[], object], more: Callable[[], object], rounds: int) -> Best:
    best = Best()
    for _ in range(rounds):
        best.time("once", once)
        best.time("more", more)
    return best


def _first_sight(messages: int, model: str) -> Callable[[], object]:
    """A long history that nobody has seen."""
    body = anthropic(first(messages // 2, seed=9, characters=1000), model)

    def work() -> None:
        with subject() as (compactor, _):
            compact(compactor, body)

    return work


def _compact(text: str) -> Callable[[], object]:
    """A forced fold of a request in which the text is an old result."""
    session = [Exchange("Reading.", "read_file", {"path": "a"}, text), *first(5, seed=3, characters=2000)]
    body = openai_chat(session)

    def work() -> None:
        with subject() as (compactor, _):
            compact(compactor, body, force=True)

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


SUBJECTS = {"compact": (_compact, 1), "find_blobs": (_blobs, 4), "jsonbytes": (_json, 4)}
"""Each with its megabytes: what takes a few milliseconds gets more of them, or caches would decide the figure."""
