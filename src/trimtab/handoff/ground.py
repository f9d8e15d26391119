"""What a note is held against: the messages it stands for, line by line, with who said what and of which file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from trimtab.edits import At
from trimtab.effects import PATHS
from trimtab.finders.rules import SENTENCE
from trimtab.handoff.actions import Action, actions
from trimtab.handoff.identifiers import Kind, identifiers
from trimtab.handoff.language import language
from trimtab.handoff.note import Note
from trimtab.interest import Interest
from trimtab.ledger import Made, arguments_of, calls_made, said
from trimtab.transcript import Media, Message, Role, Text, ToolCall, ToolResult
from trimtab.words import stems

MOST_PLACES = 2_000
"""Places of an identifier that are looked at: a digit has one on every line."""

FIRST_LINE = ("offset", "start_line", "startline", "line_start", "view_range", "start")
"""Arguments that say with which line of a file a result begins."""

REFUTES = re.compile(
    r"\b(?:ruled? out|not the (?:cause|problem|reason|culprit|bug)"
    r"|(?:is|was|were|are)(?: not|n['’]t) (?:it|to blame|related)"
    r"|revert(?:ed|ing)?|roll(?:ed)? back|undone|undid|disproved?|turned out (?:not|to be wrong)|red herring"
    r"|dead end|(?:does|did)(?: not|n['’]t) (?:work|help|fix|change|explain)|no effect|unrelated"
    r"|wrong (?:guess|lead|track|assumption)|ausgeschlossen|nicht die ursache|zurückgesetzt|rückgängig"
    r"|descartad[oa]s?|no es la causa|écartée?s?|exclue?s?|não é a causa|escluso)\b"
    r"|排除|不是原因|撤销|除外|原因ではな",
    re.IGNORECASE,
)
"""What says that something tried or assumed does not hold."""

VALUE = r"[\"'`]?[ \t]{0,4}(?::|=|=>|->)[ \t]{0,4}[\"'`]?([\w.,/+-]{1,80})"
"""What follows the name of a setting: a mark and its value."""


class Row(NamedTuple):
    """What was said in one part. `call` is the call it is, or answers; `kept` that an earlier note tells of it."""

    at: At
    role: Role
    text: str
    call: ToolCall | None = None
    failed: bool = False
    kept: bool = False
    title: str = ""


class Ground:
    """The messages a note stands for. `notes` are earlier notes among them, by the names of their messages."""

    def __init__(
        self,
        messages: Sequence[tuple[bytes, Message]],
        notes: Mapping[bytes, Note],
        interest: Interest,
        count: Callable[[str], int],
        handle: Callable[[At], str],
        tags: Sequence[str] = (),
    ) -> None:
        self.messages = [(name, one) for name, one in messages if name not in notes]
        self.notes, self.interest, self.count, self.handle, self.tags = notes, interest, count, handle, tags
        self.calls: Sequence[Made] = calls_made(self.messages)
        self.rows = [row for name, one in messages for row in self._rows(name, one)]
        self.text = "\n".join(row.text for row in self.rows)
        self._lines = [0, *(n + 1 for n, sign in enumerate(self.text) if sign == "\n")]
        self._starts = list(accumulate((len(row.text) + 1 for row in self.rows), initial=0))
        self._found: dict[str, list[int]] = {}

    def _rows(self, name: bytes, message: Message) -> Iterator[Row]:
        if (note := self.notes.get(name)) is not None:
            for section, items in note.sections.items():
                role = Role.USER if section == note.USER else Role.ASSISTANT
                yield from (Row(At(name, 0), role, item, kept=True, title=section) for item in items)
            return
        for number, part in enumerate(message.parts):
            at = At(name, number)
            match part:
                case Text(text=text):
                    yield Row(at, message.role, text)
                case ToolCall():
                    yield Row(at, message.role, f"{part.name} {part.arguments}", part)
                case ToolResult(text=text):
                    yield Row(at, Role.TOOL, text, self._answers.get(at), part.is_error)
                case Media():
                    yield Row(at, message.role, said(part), self._answers.get(at))
                case _:
                    pass

    @cached_property
    def _answers(self) -> Mapping[At, ToolCall]:
        return {at: one.call for one in self.calls for at in one.results}

    @cached_property
    def language(self) -> str:
        """The language the user speaks."""
        return language("\n".join(row.text for row in self.rows if row.role is Role.USER))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(stems(self.text))

    @cached_property
    def actions(self) -> list[Action]:
        """The calls that have run, with what came of them."""
        parts = {name: message.parts for name, message in self.messages}
        return actions(self.calls, lambda at: parts[at.message][at.part])

    @cached_property
    def refuted(self) -> list[str]:
        """The sentences of users and assistants that say what does not hold."""
        spoken = (row.text for row in self.rows if row.call is None and row.role is not Role.TOOL)
        return [
            match[0].strip() for text in spoken for match in SENTENCE.finditer(text) if REFUTES.search(match[0])
        ]

    def kept(self, title: str) -> list[str]:
        """The items that earlier notes have under a title."""
        return [item for note in self.notes.values() for item in note.sections.get(title, ())]

    def values(self, name: str) -> list[str]:
        """The values that a setting is given in the source, in their order, each once."""
        assigned = re.compile(re.escape(name) + VALUE)
        found = (assigned.match(self.text, place) for place in self.places(name))
        return [*dict.fromkeys(match[1].strip(".,") for match in found if match)]

    @cached_property
    def known(self) -> frozenset[str]:
        """All identifiers there are."""
        return frozenset(one.text for one in identifiers(self.text))

    @cached_property
    def user(self) -> str:
        """All that the user and the system said, its blanks made one."""
        return plain("\n".join(row.text for row in self.rows if row.role in (Role.USER, Role.SYSTEM)))

    @cached_property
    def plain(self) -> str:
        """All that was said, its blanks made one and in small letters."""
        return plain(self.text)

    def line(self, place: int) -> int:
        """The number of the line a place stands on, counted from 0."""
        return bisect_right(self._lines, place) - 1

    def words(self, line: int) -> str:
        """A line."""
        stop = self._lines[line + 1] - 1 if line + 1 < len(self._lines) else len(self.text)
        return self.text[self._lines[line] : stop]

    def places(self, identifier: str) -> list[int]:
        """Where an identifier stands as such, and not within a longer one."""
        if identifier not in self._found:
            self._found[identifier] = list(self._look_for(identifier))
        return self._found[identifier]

    def lines(self, identifier: str) -> frozenset[int]:
        """The lines it stands on."""
        return frozenset(map(self.line, self.places(identifier)))

    def _look_for(self, identifier: str) -> Iterator[int]:
        place, count = self.text.find(identifier), 0
        while place >= 0 and count < MOST_PLACES:
            if _stands_alone(self.text, place, place + len(identifier)):
                count += 1
                yield place
            place = self.text.find(identifier, place + 1)

    def of_file(self, path: str) -> list[range]:
        """The lines of what was read from a file or written to it, by each call that names it."""
        return [
            range(self.line(start), self.line(start + len(row.text)) + 1)
            for start, row in zip(self._starts, self.rows, strict=False)
            if row.call is not None and any(same_file(path, one) for one in _paths(row.call))
        ]

    def numbered(self, path: str, number: int) -> Iterator[str]:
        """The lines of a file that bear a number: as it is written before them, or as they are counted."""
        for start, row in zip(self._starts, self.rows, strict=False):
            if row.role is Role.TOOL and row.call and any(same_file(path, one) for one in _paths(row.call)):
                first, count = self.line(start), row.text.count("\n") + 1
                place = first + number - _first(row.call)
                if first <= place < first + count:
                    yield self.words(place)


def plain(text: str) -> str:
    """A text to be compared: small letters, one blank, plain quotes."""
    return " ".join(text.translate(_QUOTES).casefold().split())


_QUOTES = {ord(sign): plain for plain, signs in (("'", "‘’‚′"), ('"', "“”„«»")) for sign in signs} | {
    ord("`"): None
}


def same_file(path: str, other: str) -> bool:
    """Whether two paths may name the same file: one ends with the other."""
    one, two = (text.replace("\\", "/").removeprefix("./") for text in (path, other))
    return one == two or one.endswith("/" + two) or two.endswith("/" + one)


def _paths(call: ToolCall) -> list[str]:
    """What a call names that may be a file, be it within a command."""
    found = [one.text for one in identifiers(" ".join(_strings(call))) if one.kind is Kind.PATH]
    return [*found, *(str(value) for key, value in arguments_of(call).items() if key.lower() in PATHS)]


def _strings(call: ToolCall) -> Iterator[str]:
    yield from (value for value in arguments_of(call).values() if isinstance(value, str) and len(value) < 2_000)


def _first(call: ToolCall) -> int:
    """The number of the first line that a call asks for."""
    for key, value in arguments_of(call).items():
        asked = value[0] if isinstance(value, list) and value else value
        if key.lower() in FIRST_LINE and isinstance(asked, int) and asked > 0:
            return asked
    return 1


def _stands_alone(text: str, start: int, stop: int) -> bool:
    """Whether what stands there is no piece of a longer identifier: `12` is none of `3.12`, `a.py` of `ba.py`."""
    before, after, first, last = text[start - 1 : start], text[stop : stop + 2], text[start], text[stop - 1]
    if first.isalnum() or first == "_":
        if (before.isalnum() and before.isascii()) or before == "_":
            return False
        if before in (".", ",") and first.isdigit() and text[start - 2 : start - 1].isdigit():
            return False
        if before == "-" and not (first.isdigit() and text[start - 2 : start - 1].isdigit()):
            return start < 2 or not text[start - 2].isalnum()
    if last.isalnum() or last == "_":
        if (after[:1].isalnum() and after[:1].isascii()) or after[:1] == "_":
            return False
        if len(after) == 2 and after[0] in ".," and last.isdigit() and after[1].isdigit():
            return False
        if len(after) == 2 and after[0] == "-" and not last.isdigit() and after[1].isalnum():
            return False
        if len(after) == 2 and after[0] == "." and not last.isdigit() and after[1].isalnum():
            return False
    return True
