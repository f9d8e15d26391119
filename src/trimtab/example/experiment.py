"""The experiment of a published comparison, on the example: cut after the fifth result, what does each way keep?

Tokens are raw o200k tokens of the whole request, system and tools included; in the document they are estimates
over its own example. A fact is lost when it stands in no string of what would be sent.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, structs

from trimtab import example
from trimtab.compactor import Compactor
from trimtab.config import Settings
from trimtab.example import record
from trimtab.fresh_run import handoff
from trimtab.reader import Reader
from trimtab.stores import open_store
from trimtab.tokens import counter_for
from trimtab.transcript import JSON

MODEL = "gpt-5"
"""A model whose provider counts o200k, so that a budget is one of raw tokens."""

BUDGET, NOTE, LAST = 1200, 1500, 6
"""Tokens of a request by trimtab, budget and target alike; of a handoff note; messages that a window keeps."""

VARIANTS = 20
FACTS = tuple(example.facts())

PUBLISHED = (
    "The document, of its own example: full transcript 6,063 tokens; last 6 messages 4,453, without the question;"
    " ledger 3,229, without the bug; a note that a model wrote 1,481, with all six."
)


class Kept(Struct, frozen=True):
    """What one way sends of one request: raw tokens, and the facts that are gone."""

    tokens: int
    lost: tuple[str, ...]


class Row(Struct, frozen=True):
    """One way: what it keeps of the bundled session, and of its seeded variants.

    `mean` are tokens over all variants, `whole` the variants that lose nothing, `losses` how many lose each fact.
    """

    way: str
    bundled: Kept
    mean: float
    whole: int
    losses: dict[str, int]


def rows(variants: int = VARIANTS) -> Iterator[Row]:
    """The table, row by row. Raises BudgetError where trimtab cannot come down to the budget."""
    for way, sent in WAYS.items():
        found = [_kept(sent(_request(seed)), record.facts(seed)) for seed in range(1, variants + 1)]
        lost = Counter(fact for one in found for fact in one.lost)
        yield Row(
            way=way,
            bundled=_kept(sent(_request(0)), record.facts(0)),
            mean=sum(one.tokens for one in found) / len(found),
            whole=sum(not one.lost for one in found),
            losses={fact: lost[fact] for fact in FACTS},
        )


def _request(seed: int) -> bytes:
    return example.cut(5, record.build("anthropic", seed))


def _kept(sent: bytes, facts: Mapping[str, str]) -> Kept:
    text = "\n".join(_texts(json.loads(sent)))
    tokens = Reader(counter_for(MODEL), open_store(None), "").read(sent).size
    return Kept(tokens, tuple(name for name, fact in facts.items() if fact not in text))


def _compactor(preset: str = "default", budget: int | None = None) -> Compactor:
    """One that no file or variable of the user's has a say in; what a preset protects is the preset's own."""
    settings = structs.asdict(Settings(budget=budget, target=budget))
    del settings["protect_results"], settings["protect_turns"], settings["preset"]
    return Compactor(MODEL, preset=preset, store="memory:", config=settings | {"model": MODEL})


def _window(request: bytes) -> bytes:
    body = json.loads(request)
    return example.encode({**body, "messages": body["messages"][-LAST:]})


def _ledger(request: bytes) -> bytes:
    return _compacted(request, _compactor(preset="ledger"), force=True)


def _trimtab(request: bytes) -> bytes:
    return _compacted(request, _compactor(budget=BUDGET))


def _compacted(request: bytes, compactor: Compactor, *, force: bool = False) -> bytes:
    try:
        sent: bytes = compactor.compact(request, force=force).payload
    finally:
        compactor.store.close()
    return sent


def _note(request: bytes) -> bytes:
    """The first request of a fresh run, which begins with the note."""
    compactor = _compactor()
    try:
        note = str(handoff(request, compactor, NOTE))
    finally:
        compactor.store.close()
    return example.encode({**json.loads(request), "messages": [{"role": "user", "content": note}]})


WAYS: Mapping[str, Callable[[bytes], bytes]] = {
    "full transcript": lambda request: request,
    f"last {LAST} messages": _window,
    "ledger, forced": _ledger,
    f"trimtab, budget {BUDGET:,}": _trimtab,
    f"trimtab handoff, {NOTE:,}": _note,
}
"""What each way sends in the place of a request."""


def _texts(value: JSON) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
