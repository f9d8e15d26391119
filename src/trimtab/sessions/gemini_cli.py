"""Sessions of Gemini CLI: one JSON object with all messages, or JSON Lines of records that may come again.

In JSON Lines a record replaces the one of its id, `$rewindTo` takes a record and all after it back, and
`$set` with messages puts others in their place, as after a compression.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import Struct, field

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.sessions.base import Damage, Session, Usage
from trimtab.sessions.lines import Line, head, lines, mapping, total
from trimtab.sessions.recording import Recording, Reply, Step
from trimtab.sessions.reported import seconds
from trimtab.transcript import JSON
from trimtab.wires.leaves import items, string

MARKS = (b'"projectHash"', b'"sessionId"')


class GeminiCli:
    """Reads sessions of Gemini CLI, in both of its layouts."""

    name: ClassVar[str] = "gemini-cli"

    def sniff(self, data: bytes) -> bool:
        """Whether there is the object, or the first record, of a session: with its id and its project's hash."""
        if not all(mark in data for mark in MARKS):
            return False
        return any(_is_own(line) for line in head(data)) or _is_own(_whole(data))

    def read(self, data: bytes) -> Iterator[Session]:
        """The conversation as it went on, then what was taken back."""
        damage: list[Damage] = []
        log = _Log(Recording(format=self.name, wire="gemini", damage=damage))
        if _is_own(whole := _whole(data)):
            log.take(Line(1, whole))
        else:
            for line in lines(data, damage):
                log.take(line)
        log.recording.partial = "the system instruction, the tools, and thoughts with their signatures"
        yield from log.recording.sessions()


def _whole(data: bytes) -> dict[str, Any]:
    """The object that is all of `data`; an empty one for anything else."""
    try:
        return mapping(decode(data))
    except WireError:
        return {}


def _is_own(value: dict[str, Any]) -> bool:
    return isinstance(value.get("sessionId"), str) and isinstance(value.get("projectHash"), str)


class _Log(Struct):
    """The recording as it grows. `place` leads from the id of each record that stands, in order, to its step."""

    recording: Recording
    tip: int | None = None
    place: dict[str, int] = field(default_factory=dict)

    def take(self, line: Line) -> None:
        """Take in a record, or a patch."""
        match line.value:
            case {"$rewindTo": str(name)}:
                self._rewind(name)
            case {"id": str(), "type": str()} as record:
                self._record(line.number, record)
            case {"$set": dict(patch)} | dict(patch):
                self.recording.name = self.recording.name or string(patch.get("sessionId"))[:80]
                if isinstance(patch.get("messages"), list):
                    self._replace(line.number, patch["messages"])

    def _record(self, number: int, record: dict[str, Any]) -> None:
        """A message, or the new form of one."""
        name, messages = record["id"], list(_messages(record))
        if name not in self.place:
            if not messages:
                return
            self.tip = self.place[name] = self.recording.add(Step(line=number, parent=self.tip))
        step = self.recording.steps[self.place[name]]
        step.messages = messages or step.messages
        if record.get("type") == "gemini":
            at, model = seconds(record.get("timestamp")), string(record.get("model")) or None
            step.reply = Reply(at=at, model=model, usage=_usage(mapping(record.get("tokens"))))

    def _rewind(self, name: str) -> None:
        """Go back to before a record; to the beginning when it is not known, as Gemini CLI does."""
        place = self.place.get(name)
        self.tip = None if place is None else self.recording.steps[place].parent
        while self.place and next(reversed(self.place.values())) >= (place or 0):
            self.place.popitem()

    def _replace(self, number: int, records: list[JSON]) -> None:
        """Other messages in place of all: the beginning of a file, a step back, or a compression."""
        told = [one for one in records if isinstance(one, dict) and isinstance(one.get("id"), str) and _says(one)]
        known = [self.place.get(record["id"]) for record in told]
        standing = list(self.place.values())
        if self.tip is not None and known == standing[: len(known)]:
            self.tip = standing[len(known) - 1] if known else None
            self.place = dict(zip(self.place, standing[: len(known)], strict=False))
            return
        compressed = self.tip is not None
        if compressed:
            self.tip, self.place = self.recording.add(Step(line=number, parent=self.tip, fresh=True)), {}
        for record in told:
            self._record(number, record)
            if compressed and self.tip is not None:
                self.recording.steps[self.tip].reply = None


def _says(record: dict[str, Any]) -> bool:
    return any(True for _ in _messages(record))


def _messages(record: dict[str, Any]) -> Iterator[JSON]:
    """What a record adds to `contents`; notices add nothing. Thoughts are never sent back."""
    parts = list(_parts(record.get("content")))
    match record.get("type"):
        case "user" if parts:
            yield {"role": "user", "parts": parts}
        case "gemini":
            calls = [call for call in items(record.get("toolCalls")) if isinstance(call, dict)]
            parts += map(_function_call, calls)
            results = [part for call in calls for part in _parts(call.get("result"))]
            if parts:
                yield {"role": "model", "parts": parts}
            if results:
                yield {"role": "user", "parts": results}


def _parts(content: JSON) -> Iterator[JSON]:
    """A text, a part, or a list of them, as parts; empty texts say nothing."""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str) and part:
            yield {"text": part}
        elif isinstance(part, dict) and part and part.get("text") != "":
            yield part


def _function_call(call: dict[str, Any]) -> JSON:
    made = {"id": string(call.get("id")), "name": string(call.get("name")), "args": mapping(call.get("args"))}
    return {"functionCall": made}


def _usage(told: dict[str, Any]) -> Usage | None:
    """Gemini counts what is cached as sent, and thoughts apart from the answer."""
    sent = total(told, "input", "tool")
    if not sent:
        return None
    return Usage(input=sent, read=total(told, "cached"), output=total(told, "output", "thoughts"))


GEMINI_CLI = GeminiCli()
