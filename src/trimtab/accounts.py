"""The account of a call: what was decided and what it saves, told as a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import structs

from trimtab.calls import call_key
from trimtab.edits import At, Loss
from trimtab.engine import Outcome
from trimtab.journal import Cut, Record
from trimtab.prices import Card
from trimtab.report import Cost, CutCall, EditLine, Report
from trimtab.request import Request
from trimtab.state import State
from trimtab.stubs import label
from trimtab.transcript import Finding, ToolCall, ToolResult, is_turn
from trimtab.triggers import Limits


class Basis(NamedTuple):
    """What a report rests on; `counter` names the tokenizer, `window_source` says where the window is from."""

    preset: str
    model: str | None
    counter: str
    limits: Limits
    card: Card
    window_source: str


def account(
    request: Request, basis: Basis, outcome: Outcome, first: int | None, findings: Sequence[Finding]
) -> Report:
    """The report of a call. `first` is the first message that goes out changed, None when none does."""
    after = request.frame_size + outcome.state.total
    edits = _lines(request, outcome)
    noted = _noted(request, outcome.state)
    shown = (one.records for name, one in outcome.state.shown.items() if name not in noted)
    standing = sum(map(len, shown)) + len(outcome.state.cuts)
    factor, entry = basis.limits.factor, outcome.entry
    price = basis.card.at(int(after * factor)).input
    if outcome.side:
        side = Finding("side-call", "request", "taken for a side call; nothing new was decided")
        findings = [*findings, side]
    if lossy := sum(edit.loss == Loss.LOSSY.name for edit in edits):
        findings = [
            *findings,
            Finding("lossy", "request", f"{lossy} new edits may say less than what they replace"),
        ]
    losses = _result_losses(request, outcome)
    return Report(
        outcome="applied" if edits else "standing" if first is not None else "nothing",
        wire=request.wire.name,
        model=basis.model,
        preset=basis.preset,
        trigger=_trigger(outcome),
        tokens_before=request.size,
        tokens_after=after,
        factor=factor,
        counter=basis.counter,
        window=basis.limits.window,
        window_source=basis.window_source,
        dollars_saved=(request.size - after) * factor * price / 1e6 if price else None,
        cost=_cost(outcome, basis),
        first_changed=_first_changed(request, outcome),
        edits=edits,
        standing=standing - len(edits),
        decided=entry.at if entry else None,
        refused=tuple(one for made in outcome.made for one in made.refused),
        findings=tuple(findings),
        cut_calls=_cut_calls(request, outcome),
        results_summarized=losses.count(Loss.LOSSY),
        results_redacted=losses.count(Loss.RECOVERABLE),
        turns_compacted=_turns(request, outcome),
    )


def _cost(outcome: Outcome, basis: Basis) -> Cost | None:
    """The bill in dollars; it is reckoned in raw tokens at the plain price of a short request."""
    bill, price = outcome.bill, basis.card.input
    if bill is None or not price:
        return None
    dollar = basis.limits.factor * price / 1e6
    return Cost(**{name: dollar * value for name, value in structs.asdict(bill).items()})


def with_frame(report: Report, lines: Sequence[EditLine]) -> Report:
    """The report of a call whose frame was shaped as well."""
    if not lines:
        return report
    outcome = "applied" if report.outcome == "nothing" else report.outcome
    before = report.tokens_before + sum(one.saved for one in lines)
    lossy = (one.place for one in lines if one.loss == Loss.LOSSY.name)
    told = (Finding("lossy", place, "what goes here leaves no marker for the model") for place in lossy)
    return structs.replace(
        report,
        edits=(*lines, *report.edits),
        outcome=outcome,
        tokens_before=before,
        findings=(*report.findings, *told),
    )


def _noted(request: Request, state: State) -> dict[bytes, Cut]:
    """The messages that notes stand for, by name, each with its note."""
    return {request.names[index]: cut for cut in state.cuts.values() for index in request.where(cut)}


def _lines(request: Request, outcome: Outcome) -> tuple[EditLine, ...]:
    """The new edits that are in force, in the order of the messages; what a note took in counts with the note."""
    noted, saved = _noted(request, outcome.state), Counter[At | Cut]()
    latest: dict[At, Record] = {}
    for record in (record for entry in outcome.made for record in entry.records):
        note = noted.get(record.message)
        saved[note or record.at] += record.saved
        latest |= {} if note else {record.at: record}
    for cut in (cut for entry in outcome.made for cut in entry.cuts):
        saved[noted[cut.last]] += cut.saved
    rows = (
        (request.index[at.message], _line(request, outcome.state, latest[at], tokens))
        if isinstance(at, At)
        else (request.where(at).start, _note(request, at, tokens))
        for at, tokens in saved.items()
        if tokens  # what was pointed elsewhere and given back at once is as it came
    )
    return tuple(line for _, line in sorted(rows, key=lambda one: one[0]))


def _note(request: Request, cut: Cut, saved: int) -> EditLine:
    where = request.where(cut)
    place, what = f"messages[{where.start}-{where.stop - 1}]", f"{len(where)} messages"
    return EditLine(place, what, cut.by, cut.reason, cut.loss.name, saved, cut.handle)


def _line(request: Request, state: State, record: Record, saved: int) -> EditLine:
    index, owner = request.index[record.message], state.call_of(record.at) or record.at
    part = request.parsed[request.index[owner.message]].message.parts[owner.part]
    what = label(part) if isinstance(part, ToolCall) else type(part).__name__.lower()
    place = f"messages[{index}] part {record.index}"
    return EditLine(place, what, record.by, record.reason, record.loss.name, saved, record.handle)


def _result_losses(request: Request, outcome: Outcome) -> list[Loss]:
    """What each result lost by its latest new edit, also where a note then took it in."""
    losses = {record.at: record.loss for made in outcome.made for record in made.records}
    parts = {at: request.parsed[request.index[at.message]].message.parts[at.part] for at in losses}
    return [loss for at, loss in losses.items() if isinstance(parts[at], ToolResult)]


def _turns(request: Request, outcome: Outcome) -> int:
    """How many turns began in messages that gave way to a new note."""
    cuts = (cut for made in outcome.made for cut in made.cuts)
    gone = {index for cut in cuts for index in request.where(cut)}
    return sum(request.names[n] not in request.notes and is_turn(request.parsed[n].message) for n in gone)


def _cut_calls(request: Request, outcome: Outcome) -> tuple[CutCall, ...]:
    """The calls whose results the new edits cut; one that can be rebuilt from the visible request is not cut."""
    places = [record.at for entry in outcome.made for record in entry.records if record.loss > Loss.NONE]
    for index in (index for entry in outcome.made for cut in entry.cuts for index in request.where(cut)):
        places += [At(request.names[index], part) for part in range(len(request.parsed[index].message.parts))]
    owners = dict.fromkeys(owner for at in places if (owner := outcome.state.call_of(at)) is not None)
    known = [at for at in owners if at.message in request.index]
    calls = (request.parsed[request.index[at.message]].message.parts[at.part] for at in known)
    return tuple(
        CutCall(call.id, call.name, call_key(call.name, call.arguments) or "")
        for call in calls
        if isinstance(call, ToolCall)
    )


def _trigger(outcome: Outcome) -> str:
    """Why this call folded, or why the decision on record did or did not."""
    folds = [entry for entry in outcome.made if entry.folded]
    entry = folds[-1] if folds else outcome.entry
    return entry.trigger if entry else "nothing on record"


def _first_changed(request: Request, outcome: Outcome) -> int | None:
    """The first message that a fold just made changed against what was sent before."""
    folded = [entry for entry in outcome.made if entry.folded]
    names = [record.message for entry in folded for record in entry.records]
    names += [cut.first for entry in folded for cut in entry.cuts]
    return min((request.index[name] for name in names), default=None)
