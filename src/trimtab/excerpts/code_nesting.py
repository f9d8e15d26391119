"""What stands in what, by indentation: definitions and the lines below them that reach further right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf
from typing import NamedTuple

CLOSER = re.compile(
    r"[\])}]|\{$|(?:end|fi|done|esac|else|rescue|ensure)\b|(?:public|private|protected|default|case\b.*):$"
)
"""What stands as far left as its definition and still belongs to it."""


class Definition(NamedTuple):
    """A line that the lines below it belong to as far as they are indented by more than `indent`."""

    line: int
    indent: float
    name: str
    word: str = "definition"


class Nesting(NamedTuple):
    """`parents`: for each line the line of the innermost definition around it, -1 for none.

    `depths` and `sizes` go with the definitions: how many stand around each, how many lines it reaches.
    """

    parents: list[int]
    depths: list[int]
    sizes: list[int]


def nest(bodies: Sequence[str], definitions: Sequence[Definition]) -> Nesting:
    """What stands in what; a blank line stands in nothing.

    An item of YAML stands half a step right of a key in its column. What closes a definition still belongs to it
    at its margin; what begins with `#`, a preprocessor's line or a comment, may stand at the margin of anything.
    """
    parents = [-1] * len(bodies)
    depths = [0] * len(definitions)
    sizes = [0] * len(definitions)
    numbers = {definition.line: number for number, definition in enumerate(definitions)}
    around: list[int] = []
    parent, margin = -1, -inf
    for line, body in enumerate(bodies):
        bare = body.lstrip()
        if not bare:
            continue
        indent = len(body) - len(bare) + (0.5 if bare[0] == "-" and bare[1:2] in ("", " ") else 0.0)
        number = numbers.get(line, -1)
        if indent <= margin or number >= 0:
            if bare[0] == "#" and indent <= margin:
                continue
            if number >= 0:
                indent = definitions[number].indent
            closes = CLOSER.match(bare)
            while around and not (indent > margin or (closes and indent == margin)):
                ended = around.pop()
                sizes[ended] = line - definitions[ended].line
                parent, margin = _innermost(around, definitions)
        parents[line] = parent
        if number >= 0:
            depths[number] = len(around)
            around.append(number)
            parent, margin = _innermost(around, definitions)
    for number in around:
        sizes[number] = len(bodies) - definitions[number].line
    return Nesting(parents, depths, sizes)


def _innermost(around: Sequence[int], definitions: Sequence[Definition]) -> tuple[int, float]:
    """The line and the indentation of the innermost definition."""
    return (definitions[around[-1]].line, definitions[around[-1]].indent) if around else (-1, -inf)
