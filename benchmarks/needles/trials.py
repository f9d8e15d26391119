"""One trial: a sample made smaller in one way, and which of its needles can still be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from benchmarks.needles.base import Needle, Sample
from benchmarks.needles.conversation import messages, result_of
from benchmarks.needles.ways import ends, tokens, trimmed
from benchmarks.peers.peer import Peer, PeerError

SHARES = (0.05, 0.1, 0.2, 0.4)
"""Budgets, as shares of the result's tokens."""

TRIMTAB, ENDS = "trimtab", "head and tail"


class Trial(Struct, frozen=True):
    """What a way left of a sample: `used` are the tokens that takes, `room` is the share it was given, if any.

    `met` is false where it could not do with that room.
    """

    way: str
    kind: str
    seed: int
    tokens: int
    room: float | None
    used: int
    kept: tuple[Needle, ...] = ()
    lost: tuple[Needle, ...] = ()
    met: bool = True


def budgets(sample: Sample, shares: Sequence[float] = SHARES) -> Iterator[Trial]:
    """Trimtab, and head and tail, within each share."""
    size = tokens(sample.text)
    for share in shares:
        room = int(size * share)
        yield _trial(TRIMTAB, sample, size, share, trimmed(sample, room))
        yield _trial(ENDS, sample, size, share, ends(sample, room))


def peers(samples: Iterable[Sample], peer: Peer) -> Iterator[Trial]:
    """What a peer leaves by its own judgement, and trimtab in as many tokens; nothing where it gives no answer."""
    for sample in samples:
        size = tokens(sample.text)
        try:
            left = result_of(peer.ask(messages(sample)))
        except PeerError:
            yield Trial(peer.name, sample.kind, sample.seed, 0, None, 0, met=False)
            continue
        yield _trial(peer.name, sample, size, None, left)
        room = tokens(left)
        ours = sample.text if room >= size else trimmed(sample, room)
        yield _trial(f"{TRIMTAB} in {peer.name}'s size", sample, size, room / size, ours)


def _trial(way: str, sample: Sample, size: int, share: float | None, left: str | None) -> Trial:
    if left is None:
        return Trial(way, sample.kind, sample.seed, size, share, 0, lost=sample.needles, met=False)
    kept = tuple(one for one in sample.needles if one.text in left)
    lost = tuple(one for one in sample.needles if one.text not in left)
    return Trial(way, sample.kind, sample.seed, size, share, tokens(left), kept, lost)
