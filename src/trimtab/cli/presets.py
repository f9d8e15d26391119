"""`trimtab presets`: every way to compact there is, in its own words, with its settings."""

from __future__ import annotations

import json as text_of
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from trimtab.cli import options
from trimtab.cli.files import print_json
from trimtab.cli.screen import screen
from trimtab.config import load
from trimtab.presets import PRESETS, preset
from trimtab.presets.base import Told, told
from trimtab.stubs import clip

LONGEST = 60
"""Characters of a value that are shown; JSON has it whole."""


def presets(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Only this one.")] = None,
    json: options.Json = False,
) -> None:
    """Show the presets: where each comes from, what it does, keeps and loses, and its settings.

    A setting shows the value that holds here and, where that differs, the default.
    """
    held = load().settings.presets
    names = list(PRESETS) if name is None else [name]
    found = [
        (told(PRESETS[one.name]), msgspec.to_builtins(one)) for one in (preset(n, held.get(n)) for n in names)
    ]
    if json:
        values = [_value(one, holding) for one, holding in found]
        print_json(values[0] if name is not None else values)
        return
    screen().print(Group(*(_drawn(one, holding) for one, holding in found)))


def _value(one: Told, holding: dict[str, Any]) -> dict[str, Any]:
    settings = {key: {"value": holding[key], "default": default} for key, default in one.settings.items()}
    return {**one._asdict(), "settings": settings}


def _drawn(one: Told, holding: dict[str, Any]) -> RenderableType:
    head = Text.assemble((one.name, "bold"), "  ", (one.source, "dim"))
    return Padding(Group(head, *(Padding(row, (0, 0, 0, 2)) for row in _rows(one, holding))), (0, 0, 1, 0))


def _rows(one: Told, holding: dict[str, Any]) -> Iterator[Text]:
    yield from map(Text, (one.does, one.keeps, one.loses))
    yield Text.assemble(("touches  ", "dim"), ", ".join(one.touches) or "nothing")
    for key, default in one.settings.items():
        differs = holding[key] != default
        row = Text.assemble((f"{key} = ", "cyan"), (_shown(holding[key]), "bold" if differs else ""))
        yield row.append(f"  (default {_shown(default)})", "dim") if differs else row


def _shown(value: Any) -> str:
    """A value as TOML writes it, "none" where there is none."""
    text = "none" if value is None else text_of.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{clip(text, LONGEST)}…"
