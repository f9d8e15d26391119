"""Rollouts of Codex: JSON Lines of items as they are sent, with events about them in between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import Struct, field

from trimtab.sessions.base import Damage, Session, Usage
from trimtab.sessions.lines import Line, head, lines, mapping
from trimtab.sessions.recording import Recording, Reply, Step
from trimtab.sessions.reported import seconds, usage
from trimtab.transcript import JSON
from trimtab.wires.leaves import items, string

ENVELOPES = frozenset({"session_meta", "response_item", "turn_context", "event_msg", "compacted"})
NEVER_SENT = frozenset({"ghost_snapshot"})
"""Items that Codex keeps among the others for itself."""


class Codex:
    """Reads rollouts of Codex, those from before lines had an envelope included."""

    name: ClassVar[str] = "codex"

    def sniff(self, data: bytes) -> bool:
        """Whether one of the first lines is an envelope of a rollout, or the bare header of an old one."""
        return any(_is_own(line) for line in head(data))

    def read(self, data: bytes) -> Iterator[Session]:
        """The conversation as it went on, then what was rolled back."""
        damage: list[Damage] = []
        rollout = _Rollout(Recording(format=self.name, wire="openai_responses", damage=damage))
        for line in lines(data, damage):
            rollout.take(line)
        told = rollout.recording
        lacking = ["the tools"] + ([] if "instructions" in told.fields else ["the instructions"])
        told.partial = " and ".join([*lacking, *rollout.lacking])
        yield from told.sessions()


def _is_own(line: dict[str, Any]) -> bool:
    match line:
        case {"type": str(kind), "payload": dict()}:
            return kind in ENVELOPES
        case {"record_type": "state"}:
            return True
        case {"id": str(), "timestamp": str()} if "type" not in line:
            return "instructions" in line or "git" in line
    return False


class _Rollout(Struct):
    """The recording as it grows, and where it stands."""

    recording: Recording
    tip: int | None = None
    model: str | None = None
    answering: bool = False
    """The latest item was the model's: the next one, if the model's, belongs to the same answer."""
    unpaid: Reply | None = None
    """The latest call, as long as no usage was told for it."""
    turns: list[int] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)

    def take(self, line: Line) -> None:
        """Take in a line: an item, or what tells about items."""
        entry = line.value
        payload = mapping(entry.get("payload"))
        match entry.get("type"):
            case "response_item":
                self._item(line, payload)
            case "event_msg":
                self._event(payload)
            case "session_meta":
                self._header(payload)
            case "turn_context":
                self.model = string(payload.get("model")) or self.model
            case "compacted":
                self._compacted(line, payload)
            case str() if "payload" not in entry:
                self._item(line, entry)
            case None if "id" in entry:
                self._header(entry)

    def _header(self, told: dict[str, Any]) -> None:
        """Name and instructions; a forked rollout repeats the headers of those it came from, the first counts."""
        if self.recording.name:
            return
        self.recording.name = string(told.get("id"))[:80]
        instructions = mapping(told.get("base_instructions")).get("text") or told.get("instructions")
        if string(instructions):
            self.recording.fields["instructions"] = instructions

    def _item(self, line: Line, item: dict[str, Any]) -> None:
        kind = string(item.get("type"))
        if not kind or kind in NEVER_SENT:
            return
        step = Step(line=line.number, parent=self.tip, messages=[item])
        answers = _is_models(item, kind)
        if answers and not self.answering:
            self.unpaid = step.reply = Reply(at=seconds(line.value.get("timestamp")), model=self.model)
        self.answering = answers
        self.tip = self.recording.add(step)

    def _event(self, event: dict[str, Any]) -> None:
        match event:
            case {"type": "token_count", "info": dict(info)}:
                told = _usage(mapping(info.get("last_token_usage")))
                if told and self.unpaid:
                    self.unpaid.usage, self.unpaid = told, None
                    self.answering = False
            case {"type": "user_message"} if self.tip is not None:
                self.turns.append(self.tip)
            case {"type": "thread_rolled_back", "num_turns": int(number)} if number > 0:
                dropped = self.turns[-number:]
                if dropped:
                    self.tip = self.recording.steps[dropped[0]].parent
                    del self.turns[-number:]
                self.answering = False

    def _compacted(self, line: Line, payload: dict[str, Any]) -> None:
        """What is sent from here on: the history that stands in the event, else the summary alone."""
        history: list[JSON] = [
            item for item in items(payload.get("replacement_history")) if isinstance(item, dict)
        ]
        if not history and (summary := string(payload.get("message"))):
            text = {"type": "input_text", "text": summary}
            history = [{"type": "message", "role": "user", "content": [text]}]
            if not self.lacking:
                self.lacking.append("the user messages that were kept beside a summary")
        if not history:
            self.recording.damage.append(Damage(line.number, "a compaction that does not say what it left"))
            return
        self.tip = self.recording.add(Step(line=line.number, parent=self.tip, messages=history, fresh=True))
        self.answering = False


def _is_models(item: dict[str, Any], kind: str) -> bool:
    """Whether the model wrote an item; results and what is said to it are the client's."""
    if kind == "message":
        return item.get("role") == "assistant"
    return kind == "reasoning" or kind.endswith("_call")


def _usage(told: dict[str, Any]) -> Usage | None:
    """Codex flattens the usage of Responses. What it tells after a compaction is an estimate, with no input."""
    read = {"cached_tokens": told.get("cached_input_tokens")}
    found = usage({**told, "input_tokens_details": read})
    return found if found and found.input else None


CODEX = Codex()
