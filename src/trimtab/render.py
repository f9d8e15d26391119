"""From state to payload: how edited messages are written, and what the store must hold of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import structs

from trimtab import identity
from trimtab.body import GONE, Rendered
from trimtab.edits import At
from trimtab.invariants import place
from trimtab.journal import SPAN, Artifact, Cut, Kind, Record
from trimtab.jsonbytes import Op, decode, encode
from trimtab.memo import Memo
from trimtab.passes.fit_budget import SHORTEST
from trimtab.passes.fold_arguments import long_strings
from trimtab.request import NOTE, Request, countable
from trimtab.state import Shown, State
from trimtab.stubs import label
from trimtab.transcript import (
    Finding,
    Media,
    Message,
    Part,
    Path,
    Reasoning,
    Role,
    Text,
    ToolCall,
    Transcript,
)


def payload(request: Request, state: State, memo: Memo[bytes]) -> tuple[Any, int | None]:
    """The payload as it is sent, and the position of the first message that differs from what was given.

    The very object that came in, and None, when nothing differs.
    """
    changes: dict[int, Rendered] = {}
    for name, shown in state.shown.items():
        index = request.index.get(name) if name not in request.notes else None
        if index is not None and (edited := _edited(request, index, shown, memo)) is not None:
            changes[index] = edited
    for cut in state.cuts.values():
        where = request.where(cut)
        if where and (note := _note(request, where, cut)) is not None:
            changes.update(dict.fromkeys(where, GONE))
            changes[where.start] = note
    if not changes:
        return request.body.payload, None
    return request.body.rewrite(changes), min(changes)


def _edited(request: Request, index: int, shown: Shown, memo: Memo[bytes]) -> Rendered | None:
    """A message with its renditions, or None when it was given so.

    Only bytes are remembered: an object belongs to the caller, who may change it.
    """
    key = request.body.keys[index] + request.names[index] + shown.stamp
    known = memo.get(key)
    if known is not None:
        return known or None
    ops = _ops(request, index, shown.records.values())
    edited = request.body.edited(index, ops) if ops else b""
    if isinstance(edited, bytes):
        memo.put(key, edited, 200 + len(edited))
    return edited or None


def _ops(request: Request, index: int, records: Iterable[Record]) -> list[Op]:
    """The value edits that turn a message as given into the message as sent."""
    given, source, ops = request.parsed[index].message.parts, request.body.source(index), list[Op]()
    for record in records:
        part = given[record.index]
        if record.part is None:
            ops += request.wire.drop(source, part) if part.path else []
        elif not same(part, record.part):
            ops += request.wire.overlay(source, part, record.part)
    return ops


def same(one: Part, other: Part) -> bool:
    """Whether two parts say the same. A medium in a result that became text comes back as a result."""
    return not isinstance(one, Media) and countable(one) == countable(other)


def _note(request: Request, where: range, cut: Cut) -> Rendered | None:
    """The note of a cut, or None when it already stands there."""
    here = request.parsed[where.start].message.parts
    if len(where) == 1 and request.names[where.start] in request.notes and countable(here[0]) == cut.text:
        return None
    return request.body.whole(request.wire.note(cut.text))


def transcript(request: Request, state: State) -> Transcript:
    """The request as values, as it is sent."""
    messages: list[Message] = []
    spans = [(request.where(cut), cut.text) for cut in state.cuts.values()]
    notes = {where.start: text for where, text in spans if where}
    hidden = {index for where, _ in spans for index in where}
    for index, (name, one) in enumerate(zip(request.names, request.parsed, strict=True)):
        if index in notes:
            messages.append(Message(Role.USER, (Text(notes[index]),)))
        elif index not in hidden:
            messages.append(_message(one.message, None if name in request.notes else state.shown.get(name)))
    return Transcript(request.wire.name, request.frame, tuple(messages))


def _message(given: Message, shown: Shown | None) -> Message:
    """A message as values, as it is sent."""
    if shown is None:
        return given
    parts = list(given.parts)
    for number, record in sorted(shown.records.items(), reverse=True):
        if record.part is None:
            del parts[number]
        else:
            parts[number] = structs.replace(record.part, path=parts[number].path)
    return Message(given.role, tuple(parts))


def violations(request: Request, state: State) -> list[Finding]:
    """The provider's rules that the request as sent breaks and the request as given did not."""
    after = [*request.wire.check(transcript(request, state)), *_torn_thinking(request, state)]
    if not after:
        return []
    before = [finding.rule for finding in request.wire.check(request.transcript())]
    news = []
    for finding in after:
        if finding.rule in before:
            before.remove(finding.rule)
        else:
            news.append(finding)
    return news


def _torn_thinking(request: Request, state: State) -> Iterator[Finding]:
    """The latest answer with some of its thinking gone: all of it may go, or none (A4)."""
    answers = (n for n, one in enumerate(request.parsed) if one.message.role is Role.ASSISTANT)
    index = max(answers, default=None)
    shown = state.shown.get(request.names[index]) if index is not None else None
    if index is None or shown is None or "A4" not in request.wire.rules:
        return
    parts = request.parsed[index].message.parts
    numbers = [number for number, part in enumerate(parts) if isinstance(part, Reasoning)]
    gone = [number for number in numbers if number in shown.records and shown.records[number].part is None]
    if 0 < len(gone) < len(numbers):
        text = "some of the thinking of the latest answer would be gone"
        yield Finding("A4", place(index), text, "drop all of it, or none")


