"""Sessions of Copilot CLI: JSON Lines of events (`events.jsonl`), each with the `parentId` it follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import Struct, field

from trimtab.errors import WireError
from trimtab.sessions.base import Damage, Session, Usage
from trimtab.sessions.lines import Line, head, lines, mapping, total
from trimtab.sessions.recording import Recording, Reply, Step
from trimtab.sessions.reported import seconds
from trimtab.transcript import JSON
from trimtab.wires.leaves import items, json_text, string

FAMILIES = ("session.", "user.", "assistant.", "tool.", "system.", "hook.")


class CopilotCli:
    """Reads sessions of Copilot CLI, subagents as sessions of their own."""

    name: ClassVar[str] = "copilot-cli"

    def sniff(self, data: bytes) -> bool:
        """Whether one of the first lines is an event: a dotted type, an id, a parent and data."""
        return any(_is_own(line) for line in head(data))

    def read(self, data: bytes) -> Iterator[Session]:
        """The newest branch, then others with calls of their own, and subagents."""
        damage: list[Damage] = []
        tree = _Tree(Recording(format=self.name, wire="openai_chat", damage=damage))
        for line in lines(data, damage):
            try:
                tree.take(line)
            except WireError as error:
                damage.append(Damage(line.number, str(error)))
        lacking = ["the tools", "attachments"] + ([] if tree.system else ["the system prompt"])
        tree.recording.partial = ", ".join(lacking)
        yield from tree.recording.sessions()


def _is_own(line: dict[str, Any]) -> bool:
    match line:
        case {"type": str(kind), "id": str(), "timestamp": str(), "data": dict()} if "parentId" in line:
            return kind.startswith(FAMILIES)
    return False


class _Tree(Struct):
    """The recording as it grows. `place` leads from an event's id to the step that those after it hang on."""

    recording: Recording
    place: dict[str, int | None] = field(default_factory=dict)
    last: dict[str, int | None] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    replies: dict[str, Reply] = field(default_factory=dict)
    """By the id of the API's call, to which usage is told later."""
    model: str | None = None
    system: str = ""

    def take(self, line: Line) -> None:
        """Take in an event. Raises WireError for arguments that cannot be written as JSON."""
        event = line.value
        data = mapping(event.get("data"))
        agent = string(data.get("parentToolCallId"))[:80]
        thread = f"agent of {agent}" if agent else ""
        place = self._step(line, data, self._parent(event, thread), thread)
        self.last[thread] = place
        if name := string(event.get("id")):
            self.place[name] = place

    def _parent(self, event: dict[str, Any], thread: str) -> int | None:
        """The step before an event. Events of all threads are chained to one another; steps are not."""
        latest = self.last.get(thread)
        above = self.place.get(string(event.get("parentId")), latest)
        return above if above is not None and self.recording.steps[above].thread == thread else latest

    def _step(self, line: Line, data: dict[str, Any], parent: int | None, thread: str) -> int | None:
        """The step that an event makes or adds to; `parent` when the model never sees it."""
        step = Step(line=line.number, parent=parent, thread=thread)
        match line.value.get("type"):
            case "session.start" | "session.resume" | "session.model_change":
                self.recording.name = self.recording.name or string(data.get("sessionId"))[:80]
                self.model = string(data.get("selectedModel")) or string(data.get("newModel")) or self.model
            case "system.message" if (text := string(data.get("content"))) and text != self.system:
                self.system = text if not thread else self.system
                step.messages = [{"role": "system", "content": text}]
            case "user.message" | "system.notification":
                step.messages = _user(data)
            case "assistant.message":
                return self._answer(line, data, step)
            case "tool.execution_complete":
                return self._result(line, data, parent)
            case "assistant.usage":
                if reply := self.replies.get(string(data.get("apiCallId"))):
                    reply.usage = _usage(data)
            case "session.compaction_complete" if data.get("success") is not False:
                return self._compaction(line, string(data.get("summaryContent")), step)
            case "session.truncation":
                self._lost(line, "from here on the client left its oldest messages out; they stand here")
        return self.recording.add(step) if step.messages else parent

    def _answer(self, line: Line, data: dict[str, Any], step: Step) -> int | None:
        requests = [request for request in items(data.get("toolRequests")) if isinstance(request, dict)]
        text = string(data.get("content"))
        if not text and not requests:
            return step.parent
        message: dict[str, JSON] = {"role": "assistant", "content": text or None}
        if thought := string(data.get("reasoningText")):
            message["reasoning_content"] = thought
        if requests:
            message["tool_calls"] = list(map(_tool_call, requests))
        step.messages = [message]
        name = string(data.get("apiCallId"))
        if not name or name not in self.replies:
            model = string(data.get("model")) or self.model
            step.reply = Reply(at=seconds(line.value.get("timestamp")), model=model)
            self.replies[name] = step.reply
        place = self.recording.add(step)
        self.calls.update((string(request.get("toolCallId")), place) for request in requests)
        return place

    def _result(self, line: Line, data: dict[str, Any], parent: int | None) -> int | None:
        """Put a result behind its call, wherever it came."""
        call = string(data.get("toolCallId"))
        if (place := self.calls.pop(call, None)) is None:
            self._lost(line, f"a result without an open call {call[:80]!r}")
            return parent
        told = data.get("result") if data.get("success") is not False else data.get("error")
        text = string(mapping(told).get("content")) or string(mapping(told).get("message")) or string(told)
        step = self.recording.steps[place]
        step.messages.append({"role": "tool", "tool_call_id": call, "content": text})
        return place if parent is None or parent < place else parent

    def _lost(self, line: Line, text: str) -> None:
        self.recording.damage.append(Damage(line.number, text))

    def _compaction(self, line: Line, summary: str, step: Step) -> int | None:
        """What is sent from here on: the system prompt and the summary."""
        if not summary:
            self._lost(line, "a compaction that does not say what it left")
            return step.parent
        step.messages = [{"role": "user", "content": summary}]
        if self.system and not step.thread:
            step.messages.insert(0, {"role": "system", "content": self.system})
        step.fresh = True
        return self.recording.add(step)


def _user(data: dict[str, Any]) -> list[JSON]:
    """What was sent for the user's words, if it is told, else the words."""
    text = string(data.get("transformedContent")) or string(data.get("content"))
    return [{"role": "user", "content": text}] if text else []


def _tool_call(request: dict[str, Any]) -> JSON:
    name, arguments = string(request.get("name")), request.get("arguments")
    call = {"id": string(request.get("toolCallId"))}
    if request.get("type") == "custom":
        return {**call, "type": "custom", "custom": {"name": name, "input": string(arguments)}}
    written = arguments if isinstance(arguments, str) else json_text({} if arguments is None else arguments)
    return {**call, "type": "function", "function": {"name": name, "arguments": written}}


def _usage(told: dict[str, Any]) -> Usage | None:
    sent = total(told, "inputTokens")
    if not sent:
        return None
    read, written, output = (total(told, f"{name}Tokens") for name in ("cacheRead", "cacheWrite", "output"))
    return Usage(input=sent, read=read, written=written, output=output)


COPILOT_CLI = CopilotCli()
