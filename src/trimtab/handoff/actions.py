"""The calls that have run: what each was, whether it changed anything, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from trimtab.edits import At
from trimtab.effects import HARMLESS, Globs, changed
from trimtab.handoff.cutting import beginning, one_line
from trimtab.handoff.speech import unfit
from trimtab.jsonbytes import encode
from trimtab.ledger import Made, arguments_of, said
from trimtab.transcript import JSON, Part, ToolCall, ToolResult

LOOKS = re.compile(
    r"\s*(?:sudo )?(?:cd|cat|bat|head|tail|less|more|ls|tree|find|fd|grep|rg|ag|awk|jq"
    r"|wc|file|stat|du|df|pwd|which|whoami|env|printenv|echo|ps|top|id|date|uname|diff|sort|uniq|nl|sed -n"
    r"|git (?:status|log|diff|show|blame|branch|remote|ls-files|rev-parse|grep)|docker (?:ps|logs|images|inspect)"
    r"|kubectl (?:get|describe|logs)|pip (?:list|show|freeze)|npm (?:ls|list|view))\b"
    r"(?!.*(?:>(?!&|/dev/null)|\btee\b))",
    re.IGNORECASE,
)
"""A command that only looks, by its first word; one that writes its output into a file does not."""

COMMANDS = ("command", "cmd", "script", "code")
"""Arguments that hold a command."""

ONCE = frozenset(
    "send notify email post publish deploy launch pay buy submit merge push order book transfer invite".split()
)
"""Words of tools and commands whose effect nobody wants twice."""

LONGEST, SHORT, TOLD = 160, 60, 120
"""Characters that are shown of a call, of one of its arguments, and of what came of it."""

BEGINS = re.compile(
    r"\s*(?:error|exception|traceback|fatal|failed|failure)\b"
    r"|\s*(?:[^\s:]{1,80}: (?:line \d+: )?){0,4}(?:permission denied|command not found|no such file)\b",
    re.IGNORECASE,
)
"""How a result begins when its call failed."""

LOGGED = re.compile(r"\s*[A-Z]{4,}\b")
"""How a line of a log begins, which a call that only looks may show."""

SAYS = re.compile(
    r"\bexit(?:ed)?(?: with)?(?: code| status)?:? [1-9]\d{0,2}\b|\breturn ?code\W{1,3}[1-9]"
    r"|^\w*(?:Error|Exception): ",
    re.IGNORECASE | re.MULTILINE,
)
"""What the result of a command says that failed; one that only looks may show a log that says so."""

ENDED = re.compile(r"(?:<[^<>]{1,40}>|(?:return|exit) ?(?:code|status)|[\W\d_])+", re.IGNORECASE)
"""A line that wraps an output, or says how a command ended."""

MOST_LOOKED_AT = 20_000
"""Characters of a result in which that is looked for."""


class Action(NamedTuple):
    """A call that has run. `title` is the tool with its arguments, `came` in a line what it gave."""

    at: At
    name: str
    arguments: str
    command: str
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
    changes, looked_at = _changes(call), text[:MOST_LOOKED_AT]
    failed = any(isinstance(part, ToolResult) and part.is_error for part in results)
    if changes or not LOGGED.match(looked_at):
        failed = failed or BEGINS.match(looked_at) is not None
    failed = failed or (changes and SAYS.search(looked_at) is not None)
    came = _why(looked_at) if failed else _came(looked_at)
    return Action(
        at=one.at,
        name=call.name,
        arguments=call.arguments,
        command=command_of(call),
        title=title(call),
        came=(beginning(came, TOLD) if not unfit(came) else "") or "nothing that is told here",
        result=text,
        failed=failed,
        changes=changes,
    )


def title(call: ToolCall) -> str:
    """The tool and its arguments, each long one shortened."""
    command = command_of(call)
    told = command or ", ".join(f"{key}={_short(value)}" for key, value in arguments_of(call).items())
    return f"{call.name or 'tool'}: {beginning(one_line(told), LONGEST)}" if told else call.name or "tool"


def command_of(call: ToolCall) -> str:
    """The command that a call runs, "" where it runs none."""
    values = arguments_of(call)
    found = next((values[key] for key in COMMANDS if key in values), "")
    return " ".join(map(str, found)) if isinstance(found, list) else found if isinstance(found, str) else ""


def _short(value: JSON) -> str:
    return beginning(one_line(value if isinstance(value, str) else encode(value).decode()), SHORT)


def _changes(call: ToolCall) -> bool:
    """Whether a call may have changed something."""
    if _HARMLESS.fit(call.name):
        return False
    if not _ONCE.fit_word(call.name) and not changed(call.name, call.arguments):
        return False
    command = command_of(call)
    return not command or any(not LOOKS.match(step) for step in re.split(r"&&|\|\||;|\n", command) if step.strip())


_HARMLESS, _ONCE = Globs(HARMLESS), Globs(ONCE)


def _came(text: str) -> str:
    """The first line that says more than how the call ended."""
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    return next((row for row in rows if not ENDED.fullmatch(row)), rows[0] if rows else "")


def _why(text: str) -> str:
    """The line of a failure that says most: the one an exception ends with, else the first with such a word."""
    rows = [row.strip() for row in text.splitlines() if row.strip() and not unfit(row)]
    telling = [row for row in rows if re.match(r"(?:\w+\.)*\w*(?:Error|Exception)\b", row)]
    words = (
        row for row in rows if re.search(r"error|fail|denied|not found|cannot|needs|exit", row, re.IGNORECASE)
    )
    return telling[-1] if telling else next(words, rows[0] if rows else "it failed")
