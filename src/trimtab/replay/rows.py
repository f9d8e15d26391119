"""A file of sessions replayed under several policies: a row for each segment, small enough to keep thousands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from trimtab import sessions
from trimtab.errors import TrimtabError
from trimtab.prices import Override
from trimtab.replay.atoms import Need, needs
from trimtab.replay.baselines import BASELINES, KEEP_ALL, Policy
from trimtab.replay.figures import Figures
from trimtab.replay.keep_notes import KeepNotes
from trimtab.replay.play import Played, play
from trimtab.replay.presets import OfPreset, with_marks
from trimtab.replay.segment import Segment, segments
from trimtab.replay.what_if import WhatIf, what_if
from trimtab.sessions.base import Session

LONG = 60_000
"""Tokens of the last request, when all is kept, from which on a segment is long."""

FAULT = "a fault in trimtab:"
"""How the reason begins when a file could not be replayed for no fault of its own."""

POINTS = 160
"""Calls of which a row keeps the course, evenly spread."""


class Options(Struct, frozen=True, kw_only=True):
    """What to replay. `presets` beside the baselines; `price_as` a model in the place of the recorded ones.

    `marks` are `good`, `naive` or `none`; without it the cache is that of each model, its marks well placed.
    `keep_notes` are shares of later needs that notes of the agent are taken to name, for each preset once more.
    `config` are the settings that hold for presets and models. `half` is 1 or 2: only every other session, told
    apart by how it begins.
    """

    presets: tuple[str, ...] = ("default",)
    price_as: str | None = None
    marks: str | None = None
    half: int | None = None
    config: dict[str, Any] = {}
    keep_notes: tuple[float, ...] = ()
    baselines: bool = True

    @property
    def models(self) -> dict[str, Override]:
        """What the settings say of models."""
        return msgspec.convert(self.config.get("models", {}), dict[str, Override])

    def policies(self) -> tuple[Policy, ...]:
        """The policies in the order of the table; what is measured against comes first."""
        own = tuple(OfPreset(name, self._settings(name)) for name in self.presets)
        shares = ((name, share) for name in self.presets for share in self.keep_notes)
        notes = (KeepNotes(name, share, self._settings(name)) for name, share in shares)
        return (*(BASELINES if self.baselines else (KEEP_ALL,)), *own, *notes)

    def _settings(self, preset: str) -> dict[str, Any]:
        """The settings under which a preset is replayed: the default one is told which marks it is billed by."""
        return with_marks(self.config, self.marks) if self.marks and preset == "default" else self.config


class Course(Struct, frozen=True):
    """How a segment went under a policy, at some of its calls: tokens of the request, dollars until then."""

    calls: tuple[int, ...]
    tokens: tuple[int, ...]
    dollars: tuple[float, ...]


class Under(Struct, frozen=True):
    """A segment under one policy. `first_changed`: the call, and the message from which on its request differs."""

    figures: Figures
    first_changed: tuple[tuple[int, int], ...]
    course: Course | None = None


class Row(Struct, frozen=True, kw_only=True):
    """A segment of a session. `tokens` is its last request when all is kept; `number` counts from 1 in a session.

    `billed` are dollars by the usage in the file, where every call has one, and `predicted` those of keep-all.
    `kinds` are the raw tokens by kind of part, `what_if` what else would have changed
    the bill. `assumed` names what had to be taken for granted.
    """

    file: str
    session: str
    number: int
    format: str
    model: str
    compacted: bool
    tokens: int
    factor: float
    measured: bool
    billed: float | None
    predicted: float | None
    kinds: dict[str, int]
    what_if: WhatIf
    assumed: str
    policies: dict[str, Under]

    @property
    def long(self) -> bool:
        """Whether it is a long one."""
        return self.tokens >= LONG


class File(Struct, frozen=True, kw_only=True):
    """What became of a file: its rows, or why there are none (or no more)."""

    path: str
    rows: tuple[Row, ...] = ()
    failed: str = ""


def replayed(path: str, options: Options) -> File:
    """A file replayed. Raises nothing for a file that cannot be read, or read to its end."""
    rows: list[Row] = []
    try:
        for session in sessions.read(Path(path)):
            rows += rows_of(path, session, options)
    except (TrimtabError, OSError, ValueError) as error:
        return File(path=path, rows=tuple(rows), failed=getattr(error, "strerror", None) or str(error))
    except Exception as error:  # one odd file among thousands must not end the rest
        return File(path=path, rows=tuple(rows), failed=f"{FAULT} {type(error).__name__}: {error}")
    return File(path=path, rows=tuple(rows))


def rows_of(path: str, session: Session, options: Options) -> Iterator[Row]:
    """A row for each segment of a session that has calls. Raises WireError."""
    half = None
    for number, segment in enumerate(segments(session, options.price_as, options.models), 1):
        half = half or segment.half
        if options.half is not None and half != options.half:
            return
        wanted = needs(segment)
        under = {policy.name: _under(policy, segment, wanted, options.marks) for policy in options.policies()}
        kept = play(KEEP_ALL, segment, wanted, options.marks)
        bills = [call.billed for call in segment.calls if call.billed is not None]
        compared = len(bills) == len(segment.calls) and options.price_as is None and options.marks is None
        yield Row(
            file=path,
            session=session.name,
            number=number,
            format=session.format,
            model=segment.model or "",
            compacted=segment.compacted,
            tokens=segment.last,
            factor=segment.scale.factor,
            measured=segment.scale.measured,
            billed=sum(bills) if compared else None,
            predicted=kept.figures.dollars if compared else None,
            kinds=segment.kinds(),
            what_if=what_if(segment, kept, options.marks),
            assumed=segment.assumed,
            policies=under,
        )


def _under(policy: Policy, segment: Segment, wanted: Sequence[Sequence[Need]], marks: str | None) -> Under:
    """A policy on a segment; where it fails all is kept, and the figures say so."""
    try:
        played = play(policy, segment, wanted, marks)
    except TrimtabError:
        played = play(KEEP_ALL, segment, wanted, marks)
        played.figures.failed = 1
    return Under(played.figures, tuple(played.first_changed.items()), _course(played))


def _course(played: Played) -> Course:
    count = len(played.tokens)
    calls = sorted({round(n * (count - 1) / max(POINTS - 1, 1)) for n in range(POINTS)} | {count - 1})
    paid, sums = 0.0, []
    for dollars in played.dollars:
        paid += dollars
        sums.append(round(paid, 6))
    picked = [call for call in calls if 0 <= call < count]
    return Course(tuple(picked), tuple(played.tokens[n] for n in picked), tuple(sums[n] for n in picked))
