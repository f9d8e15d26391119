"""A decision in the making: the view that passes see, and what the guard lets through."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from trimtab import identity
from trimtab.edits import At, Drop, Edit, Loss, Replace, Span, Summarize
from trimtab.guard import Guard
from trimtab.journal import Cut, Record
from trimtab.passes.base import Pass, Stage
from trimtab.request import MESSAGE_TOKENS, Request, countable
from trimtab.state import State
from trimtab.transcript import Finding, Media, Message, Part, Text, ToolCall, ToolResult

LEAST_SAVING = 8
"""Raw tokens an edit must save, else it is passed over in silence; sums of counts are exact to a token a join."""


class Draft:
    """Edits over one state at one boundary. It is the `View` of every pass that runs on it."""

    def __init__(
        self,
        request: Request,
        state: State,
        upto: int,
        guard: Guard,
        count: Callable[[Sequence[str]], list[int]],
        fetch: Callable[[At], Part | None],
    ) -> None:
        self.request, self.state, self.upto = request, state, upto
        self._stamp = state.stamp()
        self.target = 0
        self.open: Sequence[At] = ()
        self._opened: frozenset[At] = frozenset()
        self.records: dict[At, Record] = {}
        self.cuts: list[Cut] = []
        self.reach = range(0)
        """The messages that may give way to a note, by their positions."""
        self._gone: set[bytes] = set()
        self.spent: dict[At, None] = {}
        self.denied: set[At] = set()
        self.refused: list[Finding] = []
        self._guard, self._count, self._fetch = guard, count, fetch

    @property
    def tokens(self) -> int:
        """Raw tokens of the whole request as it would be sent now."""
        return self.request.frame_size + self.state.total

    @property
    def excess(self) -> int:
        """Raw tokens still to shed."""
        return self.tokens - self.target

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

    def size(self, at: At) -> int:
        return self.state.size(self.request, at)

    def original_size(self, at: At) -> int:
        if at.message in self.request.fed_back:
            return self.count(countable(self.original(at)))
        return self.request.parsed[self.request.index[at.message]].sizes[at.part]

    def count(self, text: str) -> int:
        return self._count([text])[0]

    def handle(self, at: At | Span) -> str:
        return identity.span_handle(at) if isinstance(at, Span) else identity.handle(at)

    def pinned(self, at: At) -> bool:
        """Whether a pin names this part."""
        return self._guard.pinned(self.original(at))

    def note(self, rule: str, text: str) -> None:
        """Put a finding on record with this decision."""
        self.refused.append(Finding(rule, f"messages[:{self.upto + 1}]", text))

    def run(self, one: Pass, parts: Sequence[At]) -> None:
        """Let a pass propose over these parts; a fold stops at its target, a pass that raises is reported."""
        self.open = [at for at in parts if at.message not in self._gone]
        self._opened = frozenset(self.open)
        if one.stage is Stage.FOLD and self.excess <= 0:
            return
        try:
            for edit in one.propose(self):
                self._carry_out(edit, one.name)
                if one.stage is Stage.FOLD and self.excess <= 0:
                    return
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            self.refused.append(Finding("pass-failed", one.name, text, "its other edits stand; mend the pass"))

    def _carry_out(self, edit: Edit, by: str) -> None:
        match edit:
            case Replace():
                problem = self._replace(edit, by)
                self.denied.update([edit.at] if problem else [])
            case Drop():
                problem = self.drop(edit, by) if edit.at in self._opened else "the part is protected or not there"
            case Summarize():
                problem = self._summarize(edit, by)
        if problem is not None:
            self.refused.append(Finding("refused", f"{by} {self._place(edit)}", problem))

    def _replace(self, edit: Replace, by: str) -> str | None:
        if edit.at.message not in self.request.index:
            return "the part is not in this request"
        if edit.at.message in self._gone:
            return "the part gave way to a note"
        size = self.count(countable(edit.part))
        problem = self._guard.replace(edit, self._opened, self.handle(edit.at))
        if problem is None and self.size(edit.at) - size >= LEAST_SAVING:
            self._record(edit.at, edit.part, size, by, edit.reason, edit.loss)
        return problem

    def drop(self, edit: Drop, by: str) -> str | None:
        """Carry out a drop, or say why not."""
        if edit.at.message in self._gone:
            return "the part gave way to a note"
        problem = self._guard.drop(edit)
        if problem is None:
            self._record(edit.at, None, 0, by, edit.reason, edit.loss)
        return problem

    def _record(self, at: At, part: Part | None, size: int, by: str, reason: str, loss: Loss) -> None:
        saved = self.size(at) - size
        bare = msgspec.structs.replace(part, path=()) if part is not None else None
        match self.part(at), bare:
            case Media(call_id=str(call_id)), Text(
                text=text
            ):  # the text for a medium in a result answers the call
                bare = ToolResult(call_id, text)
        record = Record(at.message, at.part, bare, self.handle(at), by, str(reason), loss, saved, size)
        self.state.show(self.request, record, self._stamp)
        self.records[at] = record

    def _summarize(self, edit: Summarize, by: str) -> str | None:
        where, handle = self.request.where(edit.span), identity.span_handle(edit.span)
        problem = self._guard.summarize(edit, handle, self.reach)
        size = self.count(edit.text) + MESSAGE_TOKENS
        saved = self.state.span_size(self.request, where) - size
        if problem is None and saved >= LEAST_SAVING:
            cut = Cut(*edit.span, edit.text, handle, by, str(edit.reason), edit.loss, saved, size)
            self.state.hide(self.request, cut)
            self.cuts.append(cut)
            self._gone.update(self.request.names[index] for index in where)
        return problem

    def _place(self, edit: Edit) -> str:
        name, part = (edit.span.first, 0) if isinstance(edit, Summarize) else edit.at
        index = self.request.index.get(name)
        return "unknown part" if index is None else f"messages[{index}] part {part}"
