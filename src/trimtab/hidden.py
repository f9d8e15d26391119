"""What a compaction took out of sight: identifiers and failing lines that only the original shows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct

from trimtab.compactor import Compactor
from trimtab.excerpts.marks import faces
from trimtab.finders.last_error import failures
from trimtab.provenance import Origin, Provenance
from trimtab.stubs import clip
from trimtab.transcript import ToolResult
from trimtab.words import CHUNK, identifiers

JOINTS = 12
"""Places at which an identifier that is shown is taken apart, to find the hidden one in it (`src/a.py` in
`/w/src/a.py:7`); the first ones, of a longer chain."""


class Hidden(Struct, frozen=True):
    """A part of the original with what of it is nowhere visible any more.

    `handle` brings it back; "" when nothing does.
    """

    place: str
    role: str
    what: str
    handle: str
    atoms: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def recoverable(self) -> bool:
        """Whether a handle brings it back."""
        return bool(self.handle)


class Survival(Struct, frozen=True):
    """The survival report. `atoms` and `lines` count the different ones in the original.

    Of these `hidden` ones are shown nowhere in the request, and `lost` ones do not come back either. Each
    stands in `parts` once, under the latest part that held it.
    """

    atoms: int
    lines: int
    hidden: int
    lost: int
    parts: tuple[Hidden, ...]

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made

    def __str__(self) -> str:
        head = (
            f"{self.atoms + self.lines - self.hidden:,} of {self.atoms:,} identifiers and {self.lines:,} failing"
            f" lines are visible, {self.hidden - self.lost:,} are recoverable, {self.lost:,} are lost"
        )
        return "\n".join([head, *(line for one in self.parts for line in _told(one))])


MOST_TOLD = 12
"""Identifiers, and lines, of one part that are told of; the report itself has all."""

LONGEST = 200
"""Characters of a line that is told of."""


def survival(payload: Any, original: Any = None, compactor: Compactor | None = None) -> Survival:
    """What the original shows and a compacted request does not, by part, each with its handle.

    Without `original` it is what the compactor's store makes of the payload. Raises WireError and StoreError.
    """
    known = Provenance(payload, original, compactor)
    held = [(one, _atoms(known, one)) for one in known.origins]
    atoms = {atom for _, (found, _) in held for atom in found}
    lines = {line for _, (_, found) in held for line in found}
    out = _unseen(atoms, known.shown)
    missing = lines - set(map(str.strip, faces(known.shown)[1])) if lines else set()
    parts: list[Hidden] = []
    for origin, (found, failing) in reversed(held):
        its = tuple(atom for atom in dict.fromkeys(found) if atom in out)
        cut = tuple(line for line in dict.fromkeys(failing) if line in missing)
        out, missing = out.difference(its), missing.difference(cut)
        if its or cut:
            parts.append(Hidden(origin.place, origin.role, origin.what, origin.handle, its, cut))
    counts = [(len(one.atoms) + len(one.lines), one.recoverable) for one in parts]
    hidden, lost = sum(n for n, _ in counts), sum(n for n, is_held in counts if not is_held)
    return Survival(len(atoms), len(lines), hidden, lost, tuple(reversed(parts)))


def _atoms(known: Provenance, origin: Origin) -> tuple[list[str], list[str]]:
    """The identifiers of a part, and the lines of a result that tell of a failure."""
    part = known.given.parsed[origin.index].message.parts[origin.part] if origin.result else None
    failing = failures(part) if isinstance(part, ToolResult) else {}
    return identifiers(origin.text), [line for lines in failing.values() for line in lines]


def _unseen(atoms: set[str], shown: str) -> set[str]:
    """Those that a text shows neither by themselves nor within a longer one."""
    out = atoms.difference(identifiers(shown))
    for chunk in set(CHUNK.findall(shown)) if out else ():
        out.difference_update(_within(chunk))
    return out


def _within(chunk: str) -> Iterator[str]:
    """What a longer identifier holds between two of its joints."""
    joints = [n for n, sign in enumerate(chunk) if not (sign.isalnum() or sign == "_")][:JOINTS]
    for start, stop in combinations([-1, *joints, len(chunk)], 2):
        yield chunk[start + 1 : stop]


def _told(one: Hidden) -> Iterator[str]:
    yield f"{one.place}  {one.what}  {one.handle or 'not stored'}"
    yield from (f"  {clip(line, LONGEST)}" for line in one.lines[:MOST_TOLD])
    more = len(one.atoms[MOST_TOLD:]) + len(one.lines[MOST_TOLD:])
    words = ", ".join(one.atoms[:MOST_TOLD])
    if words or more:
        yield f"  {words}{f' and {more:,} more' if more else ''}"
