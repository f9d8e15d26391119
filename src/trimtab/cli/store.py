"""`trimtab store`: what is kept, and how to take it out or forget it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TypeAlias

import msgspec
import typer
from rich.text import Text

from trimtab import jsonbytes
from trimtab.cli import options
from trimtab.cli.exits import FINDINGS, UsageError, complain
from trimtab.cli.files import print_json, write
from trimtab.cli.opening import settings_for, store_for, store_path
from trimtab.cli.screen import bar, counted, number, screen, table, text, waiting
from trimtab.errors import HandleError
from trimtab.stores.base import Conversation, Store

ROOT_SHOWN = 12
DAY = 86_400.0

Root: TypeAlias = Annotated[
    str, typer.Argument(metavar="ROOT", help="A conversation as `trimtab store` names it, or its beginning.")
]

store = typer.Typer(help="Show, export and forget what is kept.", no_args_is_help=False)


@store.callback(invoke_without_command=True)
def default(context: typer.Context) -> None:
    """Show, export and forget what is kept; without a command: show."""
    if context.invoked_subcommand is None:
        show()


@store.command()
def show(json: options.Json = False, store: options.Store = None, namespace: options.Namespace = None) -> None:
    """Show size and age of what is kept, conversation by conversation."""
    with _opened(store) as place:
        kept = place.conversations(namespace)
    if json:
        print_json([msgspec.to_builtins(one) for one in kept])
        return
    console = screen()
    size = _bytes(sum(one.size for one in kept))
    console.print(Text.assemble((size, "bold"), f" in {counted(len(kept), 'conversation')}  "), end="")
    console.print(text(store_path(settings_for(store)), "dim"), soft_wrap=True)
    if kept:
        console.print()
        console.print(_table(kept))


def _table(kept: list[Conversation]) -> object:
    made = table("root", ">size", "", ">originals", ">decisions", ">used", ">begun", "*namespace")
    now = time.time()
    for one in kept:
        made.add_row(
            text(one.root[:ROOT_SHOWN], "cyan"),
            Text(_bytes(one.size)),
            bar(one.size, kept[0].size, 16),
            number(one.artifacts),
            number(one.decisions),
            text(_age(now - one.used)),
            text(_age(now - one.created)),
            text(one.namespace, "dim"),
        )
    return made


@store.command()
def export(
    root: Root,
    to: Annotated[str | None, typer.Option("--to", metavar="FILE", help="Write here.")] = None,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Write all that is kept of a conversation as JSON Lines: its decisions, then its originals."""
    with _opened(store) as place:
        found = _conversation(place, root, namespace)
        lines = (jsonbytes.encode(one) + b"\n" for one in place.export(found.namespace, found.root))
        if to is not None:
            with waiting("exporting"):
                write(b"".join(lines), to)
            return
        for line in lines:
            sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


@store.command()
def delete(
    root: Root,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Forget a conversation: its originals can then no longer be recalled."""
    with _opened(store) as place:
        found = _conversation(place, root, namespace)
        if not yes:
            _ask(found)
        freed = place.delete(found.namespace, found.root)
    complain(f"forgot {found.root[:ROOT_SHOWN]}, {_bytes(freed)} freed")


@store.command()
def prune(
    max_age_days: Annotated[float, typer.Option(min=0, metavar="DAYS", help="Since its last use.")] = 30,
    max_size_gb: Annotated[float, typer.Option(min=0, metavar="GB", help="Of all originals.")] = 5,
    store: options.Store = None,
) -> None:
    """Forget what was not used for long, then the longest unused until the size holds; nothing of the last day."""
    with _opened(store) as place, waiting("pruning"):
        freed = place.prune(max_age_days * DAY, int(max_size_gb * 1e9))
    complain(f"{_bytes(freed)} freed")


@contextmanager
def _opened(spec: str | None) -> Iterator[Store]:
    place = store_for(settings_for(spec), reads=True)
    try:
        yield place
    finally:
        place.close()


def _conversation(place: Store, root: str, namespace: str | None) -> Conversation:
    """The one conversation whose root begins so. Raises HandleError."""
    found = [one for one in place.conversations(namespace) if one.root.startswith(root.lower())]
    if len(found) == 1 and root:
        return found[0]
    if not found:
        raise HandleError(f"no conversation in this store begins with {root[:40]!r}; trimtab store lists them")
    names = ", ".join(f"{one.root[:ROOT_SHOWN]} in {one.namespace}" for one in found[:4])
    raise HandleError(
        f"{root[:40]!r} is the beginning of {len(found)} conversations ({names}, …); give more of it"
    )


def _ask(found: Conversation) -> None:
    if not sys.stdin.isatty():
        raise UsageError("delete asks first; where nobody can answer, add --yes")
    what = f"Forget {found.root[:ROOT_SHOWN]}, {found.artifacts:,} originals, {_bytes(found.size)}?"
    if not typer.confirm(what, err=True):
        complain("nothing was deleted")
        raise typer.Exit(FINDINGS)


def _bytes(size: float) -> str:
    for scale, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= scale:
            return f"{size / scale:,.1f} {unit}"
    return f"{size:,.0f} B"


def _age(seconds: float) -> str:
    for size, unit in ((DAY, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= size:
            return f"{seconds / size:,.0f} {unit} ago"
    return "now"
