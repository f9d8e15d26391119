"""What session files hold, in figures: one file at a time, then many together, by format and by tool."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from trimtab import sessions
from trimtab.composition import ToolShare, tool_shares
from trimtab.errors import TrimtabError
from trimtab.request import MESSAGE_TOKENS, countable
from trimtab.sessions.base import Session, Usage
from trimtab.sessions.unsupported import looks_like
from trimtab.tokens import counter_for
from trimtab.transcript import Media, Message
from trimtab.wires import by_name

HEAD = 1 << 16
"""Bytes that are read of a file that is no text."""


class Figures(Struct, frozen=True, kw_only=True):
    """One session in figures. Tokens are raw ones, those of `reported` as the provider counted them.

    `tokens` is what all of it holds, each message once; `last` is the request of its last call.
    `reported` adds up the usage that `reporting` of the calls have. `damage` counts what its reader
    told of, all of it in the first session of a file. The other fields are those of `Session`.
    """

    file: str
    name: str
    format: str
    wire: str
    model: str | None
    messages: int
    calls: int
    compactions: int
    tokens: int
    last: int
    reporting: int
    reported: Usage
    damage: int
    partial: str
    tools: tuple[ToolShare, ...]


class CallFigures(Struct, frozen=True, kw_only=True):
    """One call: its number in the file, from 1, and the raw tokens of its request; else as in `Call`."""

    number: int
    at: float | None
    model: str | None
    start: int
    stop: int
    tokens: int
    usage: Usage | None


class File(Struct, frozen=True, kw_only=True):
    """A file: its `format`, or what it `looks` like; `failed` says what ended its reading."""

    path: str
    format: str = ""
    looks: str = ""
    failed: str = ""
    sessions: tuple[Figures, ...] = ()


class Total(Struct, frozen=True, kw_only=True):
    """The sums over the files of a format."""

    name: str
    files: int
    sessions: int
    messages: int
    calls: int
    compactions: int
    tokens: int
    reporting: int
    reported: Usage
    damage: int


class Survey(Struct, frozen=True, kw_only=True):
    """Many files together: sessions, formats and tools, those of most tokens first, and the other files."""

    sessions: tuple[Figures, ...]
    formats: tuple[Total, ...]
    tools: tuple[ToolShare, ...]
    total: Total
    unsupported: tuple[File, ...]
    unreadable: tuple[File, ...]

    def to_dict(self) -> dict[str, Any]:
        """The survey as plain JSON."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        found["unsupported"] = [{"file": one.path, "looks": one.looks} for one in self.unsupported]
        found["unreadable"] = [{"file": one.path, "reason": one.failed} for one in self.unreadable]
        return found


