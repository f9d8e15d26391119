"""Four places at once: tool schemas, attached files, old results by the kind of tool, base64."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.attachments import TAGS
from trimtab.edits import Place
from trimtab.passes.base import Pass
from trimtab.passes.compact_schemas import CompactSchemas
from trimtab.passes.cut_media import CutMedia
from trimtab.passes.cut_named_media import CutNamedMedia
from trimtab.passes.fit_budget import FitBudget
from trimtab.passes.preview_files import PreviewFiles
from trimtab.passes.preview_system_files import PreviewSystemFiles
from trimtab.passes.prune_results import DATA, PREFIXES, PruneResults
from trimtab.passes.prune_to_total import PruneToTotal
from trimtab.presets.base import Count
from trimtab.previews import Sizes
from trimtab.reach import Rules, When
from trimtab.schemas import Level


class FourPlaces(Struct, frozen=True, forbid_unknown_fields=True):
    """At every call: schemas without the prose on parameters, old results cut by the kind of their tool.

    `schemas` is `off`, `descriptions` or `annotations` (titles, examples and comments as well). Base64 leaves
    every result, the newest too. Of the results before the last `keep_last_results`, those of tools that give data
    (`protect_data_tools`: globs for names of tools and for words in them) keep their first `head_chars` and last
    `tail_chars` characters when they are over `max_result_chars`; all others become one line that tells rows, ids,
    success, counts, addresses or errors (with `use_meaningful_summaries`; else only their size). Errors stay whole
    unless `prune_error_results`. Above `max_total_tool_chars` in all results together, old ones become one line
    each without exception, oldest first. `enabled` switches the pruning of results.

    Files that stand between `file_tags` in the system text, or in what the user says, stay whole up to
    `full_context_threshold` characters over all of them, there and here. Above, the `max_preview_files` that fit
    best are shown by `preview_chars` characters each, the others by their sections: what the user gives by the
    question it comes with, what the system text holds by what the first turn says. This is chosen once.

    Keeps what is said beside the files word for word, what each tool says of itself, all that makes a call valid,
    the last results and the newest exchange. A budget of the caller is met by excerpts of results instead.

    Loses nothing for good; but nothing tells the model that a description of a parameter is gone, and a line in
    the place of a result is all it sees until it recalls it. Pruning moves on with every call, and breaks the
    provider's cache where it does.
    """

    schemas: Level = Level.DESCRIPTIONS
    enabled: bool = True
    keep_last_results: Count = 3
    max_result_chars: Count = 5000
    head_chars: Count = 1500
    tail_chars: Count = 1500
    max_total_tool_chars: Count = 400_000
    prune_error_results: bool = True
    use_meaningful_summaries: bool = True
    protect_data_tools: tuple[str, ...] = PREFIXES + DATA
    full_context_threshold: Count = 10_000
    preview_chars: Count = 600
    max_preview_files: Count = 4
    file_tags: tuple[str, ...] = TAGS

    name: ClassVar[str] = "four-places"
    source: ClassVar[str] = "Four Places We Compact Context Before It Reaches the Model (article)"

    def rules(self) -> Rules:
        """Schemas with the frame, files and base64 as they arrive, pruning at every call."""
        return Rules(
            preset=self.name,
            passes=(*self._arriving(), *self._pruning(), FitBudget(frozenset({Place.RESULTS}))),
            places=frozenset({Place.TOOLS, Place.SYSTEM_TEXT, Place.USER_TEXT, Place.RESULTS, Place.REASONING}),
            protect_results=self.keep_last_results,
            finders=(),
            when=When(tokens=0),
            smallest=0,
            frames=(CompactSchemas(self.schemas), PreviewSystemFiles(self._sizes, self.file_tags)),
        )

    @property
    def _sizes(self) -> Sizes:
        return Sizes(self.full_context_threshold, self.preview_chars, self.max_preview_files)

    def _arriving(self) -> tuple[Pass, ...]:
        return PreviewFiles(self._sizes, self.file_tags), CutMedia(), CutNamedMedia()

    def _pruning(self) -> tuple[Pass, ...]:
        if not self.enabled:
            return ()
        prunes = PruneResults(
            max_result_chars=self.max_result_chars,
            head_chars=self.head_chars,
            tail_chars=self.tail_chars,
            prune_error_results=self.prune_error_results,
            use_meaningful_summaries=self.use_meaningful_summaries,
            protect_data_tools=self.protect_data_tools,
        )
        return prunes, PruneToTotal(self.max_total_tool_chars, self.use_meaningful_summaries)
