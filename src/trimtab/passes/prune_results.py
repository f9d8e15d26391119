"""Old results by what kind of tool gave them: of data both ends stay, a confirmation becomes one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import At, Edit, Loss, Place, Replace
from trimtab.outcomes import failed, pruned
from trimtab.passes.base import Stage, View
from trimtab.stubs import cleared_stub, clip, clip_start
from trimtab.transcript import ToolResult
from trimtab.words import WORD


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


PREFIXES = tuple(
    f"internal_{what}_*"
    for what in _listed("execute query read fetch list search database supabase csv sql db select")
)
"""Tools of the platform that this way of pruning was made for."""

DATA = _listed(
    "read view cat head tail show get fetch list ls glob grep rg find search lookup query select sql csv db"
    " database describe diff log logs blame inspect browse crawl scrape execute exec run bash sh shell terminal"
    " command python repl notebook agent"
)
"""Words in the names of tools, of common agents and MCP servers, that give back what a later step may quote."""


class PruneResults(Struct, frozen=True):
    """A result of a tool that gives data keeps its two ends, any other becomes one line with what came of it.

    `protect_data_tools` are globs for names of tools and for words in them; a result whose call is not known
    counts as data. Removes: the middle of data over `max_result_chars`, the text of other results. Keeps: errors,
    unless `prune_error_results`. Recovers: the whole text by the handle. Skips when: nothing is gained.
    """

    max_result_chars: int = 5000
    head_chars: int = 1500
    tail_chars: int = 1500
    prune_error_results: bool = True
    use_meaningful_summaries: bool = True
    protect_data_tools: tuple[str, ...] = PREFIXES + DATA

    name: ClassVar[str] = "prune_results"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first; of each as it is sent now, so that no base64 that was cut comes back."""
        for at in view.open:
            part = view.part(at)
            if not isinstance(part, ToolResult) or self._spared(part):
                continue
            text, why = self._shown(view, at, part.text)
            if len(text) < len(part.text):
                yield Replace(at, msgspec.structs.replace(part, text=text), why)

    def _spared(self, part: ToolResult) -> bool:
        return not self.prune_error_results and (part.is_error or failed(part.text))

    def _shown(self, view: View, at: At, text: str) -> tuple[str, str]:
        call, handle = view.call(at), view.handle(at)
        if call is not None and not fits(call.name, self.protect_data_tools):
            return pruned(call.name, text, handle, meaningful=self.use_meaningful_summaries), "a confirmation"
        if len(text) <= self.max_result_chars:
            return text, ""
        return self._ends(text, handle), f"data over {self.max_result_chars:,} characters"

    def _ends(self, text: str, handle: str) -> str:
        """Both ends, and between them how much is gone; the whole where the ends meet."""
        head, tail = clip(text, self.head_chars), clip_start(text, self.tail_chars)
        gone = len(text) - len(head) - len(tail)
        return (
            f"{head}\n\n{cleared_stub(f'… {gone:,} characters trimmed', handle)}\n\n{tail}" if gone > 0 else text
        )


def fits(tool: str, globs: Sequence[str]) -> bool:
    """Whether a glob fits the name of a tool or a word in it, in either case: `get` fits `mcp__x__getIssue`."""
    names = [tool.lower(), *map(str.lower, WORD.findall(tool))]
    return any(fnmatchcase(name, glob.lower()) for glob in globs for name in names)
