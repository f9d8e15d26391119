"""What `trimtab inspect` shows of a session file beside its last request: its sessions and calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trimtab.cli.screen import counted, number, table, text, when
from trimtab.cli.survey import MOST_TOLD, session_table
from trimtab.sessions.base import Damage, Reader
from trimtab.survey import CallFigures, Figures, calls, figures
from trimtab.transcript import JSON

MOST_CALLS = 15


class Recorded(Struct, frozen=True, kw_only=True):
    """The sessions of a file in figures, the calls of the first that has any, and the request of its last one."""

    sessions: tuple[Figures, ...]
    calls: tuple[CallFigures, ...]
    damage: tuple[Damage, ...]
    last: JSON

    def to_dict(self) -> dict[str, Any]:
        """All but the request as plain JSON."""
        names = ("sessions", "calls", "damage")
        return {name: msgspec.to_builtins(getattr(self, name)) for name in names}

    def drawn(self) -> Iterator[RenderableType]:
        """The file for a terminal; the last request is to be shown below it."""
        if len(self.sessions) > 1 or not self.calls:
            yield Padding(session_table(self.sessions), (0, 0, 1, 0))
        for one in self.damage[:MOST_TOLD]:
            yield Text.assemble((f"line {one.line:,}: ", "yellow")).append_text(text(one.text))
        if len(self.damage) > MOST_TOLD:
            yield Text(f"and {counted(len(self.damage) - MOST_TOLD, 'line')} more", "dim")
        if self.calls:
            yield _calls(self.calls)
            yield Padding(Text(f"The request of call {self.calls[-1].number:,}", "bold"), (1, 0, 0, 0))


def recorded(reader: Reader, data: bytes) -> Recorded:
    """What a session file holds. Raises WireError, and ConfigError for what needs an extra."""
    held = list(reader.read(data))
    main = next((session for session in held if session.calls), None)
    return Recorded(
        sessions=tuple(map(figures, held)),
        calls=tuple(calls(main)) if main else (),
        damage=tuple(one for session in held for one in session.damage),
        last=main.request(main.calls[-1]) if main else None,
    )


def _calls(found: tuple[CallFigures, ...]) -> Table:
    """The latest calls, each by its number."""
    made = table(">call", "when", ">messages", ">tokens", ">billed", ">cached", ">output", "*model")
    if len(found) > MOST_CALLS:
        made.add_row(Text("…", "dim", justify="right"), Text(f"{len(found) - MOST_CALLS:,} before", "dim"))
    for one in found[-MOST_CALLS:]:
        used = one.usage
        made.add_row(
            number(one.number),
            when(one.at) if one.at is not None else "",
            number(one.stop - one.start, "dim"),
            number(one.tokens, "bold"),
            number(used.input) if used else "",
            number(used.read, "green" if used.read else "dim") if used else "",
            number(used.output, "dim") if used else "",
            text(one.model or "", "dim"),
        )
    return made
