"""The note from which a fresh run goes on, made without a model: what was asked, called, found and left open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, convert, structs, to_builtins

from trimtab import identity
from trimtab.compactor import Compactor
from trimtab.credentials import masked, masked_values
from trimtab.edits import At, Brief
from trimtab.excerpt import excerpts, sheet
from trimtab.finders import wanted
from trimtab.handoff import Fault, Ground, headings, verified, written
from trimtab.interest import interest
from trimtab.jsonbytes import Set, rewrite
from trimtab.ledger import Made, arguments_of, calls_made, chat, entry, files_of, said, tame, title
from trimtab.passes.fold_arguments import long_strings
from trimtab.provenance import Provenance
from trimtab.render import noted
from trimtab.request import Request
from trimtab.state import TINY
from trimtab.stubs import clip
from trimtab.transcript import Media, Message, Part, Path, Role, ToolCall, ToolResult, is_turn
from trimtab.writer import Writer

BRIEF = Brief(seconds=600.0)
"""How a model is asked for its part of the note; nobody waits for it in the middle of a conversation."""

OPENING = "Handoff note, made by trimtab from"
"""How a note begins."""

TOKENS = 4000
"""Raw tokens of a note, as far as excerpts can make it so."""

LONG = 300
"""Characters from which on a text in arguments may become an excerpt."""

LAST = 2000
"""Characters shown of what the assistant said last."""


class Called(Struct, frozen=True, kw_only=True):
    """A call that has run. `result` is what the note shows of it, `handles` bring back what it does not show."""

    tool: str
    arguments: str
    result: str
    failed: bool
    handles: tuple[str, ...]


class Touched(Struct, frozen=True, kw_only=True):
    """A file that calls named: the handles of what was last read from it, and of the call that last wrote it."""

    path: str
    read: str = ""
    written: str = ""


class Handoff(Struct, frozen=True, kw_only=True):
    """What a fresh run needs to know. `task` and `said` are the user's words, `last` the assistant's latest.

    `waiting` are calls without a result. `written` is what a model said of all that, in sections by title, as far
    as it stands; `faults` what was wrong with the rest, `by` whose it is. As text it is the note.
    """

    messages: int
    task: str
    said: tuple[str, ...]
    calls: tuple[Called, ...]
    waiting: tuple[str, ...]
    files: tuple[Touched, ...]
    last: str
    written: dict[str, tuple[str, ...]] = {}
    by: str = ""
    faults: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n\n".join(_sections(self)) + "\n"


def handoff(
    payload: Any,
    compactor: Compactor,
    tokens: int = TOKENS,
    writer: Writer | None = None,
    brief: Brief = BRIEF,
) -> Handoff:
    """The note of a request, compacted or not; what it does not show is put into the compactor's store first.

    Results and long arguments become excerpts where the note would have more than `tokens` raw tokens; where
    nothing is stored they stand in full. Keys, tokens and passwords are masked: a note outlives its conversation.
    A `writer` adds what it says by the `brief`, as far as that stands. Raises WireError and StoreError.
    """
    maker = _Maker(Provenance(payload, compactor=compactor).given, compactor)
    note = maker.made(tokens)
    if writer is None:
        return note
    made = written(maker.ground(), brief, writer)
    faults = [*(f"{rule}: {text}" for rule, text in made.faults), *([made.problem] if made.problem else [])]
    sections = {title: tuple(masked(item) for item in items) for title, items in made.sections.items()}
    return structs.replace(note, written=sections, by=made.by, faults=tuple(map(masked, faults)))


def check_note(note: str, payload: Any, compactor: Compactor) -> tuple[int, list[Fault]]:
    """How many sentences a note on this request has, whoever wrote it, and what is wrong with them.

    Looked at is what stands under the headings that trimtab asks a model for; without these all of it, unless
    trimtab made the note. Raises WireError and StoreError.
    """
    ground = _Maker(Provenance(payload, compactor=compactor).given, compactor).ground()
    own = note.startswith((OPENING, "[trimtab: note "))
    found = headings.read(note, headings.HEADINGS) or ({} if own else headings.read(note, ()))
    _, faults = verified(found, ground)
    return sum(map(len, found.values())), faults


class _Source(NamedTuple):
    """A text that may become an excerpt: of a result, or at a path in the arguments of a call."""

    at: At
    path: Path
    text: str


class _Maker:
    """Makes the note of one request, as it was given."""

    def __init__(self, request: Request, compactor: Compactor) -> None:
        self._request, self._compactor = request, compactor
        self._messages: list[tuple[bytes, Message]] = [
            (name, one.message) for name, one in zip(request.names, request.parsed, strict=True)
        ]
        self._made = calls_made(self._messages)
        self._calls = {at: one.call for one in self._made for at in (one.at, *one.results)}
        self._cut: dict[At, str] = {}

    def made(self, tokens: int) -> Handoff:
        sources = [one for at in self._calls for one in self._sources(at)]
        bare = self._note(dict.fromkeys(sources, ""))
        shown = self._fitted(sources, max(tokens - self._count(str(bare)), 0))
        made = self._note({one: text for one, text in shown.items() if text != one.text})
        note = convert(masked_values(to_builtins(made)), Handoff)
        if self._compactor.store.keeps:
            stored = [noted(self._request, at, self._part(at), self._calls[at]) for at in self._cut]
            self._compactor.store.keep(self._compactor.settings.namespace, self._request.root, stored)
        return note

    def ground(self) -> Ground:
        """The whole request, to hold a model's words against."""
        messages = [message for _, message in self._messages]
        about = interest(self._messages, wanted(self._compactor.settings.facts, messages))
        return Ground(self._messages, {}, about, self._count, self._handle)

    def _note(self, shown: Mapping[_Source, str]) -> Handoff:
        """The note with these texts in the place of those that they are excerpts of."""
        self._cut = {one.at: self._handle(one.at) for one in shown}
        texts: dict[At, dict[Path, str]] = {}
        for one, text in shown.items():
            texts.setdefault(one.at, {})[one.path] = text
        parsed = [message for _, message in self._messages]
        turns = [text for message in parsed if is_turn(message) and (text := chat(message))]
        answers = [text for message in parsed if message.role is Role.ASSISTANT and (text := _words(message))]
        return Handoff(
            messages=len(parsed),
            task=turns[0] if turns else "",
            said=tuple(turns[1:]),
            calls=tuple(self._called(one, texts) for one in self._made if one.results),
            waiting=tuple(title(one.call).removesuffix(" =") for one in self._made if not one.results),
            files=tuple(self._files()),
            last=answers[-1] if answers else "",
        )

    def _sources(self, at: At) -> Iterator[_Source]:
        part = self._part(at)
        if isinstance(part, ToolResult):
            yield _Source(at, (), part.text)
        elif isinstance(part, ToolCall):
            values = arguments_of(part)
            yield from (_Source(at, path, text) for path, text in long_strings(values, LONG) if values)

    def _fitted(self, sources: Sequence[_Source], room: int) -> Mapping[_Source, str]:
        """What is shown of each: all of it where there is room, else an excerpt that is shorter."""
        sizes = dict(zip(sources, self._compactor.counter.count([one.text for one in sources]), strict=True))
        long = [one for one in sources if sizes[one] >= TINY]
        room -= sum(sizes[one] for one in sources if sizes[one] < TINY)
        if sum(sizes[one] for one in long) <= room or not self._compactor.store.keeps:
            return {}
        settings, messages = self._compactor.settings, [message for _, message in self._messages]
        about = interest(self._messages, wanted(settings.facts, messages))
        sheets = [sheet(one.text, sizes[one], about, one.at) for one in long]
        made = excerpts(sheets, [self._handle(one.at) for one in long], max(room, 0), self._count)
        return {one: found.text for one, found in zip(long, made, strict=True) if found.tokens < sizes[one]}

    def _called(self, one: Made, texts: Mapping[At, Mapping[Path, str]]) -> Called:
        call, results = one.call, [self._result(at, texts) for at in one.results]
        if cut := texts.get(one.at):
            stubs = [Set(path, text) for path, text in cut.items()]
            call = structs.replace(call, arguments=rewrite(call.arguments.encode(), stubs).decode())
        return Called(
            tool=call.name,
            arguments=call.arguments,
            result=entry(call, results).removeprefix(f"{title(call)}\n"),
            failed=any(isinstance(part, ToolResult) and part.is_error for part in results),
            handles=tuple(self._cut[at] for at in (one.at, *one.results) if at in self._cut),
        )

    def _result(self, at: At, texts: Mapping[At, Mapping[Path, str]]) -> Part:
        """A part of a result as the note shows it."""
        part = self._part(at)
        if isinstance(part, ToolResult) and at in texts:
            return structs.replace(part, text=texts[at][()])
        if isinstance(part, Media) and self._compactor.store.keeps:
            return ToolResult("", f"{said(part).removesuffix(']')}: trimtab recall {self._kept(at)}]")
        return part

    def _files(self) -> list[Touched]:
        """Each file once, those touched last at the end; what failed touched nothing."""
        found: dict[str, Touched] = {}
        for one in self._made:
            results = [self._part(at) for at in one.results]
            if results and not any(isinstance(part, ToolResult) and part.is_error for part in results):
                how, paths = files_of(one.call)
                for path in paths:
                    handle = self._kept(one.results[0] if how == "read" else one.at)
                    found[path] = structs.replace(found.pop(path, Touched(path=path)), **{how: handle})
        return list(found.values())

    def _part(self, at: At) -> Part:
        return self._request.parsed[self._request.index[at.message]].message.parts[at.part]

    def _count(self, text: str) -> int:
        return self._compactor.counter.count([text])[0]

    def _handle(self, at: At) -> str:
        """The handle of a part that the note tells of; no cut has it: the request itself stays as it is."""
        return identity.noted_handle(at) if self._compactor.store.keeps else ""

    def _kept(self, at: At) -> str:
        """The same, for a part that is to be stored."""
        return self._cut.setdefault(at, self._handle(at))


