"""Recorded requests put together: those that extend one another are calls of one session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from trimtab import identity, wires
from trimtab.body import MESSAGES
from trimtab.errors import WireError
from trimtab.jsonbytes import encode
from trimtab.sessions.base import Call, Damage, Session
from trimtab.sessions.lines import mapping
from trimtab.sessions.reported import answer, seconds, usage
from trimtab.transcript import JSON, Role
from trimtab.wires.base import Wire
from trimtab.wires.leaves import string

_TEXT_KEYS = ("input", "contents")
"""Where a request may hold a single text instead of messages."""


class Exchange(Struct, frozen=True, kw_only=True):
    """One recorded request, with the response if there is one. `line` is where it stands (from 1)."""

    body: dict[str, JSON]
    response: JSON = None
    at: float | None = None
    model: str | None = None
    line: int = 1


class _Chain(Struct):
    """A session as it grows: everything but the messages is that of the latest request."""

    wire: Wire
    fields: dict[str, JSON]
    messages: list[JSON]
    answered: list[JSON]
    calls: dict[int, Call] = field(default_factory=dict)


def sessions(
    exchanges: Iterable[Exchange], form: str, name: str = "", damage: list[Damage] | None = None
) -> Iterator[Session]:
    """The sessions of recorded exchanges, in the order in which they began.

    A request belongs to the session whose latest request it repeats or extends, also when several
    conversations alternate; any other begins a session. Answers inside a request were calls too, as
    far as no recorded one stands for them: those have neither time nor usage.
    """
    chains: list[_Chain] = []
    ends: dict[bytes, int] = {}
    damage = [] if damage is None else damage
    for exchange in exchanges:
        try:
            wire, fields, messages = request(exchange.body, exchange.response)
            names = _names(wire, messages)
            said = answer(wire.name, exchange.response)
            _names(wire, said)
        except (WireError, RecursionError) as error:
            damage.append(Damage(exchange.line, str(error)))
            continue
        known = next((ends.pop(end) for end in reversed(names) if end in ends), None)
        if known is None:
            known = len(chains)
            chains.append(_Chain(wire, fields, messages, said))
        chain = chains[known]
        chain.fields, chain.messages, chain.answered = fields, messages, said
        ends[names[-1]] = known
        call = _call(exchange, fields, len(messages))
        chain.calls[call.stop] = call
    for number, chain in enumerate(chains):
        label = name if name and len(chains) == 1 else f"{name}#{number + 1}".lstrip("#")
        yield _session(chain, form, label, tuple(damage) if number == 0 else ())
    if damage and not chains:
        raise WireError(f"no request could be read; line {damage[0].line}: {damage[0].text}")


def request(body: JSON, response: JSON = None) -> tuple[Wire, dict[str, JSON], list[JSON]]:
    """The wire of a request, its fields and its messages; the response helps to tell. Raises WireError."""
    if not isinstance(body, dict):
        raise WireError("expected a request, an object with messages")
    key = next((key for key in MESSAGES if isinstance(body.get(key), list)), None)
    if key is None:
        key = next((key for key in _TEXT_KEYS if isinstance(body.get(key), str)), "")
        messages: list[JSON] = [_one(key, body[key])] if key else []
    else:
        messages = body[key]
    if not messages:
        raise WireError("a request without messages")
    fields = {name: value for name, value in body.items() if name != key}
    encode(fields)
    return _wire({**fields, key: messages}, messages, response), fields, messages


def _wire(body: dict[str, JSON], messages: list[JSON], response: JSON) -> Wire:
    """The wire that the response names, as far as the request bears it out, else the one it shows itself."""
    match response:
        case {"choices": list()}:
            named = "openai_chat"
        case {"type": "message", "content": list()}:
            named = "anthropic"
        case _:
            named = ""
    answering = (wire for wire in wires.WIRES if wire.name == named and wire.sniff(body, messages))
    return next(answering, None) or wires.sniff(body, messages)


def _one(key: str, text: str) -> JSON:
    return {"role": "user", "parts": [{"text": text}]} if key == "contents" else {"role": "user", "content": text}


def _names(wire: Wire, messages: Sequence[JSON]) -> list[bytes]:
    """The identity of each message. Raises WireError for one that is none, RecursionError for a very deep one."""
    found, last = [], identity.start(wire.name)
    for message in messages:
        wire.message(message)
        last = identity.chain(last, identity.content(wire.canonical(message)))
        found.append(last)
    return found


def _call(exchange: Exchange, fields: dict[str, JSON], stop: int) -> Call:
    response = mapping(exchange.response)
    at = exchange.at if exchange.at is not None else seconds(response.get("created") or response.get("created_at"))
    reported = usage(response.get("usage") or response.get("usageMetadata"))
    model = exchange.model or string(fields.get("model")) or string(response.get("model")) or None
    return Call(start=0, stop=stop, at=at, model=model, usage=reported)


def _session(chain: _Chain, form: str, name: str, damage: tuple[Damage, ...]) -> Session:
    calls = chain.calls
    for stop in _boundaries(chain.wire, chain.messages):
        calls.setdefault(stop, Call(start=0, stop=stop))
    lacking = (
        ("what the provider holds (previous_response_id)", bool(chain.fields.get("previous_response_id"))),
        ("the last answer", not chain.answered),
    )
    return Session(
        format=form,
        name=name,
        wire=chain.wire.name,
        messages=(*chain.messages, *chain.answered),
        calls=tuple(calls[stop] for stop in sorted(calls)),
        fields=chain.fields,
        damage=damage,
        partial=", ".join(what for what, lacks in lacking if lacks),
    )


def _boundaries(wire: Wire, messages: Sequence[JSON]) -> Iterator[int]:
    """Before each run of assistant messages, once something was asked."""
    asked, before = False, Role.ASSISTANT
    for index, message in enumerate(messages):
        role = wire.message(message).role
        if role is Role.ASSISTANT and before is not Role.ASSISTANT and asked:
            yield index
        asked = asked or role in (Role.USER, Role.TOOL)
        before = role
