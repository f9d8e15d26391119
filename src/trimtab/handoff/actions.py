"""The calls that have run: what each was, whether it changed anything, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from trimtab.edits import At
from trimtab.effects import HARMLESS, Globs, changed
from trimtab.ledger import Made, arguments_of, said
from trimtab.stubs import clip, first_line
from trimtab.transcript import Part, ToolCall, ToolResult

LOOKS = re.compile(
    r"\s*(?:cd [^;&|]+(?:&&|;)\s*)?(?:sudo )?(?:cat|bat|head|tail|less|more|ls|tree|find|fd|grep|rg|ag|awk|jq"
    r"|wc|file|stat|du|df|pwd|which|whoami|env|printenv|echo|ps|top|id|date|uname|diff|sort|uniq|nl|sed -n"
    r"|git (?:status|log|diff|show|blame|branch|remote|ls-files|rev-parse|grep)|docker (?:ps|logs|images|inspect)"
    r"|kubectl (?:get|describe|logs)|pip (?:list|show|freeze)|npm (?:ls|list|view))\b"
    r"(?!.*(?:>(?!&|/dev/null)|\btee\b))",
    re.IGNORECASE,
)
"""A command that only looks, by its first word; one that writes its output into a file does not."""

COMMANDS = ("command", "cmd", "script", "code")
"""Arguments that hold a command."""

LONGEST, TOLD = 160, 120
"""Characters that are shown of a call, and of what came of it."""

FAILED = re.compile(
    r"\A\s*(?:error|exception|traceback|fatal|failed|failure|permission denied|command not found|no such file)\b"
    r"|\bexit(?:ed)?(?: with)?(?: code| status)?:? [1-9]\d{0,2}\b|^\w*(?:Error|Exception): ",
    re.IGNORECASE | re.MULTILINE,
)
"""How a result begins, or what it says, when its call failed."""

MOST_LOOKED_AT = 20_000
"""Characters of a result in which that is looked for."""


class Action(NamedTuple):
    """A call that has run. `title` is the tool with its arguments, `came` in a line what it gave."""

    at: At
    name: str
    arguments: str
    title: str
    came: str
    result: str
    failed: bool
    changes: bool

    @property
    def text(self) -> str:
        """All of it that counts as evidence."""
        return f"{self.name} {self.arguments}\n{self.result}"


def actions(calls: Sequence[Made], part: Callable[[At], Part]) -> list[Action]:
    """The calls that have results, in order."""
    return [_action(one, [part(at) for at in one.results]) for one in calls if one.results]


def _action(one: Made, results: Sequence[Part]) -> Action:
    call, text = one.call, "\n".join(map(said, results))
    failed = any(isinstance(part, ToolResult) and part.is_error for part in results)
    failed = failed or FAILED.search(text[:MOST_LOOKED_AT]) is not None
    return Action(
        at=one.at,
        name=call.name,
        arguments=call.arguments,
        title=_title(call),
        came=clip(_why(text), TOLD) if failed else first_line(text, TOLD) or "nothing",
        result=text,
        failed=failed,
        changes=_changes(call),
    )


def _title(call: ToolCall) -> str:
    """The tool and its arguments, each long one shortened."""
    command = command_of(call)
    told = command or ", ".join(f"{key}={_short(value)}" for key, value in arguments_of(call).items())
    return f"{call.name or 'tool'}: {clip(' '.join(told.split()), LONGEST)}" if told else call.name or "tool"


def command_of(call: ToolCall) -> str:
    """The command that a call runs, "" where it runs none."""
    values = arguments_of(call)
    found = next((values[key] for key in COMMANDS if key in values), "")
    return " ".join(map(str, found)) if isinstance(found, list) else found if isinstance(found, str) else ""


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else f"{clip(text, 50)}…"


def _changes(call: ToolCall) -> bool:
    """Whether a call may have changed something."""
    if _HARMLESS.fit(call.name) or not changed(call.name, call.arguments):
        return False
    command = command_of(call)
    return not command or any(not LOOKS.match(step) for step in re.split(r"&&|\|\||;|\n", command) if step.strip())


_HARMLESS = Globs(HARMLESS)


def _why(text: str) -> str:
    """The line of a failure that says most: the one an exception ends with, else the first with such a word."""
    rows = [row.strip() for row in text[:MOST_LOOKED_AT].splitlines() if row.strip()]
    telling = [row for row in rows if re.match(r"(?:\w+\.)*\w*(?:Error|Exception)\b", row)]
    words = (
        row for row in rows if re.search(r"error|fail|denied|not found|cannot|needs|exit", row, re.IGNORECASE)
    )
    return telling[-1] if telling else next(words, rows[0] if rows else "it failed")
