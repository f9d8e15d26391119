"""What the judges are given: trimtab, and two plain subjects to compare it with. Budgets are characters."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from trimtab import Compactor
from trimtab.errors import BudgetError

Messages: TypeAlias = list[dict[str, Any]]
Subject: TypeAlias = Callable[[Messages, int | None], Messages]
"""Messages and the characters their texts may have (None: no limit); the messages to send instead."""

PRESET = "prose"
ATTEMPTS, FIRST, FULL = 8, 0.85, 0.95
"""Calls to meet a budget of characters, the part of it the first asks for, and the part that is enough."""

GO_ON: dict[str, Any] = {"role": "user", "content": "Go on."}
"""What the user says first and last: trimtab leaves these two turns alone, so all between them is open to it. They
count as what is kept."""


def trimtab(messages: Messages, characters: int | None = None) -> Messages:
    """Compacted by trimtab. Its budget is tokens: so many as the characters are worth in this very text.

    What has few long messages holds more characters a token than what has many short ones, so other budgets
    are tried until the characters are met and used. Unchanged where the budget cannot be met.
    """
    if characters is None or length(messages) <= characters:
        return messages
    logging.disable(logging.WARNING)  # that no model was named
    heads = sum(message["role"] == "system" for message in messages[:1])
    asked = [*messages[:heads], GO_ON, *messages[heads:], GO_ON]
    tokens = Compactor(preset=PRESET, store="memory:").compact(asked).report.tokens_before
    best, low, high = messages, 0, tokens
    budget = int(FIRST * tokens * characters / length(asked))
    for _ in range(ATTEMPTS):
        sent, used = _within(asked, budget)
        size = length(sent)
        if not sent:
            low = budget
        elif size > characters:
            high = min(budget, used)
        else:
            best, low = sent, budget
        if high - low < 2 or FULL * characters <= size <= characters:
            break
        wanted = used * characters // size - 1 if sent else 0
        budget = wanted if low < wanted < high else (low + high) // 2
    return best


def _within(messages: Messages, budget: int) -> tuple[Messages, int]:
    """The messages as sent under a budget of tokens, and their tokens; no messages where it cannot be met.

    They are shown without a budget first, or the whole past would be folded as it grew.
    """
    store = Compactor(preset=PRESET, store="memory:").store
    try:
        Compactor(preset=PRESET, store=store).compact(messages)
        done = Compactor(preset=PRESET, budget=budget, target=budget, store=store).compact(messages)
    except BudgetError:
        return [], 0
    finally:
        store.close()
    return done.payload, done.report.tokens_after


def ends(messages: Messages, characters: int | None = None) -> Messages:
    """The first and the last messages, as many of each as half the characters hold; of one message its ends."""
    if characters is None or length(messages) <= characters:
        return messages
    if len(messages) == 1:
        text, half = messages[0]["content"], (characters - 1) // 2
        return [{**messages[0], "content": f"{text[:half]}\n{text[len(text) - half :]}"}]
    head = _while_room(messages, characters // 2)
    tail = _while_room(messages[len(head) :][::-1], characters - length(head) - 1)
    return head + tail[::-1]


def everything(messages: Messages, characters: int | None = None) -> Messages:
    """All of it."""
    return messages


SUBJECTS: Mapping[str, Subject] = {"trimtab": trimtab, "ends": ends, "all": everything}


def length(messages: Messages) -> int:
    """Characters of the texts, a line end between each two."""
    return len(text_of(messages))


def fullness(messages: Messages, characters: int) -> float:
    """Their length in percent of what was allowed."""
    return 100 * length(messages) / characters


def text_of(messages: Messages) -> str:
    """The texts of the messages, a line each or more."""
    return "\n".join(texts_of(messages))


def texts_of(messages: Messages) -> list[str]:
    """The text of each message that has one; of its calls nothing."""
    return [message["content"] for message in messages if message.get("content")]


def _while_room(messages: Messages, characters: int) -> Messages:
    kept: Messages = []
    for message in messages:
        characters -= len(message.get("content") or "") + 1
        if characters < 0:
            break
        kept.append(message)
    return kept
