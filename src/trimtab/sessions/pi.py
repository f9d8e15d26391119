"""Sessions of pi: JSON Lines of entries, one after another in version 1, a tree by `parentId` since.

pi speaks to many providers and keeps messages in a shape of its own. They are given as Anthropic Messages,
which hold the most of it: images in results, errors, thinking with its signature.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import Struct, field

from trimtab.sessions.base import Damage, Session, Usage
from trimtab.sessions.lines import Line, head, lines, mapping, total
from trimtab.sessions.recording import Recording, Reply, Step
from trimtab.sessions.reported import seconds
from trimtab.transcript import JSON
from trimtab.wires.leaves import count, items, string

FAILED = frozenset({"error", "aborted"})
"""Ends of answers that pi does not send again."""


class Pi:
    """Reads sessions of pi, of every version."""

    name: ClassVar[str] = "pi"

    def sniff(self, data: bytes) -> bool:
        """Whether one of the first lines is a header of pi, or a message that names its `api` or a tool call."""
        return any(_is_own(line) for line in head(data))

    def read(self, data: bytes) -> Iterator[Session]:
        """The newest branch, then others with calls of their own."""
        damage: list[Damage] = []
        tree = _Tree(Recording(format=self.name, wire="anthropic", damage=damage))
        for line in lines(data, damage):
            tree.take(line)
        tree.answer_the_rest()
        lacking = "the system prompt and the tools"
        if tree.failed:
            lacking += f"; {tree.failed} answers that failed are left out, as pi does"
        if tree.foreign:
            lacking += f"; recorded with {', '.join(sorted(tree.foreign)[:4])}, written here as Anthropic Messages"
        tree.recording.partial = lacking
        yield from tree.recording.sessions()


def _is_own(line: dict[str, Any]) -> bool:
    match line:
        case {"type": "session", "id": str(), "cwd": str()}:
            return True
        case {"type": "message", "message": {"role": "toolResult", "toolCallId": str()}}:
            return True
        case {"type": "message", "message": {"role": "assistant", "api": str(), "content": list()}}:
            return True
    return False


class _Tree(Struct):
    """The recording as it grows. `place` leads from an entry's id to the step that those after it hang on."""

    recording: Recording
    tip: int | None = None
    place: dict[str, int | None] = field(default_factory=dict)
    behind: dict[str, int | None] = field(default_factory=dict)
    """From an entry's id to the step before it."""
    numbers: list[int] = field(default_factory=list)
    calls: dict[str, int] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)
    failed: int = 0
    foreign: set[str] = field(default_factory=set)

    def take(self, line: Line) -> None:
        """Take in an entry; the next one without a parent of its own hangs on it."""
        entry = line.value
        self.numbers.append(line.number)
        if entry.get("type") == "session":
            self.recording.name = self.recording.name or string(entry.get("id"))[:80]
            return
        parent = self.tip
        if "parentId" in entry:
            above = entry["parentId"]
            parent = None if above is None else self.place.get(string(above), self.tip)
        self.tip = self._step(line, parent)
        if name := string(entry.get("id")):
            self.place[name], self.behind[name] = self.tip, parent

    def _step(self, line: Line, parent: int | None) -> int | None:
        """The step that an entry makes or adds to; `parent` when the model never sees it."""
        match line.value:
            case {"type": "message", "message": {"role": "assistant", "content": list(content)} as message}:
                return self._answer(line, message, content, parent)
            case {"type": "message", "message": {"role": "toolResult"} as message}:
                return self._result(line, message, parent)
            case {"type": "message", "message": {"role": "bashExecution"} as message}:
                hidden = message.get("excludeFromContext") is True
                return parent if hidden else self._said(line, _shell(message), parent)
            case {"type": "message", "message": {"role": "user" | "custom" | "hookMessage", "content": content}}:
                return self._said(line, content, parent)
            case {"type": "custom_message", "content": content} | {"type": "branch_summary", "summary": content}:
                return self._said(line, content, parent)
            case {"type": "compaction", "summary": str(summary)} as entry:
                return self._compaction(line, summary, entry, parent)
            case {"type": "message" | "compaction"}:
                self.recording.damage.append(Damage(line.number, "an entry without its message"))
        return parent

    def _answer(self, line: Line, message: dict[str, Any], content: list[JSON], parent: int | None) -> int | None:
        calls = [string(block.get("id")) for block in content if _kind(block) == "toolCall"]
        if string(message.get("stopReason")) in FAILED or not content:
            self.failed += 1
            self.dropped.update(calls)
            return parent
        api = string(message.get("api"))
        if api and not api.startswith("anthropic"):
            self.foreign.add(api[:40])
        at = _at(line)
        reply = Reply(at=at, model=string(message.get("model")) or None, usage=_usage(message.get("usage")))
        said = {"role": "assistant", "content": [_block(block) for block in content]}
        place = self.recording.add(Step(line=line.number, parent=parent, messages=[said], reply=reply))
        self.calls.update(dict.fromkeys(calls, place))
        return place

    def _result(self, line: Line, message: dict[str, Any], parent: int | None) -> int | None:
        """Put a result into the one user message that follows its call."""
        call = string(message.get("toolCallId"))
        if call in self.dropped:
            return parent
        result: dict[str, JSON] = {"type": "tool_result", "tool_use_id": call}
        result["content"] = [_block(block) for block in items(message.get("content")) if not _is_blank(block)]
        if message.get("isError") is True:
            result["is_error"] = True
        if call not in self.calls:
            said = {"role": "user", "content": [result]}
            return self.recording.add(Step(line=line.number, parent=parent, messages=[said]))
        self.answered.add(call)
        self._hold(self.calls[call], result)
        return self.calls[call]

    def answer_the_rest(self) -> None:
        """Give calls without a result the one that pi sends for them; at the tip it may be yet to come."""
        for call, place in self.calls.items():
            if call not in self.answered and place != self.tip:
                content = [{"type": "text", "text": "No result provided"}]
                self._hold(
                    place, {"type": "tool_result", "tool_use_id": call, "content": content, "is_error": True}
                )

    def _hold(self, place: int, result: JSON) -> None:
        held = self.recording.steps[place].messages
        if len(held) == 1:
            held.append({"role": "user", "content": []})
        held[1]["content"].append(result)

    def _said(self, line: Line, content: JSON, parent: int | None) -> int | None:
        if isinstance(content, list):
            content = [_block(block) for block in content if not _is_blank(block)]
        if not isinstance(content, str | list) or not content:
            return parent
        said = {"role": "user", "content": content}
        return self.recording.add(Step(line=line.number, parent=parent, messages=[said]))

    def _compaction(self, line: Line, summary: str, entry: dict[str, Any], parent: int | None) -> int:
        """The summary, then once more what pi kept beside it."""
        said = {"role": "user", "content": summary or "(an empty summary)"}
        place = self.recording.add(Step(line=line.number, parent=parent, messages=[said], fresh=True))
        behind = self._first_kept(entry)
        if parent is None or behind == place:
            return place
        return self.recording.add(Step(line=line.number, parent=place, again=(behind, parent)))

    def _first_kept(self, entry: dict[str, Any]) -> int | None:
        """The step behind which messages were kept; that of the summary itself when there is none."""
        steps, nothing = self.recording.steps, len(self.recording.steps) - 1
        if (name := string(entry.get("firstKeptEntryId"))) in self.behind:
            return self.behind[name]
        index = count(entry.get("firstKeptEntryIndex"))
        if index is None or not 0 <= index < len(self.numbers):
            return nothing
        first = bisect_left(steps, self.numbers[index], key=lambda step: step.line)
        return steps[first].parent


