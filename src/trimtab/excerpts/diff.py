"""Unified diffs, git's among them, read by their heads: a hunk has the lines that it counts, no others."""

from __future__ import annotations

import re
from typing import ClassVar

from msgspec import Struct

from trimtab.excerpts.base import STRUCTURE, Outline
from trimtab.excerpts.marks import NOTHING, Mark, faces, fit, units

CHANGED = 0.5
"""Weight of an added or removed line: more than its context, less than what tells where it stands."""

HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@(?: .*)?$")
FILE = re.compile(r"diff |Index: ")
RENAMED = re.compile(
    r"(?:rename|copy) (?:from|to) |(?:old|new|deleted file|new file) mode \d|Binary files .* differ$"
)
ONLY = re.compile(r"Only in .+: .|(?:Binary f|F)iles .* differ$")
EXTENDED = re.compile(r"index [0-9a-f]+\.\.|(?:dis)?similarity index \d|GIT binary patch$|={67}$")
PATCHED = re.compile(r"(?:literal|delta) \d+$")
COMMIT = re.compile(r"commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} ")
AFTER = re.compile(r"warning: |-- $|--$|\d+\.\d+[\w. ()-]*$")
ABOUT = re.compile(
    r"(?:Author|AuthorDate|Commit|CommitDate|Date|Merge|tree|parent|Reflog[\w ]*): ?| |warning: |---$"
)
"""What `git log`, `git show` and `git format-patch` write between commits and their files."""


NO_NEWLINE = "\\ No newline at end of file"

STRIPPED = 3
"""Lines of context that may be missing at the end of the text: blank ones, which tools strip."""


class Changes(Struct):
    """What was counted in one file."""

    name: str
    added: int = 0
    removed: int = 0


class Diff:
    """Heads of files and hunks, and the lines under them. A combined diff of a merge is plain text."""

    name: ClassVar[str] = "diff"

    def read(self, text: str) -> Outline | None:
        """The files and hunks of a diff; None unless each line is accounted for and each hunk's counts add up."""
        if "@@ -" not in text and "diff --git " not in text:
            return None
        lines, seen = faces(text)
        reading = _Reading(seen)
        if not (reading.whole() and reading.proven):
            return None
        return Outline(self.name, units(lines, reading.marks), _sums(reading.files))


class _Reading:
    """One pass over the lines.

    `head` is the number of the line that hunks need, -1 before a file's head; `bare` hunks have none, as APIs
    give the changes of one file.
    """

    def __init__(self, seen: list[str]) -> None:
        self.seen = seen
        self.marks: list[Mark] = []
        self.files: list[Changes] = []
        self.head = -1
        self.prose = True
        self.mail = False
        self.proven = False
        self.bare = HUNK.match(next(filter(None, seen), "")) is not None
        if self.bare:
            self.files.append(Changes("hunks"))

    def whole(self) -> bool:
        """Whether each line to the end is one that a diff has there."""
        while len(self.marks) < len(self.seen):
            face = self.seen[len(self.marks)]
            hunk = HUNK.match(face) if self.head >= 0 or self.bare else None
            if not (self._hunk(hunk) if hunk else self._file(face) or self._extended(face) or self._between(face)):
                return False
        return True

    def _hunk(self, hunk: re.Match[str]) -> bool:
        """Takes as many lines as the hunk counts; False if there are others among them."""
        number, file = len(self.marks), self.files[-1]
        left, right = int(hunk[1] or 1), int(hunk[2] or 1)
        self.marks.append(Mark(STRUCTURE, "hunk", self.head))
        changed, context = Mark(CHANGED, "changed", number), Mark(needs=number)
        while (left > 0 or right > 0) and len(self.marks) < len(self.seen):
            sign = self.seen[len(self.marks)][:1]
            if sign not in "+- \\":
                return False
            left -= sign in "- "
            right -= sign in "+ "
            file.added += sign == "+"
            file.removed += sign == "-"
            self.marks.append(changed if sign in ("+", "-") else context)
        if self.seen[len(self.marks) : len(self.marks) + 1] == [NO_NEWLINE]:
            self.marks.append(context)
        self.proven = True
        return 0 <= left == right <= STRIPPED

    def _file(self, face: str) -> bool:
        """Takes the head of a file: `diff --git`, or `---` and `+++` where that is missing."""
        if FILE.match(face):
            self._open(face.rpartition(" ")[2].removeprefix("b/"))
            return True
        following = self.seen[len(self.marks) + 1 : len(self.marks) + 2]
        if not face.startswith("--- ") or not following or not following[0].startswith("+++ "):
            return False
        names = [row[4:].partition("\t")[0] for row in (face, following[0])]
        name = names[0] if names[1] == "/dev/null" else names[1]
        if self.head >= 0 and self.marks[-1].why != "changed":
            self.files[-1].name = name.removeprefix("b/").removeprefix("a/")
            self.marks += [Mark(needs=self.head)] * 2
        else:
            self._open(name)
            self.marks.append(Mark(STRUCTURE, "file", self.head))
            self.head += 1
        return True

    def _open(self, name: str) -> None:
        self.head = len(self.marks)
        self.prose = self.mail = self.bare = False
        self.files.append(Changes(name))
        self.marks.append(Mark(STRUCTURE, "file"))

    def _extended(self, face: str) -> bool:
        """Takes what git says of a file besides its lines: modes, names, what it is alike, binary content."""
        if self.head < 0:
            return False
        if RENAMED.match(face):
            self.proven = True
            self.marks.append(Mark(STRUCTURE, "file", self.head))
        elif EXTENDED.match(face):
            self.marks.append(Mark(needs=self.head))
        elif PATCHED.match(face):
            while len(self.marks) < len(self.seen) and self.seen[len(self.marks)]:
                self.marks.append(Mark(needs=self.head))
        else:
            return False
        return True

    def _between(self, face: str) -> bool:
        """Takes what stands between commits and files; of a mail that is any text."""
        if COMMIT.match(face):
            self.head, self.prose, self.mail = -1, True, face.startswith("From ")
            self.marks.append(Mark(STRUCTURE, "commit"))
            return True
        if ONLY.match(face):
            self.head, self.prose = -1, False
            self.marks.append(Mark(CHANGED, "file"))
            return True
        self.marks.append(NOTHING)
        return not face or self.mail or bool((ABOUT if self.prose else AFTER).match(face))


def _sums(files: list[Changes]) -> str:
    added, removed = sum(file.added for file in files), sum(file.removed for file in files)
    each = [f"{file.name} +{file.added} -{file.removed}" for file in files]
    return fit(f"{len(files):,} files, +{added:,} -{removed:,} lines", *each) if len(files) > 1 else each[0]
