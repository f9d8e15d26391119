"""The events of an OpenHands run, played through: which messages the model was sent, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from trimtab.sessions.base import Call, Damage, Session
from trimtab.sessions.lines import mapping
from trimtab.sessions.reported import calls_of, seconds, usage, without_nulls
from trimtab.transcript import JSON
from trimtab.wires.leaves import count, items, string, value_at

_SILENT = frozenset({"recall", "agent_state_changed", "null", "change_agent_state", "condensation_request"})
"""Events that are no message to the model, or whose message the file does not hold."""

_MOST_COPIES = 100
"""What condensations may look at and lay out anew, in messages for each event."""


class _Said(Struct, frozen=True):
    """Messages that stand or fall together, with the events they came from."""

    events: frozenset[int]
    messages: tuple[JSON, ...]


class _Answer(Struct):
    """A model's answer whose results are still coming in."""

    message: dict[str, JSON]
    wanted: list[str]
    call: tuple[float | None, str | None, JSON]
    events: list[int]
    results: dict[str, JSON] = field(default_factory=dict)


class _Play(Struct):
    """The state of a run: `view` is what the next call will send, from `start` on."""

    fields: dict[str, JSON] = field(default_factory=dict)
    messages: list[JSON] = field(default_factory=list)
    view: list[_Said] = field(default_factory=list)
    start: int = 0
    calls: list[Call] = field(default_factory=list)
    compactions: list[int] = field(default_factory=list)
    pending: dict[str, _Answer] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    damage: list[Damage] = field(default_factory=list)
    limit: int = 0


def play(events: Iterable[JSON], form: str, name: str, line: int, damage: Iterable[Damage] = ()) -> Session:
    """The session of a run's events; `line` is where they stand in their file."""
    known = [one for one in events if isinstance(one, dict)]
    state = _Play(limit=_MOST_COPIES * (len(known) + 1), damage=list(damage))
    for event in known:
        _step(state, event, line)
    answers = list(state.pending.values())
    for answer in answers[:-1]:
        text = f"an answer whose calls got no result was left out ({', '.join(answer.wanted)[:80]})"
        state.damage.append(Damage(line, text))
    if answers:
        _say_answer(state, answers[-1], ())
    return Session(
        format=form,
        name=name,
        wire="openai_chat",
        messages=tuple(state.messages),
        calls=tuple(state.calls),
        fields=state.fields,
        compactions=tuple(state.compactions),
        damage=tuple(state.damage),
        partial=("" if "tools" in state.fields else "tools, ") + "workspace notes, notes added to results",
    )


def _step(state: _Play, event: dict[str, Any], line: int) -> None:
    kind = string(event.get("action") or event.get("observation"))
    args = mapping(event.get("args"))
    made = event.get("tool_call_metadata")
    number = count(event.get("id"))
    if kind in _SILENT:
        return
    if kind == "condensation":
        _condense(state, args, line)
    elif isinstance(made, dict) and "observation" in event:
        _result(state, event, made, number)
    elif isinstance(made, dict) and isinstance(made.get("model_response"), dict):
        _answer(state, event, made, number)
    elif kind == "system":
        state.fields |= {"tools": args["tools"]} if items(args.get("tools")) else {}
        _say(state, number, {"role": "system", "content": _text(event, args)})
    elif "action" in event and event.get("source") == "agent":
        if state.messages:
            _called(state, seconds(event.get("timestamp")), None, None)
        _say(state, number, {"role": "assistant", "content": _action(event, args)})
    elif text := _text(event, args):
        _say(state, number, {"role": "user", "content": _with_images(text, args)})


def _text(event: Mapping[str, Any], args: Mapping[str, Any]) -> str:
    return string(args.get("content")) or string(event.get("content")) or string(event.get("message"))


def _action(event: Mapping[str, Any], args: Mapping[str, Any]) -> str:
    """The words of an agent whose calls were text: its thought and what it ran."""
    parts = [string(args.get(key)) for key in ("thought", "content", "command", "code", "path")]
    return "\n".join(filter(None, parts)) or string(event.get("message"))


