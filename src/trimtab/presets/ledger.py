"""The ledger view: question and latest exchange word for word, before them an entry for each call."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Place
from trimtab.errors import ConfigError
from trimtab.passes.fold_arguments import FoldArguments
from trimtab.passes.keep_beginnings import KeepBeginnings
from trimtab.passes.write_ledger import WriteLedger
from trimtab.presets.base import DEFAULT_PLACES
from trimtab.reach import Rules, When

DEFAULT = 6
"""Results after which the ledger is written."""


class Ledger(Struct, frozen=True, forbid_unknown_fields=True):
    """After so many tool results old exchanges become a ledger: each call with its arguments and what it gave.

    `after_tool_results` is how many, counted from the last fold on; `false` for never. `keep_result_chars` are the
    characters of each result that stay; a result that is fetched again is kept in full. `reuse_results` are globs
    of tools whose results may answer a repeated call: `ToolCache(ledger.reuse_results)` does so, in the loop that
    runs the tools, and refuses tools with effects or a status.

    Keeps system messages, the question (the newest message of the user) and the latest exchange word for word,
    and of the chat before the question the last 6 messages, 400 characters each. Loses from sight the ends of long
    results, older chat, and what the assistant said beside its calls; all of it comes back by its handle.
    """

    after_tool_results: int | bool = DEFAULT
    keep_result_chars: int = 2000
    reuse_results: tuple[str, ...] = ()

    name: ClassVar[str] = "ledger"
    source: ClassVar[str] = "Promptise Foundry 1.6: ContextCompaction"

    @classmethod
    def of(cls, setting: bool | int | Ledger) -> Ledger:
        """The preset that a switch means: False for never, True for the defaults, a number of results, or all."""
        return setting if isinstance(setting, Ledger) else cls(after_tool_results=setting)

    def rules(self) -> Rules:
        """Long results and arguments are cut where they stand, then the ledger is written. Raises ConfigError."""
        after = DEFAULT if self.after_tool_results is True else self.after_tool_results
        if after is False:
            return Rules(preset=self.name, passes=(), places=frozenset())
        if after < 1 or self.keep_result_chars < 0:
            raise ConfigError(f"presets.ledger: {self}: expected at least 1 result, and no characters below 0")
        keep = self.keep_result_chars
        return Rules(
            preset=self.name,
            passes=(FoldArguments(keep), KeepBeginnings(keep), WriteLedger()),
            places=DEFAULT_PLACES | {Place.ASSISTANT_TEXT, Place.USER_TEXT},
            protect_results=0,
            finders=(),
            when=When(results=after - 1),  # which acts above it
            smallest=0,
            task_stays=False,
        )
