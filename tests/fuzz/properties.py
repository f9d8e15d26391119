"""What holds for any bytes whatever: the project's errors or none, and nothing is lost in silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import trimtab
from trimtab import Compactor, Result, TrimtabError, sessions
from trimtab.composition import composition
from trimtab.errors import BudgetError, ConfigError, WireError
from trimtab.jsonbytes import decode, encode
from trimtab.sessions.base import Reader, Session
from trimtab.sessions.cassettes import CASSETTES
from trimtab.survey import calls, figures


def hold(data: bytes) -> None:
    """Raises AssertionError, or whatever else went wrong, when a property does not hold for these bytes."""
    request_holds(data)
    own = sessions.reader_of(data)
    for reader in sessions.READERS:
        found = read(reader, data)
        for session in found:
            session_holds(session)
        if found and reader is own:
            told_of_damage(reader, data, found)
            last = found[0].request(found[0].calls[-1]) if found[0].calls else None
            if last is not None and writable(last):
                request_holds(encode(last))


def request_holds(data: bytes) -> None:
    """It is read or refused; what is read is left alone, cut and put back, as bytes and as objects."""
    try:
        findings = trimtab.validate(data)
    except TrimtabError:
        findings = None
    try:
        result = Compactor(store=None, config={}).compact(data)
    except TrimtabError:
        return
    worked(result)
    assert result.changed or result.payload is data
    assert findings is not None, "what is compacted can be checked"
    assert composition(data).tokens == result.report.tokens_before
    cut_and_put_back(data, result.report.tokens_before, valid=not findings)
    value = decode(data)
    if writable(value):
        cut_and_put_back(value, result.report.tokens_before, valid=not findings)


def worked(result: Result) -> None:
    """The fallback hides an inner failure from users, not from here."""
    assert result.report.outcome != "failed", result.report.findings


def cut_and_put_back(payload: Any, tokens: int, valid: bool) -> None:
    """At half its size it is as valid as before, comes back whole, and stays as it is when it comes again."""
    compactor = Compactor(store="memory:", budget=max(1, tokens // 2), config={"protect_results": 1})
    before = payload if isinstance(payload, bytes) else encode(payload)
    try:
        result = cut(compactor, payload)
        worked(result)
        assert result.changed == (result.payload is not payload)
        back = compactor.undo(result.payload)
        assert (back if isinstance(back, bytes) else encode(back)) == before
        assert payload is result.payload or isinstance(payload, bytes) or encode(payload) == before
        assert not (valid and trimtab.validate(result.payload))
    finally:
        compactor.store.close()


def cut(compactor: Compactor, payload: Any) -> Result:
    """Down to the budget, or as far as it goes."""
    try:
        return compactor.compact(payload)
    except BudgetError:
        return Compactor(store=compactor.store, config={"protect_results": 1}).compact(payload, force=True)


def read(reader: Reader, data: bytes) -> list[Session]:
    """The sessions, none when the reader refuses."""
    reader.sniff(data)
    try:
        return list(reader.read(data))
    except (WireError, ConfigError):
        return []


def session_holds(session: Session) -> None:
    """Its calls lie within its messages, and all of it can be counted."""
    starts, end = {0, *session.compactions}, len(session.messages)
    assert list(session.compactions) == sorted(session.compactions)
    assert all(0 <= start <= end for start in starts)
    assert all(call.start in starts and call.start < call.stop <= end for call in session.calls)
    if not writable([session.messages, session.fields]):
        return
    try:
        found = figures(session)
    except WireError:
        return
    assert found.tokens >= max((one.tokens for one in calls(session)), default=0)


def told_of_damage(reader: Reader, data: bytes, found: Sequence[Session]) -> None:
    """Every line that is no object is told of with its number, but for a last one that was being written."""
    if reader is CASSETTES or opened(data) is not None:
        return
    told = {damage.line for session in found for damage in session.damage}
    *whole, last = data.split(b"\n")
    for number, line in enumerate(whole, 1):
        assert not line.strip() or isinstance(opened(line.strip()), dict) or number in told, f"line {number}"
    rest = opened(last.strip())
    assert rest is None or isinstance(rest, dict) or len(whole) + 1 in told, "the last line"


def writable(value: Any) -> bool:
    """Whether the value can be written as JSON; a lone surrogate far down in it cannot."""
    try:
        encode(value)
    except WireError:
        return False
    return True


def opened(data: bytes) -> Any:
    """The value of a JSON text, None of anything else."""
    try:
        return decode(data)
    except WireError:
        return None
