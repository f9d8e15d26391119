"""The ledger of a conversation: each call with its arguments and what it gave, as text; and what is made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set

from msgspec import Struct

from trimtab.calls import call_key
from trimtab.edits import At
from trimtab.errors import WireError
from trimtab.files import PATHS
from trimtab.invariants import Pairing
from trimtab.jsonbytes import decode
from trimtab.stubs import beginning_stub, clip, ledger_lines, lines_of
from trimtab.transcript import JSON, Media, Message, Part, Role, Text, ToolCall, ToolResult
from trimtab.words import PIECE

FAILED = "[this call failed]"
"""The line above what a call gave that is marked as an error."""

_SIGNS = re.compile(rf"^(?=user: |assistant: |{re.escape(FAILED)}|## |\[trimtab: ledger|.*\) =$)", re.MULTILINE)

READS = frozenset({"read", "view", "open", "cat", "show", "head", "tail", "print"})
WRITES = frozenset({"write", "edit", "create", "insert", "replace", "patch", "append", "update", "delete", "save"})
"""Words of tools, or of their `command`, that read a file or change it."""

_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
"""How a patch names its files, where a tool takes nothing else."""


class Made(Struct, frozen=True):
    """A call that was made, and the parts of its result; without any it is still open."""

    at: At
    call: ToolCall
    results: tuple[At, ...] = ()


def calls_made(messages: Sequence[tuple[bytes, Message]]) -> list[Made]:
    """Every call of a conversation, in order."""
    pairing, given = Pairing[bytes](merges=True), dict[At, list[At]]()
    for index, (name, message) in enumerate(messages):
        pairing.feed(name, index, message)
    for result, call in pairing.answers.items():
        given.setdefault(At(*call), []).append(At(*result))
    places = ((At(name, n), part) for name, one in messages for n, part in enumerate(one.parts))
    return [Made(at, part, tuple(given.get(at, ()))) for at, part in places if isinstance(part, ToolCall)]


def made_again(messages: Sequence[tuple[bytes, Message]]) -> Set[At]:
    """The results of calls that were made before with the same arguments; of several the latest.

    A call that an earlier ledger tells of was made before as well.
    """
    before = {line for _, message in messages for line in earlier_ledger(message) or ()}
    latest, again = dict[str, Made](), dict[str, Made]()
    for one in calls_made(messages):
        key = call_key(one.call.name, one.call.arguments) or title(one.call)
        if key in latest or title(one.call) in before:
            again[key] = one
        latest[key] = one
    return {at for one in again.values() for at in one.results}


def title(call: ToolCall) -> str:
    """The first line of an entry: the tool and its arguments."""
    return f"{call.name or 'tool'}({' '.join(call.arguments.splitlines())}) ="


def entry(call: ToolCall, results: Sequence[Part]) -> str:
    """What the ledger says of a call that has run: its title, and below it what it gave."""
    failed = [FAILED] * any(isinstance(part, ToolResult) and part.is_error for part in results)
    return "\n".join([title(call), *failed, *(tame(said(part)).removesuffix("\n") for part in results)])


def tame(text: str) -> str:
    """A text no line of which can be taken for one of a ledger: where one could be, a blank goes before it."""
    return _SIGNS.sub(" ", text)


def said(part: Part) -> str:
    """A part as text; of a medium what it is."""
    match part:
        case Text(text=text) | ToolResult(text=text):
            return text
        case Media(media_type=media_type):
            return f"[{media_type or 'a medium'}, not shown]"
    return ""


def beginning(text: str, keep: int, handle: str) -> str:
    """The first `keep` characters of a longer text, with how much was cut and the way to the rest."""
    shown, lines = clip(text, keep), len(lines_of(text))
    first = min(len(lines_of(f"{shown}.")), lines)
    return shown + beginning_stub(len(shown), len(text), (first, lines), handle)


def earlier_ledger(message: Message) -> list[str] | None:
    """The lines of a ledger that the client sent back, None for any other message."""
    match message.role, message.parts:
        case Role.USER, (Text(text=text),):
            return ledger_lines(text)
    return None


def chat(message: Message) -> str:
    """What a message of the chat says: a user's, or an answer without calls; "" for any other."""
    if message.role not in (Role.USER, Role.ASSISTANT):
        return ""
    if any(isinstance(part, ToolCall | ToolResult) for part in message.parts):
        return ""
    return "\n".join(filter(None, map(said, message.parts))).strip()


def told(
    run: Sequence[tuple[bytes, Message]],
    calls: Sequence[Made],
    part: Callable[[At], Part],
    shown: Set[bytes],
    most: int,
) -> Iterator[str]:
    """The ledger of some messages, line by line in their order; `part` gives a part as it is sent now.

    `calls` are those of the conversation. Of the chat stand here the messages `shown`, each with its first
    `most` characters. The lines of an earlier ledger stay as they are.
    """
    made: dict[bytes, list[Made]] = {}
    for one in calls:
        made.setdefault(one.at.message, []).append(one)
    for name, message in run:
        if (earlier := earlier_ledger(message)) is not None:
            yield from earlier
        elif name in shown:
            text = chat(message)
            yield f"{message.role}: {tame(clip(text, most))}{'…' if len(text) > most else ''}"
        for one in made.get(name, ()):
            call = part(one.at)
            yield entry(call if isinstance(call, ToolCall) else one.call, [part(at) for at in one.results])


def arguments_of(call: ToolCall) -> dict[str, JSON]:
    """The arguments of a call by their names; none where they are no JSON object."""
    try:
        values = decode(call.arguments.encode()) if call.arguments.strip() else {}
    except (WireError, UnicodeEncodeError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def files_of(call: ToolCall) -> tuple[str, list[str]]:
    """The files a call names, and whether it has "read" or "written" them; none for a call that does neither."""
    values = arguments_of(call)
    command = values.get("command")
    does = _words(command) if isinstance(command, str) and " " not in command.strip() else set[str]()
    does = does if does & (READS | WRITES) else _words(call.name)
    texts = [(key.lower(), value) for key, value in values.items() if isinstance(value, str)]
    paths = [value for key, value in texts if key in PATHS and value]
    if does & WRITES:
        return "written", paths or [path for _, value in texts for path in _PATCHED.findall(value)]
    return "read", paths if does & READS else []


def _words(name: str) -> set[str]:
    return {word.lower() for word in PIECE.findall(name)}
