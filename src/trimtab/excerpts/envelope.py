"""What a tool wraps around what it returns: the text inside is of a kind, the lines around it the tool's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from trimtab.excerpts.base import STRUCTURE, VERDICT, Outline, Unit
from trimtab.excerpts.text import lines

MOST = 12
"""Lines, or runs of lines, on one side of an envelope, at most; what goes on like this is content."""

EDGE = 2_000
"""Characters from the end in which the end of an envelope is looked for, but for a reminder."""

_HEADS = (
    # Codex: `exec_command`, `apply_patch`, tools of a server; and what of it `drop_headers` leaves.
    r"(?:Chunk ID: [0-9a-f]+\n|Exit code: -?\d+\n)?Wall time: [\d.]+ seconds\n"
    r"(?:Process (?:exited with code -?\d+|running with session ID \d+)\n)?"
    r"(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?Output:\n",
    r"\[(?:exit code -?\d+|running, session ID \d+), [\d.]+ s, \d+ tokens, chunk [0-9a-f]+\]\n",
    r"Warning: truncated output \(original token count: \d+\)\nTotal output lines: \d+\n\n?",
    # Claude Code: a command that failed, a note to the model.
    r"Exit code -?\d+\n",
    r"<system-reminder>(?:[^<]|<(?!/system-reminder>))*+</system-reminder>\n",
    # The editors of OpenHands, SWE-agent and Claude Code.
    r"OBSERVATION:\n",
    r"(?:The file .{1,1000}? has been (?:edited|updated)\. )?"
    r"Here's the result of running `cat -n` on .{1,1000}:\n",
    r"Here's the files and directories up to \d levels deep in .{1,1000}, excluding hidden items:\n",
    r"\[File: .{1,1000} \(\d+ lines total\)\]\n",
    r"\(\d+ more lines above\)\n",
)
HEAD = re.compile("|".join(_HEADS).replace(r"\n", r"\r?\n"))
"""What stands above the content, a run of lines each."""

_TAILS = (
    # OpenHands: its shell, its editor, a view that was cut.
    r"\[The command completed with exit code -?\d+\.\]|\[Command finished with exit code -?\d+\]",
    r"\[Current working directory: .+\]|[\w.-]+@openhands-workspace:.* [#$]",
    r"Review the changes and make sure they are as expected\. .*Edit the file again if necessary\.",
    # SWE-agent.
    r"File updated\. Please review the changes and make sure they are correct \(.*\)\. .*",
    r"\(\d+ more lines below\)|\((?:Open file|Current directory|Interactive session): .+\)|bash-\$",
    # Copilot CLI, Claude Code, Pi.
    r"<shellId: \d+ completed with exit code -?\d+>|Shell cwd was reset to .+|Command exited with code -?\d+",
    r"\[\d+ more lines in file\. Use offset=\d+ to continue\]",
)
_GLUED = r"\[Python [Ii]nterpreter: [^\]]{1,500}\]|<response clipped><NOTE>.{1,1000}</NOTE>"
TAIL = re.compile(rf"(?:^(?:{'|'.join(_TAILS)})|{_GLUED})$", re.MULTILINE)
"""A line below the content, or what is put right behind its last one."""

PAIRS = tuple(
    (re.compile(head), re.compile(tail + r"\s*\Z", re.MULTILINE))
    for head, tail in (
        # mini-swe-agent.
        (r"(?:<exception>[^<]*</exception>\n)?<returncode>-?\d+</returncode>\n<output>\n", r"</output>"),
        # Claude Code, of an output that it put into a file.
        (
            r"<persisted-output>\nOutput too large \(.+\)\. Full output saved to: .+\n\nPreview \(first .+\):\n",
            r"^\.\.\.\n</persisted-output>",
        ),
        # Gemini CLI.
        (
            r"(?:Command: .*\nDirectory: .*\n)?Output: ",
            r"^(?:Error: .*\n)?(?:Exit Code: .*\n)?(?:Signal: .*\n)?(?:Background PIDs: .*\n)?"
            r"Process Group PGID: \d+",
        ),
        # OpenHands, when its shell still wrote back what was typed.
        (
            r".+\r\n",
            r"\[Python Interpreter: .{1,500}\]\n[\w.-]+@openhands-workspace:.* [#$] ?\n"
            r"\[Command finished with exit code -?\d+\]",
        ),
    )
)
"""How an envelope begins that is one only if it also ends so."""

OPENING, CLOSING = "<system-reminder>", "</system-reminder>"

ENDED = re.compile(
    r"(?:Process exited with code|Exit [Cc]ode:?|Command exited with code|<returncode>|\[exit code"
    r"|(?:\[The command completed|\[Command finished|<shellId: \d+ completed) with exit code)"
    r" ?(?P<code>-?\d{1,10})"
)
"""A line that says how a command ended."""


def within(text: str) -> tuple[int, int]:
    """Where the content inside an envelope begins and ends; all of the text where there is none, or no content."""
    start, stop = _paired(text)
    for _ in range(MOST):
        head = HEAD.match(text, start, stop)
        start = head.end() if head else start
        tail = _tail(text, start, stop)
        if head is None and tail == stop:
            break
        stop = tail
    inside = text[start:stop]
    return (start, stop) if inside and not inside.isspace() else (0, len(text))


def _paired(text: str) -> tuple[int, int]:
    for begins, ends in PAIRS:
        head = begins.match(text)
        tail = head and ends.search(text, len(text) - EDGE)
        if head and tail:
            return head.end(), tail.start()
    return 0, len(text)


def _tail(text: str, start: int, stop: int) -> int:
    """Where the last line that is not blank begins if it is an envelope's, or what is glued to it; else `stop`."""
    end = start + len(text[start:stop].rstrip())
    begin = max(text.rfind("\n", start, end) + 1, start)
    if text.endswith(CLOSING, begin, end):
        opened = text.rfind(OPENING, start, end)
        whole = opened >= 0 and (opened == start or text[opened - 1] == "\n")
        return opened if whole else stop
    found = TAIL.search(text, max(begin, end - EDGE), end)
    return found.start() if found else stop


def wrapped(text: str, start: int, stop: int, outline: Outline) -> Outline:
    """The outline of `text[start:stop]` as that of the whole text; the envelope's lines are units of their own.

    No unit has a path: paths are those of a text that is JSON, and with its envelope it is none.
    """
    above = list(_own(text, 0, start))
    first = len(above)
    inside = (
        Unit(begin + start, end + start, weight, why, needs + first if needs >= 0 else -1)
        for begin, end, weight, why, needs, _ in outline.units
    )
    return replace(outline, units=[*above, *inside, *_own(text, stop, len(text))])


def _own(text: str, start: int, stop: int) -> Iterator[Unit]:
    """The lines of one side of an envelope; those that tell an exit code have weight, a reminder's do not."""
    reminder = False
    for unit in lines(text[start:stop]):
        begin, end = unit.start + start, unit.stop + start
        reminder = reminder or text.startswith(OPENING, begin, end)
        ended = None if reminder else ENDED.match(text, begin, end)
        if ended is None:
            yield Unit(begin, end)
        elif int(ended["code"]):
            yield Unit(begin, end, VERDICT, "exit code")
        else:
            yield Unit(begin, end, STRUCTURE, "exit code 0")
        reminder = reminder and text.find(CLOSING, begin, end) < 0
