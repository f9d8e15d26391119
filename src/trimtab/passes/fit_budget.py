"""Under a caller's budget: what is shown of every part is one choice over the whole request."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import msgspec
from msgspec import Struct

from trimtab.choice import Sheet
from trimtab.edits import At, Edit, Loss, Place, Replace
from trimtab.errors import WireError
from trimtab.excerpt import Excerpt, excerpts, sheet
from trimtab.jsonbytes import Set, decode, rewrite
from trimtab.passes.base import Stage, View
from trimtab.passes.fold_arguments import long_strings
from trimtab.talk import TOOLS, Talk
from trimtab.transcript import Part, Path, Text, ToolCall, ToolResult

SHORTEST = 150
"""Characters of a string in arguments below which it stays."""

LEAST = 8
"""Tokens by which an excerpt must differ from what is shown now."""

ESCAPES = 4
"""Tokens by which arguments may be longer than excerpts count them: in JSON some characters are escaped."""


class Source(NamedTuple):
    """A text that may be cut: of a part, or at a path in the arguments of a call."""

    at: At
    path: Path
    text: str
    tokens: int


class FitBudget(Struct, frozen=True):
    """Results, and long strings in arguments, become excerpts; the lines worth most are shown, wherever they
    stand.

    Removes: what is worth least by the score (`score.py`) until the budget is met. Keeps: lines word for word,
    with a marker in each gap. Recovers: any lines by the handle. Skips when: nothing is to be shed.
    """

    places: frozenset[Place] = frozenset({Place.RESULTS, Place.ARGUMENTS})

    name: ClassVar[str] = "fit_budget"
    stage: ClassVar[Stage] = Stage.BUDGET
    loss: ClassVar[Loss] = Loss.RECOVERABLE

    def propose(self, view: View) -> Iterator[Edit]:
        """What becomes smaller; each edit one part."""
        sources = [one for at in view.open for one in _sources(view, at)]
        made = _fitted(view, sources)
        texts = defaultdict[At, list[tuple[Path, Excerpt]]](list)
        for source, excerpt in made:
            texts[source.at].append((source.path, excerpt))
        for at, found in texts.items():
            part, why = _part(view.original(at), found), "; ".join(excerpt.why for _, excerpt in found[:3])
            yield Replace(at, part, f"over the budget; {why}")


def _sources(view: View, at: At) -> Iterator[Source]:
    match view.original(at):
        case ToolResult(text=text) | Text(text=text):
            yield Source(at, (), text, view.original_size(at))
        case ToolCall(arguments=arguments):
            try:
                values = decode(arguments.encode())
                long = list(long_strings(values, SHORTEST)) if isinstance(values, dict) else []
            except (WireError, UnicodeEncodeError, RecursionError):
                return
            for path, text in long:
                yield Source(at, path, text, view.count(text))


def _fitted(view: View, sources: Sequence[Source]) -> list[tuple[Source, Excerpt]]:
    """Excerpts that together shed the excess.

    What would not become smaller stays as it is, and the choice is made anew over the others: no edit shows more
    than before, so room for that would go to nobody.
    """
    shown, spoken = _shown(view, sources), any(isinstance(view.original(one.at), Text) for one in sources)
    talk = Talk([message for _, message in view.messages]) if spoken else None
    ready = {one: _sheet(view, talk, one) for one in sources}
    while sources:
        sheets = [ready[one] for one in sources]
        room = sum(shown[one] for one in sources) - max(view.excess, LEAST + ESCAPES)
        made = excerpts(sheets, [view.handle(one.at) for one in sources], room, view.count)
        pairs = list(zip(sources, made, strict=True))
        moved = [source for source, excerpt in pairs if excerpt.tokens <= shown[source] - LEAST]
        if len(moved) == len(sources):
            return pairs
        sources = moved
    return []


def _sheet(view: View, talk: Talk | None, one: Source) -> Sheet:
    if talk is not None and isinstance(view.original(one.at), Text):
        return talk.sheet(one.text, one.tokens, view.interest, one.at, view.message(one.at).role, set())
    return sheet(one.text, one.tokens, view.interest, one.at, TOOLS if talk else 1.0)


def _shown(view: View, sources: Sequence[Source]) -> Mapping[Source, int]:
    """Tokens that each takes as it is sent now; of arguments that were cut before, an even share."""
    by_part = defaultdict[At, list[Source]](list)
    for one in sources:
        by_part[one.at].append(one)
    return {
        one: one.tokens if view.part(at) == view.original(at) else max(view.size(at) // len(ones), 1)
        for at, ones in by_part.items()
        for one in ones
    }


def _part(original: Part, found: Sequence[tuple[Path, Excerpt]]) -> Part:
    if isinstance(original, ToolCall):
        edits = [Set(path, excerpt.text) for path, excerpt in found]
        arguments = rewrite(original.arguments.encode(), edits).decode()
        return msgspec.structs.replace(original, arguments=arguments)
    return msgspec.structs.replace(original, text=found[0][1].text)
