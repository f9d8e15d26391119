"""`trimtab config`: each setting, its value, and where that came from."""

from __future__ import annotations

from typing import Any

import msgspec

from trimtab.cli import options
from trimtab.cli.files import print_json
from trimtab.cli.opening import store_path
from trimtab.cli.screen import screen, table, text
from trimtab.config import load


def config(json: options.Json = False) -> None:
    """Show each setting, its value, and where that comes from."""
    found = load()
    values = msgspec.to_builtins(found.settings)
    if json:
        print_json({name: {"value": value, "origin": found.origins[name]} for name, value in values.items()})
        return
    made = table("setting", "*value", "from")
    for name, value in values.items():
        origin = found.origins[name]
        shown = store_path(found.settings) if name == "store" else _shown(value)
        style = "dim" if origin == "default" else "bold"
        made.add_row(text(name), text(shown, style), text(origin, style))
    screen().print(made)


def _shown(value: Any) -> str:
    if value is None:
        return "not set"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)
