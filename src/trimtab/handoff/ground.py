"""What a note is held against: the messages it stands for, line by line, with who said what and of which file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from trimtab.edits import At
from trimtab.finders.rules import SENTENCE
from trimtab.handoff.actions import Action, actions
from trimtab.handoff.identifiers import Known, identifiers
from trimtab.handoff.language import language
from trimtab.handoff.note import Note
from trimtab.handoff.refuting import refuting
from trimtab.handoff.settings import Settings
from trimtab.handoff.source import Row as Row, Source
from trimtab.handoff.speech import injected
from trimtab.interest import Interest
from trimtab.jsonbytes import encode
from trimtab.ledger import Made, arguments_of, calls_made, said
from trimtab.transcript import Media, Message, Role, Text, ToolCall, ToolResult
from trimtab.words import stems
from trimtab.writer import THINKING

MOST_ORDERS = 50
"""Orders in results that a note is held against."""


class Ground(Source):
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
        super().__init__([row for name, one in messages for row in self._rows(name, one)])

    def _rows(self, name: bytes, message: Message) -> Iterator[Row]:
        if (note := self.notes.get(name)) is not None:
            for section, items in note.sections.items():
                role = Role.USER if section == note.USER else Role.ASSISTANT
                yield from (Row(At(name, 0), role, item, kept=True, title=section) for item in items)
            return
        for number, part in enumerate(message.parts):
            at = At(name, number)
            match part:
                case Text(text=text) if message.role is Role.ASSISTANT:
                    yield Row(at, message.role, THINKING.sub("", text, count=1) if THINKING.match(text) else text)
                case Text(text=text):
                    yield Row(at, message.role, text)
                case ToolCall():
                    yield Row(at, message.role, _called(part), part)
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
    def spoken(self) -> str:
        """The language of all that was said."""
        return language(self.text)

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
    def evidence(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        """What tells that something was done, by its identifiers and stems: calls that changed something, and the
        items of earlier notes."""
        texts = [one.text for one in self.actions if one.changes and not one.failed]
        texts += [row.text for row in self.rows if row.kept]
        return [(frozenset(one.text for one in identifiers(text)), frozenset(stems(text))) for text in texts]

    @cached_property
    def refuted(self) -> list[str]:
        """What users and assistants said that does not hold, with the sentence before where it leans on that."""
        spoken = (row.text for row in self.rows if row.call is None and row.role is not Role.TOOL and not row.kept)
        return [one for text in spoken for one in refuting(text)]

    def kept(self, title: str) -> list[str]:
        """The items that earlier notes have under a title."""
        return [item for note in self.notes.values() for item in note.sections.get(title, ())]

    @cached_property
    def settings(self) -> Settings:
        """What names are set to."""
        return Settings(self.rows)

    @cached_property
    def known(self) -> Known:
        """All identifiers there are."""
        return Known(one.text for one in identifiers(self.text))

    @cached_property
    def orders(self) -> list[str]:
        """What results say that wants to be obeyed."""
        return [one for row in self.rows if row.role is Role.TOOL for one in injected(row.text)][:MOST_ORDERS]

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The stems of what the user said."""
        return frozenset(stems("\n".join(row.text for row in self.rows if row.role is Role.USER)))

    @cached_property
    def told(self) -> Mapping[str, str]:
        """The sentences of the user and the system as they stand, by what they are when compared."""
        spoken = [row.text for row in self.rows if row.role in (Role.USER, Role.SYSTEM)]
        found = (match[0].strip() for text in spoken for match in SENTENCE.finditer(text))
        return {bare(one): one for one in found}

    @cached_property
    def plain(self) -> str:
        """All that was said, its blanks made one and in small letters."""
        return plain(self.text)


def _called(call: ToolCall) -> str:
    """A call as text, with the lines of its arguments as lines."""
    values = arguments_of(call) if "\\" in call.arguments else {}
    told = (f"{key} {one if isinstance(one, str) else encode(one).decode()}" for key, one in values.items())
    return "\n".join([call.name, *told]) if values else f"{call.name} {call.arguments}"


def bare(text: str) -> str:
    """A sentence to be compared, without the marks around it."""
    return plain(text).strip(" \"'.!?;:,-*•()。！？；，")


def plain(text: str) -> str:
    """A text to be compared: small letters, one blank, plain quotes."""
    return " ".join(text.translate(_QUOTES).casefold().split())


_QUOTES = {ord(sign): plain for plain, signs in (("'", "‘’‚′"), ('"', "“”„«»")) for sign in signs} | {
    ord("`"): None
}
