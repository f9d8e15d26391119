"""References: what tools wrote and returned gives way to where it can be had again."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Brief, Place
from trimtab.passes import Pass
from trimtab.passes.refer import Refer
from trimtab.passes.write_note import WriteNote
from trimtab.presets.base import Count, Seconds
from trimtab.reach import Rules, When


class References(Struct, frozen=True, forbid_unknown_fields=True):
    """Above `tokens`, results and written contents become references, by rules on the names of tools.

    The rules of `results` are templates filled from the call's own arguments; those of `arguments` say which
    arguments give way and to what. Both go before the built-in ones; globs fit names in any case, `path` also
    means `file_path` and the like, and an empty rule lets the part stay. A request that is still over `tokens`
    goes to the writer, which writes a note in the place of all but the last `keep` messages, of at most
    `max_note_tokens` tokens within `note_timeout` seconds, unless `note` is off.

    Keeps whatever no rule names, all other arguments, failed calls, the newest exchange.

    Loses nothing for good: what is cut comes back by its handle, or by the call that the reference names. A search
    repeated may answer otherwise. A note is a model's account of what it replaces.
    """

    tokens: Count = 50_000
    results: dict[str, str] = {}
    arguments: dict[str, dict[str, str]] = {}
    note: bool = True
    keep: Count = 20
    max_note_tokens: Count = 2048
    note_timeout: Seconds = 60.0

    name: ClassVar[str] = "references"
    source: ClassVar[str] = "Build an AI Agent (From Scratch), 6.2.4: compaction by tool-name rules"

    def __post_init__(self) -> None:
        """Raises ValueError for a rule that cannot be read."""
        Refer(self.results, self.arguments)

    def rules(self) -> Rules:
        """References first; a note only for what is still too large."""
        passes: tuple[Pass, ...] = (Refer(self.results, self.arguments),)
        if self.note:
            brief = Brief(most=self.max_note_tokens, seconds=self.note_timeout)
            passes += (WriteNote(self.keep, self.tokens, brief=brief),)
        places = frozenset[Place]().union(*(one.places for one in passes), {Place.REASONING})
        return Rules(
            preset=self.name,
            passes=passes,
            places=places,
            protect_results=0,
            finders=(),
            when=When(tokens=self.tokens),
            smallest=0,
        )
