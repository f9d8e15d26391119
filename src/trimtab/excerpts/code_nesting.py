"""What stands in what, by indentation: definitions and the lines below them that reach further right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


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


class Place(NamedTuple):
    """Where a line stands. `closes`: at the margin of its definition it still belongs to it.

    `outside` is true of what stands at the left margin of anything: a preprocessor's line, a comment.
    """

    indent: float
    closes: bool = False
    outside: bool = False


def nest(places: Sequence[Place | None], definitions: Sequence[Definition]) -> Nesting:
    """What stands in what; a blank line is None and stands in nothing."""
    parents = [-1] * len(places)
    depths = [0] * len(definitions)
    sizes = [0] * len(definitions)
    numbers = {definition.line: number for number, definition in enumerate(definitions)}
    around: list[int] = []
    for line, place in enumerate(places):
        if place is None or (place.outside and around and definitions[around[-1]].indent >= place.indent):
            continue
        number = numbers.get(line, -1)
        if number >= 0:
            place = place._replace(indent=definitions[number].indent)
        while around and not _within(place, definitions[around[-1]].indent):
            ended = around.pop()
            sizes[ended] = line - definitions[ended].line
        parents[line] = definitions[around[-1]].line if around else -1
        if number >= 0:
            depths[number] = len(around)
            around.append(number)
    for number in around:
        sizes[number] = len(places) - definitions[number].line
    return Nesting(parents, depths, sizes)


def _within(place: Place, indent: float) -> bool:
    return place.indent > indent or (place.closes and place.indent == indent)
