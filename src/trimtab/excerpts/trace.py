"""Tracebacks, and what test runners, compilers and builds print: what failed, where, and how all came out."""

from __future__ import annotations

import re
from typing import ClassVar

from trimtab.excerpts.base import ODD, STRUCTURE, VERDICT, Outline
from trimtab.excerpts.marks import NOTHING, Mark, faces, fit, tempered, units

NEAR = 20
"""Lines from the end among which a run says how it came out."""

SHARE = 0.2
"""Share of the lines that are evidence, where none of it is near the end."""

LOOKED_AT = 600
"""Characters of a line that are looked at."""

_NUMBER = r"\d{1,9}(?:\.\d{1,9})?"
_PATH = r"(?:[A-Za-z]:)?[^\s:()\"']{1,250}+"
_COUNT = rf"{_NUMBER} (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed)"

_RULES = {
    # How all came out: pytest, unittest, jest, vitest, mocha, cargo, Maven, Gradle, RSpec, PHPUnit, CTest.
    "count": rf"(?:=+ )?{_COUNT}(?:, {_COUNT})* in {_NUMBER}s.*|=+ no tests ran in .*|Ran \d+ tests? in .*"
    r"|FAILED \((?:failures|errors|skipped|expected|unexpected)[ =].*"
    r"|(?:Tests|Test Suites): +\d+ .*\d+ total.*| +(?:Test Files|Tests) +\d+ [a-z]+.* \(\d+\)"
    r"| +\d+ (?:passing|failing)(?: \(.*\))?$|test result: (?:ok|FAILED)\. .*"
    r"|(?:\[[A-Z]+\] +)?Tests run: \d+, Failures: \d+.*|(?:\[[A-Z]+\] +)?BUILD (?:SUCCESS|FAIL)\w*.*"
    r"|\d+ (?:examples|tests), \d+ failures?.*|Tests: \d+, Assertions: .*|\d+% tests passed, \d+ tests failed.*"
    r"|!{3,}+ .+ !{3,}$",
    "tally": r"Found \d+ errors?\b.*|\d+ (?:error|warning)s?(?: and \d+ \w+)?(?: generated\.?)?$"
    r"|✖ \d+ problems? .*|Success: no issues found.*|All checks passed!$"
    r"|error: (?:could not compile|aborting due to) .*"
    r"|OK(?: \(.*\))?$|FAIL$",
    "build": r"(?:g?make|ninja)(?:\[\d+\])?: (?:\*\*\* |build stopped).*|##\[error\].*|npm ERR! code .*",
    "failed": r"(?:FAILED|ERROR) \S+::\S.*"
    r"| *--- FAIL: .*|test \S+ \.\.\. FAILED$|not ok \d+\b.*|FAIL(?:\t| +)\S.*"
    r"|[^*]{0,300}+\*\*\*(?:Failed|Exception|Timeout)\b.*",
    "passed": r"ok  \t\S+.*",
    "case": r"_{3,}+ .+ _{3,}$| {2,4}● .*|---- \S.* stdout ----$|(?:FAIL|ERROR): \w+ \(.*\)",
    "progress": r" {1,12}[✕✗×] .*|[^\s:]{1,250}+::\S.* (?:FAILED|ERROR)(?: +\[ *\d+%\])?$",
    "assertion": r"E(?: {3}.*|$)",
    "statement": r">   +\S.*",
    "section": r"={3,}+ .+ ={3,}$",
    "place": r"[^\s:]{1,250}+:\d+: (?:\w+(?:Error|Exception|Failure|Warning))?$",
    # Tracebacks of Python; Java and JavaScript; Go and Rust.
    "traceback": r"[ |+]*(?:Exception Group )?Traceback \(most recent call last\):$",
    "file": r"[ |]* File \".+\", line \d+.*",
    "frame": r"[ |\t]+at \S.*|\t\S+:\d+ \+0x[0-9a-f]+$",
    "cause": r"Caused by: .*",
    "panic": r"panic: .*|fatal error: .*|thread '.*' .*panicked at .*",
    "goroutine": r"goroutine \d+ \[.*\]:$",
    # Compilers and linters: gcc, clang, javac, mypy; Go; tsc, MSVC; ruff, flake8; rustc.
    "error": rf"{_PATH}(?::\d+){{1,2}}:(?: fatal)? error\b.*|[\w./-]+\.go:\d+:\d+: \S.*"
    rf"|{_PATH}\(\d+(?:,\d+)?\) ?: (?:fatal )?error\b.*|[^\s:]+(?::\d+){{2}}:? [A-Z]{{1,4}}\d{{2,5}}\b.*"
    r"|error\[E\d+\]: .*|\[ERROR\] \S+:\[\d+,\d+\] .*",
    "warning": rf"{_PATH}(?::\d+){{1,2}}: warning\b.*|{_PATH}\(\d+(?:,\d+)?\) ?: warning\b.*",
    "note": rf"{_PATH}(?::\d+){{1,2}}: note\b.*",
    "loose": r"error: .*|\[ERROR\] .*",
    "exception": r"(?:Exception in thread \".*\" |Uncaught )?"
    r"(?:[A-Za-z_]\w*[.$])*+\w*(?:Error|Exception)\b(?: \[\w+\])?(?::.*|$)",
}
RULES = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _RULES.items()))
"""What a line is by how it reads; whether it counts is told by the lines around it."""

