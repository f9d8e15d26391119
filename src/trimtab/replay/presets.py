"""A preset of trimtab as a policy of the replay: it decides once, and its decisions are played call by call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from trimtab.compactor import Compactor
from trimtab.edits import At
from trimtab.journal import Entry
from trimtab.keep import Note
from trimtab.prices import card
from trimtab.replay.atoms import Need
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Change, Noted, Sent, Shown
from trimtab.request import countable


class OfPreset(Struct, frozen=True):
    """What a preset does, by the compactor itself: one walk over the last request at the times of the calls."""

    preset: str
    settings: dict[str, Any] = {}
    remark: ClassVar[str] = ""
    knows_future: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The name of the preset."""
        return self.preset

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """The edits of every decision before each call. Raises the errors of the compactor."""
        yield from self.played(segment, {})

    def played(
        self, segment: Segment, notes: Mapping[int, Mapping[At, tuple[Note, ...]]]
    ) -> Iterator[Sequence[Change]]:
        """The same, with `notes` of the agent on what it keeps, by the position of the message that has them."""
        settings = {**self.settings, "models": {**self.settings.get("models", {}), **_as_billed(segment)}}
        if self.preset == "default" and "marks" not in settings.get("presets", {}).get("default", {}):
            settings = with_marks(settings, "good")  # recordings show none
        compactor = Compactor(segment.model, preset=self.preset, store="memory:", config=settings)
        times = {call.stop - 1: call.at for call in segment.calls}
        index = segment.request.index
        try:
            made = compactor.rehearse(segment.payload, times, unseen=segment.unseen, notes=notes)
            entries = [(index[one.boundary], one) for one in made]
        finally:
            compactor.store.close()
        done = 0
        for call in segment.calls:
            changes: list[Change] = []
            while done < len(entries) and entries[done][0] < call.stop:
                changes += _changes(segment, entries[done][1])
                done += 1
            yield changes


def with_marks(settings: dict[str, Any], marks: str) -> dict[str, Any]:
    """Settings that tell the default preset where cache marks stand."""
    presets = settings.get("presets", {})
    return {**settings, "presets": {**presets, "default": {**presets.get("default", {}), "marks": marks}}}


def _as_billed(segment: Segment) -> dict[str, dict[str, float]]:
    """What a segment is billed by where that is not what is known of its model: the longer lifetime."""
    used = segment.calls[0].card
    known = card(segment.model)
    if segment.model is None or not used.input or used.cache.lifetime == known.cache.lifetime:
        return {}
    prices = {"input": used.input, "read": used.read, "write": used.write, "output": used.output}
    billed = {name: price for name, price in prices.items() if price is not None}
    return {segment.model: {**billed, "lifetime": used.cache.lifetime}}


def _changes(segment: Segment, entry: Entry) -> Iterator[Change]:
    index = segment.request.index
    for record in entry.records:
        text = "" if record.part is None else countable(record.part)
        handle = bool(record.handle) and record.handle in text
        yield Shown(segment.first[index[record.message]] + record.index, text, record.size, handle)
    for cut in entry.cuts:
        yield Noted(index[cut.first], index[cut.last], cut.text, cut.size, cut.handle in cut.text)
