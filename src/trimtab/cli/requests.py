"""`trimtab undo` and `trimtab validate`."""

from __future__ import annotations

import msgspec
import typer
from rich.text import Text

from trimtab.cli import options
from trimtab.cli.exits import FINDINGS, visible
from trimtab.cli.files import named, print_json, read, tell_where, told, write
from trimtab.cli.opening import compactor_for
from trimtab.cli.screen import screen, waiting
from trimtab.validation import validate as broken_rules


def undo(
    file: options.File,
    output: options.Output = None,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Put everything that was cut from a request back in its place, byte for byte."""
    payload = read(file)
    compactor = compactor_for(store=store, namespace=namespace, reads=True)
    try:
        with waiting("putting originals back"), named(file, payload):
            original = compactor.undo(payload)
    finally:
        compactor.store.close()
    write(original, output)
    tell_where(original, output)


def validate(file: options.File, call: options.Call = None, json: options.Json = False) -> None:
    """Check a request against the rules of its provider; exit code 1 when it breaks one."""
    payload = read(file, call)
    with waiting("checking"), named(file, payload):
        findings = broken_rules(payload)
    console = screen()
    if json:
        print_json([msgspec.to_builtins(one) for one in findings])
    elif not findings:
        console.print(Text.assemble(("✓ ", "green"), f"{visible(told(file))}: its provider should accept it"))
    for one in findings if not json else ():
        line = Text.assemble(
            (f"{one.rule:<4}", "bold red"), (visible(one.place), "bold"), f": {visible(one.text)}"
        )
        console.print(line.append(f"; {visible(one.mend)}" if one.mend else "", "green"), soft_wrap=True)
    if findings:
        raise typer.Exit(FINDINGS)
