"""A preset that does one thing: all but the last message gives way to a note."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Brief
from trimtab.passes.keep_window import PLACES
from trimtab.passes.write_note import WriteNote
from trimtab.reach import Rules


class OneNote(Struct, frozen=True):
    """Whatever the request holds, a note is made of it as `brief` says."""

    brief: Brief = Brief()

    name: ClassVar[str] = "one-note"
    source: ClassVar[str] = "the benchmark"

    def rules(self) -> Rules:
        """One pass."""
        return Rules(
            preset=self.name,
            passes=(WriteNote(keep=1, brief=self.brief),),
            places=PLACES,
            protect_results=0,
            finders=(),
            smallest=0,
            task_stays=False,
            question_stays=False,
        )
