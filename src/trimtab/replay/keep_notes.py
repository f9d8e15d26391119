"""What if the agent said what it keeps: after using a large result it names the lines it still needs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, ClassVar

from msgspec import Struct

from trimtab.replay.atoms import Need
from trimtab.replay.future import Future
from trimtab.replay.presets import OfPreset
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Asked, Change, Sent, Shown

LARGE = 1_000
"""Raw tokens from which on a result is worth a note."""

KEPT = 0.05
"""Share of a result that notes name, needed or not."""

MARKER = 30
"""Raw tokens of what says that the rest was cut, and of its handle."""

NOTE = Asked(0, 25)
"""What the agent writes to name lines."""


class KeepNotes(Struct, frozen=True):
    """A preset, and an agent whose notes name so large a share of the lines of a result that it will need.

    The rest of the result goes at the call after its first use, while little follows it. What notes name stays,
    whatever the preset decides later.
    """

    preset: str
    coverage: float
    settings: dict[str, Any] = {}
    remark: ClassVar[str] = "simulated: what real agents would name is not known"
    knows_future: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """The preset with its coverage."""
        return f"{self.preset}, keep notes {self.coverage:.0%}"

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """The edits of the preset but on results that notes were written for, and these. As `OfPreset.play`."""
        future, noted = Future(segment, needs), set[int]()
        before, used = 0, range(0)
        inner = OfPreset(self.preset, self.settings).play(segment, sent, needs)
        for number, (call, decided) in enumerate(zip(segment.calls, inner, strict=True)):
            changes = [one for one in decided if not (isinstance(one, Shown) and one.part in noted)]
            gone = {one.part for one in changes if isinstance(one, Shown)}
            rows = segment.results
            for part in rows[bisect_left(rows, used.start) : bisect_left(rows, used.stop)]:
                if part not in gone and sent.size(part) >= LARGE:
                    changes += [self._noted(segment, future, part, number), NOTE]
                    noted.add(part)
            used, before = range(segment.first[before], segment.first[call.stop]), call.stop
            yield changes

    def _noted(self, segment: Segment, future: Future, part: int, number: int) -> Shown:
        """A result of which only what the notes name is left."""
        atoms = {atom for atom in future.wanted(part, number) if _chance(part, atom) < self.coverage}
        lines = [line for line in segment.texts[part].splitlines() if any(atom in line for atom in atoms)]
        left, size = "\n".join(lines), segment.sizes[part]
        named = -(-size * len(left) // max(len(segment.texts[part]), 1))
        return Shown(part, left, min(max(named, int(KEPT * size)) + MARKER, size), True)


def _chance(part: int, atom: str) -> float:
    """A number from 0 to 1 that depends on nothing but what it is asked for."""
    digest = blake2b(f"{part} {atom}".encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**32
