"""Atoms: the literal things that the next action of a recorded agent needed, as its arguments show.

Nobody is asked what the agent read; what its next call quotes must have been in sight, as far as it occurs
earlier. So visible atoms are an upper bound of what a model would have found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trimtab.files import OWN, QUOTING
from trimtab.replay.segment import Segment, leaves
from trimtab.transcript import Role, Text, ToolCall

QUOTE_CHARACTERS = 12
"""Characters below which a line of a quote is no atom."""

NEVER = frozenset({"/dev/null", "in_progress", "not_started", "process.argv"})
"""What looks like an atom and stands everywhere."""

DIGITS = 5
"""Digits from which on a number is not taken to occur earlier by chance."""

OLD = 20_000
"""Tokens before the call, as the provider counts them, beyond which an atom is old."""

_FENCED = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_ATOM = re.compile(
    r"https?://[^\s'\"<>`)\]}]+"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|[\w.~@+-]*/[\w./@+-]*\w"
    r"|\b[0-9a-f]{7,40}\b"
    r"|(?<![\w.])\d{3,}(?=[a-z]?\b)"
    r"|[A-Za-z_0-9][\w@]*(?:[.@]\w+)*"
)
_FILE = re.compile(r"[\w-][\w.-]*\.[A-Za-z]\w{0,9}\b")
_MARKED = re.compile(r"[\d/_@.]|[a-z][A-Z]")


class Need(NamedTuple):
    """An atom of a call: the parts before the call that hold it, in order, and those in which it is grounded.

    A number that occurs earlier by chance has no grounded holders. `quote`: a line that an edit must match.
    `old`: it stands nowhere in the last `OLD` tokens.
    """

    text: str
    holders: tuple[int, ...]
    grounded: tuple[int, ...]
    quote: bool
    old: bool


def atoms(key: str, value: str) -> Iterator[tuple[str, bool]]:
    """The atoms of one argument, each with whether it is a line to quote."""
    if key in OWN:
        return
    if key in QUOTING:
        for line in value.splitlines():
            if len(line.strip()) >= QUOTE_CHARACTERS:
                yield line.strip(), True
        return
    for found in _ATOM.findall(value):
        if found.isdigit() or "/" in found or "@" in found:
            if len(found) >= 3:
                yield found, False
        elif len(found) >= 5 and _MARKED.search(found):
            yield found, False


def needs(segment: Segment) -> list[list[Need]]:
    """For each call the atoms that its answer used and that occur before it."""
    index = _Index(segment)
    ends = [segment.frame]
    for message in range(len(segment.messages)):
        ends.append(ends[-1] + (segment.tokens(message) if message >= segment.heads else 0))
    return [list(_of_call(segment, index, call.stop, ends)) for call in segment.calls]


def _of_call(segment: Segment, index: _Index, stop: int, ends: list[int]) -> Iterator[Need]:
    asked = [(key, value) for key, value in _asked(segment, stop) if key not in OWN]
    wanted = dict.fromkeys(found for key, value in asked for found in atoms(key, value))
    files = [*{name for key, value in asked if key not in QUOTING for name in _FILE.findall(value)}]
    upto = segment.first[stop]
    for text, quote in wanted:
        holders = tuple(part for part in index.holders(text) if part < upto)
        if not holders:
            continue
        grounded = holders
        if text in NEVER:
            grounded = ()
        elif text.isdigit():
            grounded = tuple(part for part in index.tied(text, files) if part < upto)
        last = segment.message_of[holders[-1]]
        yield Need(text, holders, grounded, quote, ends[stop] - ends[last + 1] > OLD)


def _asked(segment: Segment, stop: int) -> Iterator[tuple[str, str]]:
    """The arguments of the calls in an answer; where it has none, the commands it fences in its words."""
    parts = [part for m in segment.answer(stop) for part in segment.messages[m].message.parts]
    calls = [part for part in parts if isinstance(part, ToolCall)]
    for call in calls:
        yield from leaves(call.arguments)
    if not calls:
        texts = (part.text for part in parts if isinstance(part, Text))
        yield from (("command", block) for text in texts for block in _FENCED.findall(text))


class _Index:
    """Which parts hold a text that lies within a line; each different line is looked at once."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment
        self._parts: dict[str, list[int]] = {}
        for number, text in enumerate(segment.texts):
            for line in dict.fromkeys(text.splitlines()):
                self._parts.setdefault(line, []).append(number)
        self._lines = list(self._parts)
        self._text = "\n".join(self._lines)
        self._known: dict[str, tuple[int, ...]] = {}

    def holders(self, text: str) -> tuple[int, ...]:
        """The parts that hold a text, in order."""
        found = self._known.get(text)
        if found is None:
            lines = self._holding(text)
            found = tuple(sorted({part for line in lines for part in self._parts[line]}))
            self._known[text] = found
        return found

    def _holding(self, text: str) -> Iterator[str]:
        """The different lines that hold a text."""
        whole, at = self._text, self._text.find(text)
        while at >= 0:
            start, stop = whole.rfind("\n", 0, at) + 1, whole.find("\n", at)
            if stop < 0:
                yield whole[start:]
                return
            yield whole[start:stop]
            at = whole.find(text, stop)

    def tied(self, number: str, files: list[str]) -> Iterator[int]:
        """The parts in which a number is no chance: tied to a file that the call names, or said, or long."""
        word = re.compile(rf"(?<!\w){number}(?!\w)")
        lines = [line for line in self._holding(number) if word.search(line)]
        naming = {part for file in files for part in self.holders(file)}
        found: set[int] = set()
        for line in lines:
            sure = len(number) >= DIGITS or any(file in line for file in files)
            found.update(part for part in self._parts[line] if sure or self._tied(part, number, naming))
        yield from sorted(found)

    def _tied(self, part: int, number: str, naming: set[int]) -> bool:
        segment = self._segment
        role = segment.messages[segment.message_of[part]].message.role
        if isinstance(segment.parts[part], Text) and role in (Role.USER, Role.ASSISTANT):
            return True
        if isinstance(segment.parts[part], ToolCall):
            return part in naming
        return segment.caller.get(part) in naming or (part in naming and not number.endswith("0"))
