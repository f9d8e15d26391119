"""Recordings of a terminal: what was typed at a prompt, and what came of it.

Escape codes and progress bars stay in the text that is shown; only what a reader of the screen would see
decides what a line is.
"""

from __future__ import annotations

import re
from typing import ClassVar, NamedTuple

from trimtab.excerpts.base import STRUCTURE, VERDICT, Outline
from trimtab.excerpts.marks import NOTHING, Mark, faces, first, fit, tempered, units
from trimtab.excerpts.trace import EXITS, ended_with, findings, may_be

LOOKED_AT = 400
"""Characters of a line in which a prompt is looked for."""

PROMPT = re.compile(
    r"""
    (?:\([\w.-]{1,40}\)[ ])?(?:
        (?P<host>
            \[?[\w.-]{1,60}@[\w.-]{1,60}(?::|[ ])[^\s$#%>]{0,200}[ ]?[$#%]   # user@host:~/project$
          | (?:PS[ ])?[A-Z]:\\[^>|<]{0,200}>                                # C:\project>
          | ➜[ ]+\S{1,100}(?:[ ]git:\([^)]{1,100}\)(?:[ ]✗)?)?|❯            # zsh, starship
        )(?:(?:[ ]|(?<=>))(?P<typed>.*)|$)
      | (?P<dollar>\$[ ])(?=[A-Za-z_./~({\["':!])(?P<entered>.*)
      | (?P<repl>>>>|In[ ]\[\d+\]:|(?:sqlite|mysql|julia|gdb|\(Pdb\)|\(gdb\)|\w{1,40}=[#>])>?)(?:[ ](?P<said>.*)|$)
    )""",
    re.VERBOSE,
)
"""What a shell or an interpreter prints before a command."""

STARTED = re.compile(r"Script started on |Last login: ")
STATUS = re.compile(r"(?P<code>\d{1,3})$")
CODED = re.compile(r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|\][^\x07\x1b\n]*+(?:\x07|\x1b\\))")
"""Escape codes that prove a terminal, in a text that is none of the `BINARY` kind where any bytes turn up."""

BINARY = re.compile(r"[\0-\x06\x10-\x1a\ufffd\udc80-\udcff]")
OVERWRITTEN = re.compile(r"\r(?![\r\n])")
ALIKE = re.compile(r"[\d\W_]+")
QUOTE = re.compile(r">{1,2} >|>> [^>]")
"""A quoted mail, whose third level looks like a prompt of Python."""

REPEATED = 0.5
"""Share of the states of an overwritten line that read like another one but for numbers and bars, at least."""


class Command(NamedTuple):
    """What was typed, and the number of its line."""

    number: int
    typed: str


class Terminal:
    """Commands with their outputs; also any text whose escape codes or progress bars come from a terminal."""

    name: ClassVar[str] = "terminal"

    def read(self, text: str) -> Outline | None:
        """The commands of a recording; None where neither prompts from the start on nor codes prove it one."""
        coded = CODED.search(text) is not None and not BINARY.search(text)
        if not coded and not OVERWRITTEN.search(text) and not _begins(text):
            return None
        lines, seen = faces(text)
        commands = _commands(seen, coded) if coded or _begins(text) else []
        if not commands and not coded and not any(map(_is_progress, lines)):
            return None
        if not commands and findings(seen):
            return None
        marks = _marks(seen, commands)
        return Outline(self.name, units(lines, tempered(marks)), _sums(commands, marks))


def _begins(text: str) -> bool:
    """Whether the first line is a prompt, or what stands above the first one."""
    begins = first(text)
    return bool(PROMPT.match(begins, 0, LOOKED_AT) or STARTED.match(begins))


def _commands(seen: list[str], coded: bool) -> list[Command]:
    """The commands, if they verifiably are some: a prompt in the first line, and more than one proof."""
    found = [(number, PROMPT.match(face, 0, LOOKED_AT)) for number, face in enumerate(seen)]
    prompts = [(number, prompt) for number, prompt in found if prompt]
    if not prompts:
        return []
    named = prompts[0][1]["host"] is not None
    commands = [
        Command(number, prompt["typed"] or prompt["entered"] or prompt["said"] or "")
        for number, prompt in prompts
        if not (named and prompt["dollar"])
    ]
    proofs = len(commands) + coded + named + any(map(ended_with, seen[-EXITS:]))
    return commands if proofs > 1 and not any(map(QUOTE.match, seen)) else []


def _is_progress(line: str) -> bool:
    """Whether a line was overwritten by others like it but for numbers and bars."""
    states = line.rstrip("\r\n").split("\r")
    return len(states) > 2 and len({ALIKE.sub("", state) for state in states}) <= REPEATED * len(states)


def _marks(seen: list[str], commands: list[Command]) -> list[Mark]:
    """Each output by itself: nothing in it needs what another command wrote."""
    starts = [command.number for command in commands]
    marks = _output(seen[: starts[0]] if starts else seen, -1, "")
    for command, stop in zip(commands, [*starts, len(seen)][1:], strict=True):
        marks.append(Mark(STRUCTURE, "command") if command.typed else NOTHING)
        marks += _output(seen[command.number + 1 : stop], command.number, command.typed)
    return marks


def _output(seen: list[str], command: int, typed: str) -> list[Mark]:
    found = findings(seen) if command >= 0 and may_be("\n".join(seen)) else None
    marks = found.marks if found else [NOTHING] * len(seen)
    asked = typed.endswith("echo $?")
    return [
        NOTHING if not face or face.isspace() else _line(face, mark, command, asked)
        for face, mark in zip(seen, marks, strict=True)
    ]


def _line(face: str, mark: Mark, command: int, asked: bool) -> Mark:
    ended = ended_with(face) or (STATUS.match(face) if asked else None)
    if ended:
        return Mark(VERDICT, "exit" if int(ended["code"]) else "exit 0", command)
    return Mark(mark.weight, mark.why, command + 1 + mark.needs if mark.needs >= 0 else command)


def _sums(commands: list[Command], marks: list[Mark]) -> str:
    if not commands:
        return ""
    bad = sum(mark.why == "exit" for mark in marks)
    typed = [f"`{command.typed}`" for command in commands if command.typed]
    return fit(
        f"{len(typed):,} commands", *([f"{bad:,} ended with an exit code other than 0"] if bad else []), *typed
    )
