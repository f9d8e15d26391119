"""A pytest plugin: the fixture `assert_facts`. Nothing of trimtab is loaded until a test uses it."""

from __future__ import annotations

import pytest

TYPE_CHECKING = False

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from trimtab.checks import Checked

LEVELS = ("visible", "recoverable")


@pytest.fixture(scope="session")
def assert_facts() -> Callable[..., list[Checked]]:
    """Assert that facts outlive a compaction.

    `assert_facts(payload, facts, budget=None, target=None, preset=None, at_least="visible", original=None)`:
    `payload` is a request (bytes, a dict, a list of messages), a session, of which the request of the last call
    is taken, or the path of a file that holds either. It is compacted in a store of its own, at once where no
    budget is given. With `original` the payload is taken as compacted already, nothing is compacted, and what a
    marker names counts as recoverable.

    `facts` are texts, `re:` patterns or `find:` names, alone or by name, or the path of a TOML file (see
    `trimtab.read_facts`). `at_least="recoverable"` is content with a handle. Answers with each fact and how it
    stands; the test fails with a list of those that stand worse. A fact that the original does not hold fails too.
    """
    return _assert_facts


def _assert_facts(
    payload: Any,
    facts: Mapping[str, str] | Iterable[str] | os.PathLike[str],
    *,
    budget: int | None = None,
    target: int | None = None,
    preset: str | None = None,
    at_least: str = "visible",
    original: Any = None,
) -> list[Checked]:
    __tracebackhide__ = True
    import os

    from trimtab.checks import check_facts, read_facts
    from trimtab.compactor import Compactor

    if at_least not in LEVELS:
        raise ValueError(f"at_least={at_least!r}: expected one of {', '.join(LEVELS)}")
    named = read_facts(facts) if isinstance(facts, os.PathLike) else facts
    given = _request(payload)
    if original is not None:
        checked = check_facts(named, given, _request(original))
    else:
        compactor = Compactor(preset=preset, budget=budget, target=target, store="memory:")
        try:
            sent = compactor.compact(given, force=budget is None).payload
            checked = check_facts(named, sent, given, compactor)
        finally:
            compactor.store.close()
    enough = LEVELS[: LEVELS.index(at_least) + 1]
    worse = [one for one in checked if one.standing not in enough]
    if worse:
        lines = "\n".join(f"  {one}" for one in worse)
        pytest.fail(f"{len(worse)} of {len(checked)} facts are not {' or '.join(enough)}:\n{lines}", pytrace=False)
    return checked


def _request(payload: Any) -> Any:
    """The request that is meant: of a session, or a file that holds one, that of the last call."""
    import os
    from pathlib import Path

    from trimtab.sessions import reader_of
    from trimtab.sessions.base import Session
    from trimtab.sessions.requests import REQUESTS

    if isinstance(payload, str | os.PathLike):
        data = Path(payload).read_bytes()
        reader = reader_of(data)
        held = [*reader.read(data)] if reader is not None and reader is not REQUESTS else []
        payload = next((one for one in reversed(held) if one.calls), data)
    return payload.request(payload.calls[-1]) if isinstance(payload, Session) else payload
