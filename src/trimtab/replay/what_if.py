"""What else would change the bill when all is kept: a longer cache lifetime, requests that keep it warm."""

from __future__ import annotations

import copy
from itertools import pairwise
from math import ceil

from msgspec import Struct

from trimtab.prices import Card, patient
from trimtab.replay.baselines import KEEP_ALL
from trimtab.replay.play import Played, play
from trimtab.replay.segment import ReplayCall, Segment, charge
from trimtab.sessions.base import Usage

MOST_WARM = 11
"""Requests in one pause after which keeping warm is given up: an hour of them costs what writing again does."""

MARGIN = 10.0
"""Seconds before an entry expires at which it is used to keep it."""


class WhatIf(Struct, frozen=True, kw_only=True):
    """Changes of the bill in dollars when all is kept; below 0 saves. None where it cannot be had.

    `longer`: the longer cache lifetime. `warm`: a request of one token of output before each expiry, at most
    `MOST_WARM` in a pause. `used` is what the provider reported, all calls together, None where any says nothing.
    """

    longer: float | None = None
    warm: float | None = None
    used: Usage | None = None


def what_if(segment: Segment, kept: Played, marks: str | None) -> WhatIf:
    """The changes for a segment of which keeping all is known."""
    return WhatIf(longer=_longer(segment, kept, marks), warm=_warm(segment, kept, marks), used=segment.used)


def _longer(segment: Segment, kept: Played, marks: str | None) -> float | None:
    """The change when every call pays for the longer lifetime."""
    if marks == "none" or not all(call.card.cache.long and call.card.write_hour for call in segment.calls):
        return None
    other = copy.copy(segment)
    other.calls = [call._replace(card=patient(call.card)) for call in segment.calls]
    return play(KEEP_ALL, other, [()] * len(other.calls), marks).figures.dollars - kept.figures.dollars


def _warm(segment: Segment, kept: Played, marks: str | None) -> float | None:
    """The change when pauses are bridged, as long as that is likely to pay."""
    if marks == "none" or any(call.card.cache.caching == "none" for call in segment.calls):
        return None
    steps = zip(pairwise(segment.calls), kept.tokens, strict=False)
    return sum(_bridged(before, after, tokens) for (before, after), tokens in steps)


def _bridged(before: ReplayCall, after: ReplayCall, tokens: int) -> float:
    """The change by bridging one pause after a request of so many tokens."""
    card, pause = before.card, after.at - before.at
    if pause <= card.cache.lifetime or tokens < card.cache.least:
        return 0.0
    times = ceil(pause / max(card.cache.lifetime - MARGIN, 1.0)) - 1
    once = charge(card, read=tokens, written=0, uncached=0, output=1)
    if times > MOST_WARM or after.card.model != card.model:
        return MOST_WARM * once
    return times * once - _saved(card, tokens)


def _saved(card: Card, tokens: int) -> float:
    """What reading a request instead of writing it saves."""
    written = charge(card, read=0, written=tokens, uncached=0, output=0)
    return written - charge(card, read=tokens, written=0, uncached=0, output=0)
