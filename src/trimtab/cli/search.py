"""`trimtab search`: the lines that fit some words best, in everything that was cut."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer
from rich.text import Text

from trimtab.cli import options
from trimtab.cli.exits import FINDINGS, complain, visible
from trimtab.cli.files import named, print_json, read
from trimtab.cli.opening import compactor_for
from trimtab.cli.screen import screen, waiting
from trimtab.search import MOST_HITS, Hit


def search(
    words: Annotated[str, typer.Argument(metavar="TEXT", help="What to look for.")],
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help="Search what was cut from this request (- for standard input)."),
    ] = None,
    call: options.Call = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, metavar="N", help="How many lines.")] = MOST_HITS,
    json: options.Json = False,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Search everything that was cut from a conversation: lines, best first, each with handle and number.

    Without FILE it is the conversation that was used last.
    """
    payload = None if file is None else read(file, call)
    compactor = compactor_for(store=store, namespace=namespace, reads=True)
    try:
        with waiting("searching"), named(file or "", payload or b""):
            hits = compactor.search(words, payload, limit=count)
    finally:
        compactor.store.close()
    if json:
        print_json([msgspec.to_builtins(hit) for hit in hits])
    elif not hits:
        complain("nothing that was cut holds these words")
    console = screen()
    for hit in hits if not json else ():
        console.print(_line(hit), soft_wrap=True)
    if not hits:
        raise typer.Exit(FINDINGS)


def _line(hit: Hit) -> Text:
    where = f"--bytes {hit.bytes}" if hit.bytes else f"--lines {hit.line}"
    return Text.assemble(
        (f"{hit.handle} {where}", "bold"), (f"  {visible(hit.label)}: ", "dim"), visible(hit.text).strip()
    )
