"""The fidelity gate: an edit that would hide a fact is widened to keep the line, or refused.

A fact named after its line was folded is restored: what is sent of the part gains the line again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import structs

from trimtab.edits import At, Drop, Replace
from trimtab.facts import Fact, lines_with
from trimtab.handoff.note import with_line
from trimtab.journal import Cut
from trimtab.request import Request, countable
from trimtab.state import State
from trimtab.stubs import kept_stub
from trimtab.transcript import Message, Part, Reasoning, Text, ToolResult
from trimtab.visibility import Visibility


class Gate:
    """The gate at one boundary. `firm_only` lets go of trimtab's own finds: a caller's budget presses."""

    def __init__(self, request: Request, state: State, upto: int, shown: Visibility) -> None:
        self._request, self._state, self._upto = request, state, upto
        self.shown = shown
        self.firm_only = False

    def hidden(self, texts: dict[At, str]) -> list[Fact]:
        """The facts that nothing would show if these parts read so."""
        facts = self.shown.hidden(self._state, self._upto, texts)
        return [fact for fact in facts if fact.firm or not self.firm_only]

    def replace(self, edit: Replace, now: Part, original: str) -> tuple[Replace, str | None]:
        """An edit, widened where it must be, and why it is refused, or None."""
        hidden = self.hidden({edit.at: countable(edit.part)})
        if hidden and isinstance(edit.part, Text | ToolResult):
            part = structs.replace(edit.part, text=widened(edit.part.text, countable(now), original, hidden))
            edit = structs.replace(edit, part=part, reason=f"{edit.reason}; widened to keep {names(hidden)}")
            hidden = self.hidden({edit.at: countable(edit.part)})
        return edit, f"it would hide the fact {names(hidden)}" if hidden else None

    def drop(self, edit: Drop) -> str | None:
        """Why this part may not be dropped, or None."""
        hidden = self.hidden({edit.at: ""})
        return f"it would hide the fact {names(hidden)}" if hidden else None

    def note(self, text: str, gone: Sequence[bytes]) -> tuple[str, str, str | None]:
        """A note, widened where it must be, what to add to its reason, and why it is refused, or None."""
        parts = [At(name, n) for name in gone for n in range(len(self._message(name).parts))]
        hidden, why = self.hidden(dict.fromkeys(parts, text)), ""
        if hidden:
            source = "\n".join(countable(self._state.part(self._request, at)) for at in parts)
            text, why = widened(text, source, "", hidden), f"; widened to keep {names(hidden)}"
            hidden = self.hidden(dict.fromkeys(parts, text))
        return text, why, f"it would hide the fact {names(hidden)}" if hidden else None

    def lost_in_notes(self) -> list[tuple[Cut, str, list[Fact]]]:
        """The notes that stand for messages showing facts that nothing shows now, with these messages' text."""
        missing, found = self.shown.missing(self._state, self._upto), list[tuple[Cut, str, list[Fact]]]()
        for cut in self._state.cuts.values() if missing else ():
            parts = [
                part for index in self._request.where(cut) for part in self._request.parsed[index].message.parts
            ]
            source = "\n".join(map(countable, parts))
            here = [fact for fact in missing if fact.pattern.search(source)]
            missing = [fact for fact in missing if fact not in here]
            found += [(cut, source, here)] if here else []
        return found

    def lost(self, original: Callable[[At], Part]) -> list[tuple[At, list[Fact]]]:
        """The parts that were edited, and stand in no note, whose originals show facts that nothing shows now."""
        missing, found = self.shown.missing(self._state, self._upto), dict[At, list[Fact]]()
        where = self._request.where
        gone = {self._request.names[n] for cut in self._state.cuts.values() if missing for n in where(cut)}
        edited = self._state.shown.items() if missing else ()
        for name, shown in ((name, shown) for name, shown in edited if name not in gone):
            for at in (At(name, number) for number in shown.records):
                if not missing or self._request.index.get(name, self._upto + 1) > self._upto:
                    break
                part = original(at)
                text = "" if isinstance(part, Reasoning) else countable(part)  # dropped thinking stays out
                found[at] = [fact for fact in missing if fact.pattern.search(text)]
                missing = [fact for fact in missing if fact not in found[at]]
        return [(at, facts) for at, facts in found.items() if facts]

    def _message(self, name: bytes) -> Message:
        return self._request.parsed[self._request.index[name]].message


def widened(text: str, source: str, original: str, facts: Iterable[Fact]) -> str:
    """A text with the lines of `source` that show the facts, each with its line number where that is known."""
    for fact in facts:
        if not fact.pattern.search(text) and (line := lines_with(source, fact)):
            if (longer := with_line(text, line)) is not None:
                text = longer
                continue
            place = original.find(line)
            number = original.count("\n", 0, place) + 1 if place >= 0 else 0
            text = f"{text.removesuffix(chr(10))}\n{kept_stub(number)}\n{line}"
    return text


def names(facts: Sequence[Fact]) -> str:
    """The first facts by their texts, for a reason or a finding."""
    return ", ".join(repr(str(fact)) for fact in facts[:3]) + (
        f" and {len(facts) - 3} more" if len(facts) > 3 else ""
    )