def look(path: Path) -> File:
    """What a file holds. Raises nothing for a file that cannot be read, or read to its end."""
    name, form, found = str(path), "", list[Figures]()
    try:
        data = _content(path)
        reader = sessions.reader_of(data)
        if reader is None:
            return File(path=name, looks=looks_like(data))
        form = reader.name
        for session in reader.read(data):
            found.append(figures(session, name))
    except (TrimtabError, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return File(path=name, format=form, failed=reason, sessions=tuple(found))
    return File(path=name, format=form, sessions=tuple(found))


def _content(path: Path) -> bytes:
    """The bytes of a file; only the first of what is neither text nor a session with damage in it."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise ValueError("neither a file nor a folder")
    with path.open("rb") as file:
        head = file.read(HEAD)
        return head if b"\0" in head and sessions.reader_of(head) is None else head + file.read()


def figures(session: Session, file: str = "") -> Figures:
    """A session in figures; `file` is where it stands. Raises WireError when a message in it is none."""
    weighed = _Weighed(session)
    billed = [call.usage for call in session.calls if call.usage is not None]
    requests = weighed.requests()
    return Figures(
        file=file,
        name=session.name,
        format=session.format,
        wire=session.wire,
        model=weighed.model or next((call.model for call in session.calls if call.model), None),
        messages=len(session.messages),
        calls=len(session.calls),
        compactions=len(session.compactions),
        tokens=weighed.frame + weighed.sums[-1],
        last=requests[-1] if requests else 0,
        reporting=len(billed),
        reported=_added(billed),
        damage=len(session.damage),
        partial=session.partial,
        tools=tool_shares(weighed.messages, weighed.sizes),
    )


def calls(session: Session, first: int = 1) -> list[CallFigures]:
    """The calls of a session in figures; `first` is the number of the first of them. Raises WireError."""
    sizes = _Weighed(session).requests()
    return [
        CallFigures(
            number=number,
            at=call.at,
            model=call.model,
            start=call.start,
            stop=call.stop,
            tokens=tokens,
            usage=call.usage,
        )
        for number, (call, tokens) in enumerate(zip(session.calls, sizes, strict=True), first)
    ]


class _Weighed:
    """A session with the raw tokens of all that is in it; time is linear, however many calls there are."""

    def __init__(self, session: Session) -> None:
        wire = by_name(session.wire)
        frame = wire.frame(session.fields)
        count = counter_for(frame.model).count
        self.session, self.model = session, frame.model
        self.messages = [wire.message(source) for source in session.messages]
        self.sizes = _sizes(self.messages, count([countable(part) for one in self.messages for part in one.parts]))
        self.sums = [0, *accumulate(sum(sizes) + MESSAGE_TOKENS for sizes in self.sizes)]
        self.frame = sum(count([*frame.system, *frame.tools]))

    def requests(self) -> list[int]:
        return [self.frame + self.sums[call.stop] - self.sums[call.start] for call in self.session.calls]


def _sizes(messages: Sequence[Message], counted: Iterable[int]) -> list[list[int]]:
    """The tokens of each part of each message: as counted, those of media by their provider's rule."""
    counts = iter(counted)
    sizes = []
    for message in messages:
        own = [(part, next(counts)) for part in message.parts]
        sizes.append([part.tokens if isinstance(part, Media) else tokens for part, tokens in own])
    return sizes


def summed(files: Iterable[File]) -> Survey:
    """Many files together."""
    known = list(files)
    groups: dict[str, list[File]] = {}
    for file in known:
        if file.format:
            groups.setdefault(file.format, []).append(file)
    found = [one for file in known for one in file.sessions]
    formats = [_total(name, group) for name, group in groups.items()]
    return Survey(
        sessions=tuple(sorted(found, key=lambda one: -one.tokens)),
        formats=tuple(sorted(formats, key=lambda one: -one.tokens)),
        tools=_tools(found),
        total=_total("all", [file for file in known if file.format]),
        unsupported=tuple(file for file in known if file.looks),
        unreadable=tuple(file for file in known if file.failed),
    )


def _total(name: str, files: Sequence[File]) -> Total:
    found = [one for file in files for one in file.sessions]
    return Total(
        name=name,
        files=len(files),
        sessions=len(found),
        messages=sum(one.messages for one in found),
        calls=sum(one.calls for one in found),
        compactions=sum(one.compactions for one in found),
        tokens=sum(one.tokens for one in found),
        reporting=sum(one.reporting for one in found),
        reported=_added([one.reported for one in found]),
        damage=sum(one.damage for one in found),
    )


def _added(usages: Sequence[Usage]) -> Usage:
    return Usage(
        input=sum(one.input for one in usages),
        read=sum(one.read for one in usages),
        written=sum(one.written for one in usages),
        output=sum(one.output for one in usages),
    )


def _tools(found: Sequence[Figures]) -> tuple[ToolShare, ...]:
    """The shares of each tool added up."""
    sums: dict[str, list[int]] = {}
    for one in (tool for session in found for tool in session.tools):
        held = sums.setdefault(one.name, [0, 0, 0])
        held[:] = held[0] + one.calls, held[1] + one.arguments, held[2] + one.results
    shares = [ToolShare(name, said + came, calls, said, came) for name, (calls, said, came) in sums.items()]
    return tuple(sorted(shares, key=lambda one: -one.tokens))
