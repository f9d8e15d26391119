"""One drawn situation: a request, the form it is given in, a budget, and the passes at work."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, settings, strategies as st
from tests.laws.hostile import hostile_passes
from tests.strategies import requests
from tests.styles import STYLES, Style

from trimtab import BudgetError, Compactor, Result
from trimtab.passes import PASSES
from trimtab.stores import Store
from trimtab.testing import memory_store

law = settings(
    max_examples=25,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
"""Laws walk long conversations: fewer examples each, and many laws. A failure is shown as it was found:
to shrink what seeds stand for takes minutes and shows little."""

FORMS = ("bytes", "dict", "list")
SHARES = (None, 0.02, 0.2, 0.4, 0.6, 0.8, 0.9, 100.0)
"""Budgets as shares of what the whole request roughly has."""


class Play(NamedTuple):
    """`share` gives the budget, `seed` the hostile passes; without one the preset's own are at work."""

    request: dict[str, Any]
    form: str
    style: Style
    share: float | None
    seed: int | None
    facts: tuple[str, ...]

    @property
    def budget(self) -> int | None:
        """Tokens, by characters: exactness does not matter here."""
        return None if self.share is None else int(self.share * len(json.dumps(self.request)) / 4) + 1

    def compactor(self, store: Store | None = None, **options: Any) -> Compactor:
        """A new compactor, over a store of its own unless one is given."""
        given: dict[str, Any] = {"budget": self.budget, "facts": self.facts, "config": {"protect_results": 1}}
        if self.seed is not None:
            given["passes"] = [*hostile_passes(self.seed), *PASSES]
        return Compactor(store=store or memory_store(), **{**given, **options})

    def payload(self, messages: list[Any] | None = None) -> Any:
        """The request, or one with these messages, in the form of this play; made of new objects."""
        request = {**self.request, "messages": self.request["messages"] if messages is None else messages}
        if self.form == "bytes":
            return self.style.write(request)
        fresh = json.loads(json.dumps(request))
        return fresh if self.form == "dict" else fresh["messages"]

    def calls(self) -> Iterator[list[Any]]:
        """The messages of each call of the session: before every run of assistant messages, and all."""
        messages = self.request["messages"]
        for n in range(1, len(messages)):
            if messages[n]["role"] == "assistant" and messages[n - 1]["role"] != "assistant":
                yield messages[:n]
        yield messages


def plays(
    given: st.SearchStrategy[dict[str, Any]] | None = None,
    shares: tuple[float | None, ...] = SHARES,
    forms: tuple[str, ...] = FORMS,
) -> st.SearchStrategy[Play]:
    facts = st.sampled_from([(), (), ("FAILED: exit 1",), ("re:rate = 0\\.11", "same line")])
    seeds = st.none() | st.integers(0, 1000)
    return st.builds(
        Play,
        requests() if given is None else given,
        st.sampled_from(forms),
        STYLES,
        st.sampled_from(shares),
        seeds,
        facts,
    )


def compact(compactor: Compactor, payload: Any, **options: Any) -> Result:
    """The result; an inner failure that the fallback would hide is a failed test."""
    result = compactor.compact(payload, **options)
    assert result.report.outcome != "failed", result.report.findings
    return result


def attempt(compactor: Compactor, payload: Any, **options: Any) -> Result | None:
    """The result, or None where the budget cannot be met."""
    try:
        return compact(compactor, payload, **options)
    except BudgetError:
        return None


def opened(payload: Any) -> Any:
    """A payload as plain JSON objects."""
    return json.loads(payload.decode("utf-8-sig")) if isinstance(payload, bytes) else payload


def messages_of(payload: Any) -> list[Any]:
    value = opened(payload)
    found: list[Any] = value if isinstance(value, list) else value["messages"]
    return found
