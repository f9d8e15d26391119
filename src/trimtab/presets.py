"""Presets: named sets of passes with the places they declare."""

from __future__ import annotations

from trimtab.edits import Place
from trimtab.errors import ConfigError
from trimtab.fold import Rules
from trimtab.passes import PASSES

DEFAULT_PLACES = frozenset({Place.RESULTS, Place.ARGUMENTS, Place.REASONING, Place.MEDIA})

PRESETS: dict[str, Rules] = {
    "default": Rules(preset="default", passes=PASSES, places=DEFAULT_PLACES),
    "none": Rules(preset="none", passes=(), places=frozenset()),
}
"""`default` touches results, completed call arguments, media in results, and reasoning where thinking is
bound to what was cut; `none` passes everything through."""


def preset(name: str) -> Rules:
    """The rules of a preset. Raises ConfigError with the names there are."""
    try:
        return PRESETS[name]
    except KeyError:
        raise ConfigError(f"preset {name!r}: there are {', '.join(PRESETS)}") from None