WEIGHTS = {
    **dict.fromkeys(("count", "tally", "build", "failed", "error", "panic", "cause"), VERDICT),
    **dict.fromkeys(("case", "progress", "statement", "place", "loose"), ODD),
    **dict.fromkeys(("section", "warning", "goroutine", "traceback"), STRUCTURE),
}
PROOF = {"count", "build", "failed", "error"}
PROVING = PROOF | {"traceback", "exception", "panic", "goroutine"}
OPENING = {"error", "warning", "loose", "panic", "goroutine"}
"""Lines that need to stand above the indented ones that follow them."""

WORDS = (
    *(
        "Traceback (",
        "error",
        "Error",
        "Exception",
        "FAIL",
        "passed",
        "failed",
        "passing",
        "panic",
        "Ran ",
        "Tests",
    ),
    *("BUILD", "***", "##[", "tests", "!!!", "not ok", "goroutine"),
)
SPOT = re.compile(r":\d{1,9}:\d")
"""A word of these, or a place in a file, is in whatever has a proof."""

FOREIGN = re.compile(
    r"site-packages|dist-packages|node_modules|node:internal|\(internal/|<frozen |/lib/python\d|/go/src/|/pkg/mod/"
    r"|/rustc/|\.cargo/registry|^\s*at (?:java|javax|jdk|sun|com\.sun|kotlin|scala|io\.netty"
    r"|org\.(?:junit|apache|springframework|gradle|hibernate|mockito))\."
)
"""Frames in code that is not the user's own: libraries, the runtime, the test runner."""

STAMPED = re.compile(r"(?:[^\t]{1,200}\t[^\t]{1,200}\t)?\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z ?")
"""What GitHub Actions puts in front of each line of a build's output."""

QUOTED = re.compile(r"\s|\d+ +\||\.\.\.$|= ")
"""How the lines begin in which compilers show the code: indented, or behind its line number."""

BAD = re.compile(r"[1-9]\d* (?:failed|failing|failures?|errors?)|(?:Failures|Errors): [1-9]|FAIL")


EXIT = re.compile(
    r"[\[(<]?(?:shellId: \d{1,9} |(?:command|process|program) )?"
    r"(?:(?:exited|finished|completed|failed|terminated) (?:with )?(?:exit )?(?:code|status)"
    r"|exit(?:ed)?(?:[ _](?:code|status))?|return ?code) ?[:=>]? ?(?P<code>-?\d{1,10})(?:[\])>.]|</\w+>)*$",
    re.IGNORECASE,
)
QUOTES = ("```", '"""', "'''")
"""What a document or a program begins and ends a quoted run with."""

ENDS = frozenset("0123456789])>.")

EXITS = 5
"""Lines from the start and from the end among which it stands."""


class Trace:
    """What failed in a test run, a build or a program, where, and the counts as printed."""

    name: ClassVar[str] = "trace"

    def read(self, text: str) -> Outline | None:
        """The failures of a run; None unless its counts, errors or traceback stand near the end or fill it."""
        if not may_be(text):
            return None
        lines, seen = faces(text)
        found = findings(unstamped(seen))
        return Outline(self.name, units(lines, tempered(found.marks)), found.sums()) if found else None


def may_be(text: str) -> bool:
    """Whether anything in a text hints at a run or a traceback: a cheap look before its lines are read."""
    return any(word in text for word in WORDS) or SPOT.search(text) is not None


def findings(seen: list[str]) -> Reading | None:
    """What the lines of some output say of failures, None where they are not a run's or a traceback."""
    matches = [RULES.match(face, 0, LOOKED_AT) for face in seen]
    kinds = [(match.lastgroup or "") if match else "" for match in matches]
    if PROVING.isdisjoint(kinds) or any(face.startswith(QUOTES) for face in seen):
        return None
    reading = Reading(seen, kinds)
    filled = [number for number, face in enumerate(seen) if face and not face.isspace()]
    marked = sum(mark is not NOTHING for mark in reading.marks)
    if not reading.proof or (reading.proof[-1] < filled[-NEAR:][0] and marked < SHARE * len(filled)):
        return None
    for number in {*filled[:EXITS], *filled[-EXITS:]}:
        if ended_with(seen[number]):
            reading.marks[number] = Mark(VERDICT, "exit")
    return reading


def ended_with(face: str) -> re.Match[str] | None:
    """What a tool writes of how a command ended, with its `code`; None for any other line."""
    return EXIT.match(face, 0, LOOKED_AT) if face[-1:] in ENDS else None


def unstamped(seen: list[str]) -> list[str]:
    """What stands behind the time of a build service, if all lines that are not blank carry one."""
    stamps = [STAMPED.match(face) for face in seen]
    if not any(stamps) or any(not stamp and face.strip() for stamp, face in zip(stamps, seen, strict=True)):
        return seen
    return [face[stamp.end() :] if stamp else face for stamp, face in zip(stamps, seen, strict=True)]


