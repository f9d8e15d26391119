"""From a brief to a note: written by a model, checked, completed, accepted; or the program's own in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from trimtab.credentials import masked
from trimtab.edits import Brief
from trimtab.handoff.asking import Answered, Asking
from trimtab.handoff.ground import Ground
from trimtab.handoff.note import KEPT, marked, rendered
from trimtab.handoff.parts import LINES, PARTS, REQUIRED, USER
from trimtab.handoff.verify import CORRECTED, STRUCK, Fault, news, verified
from trimtab.writer import Writer

RETRIED, ALONE = "note-retried", "note-alone"

TRIES = 2
"""Times a writer is asked for one note."""

MOST_TOLD = 20
"""Faults of a note that are told one by one."""

SHARE = 0.35
"""What a part that is not required may have of the room that is left; the lines may have all of it."""

MARKS = 110
"""Tokens of the marks of a note at most."""

BARE = "made by trimtab without a model"


class Noted(NamedTuple):
    """A note, or why there is none (`problem`); and what was done to make it, as pairs of rule and text.

    `by` is the model, "" where the note is the program's own.
    """

    text: str = ""
    by: str = ""
    faults: Sequence[tuple[str, str]] = ()
    problem: str = ""


class Contribution(NamedTuple):
    """What stands of what a model wrote, in sections by title, or why nothing does; and what was done to it."""

    sections: Mapping[str, Sequence[str]] = {}
    by: str = ""
    faults: Sequence[tuple[str, str]] = ()
    problem: str = ""


def noted(ground: Ground, brief: Brief, writer: Writer | None, tokens: int, handle: str, messages: int) -> Noted:
    """The note on `messages` messages of so many `tokens`, which come back by `handle`."""
    asking, most = Asking(ground, brief, writer), int(tokens / brief.factor)

    def accepted(found: Answered) -> Mapping[str, Sequence[str]] | str:
        made = _completed(ground, brief, asking.titled(found.sections), most)
        return f"the note is longer than {most:,} tokens" if made is None else made

    made = _written(asking, accepted)
    if not made.problem:
        return Noted(_text(made.sections, messages, handle, made.by), made.by, made.faults)
    bare = _alone(ground, brief, asking, most) if brief.stands_alone else None
    if bare is None:
        return Noted(faults=made.faults, problem=made.problem)
    alone = (ALONE, f"{made.problem}; the note is the program's own")
    return Noted(_text(bare, messages, handle, ""), "", [*made.faults, alone])


def written(ground: Ground, brief: Brief, writer: Writer) -> Contribution:
    """What a model says of the ground, checked, and nothing beside it."""
    asking = Asking(ground, brief, writer)
    return _written(asking, lambda found: asking.titled(found.sections))


def _written(asking: Asking, accepted: Callable[[Answered], Mapping[str, Sequence[str]] | str]) -> Contribution:
    """The first answer that is accepted; one that is not goes back with what was wrong with it."""
    told, why, problems = list[tuple[str, str]](), "", list[str]()
    for _ in range(TRIES):
        found = asking.once(problems)
        if isinstance(found, Answered):
            made = accepted(found)
            if not isinstance(made, str):
                by = found.by or "a model"
                return Contribution(made, _checked(by, found.faults), [*told, *_told(found.faults)])
            why, faults, final = made, found.faults, False
        else:
            why, faults, final = found
        problems = [why, *map(str, faults)]
        if final:
            break
        told.append((RETRIED, why))
    return Contribution(faults=told, problem=why)


def _alone(ground: Ground, brief: Brief, asking: Asking, most: int) -> Mapping[str, Sequence[str]] | None:
    """The program's own note, with what of earlier notes still holds; None where even that is too long."""
    earlier = {key: items for key, title in asking.titles.items() if (items := ground.kept(title))}
    return _completed(ground, brief, asking.titled(verified(earlier, ground)[0]), most)


def _completed(
    ground: Ground, brief: Brief, model: Mapping[str, Sequence[str]], most: int
) -> dict[str, Sequence[str]] | None:
    """The sections of a whole note: the user's words, the model's, the program's; None if that is too long.

    What must be there comes first, then what the model says, as far as there is room, then each other part in what
    those before it leave.
    """
    count, most = ground.count, most - MARKS
    made = {title: part(ground, min(brief.program, most)) for title, part in PARTS.items() if title in REQUIRED}
    made[KEPT] = ground.kept(KEPT)
    room = most - count(rendered(made))
    if room < 0 or count(rendered(model)) > max(most // 2, room):
        return None
    said = _within(news(model, rendered(made)), room, count)
    room = min(brief.program - count(rendered(made)), room - count(rendered(said)))
    for title, part in PARTS.items():
        if title in REQUIRED:
            continue
        given = room if title == LINES else int(room * SHARE)
        items = part(ground, given)
        while items and count(rendered({title: items})) > given:
            items = items[1:]
        made[title] = items
        room -= count(rendered({title: items}))
    order = (title for title in (*PARTS, KEPT) if title != USER)
    return {USER: made[USER]} | news(said, rendered(made)) | {title: made[title] for title in order}


def _within(
    model: Mapping[str, Sequence[str]], room: int, count: Callable[[str], int]
) -> Mapping[str, Sequence[str]]:
    """What of a model's sections has room: the longest lose their last items first."""
    left = {title: list(items) for title, items in model.items()}
    while any(left.values()) and count(rendered(left)) > room:
        max(left.values(), key=lambda items: sum(map(len, items))).pop()
    return left


def _text(sections: Mapping[str, Sequence[str]], messages: int, handle: str, by: str) -> str:
    return marked(masked(rendered(sections)), messages, handle, by or BARE)


def _checked(by: str, faults: Sequence[Fault]) -> str:
    """Who wrote a note, and what the checks did to it."""
    corrected, struck = (sum(one.rule == rule for one in faults) for rule in (CORRECTED, STRUCK))
    return f"in part written by {by} and checked by trimtab ({corrected} corrected, {struck} struck)"


def _told(faults: Sequence[Fault]) -> Iterator[tuple[str, str]]:
    yield from ((one.rule, str(one)) for one in faults[:MOST_TOLD])
    if len(faults) > MOST_TOLD:
        yield STRUCK, f"and {len(faults) - MOST_TOLD} more sentences corrected or struck"