def artifacts(request: Request, records: Iterable[Record], cuts: Iterable[Cut], state: State) -> list[Artifact]:
    """The originals that these edits take out."""
    made = [_artifact(request, record, state) for record in records]
    for cut in cuts:
        where = request.where(cut)
        made.append(
            Artifact(
                handle=cut.handle,
                data=request.body.span(where.start, where.stop - 1),
                kind=Kind.SPAN,
                media_type="application/json",
                origin=cut.last,
                part=SPAN,
                label=f"{len(where)} messages",
                stub=cut.text,
                raw=_binary(request, where.start, where.stop - 1),
            )
        )
    return made


def noted(request: Request, at: At, part: Part, call: ToolCall | None) -> Artifact:
    """The original of a part that a handoff note tells of; `call` is the call it is, or answers."""
    is_medium = isinstance(part, Media)
    text = part.arguments if isinstance(part, ToolCall) else countable(part)
    return Artifact(
        handle=identity.noted_handle(at),
        data=request.body.json(request.index[at.message], part.path)
        if is_medium
        else text.encode("utf-8", "surrogatepass"),
        kind=Kind.MEDIA if is_medium else Kind.ARGUMENTS if isinstance(part, ToolCall) else Kind.TEXT,
        media_type=part.media_type if isinstance(part, Media) else "text/plain",
        origin=at.message,
        part=SPAN,
        label=label(part if isinstance(part, ToolCall) else call),
    )


def _artifact(request: Request, record: Record, state: State) -> Artifact:
    index = request.index[record.message]
    part = request.parsed[index].message.parts[record.index]
    call = state.call_of(record.at)
    owner = request.parsed[request.index[call.message]].message.parts[call.part] if call else part
    kind, data, raw = Kind.TEXT, countable(part).encode("utf-8", "surrogatepass"), b""
    match part:
        case Media():
            kind, data = Kind.MEDIA, request.body.json(index, part.path)
            places = list(request.body.binary(index, part.path))
            raw = encode(places) if places else b""
        case Reasoning():
            kind, data, raw = Kind.MESSAGE, request.body.json(index, ()), _binary(request, index, index)
        case ToolCall():
            kind, data = Kind.ARGUMENTS, part.arguments.encode("utf-8", "surrogatepass")
    if record.part is not None and not isinstance(part, Media):
        values = [(path, request.body.json(index, path)) for path in _cut(request, index, part, record.part)]
        odd = [
            (path, value.decode())
            for path, value in values
            if path[: len(part.path)] != part.path or _undone(part, value) != value
        ]
        raw = encode(odd) if odd else b""
    return Artifact(
        handle=record.handle,
        data=data,
        kind=kind,
        media_type=part.media_type if isinstance(part, Media) else "text/plain",
        origin=record.message,
        part=record.index,
        label=label(owner if isinstance(owner, ToolCall) else None),
        stub=countable(record.part) if record.part is not None else "",
        raw=raw,
    )


def _cut(request: Request, index: int, part: Part, now: Part) -> list[Path]:
    """The places of the values that an edit takes out; of arguments also those that a later one may."""
    paths = [op.path for op in request.wire.overlay(request.body.source(index), part, now)]
    if paths and isinstance(part, ToolCall) and part.path not in paths:
        long = long_strings(decode(part.arguments.encode("utf-8", "surrogatepass")), SHORTEST)
        paths = [*dict.fromkeys([*paths, *((*part.path, *path) for path, _ in long)])]
    return paths


def _undone(part: Part, value: bytes) -> bytes:
    """What undo would write by itself in the place of this value: a text is taken for a string."""
    return encode(decode(value) if isinstance(part, ToolCall) else countable(part))


def _binary(request: Request, first: int, last: int) -> bytes:
    """The places of bytes in these messages, as paths from their list, encoded."""
    places = [(n - first, *path) for n in range(first, last + 1) for path in request.body.binary(n, ())]
    return encode(places) if places else b""


def outputs(
    request: Request, records: Iterable[Record], cuts: Iterable[Cut], state: State
) -> list[tuple[bytes, bytes]]:
    """For each message these edits change: the identity it has in the output, and what that stands for.

    What it stands for is the name of the original, followed by the numbers of the parts that are
    missing, two bytes each, so that the others keep their addresses (see `request.stands_for`).
    """
    rows = []
    for name in dict.fromkeys(record.message for record in records):
        index, shown = request.index[name], state.shown[name]
        ops = _ops(request, index, shown.records.values())
        source = request.body.plain(request.body.edited(index, ops))
        missing = sorted(number for number, record in shown.records.items() if record.part is None)
        stands = name + b"".join(number.to_bytes(2, "big") for number in missing)
        rows.append((_output(request, index, source), stands))
    notes = [(request.where(cut).start, request.wire.note(cut.text), cut.last) for cut in cuts]
    mark = NOTE.to_bytes(2, "big")
    return rows + [(_output(request, index, note), last + mark) for index, note, last in notes]


def _output(request: Request, index: int, source: Any) -> bytes:
    return identity.chain(request.before(index), identity.content(request.wire.canonical(source)))
