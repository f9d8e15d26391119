"""distil-llm's benchmark: does a smaller context lead an agent to the same decisions, and what does it cost?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from distil.benchmark import register_external, run_benchmark
from distil.pricing import get

from benchmarks.judges.compacting import Subject
from benchmarks.judges.scores import Score, answer

JUDGE = "distil-llm"
PRICES = "claude-opus-4-8"
SHARES = {0.4: (100, 39.9), 0.3: (None, None), 0.25: (None, None)}
"""Of a text's characters, what it may keep, and the goals there: decisions that stay the same, dollars saved."""

SHORT = 600
"""Characters of a text that stays as it is."""


def measure(subject: Subject) -> Iterator[Score]:
    """Nine sessions of four calls, each text compacted by itself."""
    for share, (same, saved) in SHARES.items():
        technique = register_external("subject", partial(_compact, subject, share))
        told = run_benchmark(techniques=[technique], pricing=get(PRICES)).results[0]
        note = "passes its gate" if told.certified else "fails its gate"
        yield Score(JUDGE, f"{share:.0%} same decisions", 100 * told.equivalence, goal=same, note=note)
        yield Score(JUDGE, f"{share:.0%} dollars saved", 100 * told.dollar_savings, goal=saved)
        yield Score(JUDGE, f"{share:.0%} tokens saved", 100 * told.token_savings)


def _compact(subject: Subject, share: float, texts: list[str]) -> list[str]:
    return [_shortened(text, subject, share) for text in texts]


def _shortened(text: str, subject: Subject, share: float) -> str:
    if len(text) < SHORT:
        return text
    sent = subject([{"role": "user", "content": text}], int(share * len(text)))
    return "\n".join(message["content"] for message in sent)


if __name__ == "__main__":
    answer(measure)
