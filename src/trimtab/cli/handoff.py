"""`trimtab handoff`: the note from which a fresh run goes on."""

from __future__ import annotations

import os
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
from trimtab.fresh_run import BRIEF, TOKENS, Handoff, handoff as made
from trimtab.resume import resumed
from trimtab.sessions.requests import REQUESTS
from trimtab.writer import Writer

KEY = "TRIMTAB_WRITER_KEY"
"""The environment variable that holds the key of the writer's server; no other is looked at."""


def handoff(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A request or a session, or - for standard input.")],
    call: options.Call = None,
    tokens: Annotated[
        int, typer.Option(metavar="N", min=1, help="Excerpts make the note so small, if they can.")
    ] = TOKENS,
    writer: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help=f"A model that adds its part; {KEY} holds the key.", rich_help_panel="Writer"
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The OpenAI-compatible server that has it.", rich_help_panel="Writer"),
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=1.0, help="The time it has.", rich_help_panel="Writer")
    ] = BRIEF.seconds,
    input_tokens: Annotated[
        int,
        typer.Option(metavar="N", min=500, help="Tokens that one question may have.", rich_help_panel="Writer"),
    ] = BRIEF.longest,
    resume_as: Annotated[
        str | None,
        typer.Option(
            metavar="WIRE", help="Print a request that begins with the note: openai, anthropic, gemini …"
        ),
    ] = None,
    output: options.Output = None,
    json: options.Json = False,
    model: options.Model = None,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Write a note from which a fresh run can go on; without --writer no model has a part in it.

    It has the task and what else the user said word for word, each call with what it gave or an excerpt of that,
    calls without a result, files read and written, and what the assistant said last. What it does not show is put
    into the store, and comes back by `trimtab recall`. Of a session the last call counts, unless --call names one.
    What a model adds is held against the session sentence by sentence; what is wrong is corrected or struck, and
    told on standard error.
    """
    if (writer is None) is not (base_url is None):
        raise UsageError("--writer MODEL and --base-url URL go together")
    data = read(file, call)
    payload = data if call is not None else _last(file, data)
    compactor = compactor_for(model=model, store=store, namespace=namespace)
    asked = _writer(writer, base_url) if writer and base_url else None
    brief = msgspec.structs.replace(BRIEF, seconds=seconds, longest=input_tokens)
    try:
        with waiting(f"{writer} writes" if writer else "reading"), named(file, payload):
            note = made(payload, compactor, tokens, asked, brief)
    finally:
        compactor.store.close()
    if not note.task and not note.calls:
        complain(f"{told(file)}: there is nothing to hand on: no user spoke and no call has run")
        raise typer.Exit(FINDINGS)
    if resume_as is not None:
        with named(file, payload):
            fresh = resumed(str(note), payload, resume_as, model)
        write(fresh if isinstance(fresh, bytes) else jsonbytes.encode(fresh) + b"\n", output)
    elif json:
        print_json(msgspec.to_builtins(note))
    elif output not in (None, STANDARD):
        write(str(note).encode(errors="replace"), output)
    else:
        sys.stdout.write(visible(str(note)) if sys.stdout.isatty() else str(note))
    _tell(note, compactor.counter.count([str(note)])[0])


def _writer(model: str, base_url: str) -> Writer:
    from trimtab.writers import OpenAIChat  # speaks HTTP, which no other command needs

    return OpenAIChat(base_url, model, os.environ.get(KEY))


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
    for one in note.faults:
        complain(one)
    parts = (counted(len(note.calls), "call"), counted(len(note.files), "file"))
    complain(f"the note has {tokens:,} tokens, for {counted(note.messages, 'message')}: {', '.join(parts)}")
