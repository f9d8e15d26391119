"""Passes that propose sound, useless and forbidden edits by turns: the guard alone keeps the laws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace
from tests.strategies import Dice

from trimtab import identity
from trimtab.edits import At, Drop, Edit, Loss, Replace, Span, Summarize
from trimtab.passes import Pass, View
from trimtab.testing import Scripted, ScriptedIngest
from trimtab.transcript import Opaque, Part, Reasoning, Text, ToolCall, ToolResult

Proposal = Callable[[View, At, Part, Dice], Any]


def _said(part: Part, text: str) -> Part:
    """The part with another text, of its own kind where it has one."""
    match part:
        case Text() | ToolResult():
            return replace(part, text=text)
        case ToolCall():
            return replace(part, arguments=f'{{"path": "{text}"}}')
    return Text(text)


def _stub(view: View, at: At, part: Part, dice: Dice) -> Edit:
    return Replace(at, _said(part, f"[{view.handle(at)}]" + dice.choice(("", " é", " more" * 30))), "cut")


def _excerpt(view: View, at: At, part: Part, dice: Dice) -> Edit:
    text = getattr(part, "text", "")
    return Replace(at, _said(part, text[: len(text) // 2] + f"[{view.handle(at)}]"), "half")


def _bare(view: View, at: At, part: Part, dice: Dice) -> Edit:
    return Replace(at, _said(part, "gone"), "no handle", dice.choice((Loss.RECOVERABLE, Loss.NONE)))


def _empty(view: View, at: At, part: Part, dice: Dice) -> Edit:
    return Replace(at, _said(part, dice.choice(("", " \n"))), "empty", Loss.NONE)


def _grown(view: View, at: At, part: Part, dice: Dice) -> Edit:
    return Replace(at, _said(part, f"{getattr(part, 'text', '')} {view.handle(at)} more"), "longer")


def _wrong_kind(view: View, at: At, part: Part, dice: Dice) -> Edit:
    text = view.handle(at)
    kinds = (
        Text(text),
        ToolResult("call_0", text),
        ToolCall("call_0", "read", text),
        Reasoning(text),
        Opaque("x", text),
    )
    return Replace(at, dice.choice(kinds), "kind")


def _elsewhere(view: View, at: At, part: Part, dice: Dice) -> Edit:
    other = dice.choice((At(at.message, at.part + 1), At(at.message, 0), At(b"nowhere", 0)))
    return dice.choice((Replace(other, _said(part, view.handle(other)), "other"), Drop(other, "other")))


def _drop(view: View, at: At, part: Part, dice: Dice) -> Edit:
    return Drop(at, "drop")


def _note(view: View, at: At, part: Part, dice: Dice) -> Edit:
    others = [one for one in view.open if one.message != at.message]
    far = dice.choice(others).message if others and dice.one_in(2) else at.message
    call = view.call(at)
    near = next((one.message for one in view.open if call is not None and view.part(one) == call), at.message)
    span = Span(near, far)
    return Summarize(span, f"Some work was done. {identity.span_handle(span)}", "note")


def _mangled(view: View, at: At, part: Part, dice: Dice) -> Edit:
    if isinstance(part, ToolCall):
        return Replace(at, replace(part, name="other", arguments="{}"), "renamed", Loss.NONE)
    if isinstance(part, ToolResult):
        return Replace(at, replace(part, call_id="other", text=view.handle(at)), "moved")
    return Replace(at, part, "nothing")


def _nonsense(view: View, at: At, part: Part, dice: Dice) -> Any:
    if dice.one_in(3):
        raise RuntimeError("a pass breaks down halfway")
    return dice.choice((None, Replace(at, None, "none"), Drop(At(at.message, 99), "far")))  # type: ignore[arg-type]


SOUND: tuple[Proposal, ...] = (_stub, _excerpt)
FORBIDDEN: tuple[Proposal, ...] = (
    _bare,
    _empty,
    _grown,
    _wrong_kind,
    _elsewhere,
    _drop,
    _note,
    _mangled,
    _nonsense,
)


def _propose(seed: int, view: View) -> Iterator[Edit]:
    """The same edits for the same part, wherever and whenever it is seen."""
    for at in list(view.open):
        dice = Dice(f"{seed} {at.message.hex()} {at.part}")
        yield dice.choice(dice.choice((SOUND, FORBIDDEN)))(view, at, view.original(at), dice)


def hostile_passes(seed: int) -> list[Pass]:
    """An ingest and a fold pass."""
    return [ScriptedIngest(partial(_propose, -seed)), Scripted(partial(_propose, seed))]
