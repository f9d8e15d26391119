"""What the reduction carries from boundary to boundary: how every part is sent now, and what may still be cut.

Everything is keyed by identities, so one state serves a request built from originals, one built from
earlier output, and every fork of either.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import blake2b

from trimtab.edits import At, Loss, Place, place_of
from trimtab.identity import handle
from trimtab.invariants import Pairing
from trimtab.journal import Cut, Entry, Record
from trimtab.keep import Note, is_keep, means, noted
from trimtab.meter import Meter
from trimtab.request import MESSAGE_TOKENS, Request, countable
from trimtab.transcript import Part, Reasoning, Role, ToolCall, ToolResult, is_turn

SMALLEST = 120
"""Raw tokens below which a part is folded only for a caller's budget (measured: otherwise it does not pay)."""

TINY = 40
"""Raw tokens below which a part is never folded: the shortest stub would save next to nothing."""


@dataclass(slots=True)
class Shown:
    """The renditions of one message that differ from what the client gave; `stamp` names this set of them."""

    records: dict[int, Record]
    stamp: bytes


@dataclass(slots=True)
class State:
    """The state after the message `last`. `total` are the raw tokens of the messages as they are sent now.

    `live` are the parts that a fold may still touch, oldest first; `fresh` those that were never sent.
    `bound` are the parts of signed thinking still sent, `newest` the last answer with calls,
    `whole` finds the latest result that is sent whole, by its text as it is sent and by the call it answers,
    `pointers` the parts that point to a part. `answer` the last one of all (on some wires several messages in a
    row: each by its first), `turns` the real user messages, `arrived` the number of results since the last fold.
    `notes` are what the agent said it keeps of results (the calls that say so are never edited).
    `summaries` are the short texts handed over for results so far, by the ids of their calls.
    `entries` counts the decisions applied at `last`, `latest` is the last one applied anywhere, and
    `stood` the number applied at its boundary.
    """

    last: bytes = b""
    entries: int = 0
    latest: Entry | None = None
    stood: int = 0
    total: int = 0
    shown: dict[bytes, Shown] = field(default_factory=dict)
    cuts: dict[bytes, Cut] = field(default_factory=dict)
    live: list[At] = field(default_factory=list)
    fresh: list[At] = field(default_factory=list)
    bound: list[At] = field(default_factory=list)
    turns: list[bytes] = field(default_factory=list)
    newest: bytes = b""
    answer: bytes = b""
    arrived: int = 0
    whole: dict[bytes, At] = field(default_factory=dict)
    pointers: dict[At, tuple[At, ...]] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    notes: dict[At, tuple[Note, ...]] = field(default_factory=dict)
    meter: Meter = field(default_factory=Meter)
    pairing: Pairing[bytes] = field(default_factory=lambda: Pairing[bytes](merges=True))

    def copy(self) -> State:
        """A copy that can advance while this one stays."""
        return replace(
            self,
            shown=dict(self.shown),
            cuts=dict(self.cuts),
            live=list(self.live),
            fresh=list(self.fresh),
            bound=list(self.bound),
            turns=list(self.turns),
            whole=dict(self.whole),
            pointers=dict(self.pointers),
            summaries=dict(self.summaries),
            notes=dict(self.notes),
            meter=self.meter.copy(),
            pairing=self.pairing.copy(),
        )

    @property
    def weight(self) -> int:
        """Roughly how much memory it holds, in entries."""
        return 20 + len(self.shown) + len(self.live) + len(self.turns) + 2 * len(self.pairing.answers)

    def call_of(self, at: At) -> At | None:
        """The call that a result, or a medium in one, answers."""
        found = self.pairing.answers.get(at)
        return None if found is None else At(*found)

    def answered(self, request: Request, at: At) -> ToolCall | None:
        """The call that a result answers, as the client gave it; None when it cannot be told."""
        owner = self.call_of(at)
        if owner is None or owner.message not in request.index:
            return None
        part = request.parsed[request.index[owner.message]].message.parts[owner.part]
        return part if isinstance(part, ToolCall) else None

    def arrive(self, request: Request, index: int, places: frozenset[Place]) -> None:
        """Take in the next message of the request, as it was given."""
        name, parsed = request.names[index], request.parsed[index]
        self.last, self.entries = name, 0
        self.total += parsed.size
        message = parsed.message
        self.pairing.feed(name, index, message)
        if not (index and message.role is request.parsed[index - 1].message.role is Role.ASSISTANT):
            self.answer = name
        if is_turn(message):
            self.turns.append(name)
        for number, part in enumerate(message.parts):
            at = At(name, number)
            if isinstance(part, ToolCall):
                self.newest = self.answer
                if is_keep(part):
                    self._note(request, part)
                    continue
            self.arrived += isinstance(part, ToolResult)
            if isinstance(part, Reasoning) and part.bound:
                self.bound.append(at)
            if parsed.sizes[number] >= TINY and place_of(message, part) in places:
                self.fresh.append(at)

    def _note(self, request: Request, call: ToolCall) -> None:
        """Take note of what the agent says it keeps of the newest result that it means."""
        note, owner = noted(call), None
        for place, answered in reversed(self.pairing.answers.items()) if note else ():
            if owner is not None and answered != owner:
                return
            at, of = At(*place), self.answered(request, At(*place))
            if note and of is not None and not is_keep(of) and (owner or means(note, of, handle(at))):
                self.notes[at], owner = (*self.notes.get(at, ()), note), answered

    def size(self, request: Request, at: At) -> int:
        """Raw tokens of a part as it is sent now."""
        shown = self.shown.get(at.message)
        if shown is not None and (record := shown.records.get(at.part)) is not None:
            return record.size
        return request.parsed[request.index[at.message]].sizes[at.part]

    def part(self, request: Request, at: At) -> Part:
        """A part as it is sent now (a dropped one as it was)."""
        shown = self.shown.get(at.message)
        if shown is not None and (record := shown.records.get(at.part)) is not None and record.part is not None:
            return record.part
        return request.parsed[request.index[at.message]].message.parts[at.part]

    def text(self, request: Request, at: At) -> str:
        """What a part says as it is sent now; nothing where it was dropped."""
        return "" if self._dropped(at) else countable(self.part(request, at))

    def apply(self, request: Request, entry: Entry) -> None:
        """Carry out a decision on record: every edit says absolutely how its part is sent from now on."""
        stamp = self.stamp()
        for record in entry.records:
            if record.message in request.index and record.message not in request.notes:
                self.show(request, record, stamp)
        for cut in entry.cuts:
            if not request.outlived(cut):
                self.hide(request, cut)
        self.close(request, entry)

    def stamp(self) -> bytes:
        """The name of the decision that comes next at this place."""
        return self.last + self.entries.to_bytes(4, "big")

    def close(self, request: Request, entry: Entry) -> None:
        """What follows from a decision whose edits were carried out."""
        self._remember_whole(request)
        self.live += [at for at in self.fresh if self._foldable(request, at)]
        self.fresh = []
        if entry.spent:
            spent = {At(*at) for at in entry.spent}
            self.live = [at for at in self.live if at not in spent]
        if entry.records or entry.cuts:
            self.live = [at for at in self.live if self._foldable(request, at)]
            self.bound = [at for at in self.bound if not self._dropped(at)]
        self.arrived = 0 if entry.folded else self.arrived
        self.summaries.update(entry.summaries)
        self.entries += 1
        self.stood = self.entries
        self.latest = entry

    def show(self, request: Request, record: Record, stamp: bytes) -> None:
        """Send a part as the record says."""
        self.total += record.size - self.size(request, record.at)
        before = self.shown.get(record.message)
        records = {**(before.records if before else {}), record.index: record}
        self.shown[record.message] = Shown(records, stamp)
        if record.base is not None:
            base = At(*record.base)
            self.pointers[base] = (*self.pointers.get(base, ()), record.at)

    def unshow(self, request: Request, at: At) -> None:
        """Send a part as it was given."""
        self.total += request.parsed[request.index[at.message]].sizes[at.part] - self.size(request, at)
        shown = self.shown.pop(at.message)
        if records := {part: record for part, record in shown.records.items() if part != at.part}:
            self.shown[at.message] = Shown(records, shown.stamp)

    def hide(self, request: Request, cut: Cut) -> None:
        """Send one note in the place of a span; it takes in the notes that stand in it."""
        where = request.where(cut)
        if not where:
            return
        self.total += cut.size - self.span_size(request, where)
        for one in self.notes_in(request, where):
            del self.cuts[one.first]
        self.cuts[cut.first] = cut
        gone = {request.names[index] for index in where}
        for rows in (self.live, self.fresh, self.bound):
            rows[:] = [at for at in rows if at.message not in gone]

    def notes_in(self, request: Request, where: range) -> list[Cut]:
        """The notes that stand, wholly or in part, among these messages."""
        if not self.cuts:
            return []
        inside = ((one, request.where(one)) for one in self.cuts.values())
        return [one for one, its in inside if its and its.start < where.stop and where.start < its.stop]

    def in_note(self, request: Request, at: At) -> bool:
        """Whether a part gave way to a note."""
        place = request.index[at.message]
        return bool(self.notes_in(request, range(place, place + 1)))

    def span_size(self, request: Request, where: range) -> int:
        """Raw tokens of consecutive messages as they are sent now."""
        notes = self.notes_in(request, where)
        covered = {index for one in notes for index in request.where(one)}
        open_messages = (request.names[index] for index in where if index not in covered)
        return sum(one.size for one in notes) + sum(self.message_size(request, name) for name in open_messages)

    def message_size(self, request: Request, name: bytes) -> int:
        """Raw tokens of a message as it is sent now."""
        parts = request.parsed[request.index[name]].message.parts
        return MESSAGE_TOKENS + sum(self.size(request, At(name, number)) for number in range(len(parts)))

    def _foldable(self, request: Request, at: At) -> bool:
        """Whether there may be something left to fold."""
        return self.size(request, at) >= TINY and not self._dropped(at)

    def _remember_whole(self, request: Request) -> None:
        """Let what has just been sent be found by later results that repeat it."""
        for at in self.fresh:
            if isinstance(part := self.part(request, at), ToolResult) and self.is_whole(at):
                self.whole[digest(part.text)] = at
                if (key := self.call_key(request, at)) is not None:
                    self.whole[key] = at

    def call_key(self, request: Request, at: At) -> bytes | None:
        """What stands for the call that a result answers: its tool and arguments; None when it is not known."""
        call = self.answered(request, at)
        return None if call is None else digest(f"{call.name}\n{call.arguments}")

    def is_whole(self, at: At) -> bool:
        """Whether a part is sent as it was given, layout aside."""
        record = self.record(at)
        return record is None or (record.loss is Loss.NONE and record.base is None)

    def pointing(self, at: At) -> list[At]:
        """The parts whose renditions point to this one."""
        return [one for one in self.pointers.get(at, ()) if self._base(one) == at]

    def _base(self, at: At) -> At | None:
        record = self.record(at)
        return At(*record.base) if record is not None and record.base is not None else None

    def record(self, at: At) -> Record | None:
        """The edit that says how a part is sent, None for one that is sent as it was given."""
        shown = self.shown.get(at.message)
        return shown.records.get(at.part) if shown is not None else None

    def by(self, at: At) -> str:
        """The pass that last edited a part, "" when none did."""
        record = self.record(at)
        return record.by if record is not None else ""

    def _dropped(self, at: At) -> bool:
        shown = self.shown.get(at.message)
        return shown is not None and at.part in shown.records and shown.records[at.part].part is None


def digest(text: str) -> bytes:
    """A key for a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
