"""What later calls will use of each part: for policies that know the future, as bounds for those that do not."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from trimtab.replay.atoms import Need
from trimtab.replay.segment import Segment
from trimtab.transcript import ToolResult


class Future:
    """Every atom is expected from the last part before its call that holds it, where it can be from one it is
    grounded in."""

    def __init__(self, segment: Segment, needs: Sequence[Sequence[Need]]) -> None:
        self._segment = segment
        self._wanted: dict[int, list[tuple[int, str]]] = {}
        for call, its in enumerate(needs):
            for need in its:
                self._wanted.setdefault((need.grounded or need.holders)[-1], []).append((call, need.text))

    def used(self, part: int, call: int) -> bool:
        """Whether this call or a later one uses a part."""
        wanted = self._wanted.get(part)
        return wanted is not None and wanted[-1][0] >= call

    def wanted(self, part: int, call: int) -> set[str]:
        """The atoms that this call and later ones take from a part."""
        wanted = self._wanted.get(part, [])
        return {atom for _, atom in wanted[bisect_left(wanted, (call, "")) :]}

    def kept(self, part: int, call: int) -> tuple[str, int]:
        """What of a part this call and later ones use, and its raw tokens: of a result only those lines.

        The tokens are those of the part, in proportion to its characters.
        """
        text, size = self._segment.texts[part], self._segment.sizes[part]
        if not self.used(part, call):
            return "", 0
        if not isinstance(self._segment.parts[part], ToolResult):
            return text, size
        atoms = self.wanted(part, call)
        lines = [line for line in text.splitlines() if any(atom in line for atom in atoms)]
        left = "\n".join(lines)
        return left, -(-size * len(left) // max(len(text), 1))
