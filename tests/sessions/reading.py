"""Reading for tests, and what holds for every session."""

from __future__ import annotations

import json
from typing import Any

import trimtab
from trimtab.sessions.base import Call, Reader, Session


def read(reader: Reader, value: Any) -> list[Session]:
    """The sessions of a file, given as its bytes or as the value of its JSON; the reader must know it."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    assert reader.sniff(data)
    found = list(reader.read(data))
    for session in found:
        accept(session)
    return found


def accept(session: Session) -> None:
    """Every call lies within the messages, behind the last compaction before it, and is a valid request."""
    starts = {0, *session.compactions}
    for call in session.calls:
        assert call.start in starts
        assert call.start < call.stop <= len(session.messages)
        assert findings(session, call) == []
    assert [call.stop for call in session.calls] == sorted({call.stop for call in session.calls})


def findings(session: Session, call: Call) -> list[trimtab.Finding]:
    return trimtab.validate(session.request(call))


def stops(session: Session) -> list[int]:
    return [call.stop for call in session.calls]
