"""The replay over recorded sessions of every format: what is charged and shown adds up, whatever the policy."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

import pytest

from trimtab.cache import Cache, Rule
from trimtab.replay.atoms import Need, needs
from trimtab.replay.baselines import BASELINES, KEEP_ALL, Policy
from trimtab.replay.play import play
from trimtab.replay.presets import OfPreset
from trimtab.replay.rows import Options, replayed
from trimtab.replay.segment import Segment, segments
from trimtab.replay.sent import Change, Sent
from trimtab.replay.totals import Results, bills
from trimtab.sessions import read, reader_of

pytestmark = pytest.mark.corpus
CORPUS = os.environ.get("TRIMTAB_CORPUS")
FILES = sorted(path for path in Path(CORPUS).iterdir() if path.suffix != ".md") if CORPUS else []
SOME = [path for path in FILES if reader_of(path.read_bytes())][::9]
"""Files played in full; all of them are replayed once."""


@pytest.mark.skipif(CORPUS is None, reason="TRIMTAB_CORPUS is not set")
def test_every_file_is_replayed_or_says_why_not() -> None:
    found = [replayed(str(path), Options()) for path in FILES]
    rows = [row for file in found for row in file.rows]
    assert all(file.rows or file.failed for file in found)
    assert len(rows) > 80
    for row in rows:
        kept = row.policies[KEEP_ALL.name].figures
        assert kept.folds == 0
        assert kept.literal.visible == kept.literal.atoms >= kept.grounded.atoms
        assert row.tokens == kept.peak
        for name, under in row.policies.items():
            figures = under.figures
            assert (name, figures.failed) == (name, 0)
            assert figures.calls == kept.calls
            assert figures.output == kept.output
            for sight in (figures.literal, figures.grounded):
                assert sight.visible <= sight.recoverable <= sight.rerunnable <= sight.atoms
                assert sight.intact <= sight.needing <= figures.calls
        own = row.policies["default"].figures
        assert own.literal.recoverable == own.literal.atoms
    known = Results(options=Options(), rows=tuple(rows), failed=(), files=len(FILES))
    off = [abs(row.predicted / row.billed - 1) for row in known.rows if row.predicted and row.billed and row.long]
    assert bills(known.rows)["sessions"] > 40
    assert median(off) < 0.1


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.name[:60])
def test_between_folds_nothing_that_was_sent_changes(path: Path) -> None:
    """The law of prefix stability, as the cache sees it: without a fold a request is read to its last end."""
    for session in read(path):
        for segment in segments(session):
            wanted = needs(segment)
            for policy in (*BASELINES, OfPreset("default")):
                folds = play(policy, segment, wanted).first_changed
                sent, cache, before = Sent(segment), Cache(Rule.GOOD, least=1, lifetime=1e12), 0
                for number, (call, changes) in enumerate(
                    zip(segment.calls, _walked(policy, segment, wanted, sent), strict=True)
                ):
                    sent.change(changes)
                    billed = cache.bill(sent.blocks(), call.at)
                    assert number in folds or billed.read == before
                    before = billed.tokens


def _walked(
    policy: Policy, segment: Segment, wanted: Sequence[Sequence[Need]], sent: Sent
) -> Iterator[Sequence[Change]]:
    changes = policy.play(segment, sent, wanted)
    for call in segment.calls:
        sent.arrive(call.stop)
        yield next(changes)
