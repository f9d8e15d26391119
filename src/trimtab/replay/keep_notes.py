"""What if the agent said what it keeps: after using a large result it names the lines it still needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, ClassVar

from msgspec import Struct

from trimtab.edits import At
from trimtab.keep import Note
from trimtab.lots import LEAST_LINE
from trimtab.replay.atoms import Need
from trimtab.replay.future import Future
from trimtab.replay.presets import OfPreset
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Asked, Change, Sent
from trimtab.transcript import ToolResult

LARGE = 1_000
"""Raw tokens from which on a result is worth a note."""

KEPT = 0.05
"""Share of a result's lines that notes name, needed or not."""

NOTE = Asked(0, 25)
"""What the agent writes to name lines."""


class KeepNotes(Struct, frozen=True):
    """A preset, and an agent whose notes name so large a share of what it will need of a large result.

    It writes them in the answer to the call that brought the result; what comes of it the preset itself decides,
    as if they stood in the transcript.
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
        """The edits of the preset, and what the agent writes. As `OfPreset.play`."""
        notes = self._notes(segment, Future(segment, needs))
        inner = OfPreset(self.preset, self.settings).played(segment, notes)
        before = 0
        for call, changes in zip(segment.calls, inner, strict=True):
            yield [*changes, *[NOTE] * len(notes.get(before, ()))]
            before = call.stop

    def _notes(self, segment: Segment, future: Future) -> dict[int, dict[At, tuple[Note, ...]]]:
        """What the answer to each call says of the results that the call brought, by its first message."""
        made: dict[int, dict[At, tuple[Note, ...]]] = {}
        before = 0
        for number, call in enumerate(segment.calls):
            for part in range(segment.first[before], segment.first[call.stop]):
                if isinstance(segment.parts[part], ToolResult) and segment.sizes[part] >= LARGE:
                    message = segment.message_of[part]
                    at = At(segment.request.names[message], part - segment.first[message])
                    made.setdefault(call.stop, {})[at] = (self._note(segment, future, part, number + 1),)
            before = call.stop
        return made

    def _note(self, segment: Segment, future: Future, part: int, number: int) -> Note:
        """What is needed of a result from a call on, as far as it is covered, and lines that are not."""
        atoms = [atom for atom in future.wanted(part, number) if _chance(part, atom) < self.coverage]
        lines = segment.texts[part].splitlines()
        telling = [line for line in lines if len(line) >= LEAST_LINE]
        return Note(names=(*sorted(atoms), *telling[: int(KEPT * len(lines))]))


def _chance(part: int, atom: str) -> float:
    """A number from 0 to 1 that depends on nothing but what it is asked for."""
    digest = blake2b(f"{part} {atom}".encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**32