def _block(block: JSON) -> JSON:
    """A block in the shape of Anthropic Messages; what is not known stays as it is."""
    match block:
        case {"type": "toolCall"}:
            call = {"type": "tool_use", "id": string(block.get("id")), "name": string(block.get("name"))}
            return {**call, "input": mapping(block.get("arguments"))}
        case {"type": "thinking", "redacted": True, "thinkingSignature": str(data)}:
            return {"type": "redacted_thinking", "data": data}
        case {"type": "thinking", "thinking": str(text)}:
            signature = string(block.get("thinkingSignature"))
            return {"type": "thinking", "thinking": text, **({"signature": signature} if signature else {})}
        case {"type": "image", "data": str(data)}:
            source = {"type": "base64", "media_type": string(block.get("mimeType")), "data": data}
            return {"type": "image", "source": source}
        case {"type": "text", "text": str(text)}:
            return {"type": "text", "text": text}
    return block


def _kind(block: JSON) -> str:
    return string(mapping(block).get("type"))


def _is_blank(block: JSON) -> bool:
    return _kind(block) == "text" and not string(block.get("text")).strip()


def _shell(message: dict[str, Any]) -> str:
    """A command that the user ran, in pi's words."""
    output = string(message.get("output"))
    text = f"Ran `{string(message.get('command'))}`\n" + (f"```\n{output}\n```" if output else "(no output)")
    if message.get("cancelled") is True:
        return f"{text}\n\n(command cancelled)"
    code = count(message.get("exitCode"))
    return f"{text}\n\nCommand exited with code {code}" if code else text


def _at(line: Line) -> float | None:
    return seconds(line.value.get("timestamp"))


def _usage(told: JSON) -> Usage | None:
    fields = mapping(told)
    sent = total(fields, "input", "cacheRead", "cacheWrite")
    if not sent:
        return None
    read, written, output = (total(fields, name) for name in ("cacheRead", "cacheWrite", "output"))
    return Usage(input=sent, read=read, written=written, output=output)


PI = Pi()