class Reading:
    """One pass over the lines.

    `case` is the line that names the failed test, `owner` the one whose details follow, `opened` the head
    of a Python traceback not yet ended, `frame` its last frame; -1 where there is none. Only a traceback that
    is not indented is proof: source code and documents quote others.
    """

    def __init__(self, seen: list[str], kinds: list[str]) -> None:
        self.seen = seen
        self.kinds = kinds
        self.marks: list[Mark] = []
        self.proof: list[int] = []
        self.tracebacks = 0
        self.case = self.owner = self.opened = self.frame = -1
        self.margin = 0
        self.whole = False
        for number, (face, kind) in enumerate(zip(seen, kinds, strict=True)):
            self.marks.append(self._mark(number, face, kind))

    def _mark(self, number: int, face: str, kind: str) -> Mark:
        if not face or face.isspace():
            self.owner = self.opened = -1
            return NOTHING
        if self.opened >= 0:
            return self._in_traceback(number, face, kind)
        if kind == "traceback" or kind == "exception":
            return self._failure(number, face, kind)
        if kind in PROOF:
            self.proof.append(number)
        if kind in OPENING:
            return self._open(number, kind)
        if kind in ("section", "case", "count"):
            self.case, self.owner = (number if kind == "case" else -1), -1
            return Mark(WEIGHTS[kind], kind)
        if kind in ("frame", "note", "cause"):
            return self._detail(face, kind)
        return self._other(number, face, kind)

    def _failure(self, number: int, face: str, kind: str) -> Mark:
        """A traceback of Python, if frames follow; of Java or JavaScript, which begins with the exception."""
        following = self.kinds[number + 1] if number + 1 < len(self.kinds) else ""
        if following != ("file" if kind == "traceback" else "frame"):
            return self._other(number, face, "")
        self.tracebacks += 1
        if kind == "exception":
            self.proof.append(number)
            self.owner = number
            return Mark(VERDICT, kind, self.case)
        self.opened = self.frame = number
        self.margin = _margin(face)
        self.whole = self.margin == 0 or "Group" in face
        return Mark(STRUCTURE, kind, self.case)

    def _in_traceback(self, number: int, face: str, kind: str) -> Mark:
        """A frame, its code, or what ends the traceback: the exception."""
        head = self.opened
        if kind == "file":
            self.frame = number
            return Mark(needs=head) if FOREIGN.search(face, 0, LOOKED_AT) else Mark(STRUCTURE, "frame", head)
        if _margin(face) > self.margin:
            return Mark(needs=self.frame)
        self.proof += [number] * self.whole
        self.opened = -1
        return Mark(VERDICT, "exception", head)

    def _open(self, number: int, kind: str) -> Mark:
        self.owner = number
        if kind == "goroutine" or "panicked at " in self.seen[number]:
            self.proof.append(number)
        return Mark(WEIGHTS[kind], kind, self.case)

    def _detail(self, face: str, kind: str) -> Mark:
        above = self.owner if self.owner >= 0 else self.case
        if kind == "note" or (kind == "frame" and FOREIGN.search(face, 0, LOOKED_AT)):
            return Mark(needs=above)
        return Mark(VERDICT if kind == "cause" else STRUCTURE, kind, above)

    def _other(self, number: int, face: str, kind: str) -> Mark:
        if kind == "assertion":
            again = number > 0 and self.kinds[number - 1] == kind
            return Mark(STRUCTURE, "detail", self.case) if again else Mark(VERDICT, kind, self.case)
        if self.owner == number - 1 >= 0 and self.kinds[self.owner] == "panic":
            return Mark(VERDICT, "panic", self.owner)
        if kind in ("statement", "place") and self.case < 0:
            return NOTHING
        if kind in WEIGHTS:
            return Mark(WEIGHTS[kind], kind, self.case)
        if self.owner >= 0 and (QUOTED.match(face) or self.kinds[self.owner] == "goroutine"):
            return Mark(needs=self.owner)
        self.owner = -1
        return Mark(needs=self.case) if self.case >= 0 else NOTHING

    def sums(self) -> str:
        """The counts as printed, those of failures first; where none are, what was found."""
        seen, kinds = self.seen, self.kinds
        counts = dict.fromkeys(
            face.strip("=! ") for face, kind in zip(seen, kinds, strict=True) if kind == "count"
        )
        words = sorted(counts, key=lambda count: not BAD.search(count))
        errors, warnings = kinds.count("error"), kinds.count("warning")
        passed, failed = kinds.count("passed"), sum(face.startswith("FAIL\t") for face in seen)
        words += [f"errors {errors:,}, warnings {warnings:,}"] * bool(errors or warnings)
        words += [f"packages: {failed:,} FAIL, {passed:,} ok"] * bool(passed or failed)
        words += [f"{self.tracebacks:,} tracebacks"] * (self.tracebacks > 1)
        return fit("", *words, between=" · ")


def _margin(face: str) -> int:
    """How far a line is indented; the bars of an exception group count."""
    return len(face) - len(face.lstrip(" |+"))
