"""distil-llm's benchmark: does a smaller context lead an agent to the same decisions, and what does it cost?"""

from __future__ import annotations

from collections.abc import Iterator

from distil.benchmark import register_external, run_benchmark
from distil.pricing import get

from benchmarks.judges.compacting import Subject
from benchmarks.judges.scores import Score, answer

JUDGE = "distil-llm"
PRICES = "claude-opus-4-8"
SHARE, SHORT = 0.4, 600
"""Of a text's characters, what it may keep; and how short a text stays as it is."""


def measure(subject: Subject) -> Iterator[Score]:
    """Nine sessions of four calls, each text compacted by itself."""

    def compact(texts: list[str]) -> list[str]:
        return [_shortened(text, subject) for text in texts]

    report = run_benchmark(techniques=[register_external("subject", compact)], pricing=get(PRICES))
    told = report.results[0]
    yield Score(JUDGE, "same decisions", 100 * told.equivalence, goal=100)
    note = "passes its gate" if told.certified else "fails its gate"
    yield Score(JUDGE, "dollars saved", 100 * told.dollar_savings, goal=39.9, note=note)
    yield Score(JUDGE, "tokens saved", 100 * told.token_savings)


def _shortened(text: str, subject: Subject) -> str:
    if len(text) < SHORT:
        return text
    sent = subject([{"role": "user", "content": text}], int(SHARE * len(text)))
    return "\n".join(message["content"] for message in sent)


if __name__ == "__main__":
    answer(measure)
