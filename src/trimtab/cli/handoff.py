"""`trimtab handoff`: the note from which a fresh run goes on."""

from __future__ import annotations

import sys
from typing import Annotated

import msgspec
import typer

from trimtab import jsonbytes, sessions
from trimtab.cli import options
from trimtab.cli.exits import FINDINGS, UsageError, complain, visible
from trimtab.cli.files import STANDARD, named, print_json, read, told, write
from trimtab.cli.opening import compactor_for
from trimtab.cli.screen import counted, waiting
from trimtab.errors import WireError
from trimtab.fresh_run import TOKENS, Handoff, handoff as made
from trimtab.sessions.requests import REQUESTS


def handoff(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A request or a session, or - for standard input.")],
    call: options.Call = None,
    tokens: Annotated[
        int, typer.Option(metavar="N", min=1, help="Excerpts make the note so small, if they can.")
    ] = TOKENS,
    output: options.Output = None,
    json: options.Json = False,
    model: options.Model = None,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Write a note from which a fresh run can go on, without a model: the same for the same request.

    It has the task and what else the user said word for word, each call with what it gave or an excerpt of that,
    calls without a result, files read and written, and what the assistant said last. What it does not show is put
    into the store, and comes back by `trimtab recall`. Of a session the last call counts, unless --call names one.
    """
    data = read(file, call)
    payload = data if call is not None else _last(file, data)
    compactor = compactor_for(model=model, store=store, namespace=namespace)
    try:
        with waiting("reading"), named(file, payload):
            note = made(payload, compactor, tokens)
    finally:
        compactor.store.close()
    if not note.task and not note.calls:
        complain(f"{told(file)}: there is nothing to hand on: no user spoke and no call has run")
        raise typer.Exit(FINDINGS)
    if json:
        print_json(msgspec.to_builtins(note))
    elif output not in (None, STANDARD):
        write(str(note).encode(errors="replace"), output)
    else:
        sys.stdout.write(visible(str(note)) if sys.stdout.isatty() else str(note))
    _tell(note, compactor.counter.count([str(note)])[0])


def _last(file: str, data: bytes) -> bytes:
    """The request of the last call of a session; anything else as it is."""
    reader = sessions.reader_of(data)
    if reader is None or reader is REQUESTS:
        return data
    try:
        for session in reversed(list(reader.read(data))):
            if session.calls:
                return jsonbytes.encode(session.request(session.calls[-1]))
    except WireError as error:
        raise UsageError(f"{told(file)}: {error}") from error
    raise UsageError(f"{told(file)}: the session holds no call to a model")


def _tell(note: Handoff, tokens: int) -> None:
    parts = (counted(len(note.calls), "call"), counted(len(note.files), "file"))
    complain(f"the note has {tokens:,} tokens, for {counted(note.messages, 'message')}: {', '.join(parts)}")