def _with_images(text: str, args: Mapping[str, Any]) -> JSON:
    urls = [url for url in items(args.get("image_urls")) if isinstance(url, str)]
    images = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    return [{"type": "text", "text": text}, *images] if images else text


def _answer(state: _Play, event: dict[str, Any], made: dict[str, Any], number: int | None) -> None:
    """Keeps a model's answer until its results are there; actions of one answer share its id."""
    response = made["model_response"]
    message = value_at(response, ("choices", 0, "message"))
    name = string(response.get("id")) or string(made.get("tool_call_id"))
    if name in state.pending:
        state.pending[name].events += [] if number is None else [number]
        return
    if not isinstance(message, dict) or string(made.get("tool_call_id")) not in calls_of(message):
        message = {"role": "assistant", "content": _action(event, {}), "tool_calls": [_tool_call(event, made)]}
    wanted = calls_of(message)
    at = seconds(response.get("created")) or seconds(event.get("timestamp"))
    call = (at, string(response.get("model")) or None, response.get("usage"))
    events = [] if number is None else [number]
    state.pending[name] = _Answer(without_nulls(message), wanted, call, events)
    state.waiting |= dict.fromkeys(wanted, name)


def _tool_call(event: dict[str, Any], made: dict[str, Any]) -> JSON:
    function = {"name": string(made.get("function_name")), "arguments": "{}"}
    return {"id": string(made.get("tool_call_id")), "type": "function", "function": function}


def _result(state: _Play, event: dict[str, Any], made: dict[str, Any], number: int | None) -> None:
    call_id = string(made.get("tool_call_id"))
    name = state.waiting.pop(call_id, None)
    answer = None if name is None else state.pending.get(name)
    if name is None or answer is None:
        return
    result = {"role": "tool", "tool_call_id": call_id, "content": string(event.get("content"))}
    answer.results[call_id] = {**result, "name": string(made.get("function_name"))}
    answer.events += [] if number is None else [number]
    if len(answer.results) == len(set(answer.wanted)):
        del state.pending[name]
        _say_answer(state, answer, tuple(answer.results[one] for one in dict.fromkeys(answer.wanted)))


def _say_answer(state: _Play, answer: _Answer, results: tuple[JSON, ...]) -> None:
    if state.messages:
        _called(state, *answer.call)
    said = _Said(frozenset(answer.events), (answer.message, *results))
    state.view.append(said)
    state.messages += said.messages


def _say(state: _Play, number: int | None, message: JSON) -> None:
    state.view.append(_Said(frozenset(() if number is None else (number,)), (message,)))
    state.messages.append(message)


def _called(state: _Play, at: float | None, model: str | None, reported: JSON) -> None:
    stop = len(state.messages)
    state.calls.append(Call(start=state.start, stop=stop, at=at, model=model, usage=usage(reported)))


def _condense(state: _Play, args: dict[str, Any], line: int) -> None:
    """OpenHands' own compaction: some events are forgotten, a summary may take their place."""
    state.limit -= len(state.messages) - state.start + len(state.view)
    if state.limit < 0:
        state.damage.append(Damage(line, "a condensation was passed over: the run has too many"))
        return
    gone = {one for one in items(args.get("forgotten_event_ids")) if isinstance(one, int)}
    first, last = count(args.get("forgotten_events_start_id")), count(args.get("forgotten_events_end_id"))
    kept = [said for said in state.view if not any(_in(one, gone, first, last) for one in said.events)]
    if len(kept) == len(state.view):
        return
    if summary := string(args.get("summary")):
        at = min(count(args.get("summary_offset")) or 0, len(kept))
        kept.insert(max(at, 0), _Said(frozenset(), ({"role": "user", "content": summary},)))
    state.view, state.start = kept, len(state.messages)
    state.compactions.append(state.start)
    state.messages += [message for said in kept for message in said.messages]


def _in(number: int, gone: set[int], first: int | None, last: int | None) -> bool:
    return number in gone or (first is not None and last is not None and first <= number <= last)
