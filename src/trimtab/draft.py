"""A decision in the making: what passes propose, as far as guard and gate let it through."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from trimtab import identity
from trimtab.edits import At, Brief, Drop, Edit, Loss, Replace, Summarize
from trimtab.gate import Gate, names, widened
from trimtab.guard import Guard
from trimtab.handoff import Ground, Note, noted, read
from trimtab.journal import Cut, Record
from trimtab.passes.base import Pass, Stage
from trimtab.request import MESSAGE_TOKENS, Request, countable
from trimtab.state import State
from trimtab.stubs import excerpt_stub, lines_of
from trimtab.transcript import Finding, Media, Message, Part, Text, ToolResult
from trimtab.view import Seen
from trimtab.writer import Writer

LEAST_SAVING = 8
"""Raw tokens an edit must save, else it is passed over in silence; sums of counts are exact to a token a join."""


class Draft(Seen):
    """Edits over one state at one boundary. It is the `View` of every pass that runs on it."""

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
        super().__init__(request, state, upto, guard, gate, count, fetch)
        self._stamp = state.stamp()
        self._opened: frozenset[At] = frozenset()
        self.records: dict[At, Record] = {}
        self.cuts: list[Cut] = []
        self.spent: dict[At, None] = {}
        self.denied: set[At] = set()
        self.writer: Writer | None = None
        """Who answers what a pass asks."""
        self.asks = False
        """Whether anybody is asked: not for the calls of the past, and not again after a failure."""
        self.refused: list[Finding] = []
        self.told: dict[str, At] = {}
        """The parts that handoff notes tell of, by the handles under which they come back."""

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
        folds = one.stage is not Stage.INGEST
        if folds and self.excess <= 0:
            return
        try:
            for edit in one.propose(self):
                self._carry_out(edit, one.name)
                if folds and self.excess <= 0:
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
            case Summarize(text=Brief()) if not self.asks:
                problem = None
            case Summarize():
                problem = self._summarize(edit, by)
        if problem is not None:
            self.refused.append(Finding("refused", f"{by} {self._place(edit)}", problem))

    def _replace(self, edit: Replace, by: str) -> str | None:
        if edit.at.message not in self.request.index:
            return "the part is not in this request"
        if edit.at.message in self._gone:
            return "the part gave way to a note"
        problem = self._guard.replace(edit, self._opened, self.handle(edit.at))
        if problem is None:
            now, given = self.part(edit.at), self.original(edit.at)
            edit, problem = self.gate.replace(edit, now, countable(given))
        if problem is not None:
            return problem
        size = self.count(countable(edit.part))
        pointing = self.state.pointing(edit.at)
        growth = sum(self._given_back(at)[1] - self.size(at) for at in pointing if at not in self._opened)
        if self.size(edit.at) - size - growth >= LEAST_SAVING:
            self._record(edit.at, edit.part, size, by, edit.reason, edit.loss, edit.base)
            self._give_back(pointing, by)
        return None

    def _give_back(self, parts: Sequence[At], by: str) -> None:
        """Send these parts anew: what they pointed to is edited."""
        for at in parts:
            if at.message not in self._gone:
                part, size, loss = self._given_back(at)
                self._record(at, part, size, by, "what it pointed to is cut", loss)

    def _given_back(self, at: At) -> tuple[Part, int, Loss]:
        """How a part is sent that can no longer point elsewhere: as given, or where folds may reach by a stub."""
        part, size = self.original(at), self.original_size(at)
        if (
            isinstance(part, ToolResult)
            and at not in self._opened
            and self.request.index[at.message] in self.reach
        ):
            text = excerpt_stub(len(lines_of(part.text)), "", self.handle(at))
            if not self.pinned(at) and not self.gate.hidden({at: text}):
                return msgspec.structs.replace(part, text=text), self.count(text), Loss.RECOVERABLE
        return part, size, Loss.NONE

    def take_back(self, parts: Sequence[At]) -> None:
        """Send these parts as they were given after all: they were edited by this very decision."""
        for at in parts:
            if self.records.pop(at, None) is not None:
                self.state.unshow(self.request, at)
        self.gate.shown.forget()

    def restore(self) -> None:
        """Show again the lines of facts that were named after these lines were folded."""
        for at, facts in self.gate.lost(self.original):
            part, given, loss = self.part(at), self.original(at), Loss.RECOVERABLE
            if isinstance(part, Text | ToolResult):
                text = countable(given)
                part = msgspec.structs.replace(part, text=widened(part.text, text, text, facts))
            else:  # arguments come back whole
                part, loss = given, Loss.NONE
            self._record(at, part, self.count(countable(part)), "facts", f"brings back {names(facts)}", loss)
        for cut, source, facts in self.gate.lost_in_notes():
            text = widened(cut.text, source, "", facts)
            size = self.count(text) + MESSAGE_TOKENS
            longer = msgspec.structs.replace(
                cut, text=text, by="facts", reason=f"brings back {names(facts)}", saved=cut.size - size, size=size
            )
            self.state.hide(self.request, longer)
            self.cuts.append(longer)
        self.gate.shown.forget()

    def drop(self, edit: Drop, by: str) -> str | None:
        """Carry out a drop, or say why not."""
        if edit.at.message in self._gone:
            return "the part gave way to a note"
        problem = self._guard.drop(edit) or self.gate.drop(edit)
        if problem is None:
            self._record(edit.at, None, 0, by, edit.reason, edit.loss)
        return problem

    def _record(
        self, at: At, part: Part | None, size: int, by: str, reason: str, loss: Loss, base: At | None = None
    ) -> None:
        saved = self.size(at) - size
        if at in self.records and part is not None and base is None:
            loss = max(loss, self.records[at].loss)  # it stands on the edit before it in this decision
        bare = msgspec.structs.replace(part, path=()) if part is not None else None
        match self.part(at), bare:
            case Media(call_id=str(call_id)), Text(
                text=text
            ):  # the text for a medium in a result answers the call
                bare = ToolResult(call_id, text)
        record = Record(at.message, at.part, bare, self.handle(at), by, str(reason), loss, saved, size, base)
        self.state.show(self.request, record, self._stamp)
        self.records[at] = record
        self.gate.shown.settle({at: "" if bare is None else countable(bare)})

    def _summarize(self, edit: Summarize, by: str) -> str | None:
        where, handle = self.request.where(edit.span), self.handle(edit.span)
        problem, text = self._guard.summarize(edit, self.reach), ""
        if problem is None:
            text, problem = self._said(edit, where, handle)
        if problem is not None:
            return problem
        gone = {self.request.names[index] for index in where}
        names = [self.request.names[index] for index in where]
        text, widened_for, problem = self.gate.note(text, names)
        size = self.count(text) + MESSAGE_TOKENS
        bases = [at for at in self.state.pointers if at.message in gone]
        pointing = [at for base in bases for at in self.state.pointing(base) if at.message not in gone]
        growth = sum(self._given_back(at)[1] - self.size(at) for at in pointing)
        saved = self.state.span_size(self.request, where) - size
        if problem is None and saved - growth < LEAST_SAVING:
            return "the note is no shorter than what it was to replace" if isinstance(edit.text, Brief) else None
        if problem is None:
            reason = f"{edit.reason}{widened_for}"
            anew = [one for one in self.cuts if one.first in gone]  # notes of this very decision, written anew
            saved += sum(one.saved for one in anew)
            cut = Cut(*edit.span, text, handle, by, reason, edit.loss, saved, size)
            self.state.hide(self.request, cut)
            self.cuts = [*(one for one in self.cuts if one not in anew), cut]
            self._gone |= gone
            self._give_back(pointing, by)
            self.gate.shown.forget()
        return problem

    def _said(self, edit: Summarize, where: range, handle: str) -> tuple[str, str | None]:
        """A note that names the way back, as the pass words it or as it is written, or why there is none."""
        if isinstance(edit.text, str):
            return edit.text, None if handle in edit.text else f"the note does not name the handle {handle}"
        kept = dict[str, At]()

        def keep(at: At) -> str:
            kept[identity.noted_handle(at)] = at
            return identity.noted_handle(at)

        messages, notes = self._ground(where)
        fed_back = (notes[name].messages - 1 for name in notes if name in self.request.notes)
        ground = Ground(messages, notes, self.interest, self.count, keep, edit.text.tags)
        count = len(where) + sum(fed_back)
        made = noted(ground, edit.text, self.writer, self.size(edit.span), handle, count)
        for rule, text in made.faults:
            self.note(rule, text)
        self.asks = bool(made.by)
        self.told |= {name: at for name, at in kept.items() if name in made.text}
        return made.text, made.problem or None

    def _ground(self, where: range) -> tuple[list[tuple[bytes, Message]], dict[bytes, Note]]:
        """The messages of a span as they were given, and the handoff notes among them."""
        inside = {self.request.names[index] for index in where}
        messages = [(name, one) for name, one in self.given if name in inside]
        cuts = {note.first: note for note in self.state.notes_in(self.request, where)}
        notes = {self.request.names[self.request.where(cut).start]: read(cut.text) for cut in cuts.values()}
        return messages, {name: note for name, note in notes.items() if note is not None}

    def _place(self, edit: Edit) -> str:
        name, part = (edit.span.first, 0) if isinstance(edit, Summarize) else edit.at
        index = self.request.index.get(name)
        return "unknown part" if index is None else f"messages[{index}] part {part}"
