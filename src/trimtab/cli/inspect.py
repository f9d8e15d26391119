"""`trimtab inspect`: where the context goes: of a request, of a session, of folders full of sessions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trimtab import sessions
from trimtab.cli import options
from trimtab.cli.exits import FINDINGS, UsageError, complain
from trimtab.cli.files import named, print_json, read
from trimtab.cli.screen import bar, counted, number, screen, share, table, text, waiting
from trimtab.cli.session import Recorded, recorded
from trimtab.cli.survey import drawn, surveyed
from trimtab.composition import Composition, Repeat, Share, composition
from trimtab.errors import WireError
from trimtab.sessions.requests import REQUESTS

MOST_TOOLS = 12


def inspect(
    paths: options.Paths,
    call: options.Call = None,
    model: options.Model = None,
    json: options.Json = False,
) -> None:
    """Show where the context goes: by role, kind and tool, the largest parts, and what is there twice.

    Of a session file: its last request and its calls. Of folders: every session, totals by format and tool.
    """
    if len(paths) == 1 and not Path(paths[0]).is_dir():
        _one(paths[0], call, model, json)
        return
    if call is not None:
        raise UsageError("--call takes the request of one session file; name that file alone")
    survey = surveyed(paths)
    if json:
        print_json(survey.to_dict())
    else:
        screen().print(drawn(survey))
    if not survey.sessions:
        complain(f"no session in {counted(len(survey.unsupported) + len(survey.unreadable), 'file')}")
        raise typer.Exit(FINDINGS)


def _one(file: str, call: int | None, model: str | None, json: bool) -> None:
    payload = read(file, call)
    with waiting("counting tokens"), named(file, payload):
        found, held = _composed(payload, call is None, model)
    if json:
        shown = found.to_dict() if found else None
        print_json({**held.to_dict(), "composition": shown} if held else shown)
    else:
        screen().print(Group(*(held.drawn() if held else ()), *(_sections(found) if found else ())))
    if found is None:
        raise typer.Exit(FINDINGS)


def _composed(
    payload: bytes, may_be_session: bool, model: str | None
) -> tuple[Composition | None, Recorded | None]:
    """The composition of a request; that of the last one of a session file, and what else is in it."""
    reader = sessions.reader_of(payload) if may_be_session else None
    if reader is None:
        return composition(payload, model), None
    if reader is REQUESTS:
        with suppress(WireError):
            return composition(payload, model), None
    held = recorded(reader, payload)
    return (None if held.last is None else composition(held.last, model)), held


def _sections(found: Composition) -> Iterator[RenderableType]:
    about = (found.wire, found.model or "model not named", counted(found.messages, "message"))
    head = Text.assemble((f"{found.tokens:,} tokens", "bold"), f" by {found.counter}  ")
    yield head.append_text(text(" · ".join(about), "dim"))
    yield Padding(_shares("kind", found.kinds, found.tokens), (1, 0, 0, 0))
    yield Padding(_shares("role", found.roles, found.tokens), (1, 0, 0, 0))
    if found.tools:
        yield Padding(_tools(found), (1, 0, 0, 0))
    if found.largest:
        yield Padding(_largest(found), (1, 0, 0, 0))
    if found.repeats:
        yield Padding(_repeats(found.repeats, found.repeated), (1, 0, 0, 0))


def _shares(by: str, shares: Sequence[Share], whole: int) -> Table:
    made = table(by, ">tokens", "", "", ">parts")
    made.columns[0].min_width = 16
    for one in shares:
        size = (number(one.tokens), share(one.tokens, whole), bar(one.tokens, whole, 32))
        made.add_row(text(one.name), *size, number(one.parts, "dim"))
    return made


def _tools(found: Composition) -> Table:
    made = table("tool", ">tokens", "", "", ">calls", ">arguments", ">results")
    made.columns[0].min_width = 16
    for one in found.tools[:MOST_TOOLS]:
        made.add_row(
            text(one.name, "bold"),
            number(one.tokens),
            share(one.tokens, found.tokens),
            bar(one.tokens, found.tokens, 32, "magenta"),
            number(one.calls, "dim"),
            number(one.arguments, "dim"),
            number(one.results, "dim"),
        )
    if len(found.tools) > MOST_TOOLS:
        made.add_row(Text(f"and {len(found.tools) - MOST_TOOLS} more", "dim"))
    return made


def _largest(found: Composition) -> Table:
    made = table(">tokens", "", "", "kind", "*the largest parts", "where")
    most = found.largest[0].tokens
    for one in found.largest:
        size = (number(one.tokens), share(one.tokens, found.tokens), bar(one.tokens, most, 10, "yellow"))
        made.add_row(*size, text(one.kind), text(one.what), text(one.place, "dim"))
    return made


def _repeats(repeats: Sequence[Repeat], repeated: int) -> Table:
    made = table(">tokens", ">times", "*the same result again", "where", title=f"{repeated:,} tokens are repeats")
    for one in repeats:
        places = " ".join(one.places[:3]) + (" …" if len(one.places) > 3 else "")
        made.add_row(number(one.spent, "red"), number(one.times), text(one.what), text(places, "dim"))
    return made
