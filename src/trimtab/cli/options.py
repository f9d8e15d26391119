"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE", help="A request, or - for standard input.")]
Paths: TypeAlias = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="A request or a session file (- for standard input), or folders of them."),
]
Call: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Of a session file the request of its call N."),
]
Store: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="PATH", help="The store: a file, memory: or none.", rich_help_panel="Settings"),
]
Namespace: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The part of the store to work in.", rich_help_panel="Settings"),
]
Model: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The model, where the request names none.", rich_help_panel="Settings"),
]
Preset: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="How to compact; `trimtab presets` lists them.", rich_help_panel="Settings"),
]
Output: TypeAlias = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write here instead of to standard output."),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]
