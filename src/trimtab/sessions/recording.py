"""What the readers share: a recording as a tree of steps, and the sessions along its branches.

Agents append to their files and never take back: a rewind or a fork goes on from an earlier place. So a
recording is a tree. Each path from its root to a leaf that holds calls of its own is a session.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from trimtab.sessions.base import Call, Damage, Session, Usage
from trimtab.transcript import JSON

REPEATS = 20
"""Forks, and messages kept beside a summary, repeat what is there once; up to so many times the file."""


class Reply(Struct, kw_only=True):
    """That the first message of a step is a model's answer: the call that got it."""

    at: float | None = None
    model: str | None = None
    usage: Usage | None = None


class Step(Struct, kw_only=True):
    """What one place of a file adds to the conversation: no message, one, or an answer with its results.

    `line` is where it stands, `parent` the step before it: an earlier one of the list, or None at a root.
    `fresh` says that the client compacted: what it sends starts here. `again` repeats the messages of the
    steps behind the first of the pair (None: from the root) up to the second. `thread` is "" for the main
    conversation, else the name of a subagent.
    """

    line: int
    parent: int | None
    messages: list[JSON] = field(default_factory=list)
    reply: Reply | None = None
    fresh: bool = False
    again: tuple[int | None, int] | None = None
    thread: str = ""


class Recording(Struct, kw_only=True):
    """A file as a reader understood it. The fields are those of `Session`."""

    format: str
    wire: str
    name: str = ""
    fields: dict[str, JSON] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    damage: list[Damage] = field(default_factory=list)
    partial: str = ""

    def add(self, step: Step) -> int:
        """Append a step; its place in the list."""
        self.steps.append(step)
        return len(self.steps) - 1

    def sessions(self) -> Iterator[Session]:
        """First that of the newest leaf, with all damage; then forks and subagents with calls of their own."""
        depths = self._depths()
        main, *forks = self._branches() or [(None, [])]
        others = list(self._affordable(forks, depths))
        yield self._session(main[1], main[1], self.name, self.damage)
        for joint, own in others:
            first = self.steps[own[0]]
            name = f"{self.name} {first.thread}".strip()
            yield self._session(self._path(joint) + own, own, f"{name}, from line {first.line}", ())

    def _branches(self) -> list[tuple[int | None, list[int]]]:
        """Each branch, that of the newest leaf first: the step it leaves an earlier one at, and its own steps."""
        inner = {step.parent for step in self.steps}
        leaves = [place for place in range(len(self.steps)) if place not in inner]
        taken: set[int] = set()
        found = []
        for leaf in sorted(leaves, key=lambda place: (self.steps[place].thread != "", -place)):
            place: int | None = leaf
            own = []
            while place is not None and place not in taken:
                taken.add(place)
                own.append(place)
                place = self.steps[place].parent
            found.append((place, own[::-1]))
        return found

    def _depths(self) -> list[int]:
        """How many steps lead to each step; takes out what repeats more than the file can bear."""
        depths: list[int] = []
        left = REPEATS * len(self.steps)
        for step in self.steps:
            depths.append(_depth(depths, step.parent) + 1)
            if step.again:
                left -= max(0, _depth(depths, step.again[1]) - _depth(depths, step.again[0]))
                if left < 0:
                    step.again = None
                    self.damage.append(
                        Damage(step.line, "what was kept beside this summary is left out: too much")
                    )
        return depths

    def _affordable(
        self, forks: Sequence[tuple[int | None, list[int]]], depths: Sequence[int]
    ) -> Iterator[tuple[int | None, list[int]]]:
        """The forks with calls of their own, in the order of the file, as far as the file can bear."""
        left = REPEATS * len(self.steps)
        for joint, own in sorted(forks, key=lambda fork: fork[1][0]):
            if any(self.steps[place].reply for place in own):
                left -= _depth(depths, joint)
                if left >= 0:
                    yield joint, own
                else:
                    text = "a fork is left out: too many share too much"
                    self.damage.append(Damage(self.steps[own[0]].line, text))

    def _path(self, place: int | None) -> list[int]:
        path = []
        while place is not None:
            path.append(place)
            place = self.steps[place].parent
        return path[::-1]

    def _session(self, path: list[int], own: list[int], name: str, damage: Sequence[Damage]) -> Session:
        """The session along a path; calls before its `own` steps belong to another session."""
        messages: list[JSON] = []
        calls: list[Call] = []
        compactions: list[int] = []
        shared = len(path) - len(own)
        where = {place: number for number, place in enumerate(path)}
        for number, place in enumerate(path):
            step = self.steps[place]
            if step.fresh:
                compactions.append(len(messages))
            start = compactions[-1] if compactions else 0
            if (told := step.reply) and number >= shared and len(messages) > start:
                call = Call(start=start, stop=len(messages), at=told.at, model=told.model, usage=told.usage)
                calls.append(call)
            messages += step.messages
            if step.again:
                messages += self._kept(path, where, *step.again)
        model = next((call.model for call in reversed(calls) if call.model), None)
        return Session(
            format=self.format,
            name=name,
            wire=self.wire,
            messages=tuple(messages),
            calls=tuple(calls),
            fields={"model": model, **self.fields} if model else self.fields,
            compactions=tuple(compactions),
            damage=tuple(damage),
            partial=self.partial,
        )

    def _kept(self, path: list[int], where: Mapping[int, int], behind: int | None, last: int) -> Iterator[JSON]:
        """The messages of the steps of a path behind one and up to another, without earlier summaries."""
        start = 0 if behind is None else where.get(behind, len(path)) + 1
        for place in path[start : where.get(last, -1) + 1]:
            if not self.steps[place].fresh:
                yield from self.steps[place].messages


def _depth(depths: Sequence[int], place: int | None) -> int:
    return 0 if place is None else depths[place]
