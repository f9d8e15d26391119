"""`trimtab where`: from a text in a request to the message, part, tool, time and line it came from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from trimtab import jsonbytes, sessions
from trimtab.cli import options
from trimtab.cli.exits import FINDINGS, UsageError, complain, visible
from trimtab.cli.files import named, print_json, read
from trimtab.cli.opening import compactor_for
from trimtab.cli.screen import screen, text, waiting, when
from trimtab.sessions.base import Call, Session
from trimtab.sessions.requests import REQUESTS
from trimtab.sightings import Sight, Sighting, where as sightings_of

STYLES = {
    Sight.GIVEN: "green",
    Sight.EXCERPT: "cyan",
    Sight.MARKER: "dim",
    Sight.NOTE: "magenta",
    Sight.STORED: "yellow",
}


def where(
    words: Annotated[str, typer.Argument(metavar="TEXT", help="What to look for: a text, or re:PATTERN.")],
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A request, compacted or not, or a session."),
    ],
    call: options.Call = None,
    json: options.Json = False,
    model: options.Model = None,
    preset: options.Preset = None,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Say where a text in a request comes from: message, part, tool, time, and the line in the original.

    What was cut is looked for too: it is found by its handle in the store. Of a session without --call it is
    the request of the last call. Exit code 1 when nothing shows the text.
    """
    data = read(file)
    payload, times = _request(file, data, call)
    compactor = compactor_for(model=model, preset=preset, store=store, namespace=namespace, reads=True)
    try:
        with waiting("looking"), named(file, payload):
            places = sightings_of(words, payload, compactor, times)
    finally:
        compactor.store.close()
    if json:
        print_json([msgspec.to_builtins(one) for one in places])
    elif not places:
        complain("neither the request nor anything that was cut from it holds this text")
    console = screen()
    for one in places if not json else ():
        console.print(_head(one), soft_wrap=True)
        console.print(Text("    ").append_text(text(one.text, "dim")), soft_wrap=True)
    if not places:
        raise typer.Exit(FINDINGS)


def _head(one: Sighting) -> Text:
    index = one.message if one.message >= 0 else one.original
    place = f"messages[{index}] part {one.part}" if index >= 0 else "system and tools"
    line = Text.assemble((f"{one.sight:<9}", STYLES[one.sight]), (place, "bold"), f"  {one.role}  ")
    line.append(visible(one.what) if one.what else "", "dim")
    if one.line:
        line.append(f"  line {one.line:,} of the original" if one.handle else f"  line {one.line:,}")
    if one.times > 1:
        line.append(f", {one.times:,} lines in all")
    if one.at is not None:
        line.append("  ").append_text(when(one.at))
    return line.append(f"  trimtab recall {one.handle}" if one.handle else "", "cyan")


def _request(file: str, data: bytes, number: int | None) -> tuple[bytes, Sequence[float | None]]:
    """The request that is meant, and of a session when each of its messages was first sent."""
    reader = sessions.reader_of(data)
    if reader is None or (reader is REQUESTS and number is None):
        return data, ()
    with named(file, data):
        calls = ((session, one) for session in reader.read(data) for one in session.calls)
        found = [*calls] if number is None else [*islice(calls, number - 1, number)]
    if not found:
        raise UsageError(f"{file}: there is no call {number or 'in it'}")
    session, call = found[-1]
    return jsonbytes.encode(session.request(call)), _times(session, call)


def _times(session: Session, call: Call) -> list[float | None]:
    """For each message of a call the time of the first call that held it."""
    times: list[float | None] = []
    for one in sorted(session.calls, key=lambda one: one.stop):
        times += [one.at] * (min(one.stop, call.stop) - len(times))
    return times[call.start : call.stop]
