"""The exceptions trimtab raises; each exists because some caller catches it.

TrimtabError
├── WireError     the payload is not a request trimtab can read
├── BudgetError   the caller's budget is below the smallest valid size
├── StoreError    the store cannot be opened, read or written
├── ConfigError   a setting is unknown or has a bad value
├── HandleError   a handle does not resolve here
└── WriterError   the model that writes notes gave none
"""

from __future__ import annotations

from collections.abc import Sequence


class TrimtabError(Exception):
    """Base of every error trimtab raises on purpose; the message names the place and the way out."""


class WireError(TrimtabError):
    """The payload is not JSON, not a known wire, or damaged; nothing was changed or stored."""


class BudgetError(TrimtabError):
    """Even the smallest valid request exceeds the caller's budget.

    `budget` and `smallest` are tokens as judged for the budget; `fixed` lists the parts that may
    not be cut, largest first, as `(place, tokens, why)`.
    """

    def __init__(self, budget: int, smallest: int, fixed: Sequence[tuple[str, int, str]]) -> None:
        self.budget = budget
        self.smallest = smallest
        self.fixed = tuple(fixed)
        listed = "".join(f"\n  {tokens:>8,}  {place}  ({why})" for place, tokens, why in self.fixed[:8])
        super().__init__(
            f"budget of {budget:,} tokens cannot be met: the smallest valid request has {smallest:,}."
            f" Raise the budget or shorten what is fixed:{listed or ' nothing is fixed'}"
        )


class StoreError(TrimtabError):
    """The store cannot be opened, read or written, or was made by a newer trimtab."""


class ConfigError(TrimtabError):
    """A setting is unknown or has a bad value; the message names where it came from."""


class HandleError(TrimtabError):
    """A handle is malformed, unknown in this namespace, or not of this conversation."""


class WriterError(TrimtabError):
    """A model gave no note: its server failed or refused, or it said nothing that is text.

    The message names the host and the HTTP status; never the key or what was sent.
    """
