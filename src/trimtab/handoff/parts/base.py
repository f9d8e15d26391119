"""The one shape of a part that the program writes: items from the ground, in a section of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from trimtab.handoff.ground import Ground

Part: TypeAlias = Callable[[Ground, int], Sequence[str]]
"""The items of a section: those of earlier notes and those of the new messages, in about so many tokens."""


def latest(items: Sequence[str], most: int, what: str) -> list[str]:
    """The last `most` items, each once, and how many of which kind came before."""
    once = [*dict.fromkeys(items)]
    counted = [one for one in once if not one.startswith("(and ")]
    gone = len(counted) - most + sum(int(one.split()[1]) for one in once if one.startswith("(and "))
    return [f"(and {gone} {what} before)", *counted[-most:]] if gone > 0 and len(counted) > most else once
