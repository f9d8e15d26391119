"""`python -m benchmarks.handoff --base-url URL --model NAME --out FILE`: notes by a real model, raw and accepted.

A run that was broken off goes on where it was: what stands in FILE is not asked again. Without `--base-url` the
answers that stand there are judged anew and the table is printed.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from time import monotonic

import msgspec
from msgspec import Struct

from benchmarks.handoff.preset import OneNote
from benchmarks.handoff.score import Score, score, texts
from benchmarks.handoff.stretches import Stretch, stretches
from trimtab import Compactor
from trimtab.edits import Ask, Brief
from trimtab.testing import memory_store
from trimtab.writer import Written
from trimtab.writers import OpenAIChat

SECONDS = 1500.0
"""Time for a note; these models run on a CPU that others use too."""


class Run(Struct, frozen=True):
    """One note: how the model's own text scores, and how the note does that went into the request."""

    model: str
    stretch: str
    raw: Score
    accepted: Score
    replaced: int
    lost: tuple[str, ...]
    asked: int
    retries: int
    alone: bool
    corrected: int
    struck: int
    seconds: float
    answers: tuple[str, ...]


class Listening:
    """A writer that remembers what it answered."""

    def __init__(self, inner: OpenAIChat) -> None:
        self._inner, self.answers = inner, list[str]()

    def __call__(self, ask: Ask) -> Written:
        made = self._inner(ask)
        self.answers.append(made.text)
        print(
            f"    {made.tokens_in} tokens in, {made.tokens_out} out, whole {made.whole}",
            file=sys.stderr,
            flush=True,
        )
        return made


class Recorded:
    """A writer that answers what one answered before."""

    def __init__(self, answers: tuple[str, ...]) -> None:
        self._left, self.answers = list(answers), list[str]()

    def __call__(self, ask: Ask) -> str:
        self.answers.append(self._left.pop(0))
        return self.answers[-1]


def run(stretch: Stretch, writer: Listening | Recorded, model: str, longest: int) -> Run:
    """Compact a stretch by one note."""
    brief = Brief(most=800, seconds=SECONDS, longest=longest, stands_alone=True)
    compactor = Compactor(
        store=memory_store(),
        preset=OneNote(brief),
        writer=writer,
        facts=stretch.required,
    )
    begun = monotonic()
    result = compactor.compact(stretch.request, force=True)
    seconds = monotonic() - begun
    source, sent = "\n".join(texts(stretch.request)), "\n".join(texts(result.payload))
    note = next((text for text in texts(result.payload) if text.startswith("[trimtab: note ")), "")
    rules = [one.rule for one in result.report.refused]
    raw = "\n".join(writer.answers[-1:])
    count = compactor.counter.count
    return Run(
        model=model,
        stretch=stretch.name,
        raw=score(raw, source, stretch.planted, count([raw])[0]),
        accepted=score(note, source, stretch.planted, count([note])[0]),
        replaced=result.report.tokens_before,
        lost=tuple(one for one in stretch.required if one not in sent),
        asked=len(writer.answers),
        retries=rules.count("note-retried"),
        alone="note-alone" in rules,
        corrected=rules.count("note-corrected"),
        struck=rules.count("note-struck"),
        seconds=seconds,
        answers=tuple(writer.answers),
    )


def shown(runs: list[Run]) -> str:
    """The table."""
    head = [
        "model",
        "stretch",
        "of",
        "raw: right",
        "wrong",
        "missing",
        "bound",
        "note: right",
        "wrong",
        "missing",
        "bound",
    ]
    head += ["lost", "tokens", "s", "asked", "corrected", "struck", "alone"]
    rows = [
        [
            one.model, one.stretch, f"{one.replaced:,}",
            *(str(n) for held in (one.raw, one.accepted) for n in held.counts),
            str(len(one.lost)), f"{one.accepted.tokens:,}", f"{one.seconds:.0f}", str(one.asked),
            str(one.corrected), str(one.struck), "yes" if one.alone else "",
        ]
        for one in runs
    ]  # fmt: skip
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def main() -> None:
    """Run what is missing and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--base-url", help="an OpenAI-compatible server")
    parser.add_argument("--model", default="local", help="the name the server knows the model by")
    parser.add_argument("--longest", type=int, default=11_000, help="tokens of transcript in one question")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where runs are kept, one a line")
    options = parser.parse_args()
    kept = options.out.read_bytes().splitlines() if options.out.exists() else []
    runs = [msgspec.json.decode(line, type=Run) for line in kept]
    corpus = os.environ.get("TRIMTAB_CORPUS")
    if not corpus:
        print("TRIMTAB_CORPUS is not set: only the example is noted", file=sys.stderr)
    for stretch in stretches(Path(corpus) if corpus else None):
        known = [one for one in runs if one.stretch == stretch.name]
        for one in known if not options.base_url else ():
            again = run(stretch, Recorded(one.answers), one.model, options.longest)
            runs[runs.index(one)] = msgspec.structs.replace(again, seconds=one.seconds, answers=one.answers)
        if options.base_url and not any(one.model == options.model for one in known):
            print(f"{options.model}: {stretch.name}", file=sys.stderr, flush=True)
            writer = Listening(OpenAIChat(options.base_url, options.model))
            runs.append(run(stretch, writer, options.model, options.longest))
            with options.out.open("ab") as file:
                file.write(msgspec.json.encode(runs[-1]) + b"\n")
    print(shown(runs))
    for one in runs:
        for what in (*one.accepted.wrong, *one.accepted.bound, *one.lost):
            print(f"{one.model}, {one.stretch}: {what!r}")


if __name__ == "__main__":
    main()
