"""conpact (COMPINT): one of fifteen side constraints in a user's message of a long history; is it still there?

Without a model only the part that needs none: whether the sentence stands, white space and case aside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from conpact.generate import build_instances

from benchmarks.judges.compacting import Messages, Subject, fullness, length, texts_of
from benchmarks.judges.histories import histories
from benchmarks.judges.scores import Score, answer

JUDGE = "conpact"
TOKENS = 100_000
SHARES = {0.5: 100.0, 0.1: None}
"""Of a history's characters, what may be left, and the goal; a tenth may be less than its system messages."""

POSITIONS = ("top", "middle", "bottom")


def measure(subject: Subject) -> Iterator[Score]:
    """The share of the fifteen that are kept, by history and by where it was said."""
    for share, (name, messages) in product(SHARES, histories().items()):
        full = 0.0
        for position in POSITIONS:
            cases = build_instances([_haystack(name, messages)], length=TOKENS, position=position)
            limits = [int(share * length(case.messages)) for case in cases]
            sent = [subject(case.messages, limit) for case, limit in zip(cases, limits, strict=True)]
            held = [_holds(one, case.sc_text) for one, case in zip(sent, cases, strict=True)]
            kept = 100 * sum(held) / len(held)
            yield Score(JUDGE, f"{share:.0%} {position}, {name}", kept, goal=SHARES[share])
            full = max(full, *map(fullness, sent, limits))
        yield Score(JUDGE, f"{share:.0%} size, {name}", full, goal=100, most=True)


def _holds(messages: Messages, constraint: str) -> bool:
    """Whether it stands there; its first letter was made small where it was planted."""
    return _plain(constraint)[1:] in _plain(" ".join(texts_of(messages)))


def _haystack(name: str, messages: Messages) -> dict[str, Any]:
    """A history as the judge cuts and fills it: four characters a token."""
    counts = [len(message["content"]) // 4 + 4 for message in messages]
    about = {"source": "hermes", "system_prompt": "", "source_conversation_count": 1}
    return {"haystack_id": name, "messages": messages, "message_tokens": counts, **about}


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.lower())


if __name__ == "__main__":
    answer(measure)
