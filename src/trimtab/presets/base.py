"""The one shape of a preset: its settings with their defaults, and the rules they make."""

from __future__ import annotations

import inspect
import re
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol, TypeAlias

import msgspec
from msgspec import Meta

from trimtab.edits import Place
from trimtab.reach import Rules

DEFAULT_PLACES = frozenset({Place.RESULTS, Place.ARGUMENTS, Place.REASONING, Place.MEDIA})
"""What the default preset touches: results, completed call arguments, media in results, and reasoning where
thinking is bound to what was cut."""

Count: TypeAlias = Annotated[int, Meta(ge=0)]
"""A setting that counts: tokens, results, messages, turns."""

Share: TypeAlias = Annotated[float, Meta(gt=0, le=1)]
"""A setting that is a share of the window."""

Seconds: TypeAlias = Annotated[float, Meta(gt=0)]
"""A setting that is a time to wait."""


class Preset(Protocol):
    """A named way to compact. The fields of the object are its settings.

    Its docstring says what it does, then what it keeps ("Keeps …") and loses ("Loses …").

    `source` names the document or product it comes from.
    """

    name: ClassVar[str]
    source: ClassVar[str]

    def rules(self) -> Rules:
        """The rules these settings make."""
        ...


class Told(NamedTuple):
    """A preset in words: whence it comes, what it does, keeps and loses, and its settings with their defaults."""

    name: str
    source: str
    does: str
    keeps: str
    loses: str
    touches: tuple[str, ...]
    settings: dict[str, Any]


def told(preset: type[Preset]) -> Told:
    """What a preset says of itself, from its docstring, its fields and the rules of its defaults."""
    text = " ".join((inspect.getdoc(preset) or "").split())
    does, keeps, loses = re.sub(r" (?=Keeps |Loses )", "\n", text + "\n\n").split("\n")[:3]
    places = {str(place) for place in preset().rules().places}
    return Told(
        name=preset.name,
        source=preset.source,
        does=does,
        keeps=keeps or "Keeps nothing as such.",
        loses=loses or "Loses nothing.",
        touches=tuple(str(place) for place in Place if str(place) in places),
        settings=msgspec.to_builtins(preset()),
    )
