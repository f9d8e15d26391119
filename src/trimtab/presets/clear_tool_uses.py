"""Context editing as the provider does it on its side, done here: the oldest results are cleared."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Place
from trimtab.passes.clear_results import ClearResults
from trimtab.presets.base import Count
from trimtab.reach import Rules, When


class ClearToolUses(Struct, frozen=True, forbid_unknown_fields=True):
    """Above `trigger` tokens every result but the last `keep` gives way to `placeholder`.

    Results of the tools in `exclude_tools` (globs) stay. With `clear_tool_inputs` long arguments of the calls
    whose results are cleared go too. Unless `clear_at_least` tokens would be freed nothing is done, so that the
    provider's cache is not broken for little.

    Keeps every call and what is said word for word, the last results and the newest exchange.

    Loses nothing for good: what is cleared comes back by its handle. Nothing tells what a cleared result said.
    """

    trigger: Count = 100_000
    keep: Count = 3
    clear_at_least: Count = 0
    exclude_tools: tuple[str, ...] = ()
    clear_tool_inputs: bool = False
    placeholder: str = "cleared"

    name: ClassVar[str] = "clear-tool-uses"
    source: ClassVar[str] = "Anthropic context editing (clear_tool_uses_20250919), LangChain ClearToolUsesEdit"

    def rules(self) -> Rules:
        """One pass over results, all or nothing."""
        clears = ClearResults(
            self.placeholder, self.keep, self.exclude_tools, self.clear_tool_inputs, self.clear_at_least
        )
        return Rules(
            preset=self.name,
            passes=(clears,),
            places=clears.places | {Place.REASONING},
            protect_results=self.keep,
            finders=(),
            when=When(tokens=self.trigger),
            smallest=0,
        )
