"""An excerpt of a text of each kind, read, scored and chosen, against encoding the text with tiktoken.

Both only compute, so the time of the processor is taken: who else runs on the machine matters less.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

from benchmarks.needles.base import Sample
from benchmarks.needles.samples import MAKERS, content
from benchmarks.needles.ways import tokens
from benchmarks.table import Row
from benchmarks.timing import Best
from trimtab.choice import Sheet
from trimtab.edits import At
from trimtab.excerpt import excerpts, sheet
from trimtab.excerpts import read
from trimtab.interest import Interest
from trimtab.tokens import Tiktoken
from trimtab.words import identifiers, stems

NAME = "excerpt / o200k of the same text"
LIMIT, AIM = 3, 1
ROUNDS = 7
SEED = 3
"""Texts of about 60,000 tokens."""
SHARE = 0.1


def measure() -> Iterator[Row]:
    """A row for each kind. Counting tokens is left out of it: it takes as long whatever is chosen."""
    if not Tiktoken.ready("o200k_base"):
        yield Row(NAME, "all kinds", None, LIMIT, AIM, note="tiktoken has no o200k vocabulary on disk")
        return
    for kind in MAKERS:
        sample = content(kind, SEED)
        best, megabytes = _times(sample), len(sample.text.encode()) / 1e6
        whole = best["sheet"] + best["choice"]
        shares = (best["read"] / whole, (best["sheet"] - best["read"]) / whole, best["choice"] / whole)
        parts = "reading {:.0%}, claims {:.0%}, choice {:.0%}".format(*shares)
        note = f"{megabytes / best['ours']:.1f} MB/s, tiktoken {megabytes / best['theirs']:.1f} MB/s; {parts}"
        yield Row(NAME, kind, best.ratio("ours", "theirs"), LIMIT, AIM, note=note)


def _times(sample: Sample) -> Best:
    import tiktoken

    encode, text = tiktoken.get_encoding("o200k_base").encode_ordinary, sample.text
    best = Best(process_time)
    size = tokens(text)
    wanted = Interest(
        asked=dict.fromkeys(stems(sample.question), 1.0),
        used={one: (At(b"said", 0),) for one in identifiers(sample.said)},
        said=frozenset(identifiers(sample.said)),
    )

    def made() -> Sheet:
        return sheet(text, size, wanted, At(b"result", 0))

    def chosen(ready: Sheet) -> None:
        excerpts([ready], ["0000000000"], int(size * SHARE), lambda shown: len(shown) * size // len(text))

    ready = made()
    for _ in range(ROUNDS):
        best.time("theirs", lambda: encode(text))
        best.time("ours", lambda: chosen(made()))
        best.time("read", lambda: read(text))
        best.time("sheet", made)
        best.time("choice", lambda: chosen(ready))
    return best
