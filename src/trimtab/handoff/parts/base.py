"""The one shape of a part that the program writes: items from the ground, in a section of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from trimtab.handoff.ground import Ground

Part: TypeAlias = Callable[[Ground, int], Sequence[str]]
"""The items of a section: those of earlier notes and those of the new messages, in about so many tokens."""

MORE = "(earlier ones are left out)"
"""Stands before items of which earlier ones had no room. It bears no number: a note has none of its own."""


def latest(items: Sequence[str], most: int) -> list[str]:
    """The last `most` items, each once where it stands last, and whether any came before."""
    once = [one for one in reversed(dict.fromkeys(reversed(items))) if one != MORE]
    return [MORE, *once[-most:]] if len(once) > most or MORE in items else once
