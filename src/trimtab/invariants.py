"""Structural rules that wires share: where something stands, and which call each result answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from trimtab.transcript import Finding, Media, Message, Path, Role, ToolCall, ToolResult

Name = TypeVar("Name", int, bytes)
Position: TypeAlias = tuple[Name, int]
"""A part by the name of its message (its index or its identity) and its index among the parts there."""


def place(index: int, path: Sequence[str | int] = ()) -> str:
    """A value of message `index` as findings name it, such as `messages[4].content[0]`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return f"messages[{index}]{''.join(steps)}"


class _Call(NamedTuple, Generic[Name]):
    position: Position[Name]
    place: int
    path: Path


class Pairing(Generic[Name]):
    """Tells which call each result answers, fed one message at a time, in time linear in the parts.

    Ids need not be unique: a result answers the nearest message that has an open call with its id,
    and within that message the earliest such call; some servers give every call one id, count anew
    each round, or give none (then the id is ""). A result that names no call, where all open calls
    have ids, answers the earliest of them. `answers` maps each result, or medium in a result or right
    beside it, to its call.
    `findings` holds calls that were passed over, under the rule id `unanswered`, and results whose
    call is not open right before them, under `orphan`. Calls still open at the end are no finding:
    their results are yet to come. With `merges`, assistant messages in a row count as one.
    """

    def __init__(self, unanswered: str = "unanswered", orphan: str = "orphan", merges: bool = False) -> None:
        self.answers: dict[Position[Name], Position[Name]] = {}
        self.findings: list[Finding] = []
        self._rules = (unanswered, orphan)
        self._merges = merges
        self._open: dict[str, deque[_Call[Name]]] = {}
        self._order: deque[_Call[Name]] = deque()
        self._answered: set[Position[Name]] = set()
        self._overdue: dict[str, list[_Call[Name]]] = {}

    def copy(self) -> Pairing[Name]:
        """A copy that can go on while this one stays."""
        twin = Pairing[Name](*self._rules, self._merges)
        twin.answers = dict(self.answers)
        twin.findings = list(self.findings)
        twin._open = {call_id: deque(calls) for call_id, calls in self._open.items()}
        twin._order, twin._answered = deque(self._order), set(self._answered)
        twin._overdue = {call_id: list(calls) for call_id, calls in self._overdue.items()}
        return twin

    def feed(self, name: Name, index: int, message: Message) -> None:
        """Take in message `index`; messages come in order, each once."""
        calls: dict[str, deque[_Call[Name]]] = {}
        order: list[_Call[Name]] = []
        groups: dict[tuple[str, Path], Position[Name] | None] = {}
        group: tuple[str, Path] | None = None
        for number, part in enumerate(message.parts):
            match part:
                case ToolCall():
                    order.append(_Call((name, number), index, part.path))
                    calls.setdefault(part.id, deque()).append(order[-1])
                case ToolResult(call_id=str(call_id)) | Media(call_id=str(call_id)):
                    is_beside = isinstance(part, Media) and len(part.path) == 2
                    if group is None or not is_beside:
                        group = (call_id, () if message.role is Role.TOOL else part.path[:2])
                    if group not in groups:
                        groups[group] = self._answer(call_id, index, part.path)
                    if (call := groups[group]) is not None:
                        self.answers[name, number] = call
        if self._merges and message.role is Role.ASSISTANT:
            for call_id, made in calls.items():
                self._open.setdefault(call_id, deque()).extend(made)
            self._order.extend(order)
        elif message.role is not Role.TOOL:
            self._pass_over()
            self._open, self._order, self._answered = calls, deque(order), set()

    def _answer(self, call_id: str, index: int, path: Path) -> Position[Name] | None:
        if waiting := self._open.get(call_id):
            position = waiting.popleft().position
            self._answered.add(position)
            if not waiting:
                del self._open[call_id]
            while self._order and self._order[0].position in self._answered:
                self._answered.remove(self._order.popleft().position)
            return position
        late = self._overdue.get(call_id)
        call = late.pop() if late else None
        what = f"answers {place(call.place)}, not the exchange before it" if call else "answers no open call"
        self.findings.append(
            Finding(
                self._rules[1],
                place(index, path[:2]),
                f"the result for call {call_id[:80]!r} {what}",
                "keep a call and its results together, or drop both",
            )
        )
        return call.position if call else None if call_id else self._earliest()

    def _earliest(self) -> Position[Name] | None:
        """The earliest call of the open exchange that no result has answered."""
        while self._order:
            call = self._order.popleft()
            if call.position not in self._answered:
                return call.position
        return None

    def _pass_over(self) -> None:
        for call_id, waiting in self._open.items():
            for call in waiting:
                self.findings.append(
                    Finding(
                        self._rules[0],
                        place(call.place, call.path[:2]),
                        f"call {call_id[:80]!r} has no result right after it",
                        "add its result right after the call, or remove the call",
                    )
                )
            self._overdue.setdefault(call_id, []).extend(reversed(waiting))


def pair(
    messages: Iterable[Message], unanswered: str = "unanswered", orphan: str = "orphan", merges: bool = False
) -> Pairing[int]:
    """The pairing of a whole transcript, messages named by their index."""
    pairing = Pairing[int](unanswered, orphan, merges)
    for index, message in enumerate(messages):
        pairing.feed(index, index, message)
    return pairing
