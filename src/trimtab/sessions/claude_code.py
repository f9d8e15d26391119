"""Sessions of Claude Code: JSON Lines, each an envelope with a `uuid`, the `parentUuid` before it and a message.

One answer of the API stands on several lines, one for each block, under one `message.id`; results of
parallel calls hang on the lines of their calls. So an answer and its results are one step here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import Struct, field

from trimtab.sessions.base import Damage, Session
from trimtab.sessions.lines import Line, head, lines, mapping
from trimtab.sessions.recording import Recording, Reply, Step
from trimtab.sessions.reported import seconds, usage
from trimtab.transcript import JSON
from trimtab.wires.leaves import items, string

ENVELOPES = frozenset({"user", "assistant", "system", "attachment", "progress"})
SYNTHETIC = "<synthetic>"
"""The model of answers that the client made up, such as "No response requested."; no call got them."""


class ClaudeCode:
    """Reads sessions of Claude Code, subagents (sidechains) as sessions of their own."""

    name: ClassVar[str] = "claude-code"

    def sniff(self, data: bytes) -> bool:
        """Whether one of the first lines is an envelope, or a title or snapshot that stands before them."""
        return any(_is_own(line) for line in head(data))

    def read(self, data: bytes) -> Iterator[Session]:
        """The newest branch, then forks left by a rewind, and sidechains."""
        damage: list[Damage] = []
        tree = _Tree(Recording(format=self.name, wire="anthropic", damage=damage))
        for line in lines(data, damage):
            tree.take(line)
        tree.recording.partial = (
            "the system prompt, the tools, and the reminders that Claude Code adds as it sends"
        )
        yield from tree.recording.sessions()


def _is_own(line: dict[str, Any]) -> bool:
    match line:
        case {"uuid": str(), "sessionId": str(), "type": str(kind)}:
            return kind in ENVELOPES
        case {"type": "summary", "leafUuid": str()} | {"type": "file-history-snapshot", "snapshot": dict()}:
            return True
    return False


class _Tree(Struct):
    """The recording as it grows. `place` leads from each line's uuid to the step its children hang on."""

    recording: Recording
    place: dict[str, int | None] = field(default_factory=dict)
    last: dict[str, int | None] = field(default_factory=dict)
    answers: dict[tuple[str, str], int] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    results: dict[int, int] = field(default_factory=dict)
    """How many results each step holds."""
    compacted: set[int | None] = field(default_factory=set)
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)

    def take(self, line: Line) -> None:
        """Take in a line; one without a uuid says nothing to the model, one seen before is a copy."""
        entry = line.value
        uuid = string(entry.get("uuid"))
        if not uuid or uuid in self.place:
            return
        self.recording.name = self.recording.name or string(entry.get("sessionId"))[:80]
        thread = _thread(entry)
        place = self._step(line, self._parent(entry, thread), thread)
        self.place[uuid] = self.last[thread] = self._kept(line, uuid, place, thread)

    def _parent(self, entry: dict[str, Any], thread: str) -> int | None:
        """The step before an entry; where it names one that is lost, the latest of its thread."""
        for key in ("parentUuid", "logicalParentUuid"):
            uuid = string(entry.get(key))
            if uuid in self.place:
                return self.place[uuid]
        carries_on = entry.get("parentUuid") or _is_boundary(entry) or entry.get("isCompactSummary") is True
        return self.last.get(thread) if carries_on else None

    def _step(self, line: Line, parent: int | None, thread: str) -> int | None:
        """The step that an entry makes or adds to; `parent` when the model never sees it."""
        match line.value:
            case {"type": "assistant", "message": dict(message)}:
                if line.value.get("isApiErrorMessage") is True:
                    return parent
                return self._answer(line, message, parent, thread)
            case {"type": "user", "message": dict(message)}:
                return self._said(line, message.get("content"), parent, thread)
            case {"type": "attachment", "attachment": {"type": "queued_command", "prompt": prompt}}:
                return self._said(line, prompt, parent, thread)
            case {"type": "system", "subtype": "local_command", "content": str(text)}:
                return self._said(line, text, parent, thread)
            case {"type": "system", "subtype": "microcompact_boundary"} as entry:
                cleared = items(mapping(entry.get("microcompactMetadata")).get("compactedToolIds"))
                text = f"from here on the client sent {len(cleared)} results cleared; they stand here whole"
                self.recording.damage.append(Damage(line.number, text))
            case {"type": "user" | "assistant"}:
                self.recording.damage.append(Damage(line.number, "an entry without its message"))
            case entry if _is_boundary(entry):
                self.compacted.add(parent)
                match entry.get("compactMetadata"):
                    case {"preservedSegment": {"anchorUuid": str(anchor)} as segment}:
                        self.kept[anchor] = segment
        return parent

    def _answer(self, line: Line, message: dict[str, Any], parent: int | None, thread: str) -> int:
        """The step of an answer, made by its first line and filled by all."""
        steps = self.recording.steps
        key = (thread, string(message.get("id")) or string(line.value.get("uuid")))
        if key not in self.answers:
            step = Step(line=line.number, parent=parent, thread=thread, fresh=self._starts_anew(parent))
            step.messages.append({"role": "assistant", "content": []})
            if message.get("model") != SYNTHETIC:
                at, model = seconds(line.value.get("timestamp")), string(message.get("model")) or None
                step.reply = Reply(at=at, model=model)
            self.answers[key] = self.recording.add(step)
        place = self.answers[key]
        content = steps[place].messages[0]["content"]
        for block in _blocks(message.get("content")):
            call = string(block.get("id")) if block.get("type") == "tool_use" else ""
            if call not in self.calls:
                content.append(block)
            if call:
                self.calls.setdefault(call, place)
        if reply := steps[place].reply:
            told = usage(message.get("usage"))
            if told and (reply.usage is None or told.output >= reply.usage.output):
                reply.usage = told
        return place

    def _said(self, line: Line, content: JSON, parent: int | None, thread: str) -> int | None:
        """The step of a user message: that of the answer whose calls it answers, else its own."""
        call = next((call for block in _blocks(content) if (call := _answers(block)) in self.calls), "")
        if call:
            self._results(line, content, self.calls[call])
            return self.calls[call]
        if not isinstance(content, str | list) or not content:
            self.recording.damage.append(Damage(line.number, "a user message without content"))
            return parent
        fresh = self._starts_anew(parent) or (
            line.value.get("isCompactSummary") is True and not self._begun(parent)
        )
        said = {"role": "user", "content": content}
        return self.recording.add(
            Step(line=line.number, parent=parent, messages=[said], fresh=fresh, thread=thread)
        )

    def _results(self, line: Line, content: JSON, place: int) -> None:
        """Add results to those of an answer: results first, as the API wants them, then what else was said."""
        step = self.recording.steps[place]
        if len(step.messages) == 1:
            step.messages.append({"role": "user", "content": []})
        held = step.messages[1]["content"]
        for block in _blocks(content):
            call = _answers(block)
            if call and call in self.answered:
                self.recording.damage.append(Damage(line.number, f"a second result for call {call[:80]!r}"))
                continue
            if call:
                self.answered.add(call)
                held.insert(self.results.get(place, 0), block)
                self.results[place] = self.results.get(place, 0) + 1
            else:
                held.append(block)

    def _starts_anew(self, parent: int | None) -> bool:
        """Whether a boundary was passed right behind `parent`, which then is used up."""
        passed = parent in self.compacted
        self.compacted.discard(parent)
        return passed

    def _begun(self, place: int | None) -> bool:
        """Whether what is sent starts right at `place`, with messages that the client kept."""
        return place is not None and self.recording.steps[place].fresh and bool(self.recording.steps[place].again)

    def _kept(self, line: Line, uuid: str, place: int | None, thread: str) -> int | None:
        """Behind a summary, or a boundary, the messages that the client kept beside it."""
        segment = self.kept.pop(uuid, {})
        first, last = (self.place.get(string(segment.get(key))) for key in ("headUuid", "tailUuid"))
        if first is None or last is None:
            return place
        step = Step(line=line.number, parent=place, thread=thread, fresh=self._starts_anew(place))
        step.again = self.recording.steps[first].parent, last
        return self.recording.add(step)


def _is_boundary(entry: dict[str, Any]) -> bool:
    return entry.get("type") == "system" and entry.get("subtype") == "compact_boundary"


def _thread(entry: dict[str, Any]) -> str:
    if entry.get("isSidechain") is not True:
        return ""
    return f"sidechain {string(entry.get('agentId'))[:80]}".strip()


def _blocks(content: JSON) -> list[dict[str, Any]]:
    """The blocks of a content; a string as one."""
    if isinstance(content, str) and content:
        return [{"type": "text", "text": content}]
    return [block for block in items(content) if isinstance(block, dict)]


def _answers(block: dict[str, Any]) -> str:
    return string(block.get("tool_use_id")) if block.get("type") == "tool_result" else ""


CLAUDE_CODE = ClaudeCode()
