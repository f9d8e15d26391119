"""What passes see of a request at one boundary: the read side of a draft."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from trimtab import identity
from trimtab.edits import At, Span
from trimtab.gate import Gate
from trimtab.guard import Guard
from trimtab.interest import Interest, interest, said
from trimtab.keep import Note
from trimtab.request import Request, countable
from trimtab.runs import runs
from trimtab.state import State, digest
from trimtab.transcript import Message, Part, Role, Text, ToolCall


class Seen:
    """One state at one boundary, as a `View` (`passes/base.py`); edits made by its draft show at once."""

    def __init__(
        self,
        request: Request,
        state: State,
        upto: int,
        guard: Guard,
        gate: Gate,
        count: Callable[[Sequence[str]], list[int]],
        fetch: Callable[[At], Part | None],
    ) -> None:
        self.request, self.state, self.upto = request, state, upto
        self.target = 0
        self.open: Sequence[At] = ()
        self.reach = range(0)
        """The messages that may give way to a note, by their positions."""
        self.spared: Sequence[bytes] = ()
        """Those of them that stay whatever a pass says, by their names."""
        self.summaries: Mapping[str, str] = {}
        """Short texts that may stand for results, by the ids of their calls."""
        self._gone: set[bytes] = set()
        self._guard, self.gate, self._count, self._fetch = guard, gate, count, fetch

    @property
    def alternates(self) -> bool:
        return self.request.wire.alternates

    @property
    def tokens(self) -> int:
        """Raw tokens of the whole request as it would be sent now."""
        return self.request.frame_size + self.state.total

    @property
    def excess(self) -> int:
        """Raw tokens still to shed."""
        return self.tokens - self.target

    @property
    def foldable(self) -> Sequence[Sequence[tuple[bytes, Message]]]:
        names = self.request.names

        def stays(index: int) -> bool:
            return names[index] in self.spared or self._guard.stays(index) is not None

        found = runs(self.request, self.state, self.reach, stays)
        return [[(names[index], self.request.parsed[index].message) for index in run] for run in found]

    @property
    def messages(self) -> Sequence[tuple[bytes, Message]]:
        given = zip(self.request.names, self.request.parsed[: self.upto + 1], strict=False)
        return [(name, one.message) for name, one in given]

    def part(self, at: At) -> Part:
        return self.state.part(self.request, at)

    def original(self, at: At) -> Part:
        if at.message in self.request.fed_back and (stored := self._fetch(at)) is not None:
            return stored
        return self.message(at).parts[at.part]

    def message(self, at: At) -> Message:
        return self.request.parsed[self.request.index[at.message]].message

    def call(self, at: At) -> ToolCall | None:
        owner = self.state.call_of(at)
        part = self.original(owner) if owner and owner.message in self.request.index else None
        return part if isinstance(part, ToolCall) else None

    def size(self, at: At | Span) -> int:
        if isinstance(at, Span):
            return self.state.span_size(self.request, self.request.where(at))
        return self.state.size(self.request, at)

    def original_size(self, at: At) -> int:
        if at.message in self.request.fed_back:
            return self.count(countable(self.original(at)))
        return self.request.parsed[self.request.index[at.message]].sizes[at.part]

    def count(self, text: str) -> int:
        return self._count([text])[0]

    def twin(self, at: At) -> At | None:
        text = countable(self.part(at))
        return self._earlier(at, digest(text), text)

    def former(self, at: At) -> At | None:
        return self._earlier(at, self.state.call_key(self.request, at))

    def _earlier(self, at: At, key: bytes | None, text: str | None = None) -> At | None:
        """The result remembered under a key, if it still stands whole before this one."""
        found = self.state.whole.get(key) if key is not None else None
        index = self.request.index
        if found is None or found.message not in index or found.message in self._gone:
            return None
        if (index[found.message], found.part) >= (index[at.message], at.part) or not self.state.is_whole(found):
            return None
        same = text is None or countable(self.part(found)) == text
        return found if same and not self.state.in_note(self.request, found) else None

    @cached_property
    def interest(self) -> Interest:
        return interest(self.given, self.gate.shown.facts)

    @cached_property
    def given(self) -> Sequence[tuple[bytes, Message]]:
        """The messages as they were given when first asked for, by name; of a note its first, with its text."""
        return self._messages(self._given)

    @cached_property
    def said(self) -> frozenset[str]:
        return said(self._messages(self._given))

    @cached_property
    def sent(self) -> Sequence[tuple[bytes, Message]]:
        """The messages as they are sent when first asked for, by name."""
        return self._messages(self._sent)

    def _messages(self, shape: Callable[[bytes, Message], Message]) -> Sequence[tuple[bytes, Message]]:
        """The messages up to the boundary in a shape, by name; what gave way to a note is the note's text.

        What passes judge by must not depend on whether the client sent originals or earlier output.
        """
        notes = {index: one for one in self.state.cuts.values() for index in self.request.where(one)}
        made: list[tuple[bytes, Message]] = []
        for index in range(self.request.heads, self.upto + 1):
            name, note = self.request.names[index], notes.get(index)
            if note is None:
                given = self.request.parsed[index].message
                changed = name in self.state.shown or name in self.request.fed_back
                made.append((name, shape(name, given) if changed else given))
            elif note is not notes.get(index - 1):
                made.append((name, Message(Role.USER, (Text(note.text),))))
        return made

    def _sent(self, name: bytes, given: Message) -> Message:
        places = (At(name, number) for number in range(len(given.parts)))
        parts = (self.part(at) if self.state.text(self.request, at) else Text("") for at in places)
        return Message(given.role, tuple(parts))

    def _given(self, name: bytes, given: Message) -> Message:
        parts = (self.original(At(name, number)) for number in range(len(given.parts)))
        return Message(given.role, tuple(parts))

    def summary(self, call_id: str) -> str | None:
        return self.summaries.get(call_id)

    def kept(self, at: At) -> Sequence[Note]:
        return self.state.notes.get(at, ())

    def handle(self, at: At | Span) -> str:
        return identity.span_handle(at, self._opening(at)) if isinstance(at, Span) else identity.handle(at)

    def _opening(self, span: Span) -> str:
        """The handle of the note that a span begins with."""
        where = self.request.where(span)
        notes = self.state.notes_in(self.request, where)
        return next((one.handle for one in notes if self.request.where(one).start == where.start), "")
