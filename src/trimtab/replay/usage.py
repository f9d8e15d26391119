"""What the usage in a session file tells of its cache: whether the client paid for the longer lifetime."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from trimtab.prices import Card, patient
from trimtab.sessions.base import Call


def as_used(card: Card, calls: Sequence[Call]) -> Card:
    """The card as a client used it: with the longer lifetime, and its dearer writes, where reads prove that.

    They do when after most pauses between the two lifetimes half of the request before or more was still read.
    """
    if card.cache.long is None or card.write_hour is None:
        return card
    pauses = [
        after.usage.read >= before.usage.input / 2
        for before, after in pairwise(calls)
        if before.usage and after.usage and before.at is not None and after.at is not None
        if card.cache.lifetime < after.at - before.at <= card.cache.long
    ]
    if sum(pauses) * 2 <= len(pauses):
        return card
    return patient(card)