def _words(message: Message) -> str:
    return "\n".join(filter(None, map(said, message.parts))).strip()


def _sections(note: Handoff) -> Iterator[str]:
    by = note.by or "no model had a part in it"
    yield (
        f"{OPENING} {note.messages:,} messages; {by}. It tells what happened and asks for"
        " nothing. What is cut comes back: trimtab recall HANDLE --lines A-B"
    )
    yield f"## The task, word for word\n\n{note.task or '(the user said nothing)'}"
    if note.said:
        said_since = "\n\n".join(f"{number}. {text}" for number, text in enumerate(note.said, 1))
        yield f"## What the user said since, word for word\n\n{said_since}"
    for heading, items in note.written.items():
        yield "\n".join([f"## {heading}\n", *(f"- {item}" for item in items)])
    if note.calls:
        entries = (f"{title(ToolCall('', one.tool, one.arguments))}\n{one.result}" for one in note.calls)
        yield "\n".join(["## Calls that have run, and what they gave\n", *entries])
    if note.waiting:
        yield "\n".join(["## Calls that have no result yet\n", *note.waiting])
    if note.files:
        yield "\n".join(["## Files\n", *map(_file, note.files)])
    if note.last:
        more = "…" if len(note.last) > LAST else ""
        yield f"## What the assistant said last\n\n{tame(clip(note.last, LAST))}{more}"


def _file(one: Touched) -> str:
    ways = [f"{how} {handle}" for how, handle in (("read", one.read), ("written by", one.written)) if handle]
    return f"- {one.path}: {', '.join(ways)}".removesuffix(": ")
