"""The rule of when a fold pays: the need for a part, the rent it costs, the price of breaking the cache.

All money is counted in plain input tokens: what one uncached input token costs is 1. The form and the constants
were fitted on recorded agent sessions; docs/policy.md tells how, and what each part is worth.
"""

from __future__ import annotations

from enum import StrEnum
from math import ceil, exp, log

from msgspec import Struct

from trimtab.prices import Card
from trimtab.rates import Rates


class Kind(StrEnum):
    """What kind of part it is; each is needed again with another likelihood."""

    RESULT = "result"
    ARGUMENTS = "arguments"


class Marks(StrEnum):
    """Where cache marks stand: where they serve best, at the frame and the last message only, or nowhere."""

    GOOD = "good"
    NAIVE = "naive"
    NONE = "none"


def rates(card: Card, tokens: int, marks: Marks = Marks.GOOD, factor: float = 1.0) -> Rates:
    """The rates of a card for a request of so many raw tokens, each of which the provider counts as `factor`.

    Of a model without prices those of most are assumed. All are relative to the input price of a short request, so
    that a dearer tariff for long ones counts.
    """
    known, base = card.at(int(tokens * factor)), card.input
    if not base or not known.input:
        return Rates(good_marks=marks is not Marks.NAIVE)
    plain, output = known.input / base, (known.output or 5 * known.input) / base
    if known.read is None or known.cache.caching == "none" or marks is Marks.NONE:
        return Rates(plain, plain, output, plain=plain)
    return Rates(
        known.read / base,
        (known.write or known.input) / base,
        output,
        known.cache.lifetime,
        ceil(known.cache.least / factor),
        marks is not Marks.NAIVE,
        plain,
    )


class Policy(Struct, frozen=True):
    """What a user may set, and the constants of the rule.

    `care` weighs a missed need against what keeping costs: 3 is careful, 1.2 balanced, 0.6 saves most. `marks`
    holds over what the request shows of cache marks. `never_dearer_than` is the share by which a conversation may
    cost more than one that is never folded.
    """

    care: float = 1.2
    never_dearer_than: float | None = 0.01
    marks: Marks | None = None
    break_even: float = 1.0
    """A fold must earn this many times its price."""
    soon: float = 5.0
    """Calls within which what goes along with a fold must pay back."""
    grace: float = 2.0
    """Calls within which the fold itself must pay back for the guard."""
    inertia: float = 5.0
    """Needs that are taken as seen and foretold before any was."""
    floor: int = 15_000
    """Tokens of a request below which nothing is folded."""
    smallest: int = 120
    """Tokens of a part below which it stays."""
    newest: int = 0
    """Results at the end that stay, beside those of the newest exchange."""


CURVES = {Kind.RESULT: (-5.9, -0.60, -0.54, 0.48), Kind.ARGUMENTS: (-5.55, -0.60, -0.54, 0.48)}
"""For each kind the constant of the logistic curve, and its weights of ln age, ln(1 + since) and ln tokens."""

AGAIN, SHOWS = -1.6, 0.60
"""Weights in the curve: the share of a result's lines that a later result shows again; whether it shows a file."""

EXCERPTED = 0.35
"""How much rarer what an excerpt left out is needed."""

RECALL_WRITTEN, RECALL_OUTPUT = 1500, 150
"""Tokens that one recall adds: written to the cache, and put out by the model."""


def need(kind: Kind, level: int, age: int, since: int, tokens: int, beside: float = 0.0) -> float:
    """The likelihood that the next action needs something that only this part shows.

    `age` are the calls since it was first sent, `since` those since an action last used something of it,
    `beside` is what else speaks for it.
    """
    constant, of_age, of_since, of_size = CURVES[kind]
    logit = constant + of_age * log(max(age, 1)) + of_since * log(1 + since) + of_size * log(max(tokens, 1))
    logit += beside
    likely = 1 / (1 + exp(-logit))
    return likely * EXCERPTED if level else likely


def recall_price(rates: Rates, tokens: int) -> float:
    """What one more call costs: the request read again, a page written, and the question."""
    return rates.read * tokens + rates.write * RECALL_WRITTEN + rates.output * RECALL_OUTPUT
