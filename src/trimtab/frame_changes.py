"""What frame passes make of a frame: their edits by the field or system text they change. Nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from re import Pattern
from typing import NamedTuple

from trimtab.body import MESSAGES, open_body
from trimtab.edits import Loss, Place
from trimtab.identity import digest, frame_handle
from trimtab.instructions import instructions
from trimtab.journal import SPAN, Artifact, Kind
from trimtab.jsonbytes import Op, Set, at, outline
from trimtab.passes.base import FrameEdit, FramePass, FrameView
from trimtab.report import EditLine
from trimtab.request import Request
from trimtab.transcript import COMPACT, JSON, Finding, Opaque, Path, Text

ABSENT = b"null"
"""Stands for a field that the request did not have; none that it has is edited when it is null."""

Count = Callable[[Sequence[str]], list[int]]
Made = tuple[FramePass, FrameEdit]


class Standing(NamedTuple):
    """A system text: what its handles are made from, its place for people, what it says, and that as JSON."""

    key: str
    place: str
    text: str
    raw: bytes


class Change(NamedTuple):
    """All edits of one field or one system text, with what is to be stored of it.

    `former` is the handle of what was given, had trimtab sent it. `field` and `value` are the field as it is sent,
    "" for a system text.
    """

    ops: tuple[Op, ...]
    line: EditLine
    artifact: Artifact
    former: str
    originals: tuple[Artifact, ...] = ()
    field: str = ""
    value: JSON = None


def standing(request: Request) -> dict[Path, Standing]:
    """The system texts of a request by their paths from its top: of fields, and of the messages at its head."""
    body, fields = request.body, request.body.fields()
    found: dict[Path, Standing] = {}
    for path, text in instructions(request.wire.name, fields):
        key = "/".join(map(str, path))
        found[path] = Standing(key, key, text, _inside(body.field(str(path[0])), path[1:]))
    top = tuple(key for key in MESSAGES if isinstance(fields.get(key), list))[:1]
    for number in range(request.heads):
        for part in request.parsed[number].message.parts:
            if isinstance(part, Text) and part.path:
                key = "/".join(map(str, (number, *part.path)))
                raw = body.json(number, part.path)
                found[(*top, number, *part.path)] = Standing(key, f"messages[{number}]", part.text, raw)
    return found


def is_compacting(request: Request) -> bool:
    """Whether the request itself asks the provider to compact."""
    end = request.parsed[-1].message.parts if request.parsed else ()
    return any(isinstance(part, Opaque) and part.kind == COMPACT for part in end)


def changes(
    request: Request, passes: Sequence[FramePass], task: str, keeping: Sequence[Pattern[str]], count: Count
) -> tuple[list[Change], list[Finding]]:
    """The changes that save something or set an option, and what there is to tell.

    A system text that would no longer show one of `keeping` stays as it is.
    """
    texts, fields = standing(request), request.body.fields()
    shown = {path: one.text for path, one in texts.items()}
    view = FrameView(request.wire.name, fields, shown, task, request.root, is_compacting(request))
    edits, findings = dict[Path, list[Made]](), list[Finding]()
    for one in passes:
        for said in one.shape(view):
            if isinstance(said, Finding):
                findings.append(said)
            else:
                path = said.op.path if said.op.path in texts else said.op.path[:1]
                edits.setdefault(path, []).append((one, said))
    made = list[Change]()
    for path, its in edits.items():
        if path not in texts:
            change = _of_field(request, fields, str(path[0]), its, count)
        else:
            change = _of_text(request, texts[path], its[-1:], count)
            if hidden := _hidden(texts[path].text, its[-1][1], keeping):
                findings.append(Finding("refused", texts[path].place, f"an edit would hide {', '.join(hidden)}"))
                continue
        made += [change] if change.line.saved > 0 or _sets_option(its) else []
    return made, findings


def _hidden(text: str, edit: FrameEdit, keeping: Sequence[Pattern[str]]) -> list[str]:
    now = edit.op.value if isinstance(edit.op, Set) else ""
    return [one.pattern for one in keeping if one.search(text) and not one.search(now)]


def _sets_option(its: Sequence[Made]) -> bool:
    """Whether the edits are of an option, which has no size."""
    return all(one.places == {Place.OPTIONS} for one, _ in its)


def _of_text(request: Request, given: Standing, its: Sequence[Made], count: Count) -> Change:
    [(_, edit)] = its
    sent = str(edit.op.value) if isinstance(edit.op, Set) else ""
    before, after = count([given.text, sent])
    keys = [frame_handle(request.root, given.key, digest(_utf8(one))) for one in (sent, given.text)]
    line = _line(given.place, "system text", its, before - after, keys[0])
    return Change((edit.op,), line, _artifact(request, keys[0], given.raw, given.key), keys[1], edit.originals)


def _of_field(request: Request, fields: Mapping[str, JSON], key: str, its: Sequence[Made], count: Count) -> Change:
    ops = tuple(edit.op for _, edit in its)
    body = open_body(request.body.reframed(ops))
    given, sent = request.body.field(key) if key in fields else ABSENT, body.field(key)
    value = body.fields()[key]
    handles = [frame_handle(request.root, key, digest(one)) for one in (sent, given)]

    def size(held: Mapping[str, JSON]) -> int:
        frame = request.wire.frame(held)
        return sum(count([*frame.system, *frame.tools]))

    line = _line(key, f"{len(its)} values", its, size(fields) - size({**fields, key: value}), handles[0])
    artifact = _artifact(request, handles[0], given, key)
    return Change(ops, line, artifact, handles[1], (), key, value)


def _artifact(request: Request, handle: str, given: bytes, key: str) -> Artifact:
    """What was given, under the handle of what is sent."""
    return Artifact(
        handle=handle, data=given, kind=Kind.FRAME, media_type="", origin=request.root, part=SPAN, label=key
    )


def _line(place: str, what: str, its: Sequence[Made], saved: int, handle: str) -> EditLine:
    told = ", ".join(dict.fromkeys(edit.reason for _, edit in its))
    by = ", ".join(dict.fromkeys(one.name for one, _ in its))
    loss: Loss = max(one.loss for one, _ in its)
    return EditLine(place, what, by, told, loss.name, saved, handle)


def _inside(data: bytes, path: Path) -> bytes:
    """The JSON of a value within a value."""
    where = at(outline(data), path)
    return data if where is None else data[where.start : where.stop]


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
