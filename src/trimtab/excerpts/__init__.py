"""Content kinds in the order in which they are tried: the most surely recognised first, plain text last."""

from __future__ import annotations

from trimtab.excerpts.base import Kind, Outline, Unit
from trimtab.excerpts.code import Code
from trimtab.excerpts.diff import Diff
from trimtab.excerpts.envelope import within, wrapped
from trimtab.excerpts.html import Html
from trimtab.excerpts.json import Json
from trimtab.excerpts.json_lines import JsonLines
from trimtab.excerpts.listing import Listing
from trimtab.excerpts.log import Log
from trimtab.excerpts.markdown import Markdown
from trimtab.excerpts.prose import Prose
from trimtab.excerpts.search import Search
from trimtab.excerpts.table import Table
from trimtab.excerpts.terminal import Terminal
from trimtab.excerpts.text import PlainText
from trimtab.excerpts.trace import Trace

KINDS: tuple[Kind, ...] = (
    Json(),
    JsonLines(),
    Diff(),
    Terminal(),
    Log(),
    Trace(),
    Search(),
    Listing(),
    Table(),
    Html(),
    Code(),
    Markdown(),
    Prose(),
)
"""What a text is tried as, in turn."""

PLAIN = PlainText()


def read(text: str) -> Outline:
    """The outline of a text, or of what a tool wrapped, by the first kind that it verifiably is of."""
    start, stop = within(text)
    inside = text[start:stop]
    found = (kind.read(inside) for kind in KINDS)
    outline = next((one for one in found if one is not None), None) or PLAIN.read(inside)
    return outline if stop - start == len(text) else wrapped(text, start, stop, outline)


__all__ = ["KINDS", "Kind", "Outline", "Unit", "read"]
