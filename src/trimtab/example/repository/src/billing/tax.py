"""Tax on charging: rates by region and date, exemptions, and the stage at which amounts are rounded.

Regions are our own codes, not those of a country: a region is a set of places that share one rate.
Rates change on the first of a month and are never edited, only followed by a newer row, so that an
invoice of last year can be computed again and comes out the same.

The stage lives here and not beside the arithmetic, because the first region that asked for it did so
in its tax law: there the tax of each line has to be shown, and the lines have to add up.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Protocol

from billing.rounding import CENT, round_invoice, rounding_mode, spread


class Priced(Protocol):
    """What this module has to know about a line."""

    @property
    def exact(self) -> Decimal: ...

    @property
    def amount(self) -> Decimal: ...


@dataclass(frozen=True)
class Rate:
    """A rate in percent, and the first day it holds."""

    since: date
    percent: Decimal


RATES: dict[str, tuple[Rate, ...]] = {
    "north": (Rate(date(2019, 1, 1), Decimal(19)), Rate(date(2023, 7, 1), Decimal(20))),
    "coast": (Rate(date(2019, 1, 1), Decimal("7.5")), Rate(date(2024, 1, 1), Decimal("8.1"))),
    "hills": (Rate(date(2020, 4, 1), Decimal(21)),),
    "islands": (Rate(date(2019, 1, 1), Decimal(0)), Rate(date(2025, 1, 1), Decimal("4.5"))),
}

EXEMPT = frozenset({"ambulance", "fire", "public-transport"})


class UnknownRegion(KeyError):
    """A contract names a region without any rate; the run stops before anything is written."""


def rate_for(region: str, day: date) -> Decimal:
    """The rate in percent that holds in a region on a day."""
    try:
        rows = RATES[region]
    except KeyError:
        raise UnknownRegion(region) from None
    held = [row.percent for row in rows if row.since <= day]
    if not held:
        raise UnknownRegion(f"{region} has no rate for {day:%Y-%m-%d}")
    return held[-1]


def is_exempt(customer_group: str) -> bool:
    """Emergency and public services pay no tax on energy; parking is taxed for everybody."""
    return customer_group in EXEMPT


def rounding_stage(settings: Mapping[str, str]) -> str:
    """Where rounding happens: on every line, or once on the whole invoice.

    A developer's machine has no settings file, so the environment steps in, and without that the
    old behaviour. The deployed service always finds the key in its settings.
    """
    fallback = os.environ.get("BILLING_ROUND_STAGE", "per_invoice")
    return settings.get("round_stage", fallback)


def tax_on(lines: Sequence[Priced], net: Decimal, region: str, settings: Mapping[str, str]) -> Decimal:
    """The tax of an invoice, on its net total, whatever the stage.

    By line the tax is shown next to each line, but it is still computed once and spread, so that the
    shares add up. Computing it line by line was tried and gave up to four cents of difference on the
    longest invoices, always in our favour, which the auditors did not like.
    """
    if not lines:
        return Decimal(0)
    percent = rate_for(region, date.fromisoformat(settings["tax_day"]))
    return round_invoice([net * percent / 100], rounding_mode(settings["mode"]))


def tax_shares(lines: Sequence[Priced], tax: Decimal) -> list[Decimal]:
    """The tax of the invoice in shares by line, for the column the law asks for."""
    if tax < CENT:
        return [Decimal("0.00") for _ in lines]
    return spread(tax, [line.exact for line in lines])


def included_tax(gross: Decimal, percent: Decimal) -> Decimal:
    """The tax inside a price that already holds it, as on vouchers and at the kiosk."""
    return round_invoice([gross * percent / (100 + percent)])


def reverse_charge(region: str, vat_id: str | None, abroad: Sequence[str]) -> bool:
    """True when the customer owes the tax and the invoice only says so."""
    return bool(vat_id) and region in abroad


NOTES = {
    "exempt": "Energy free of tax under the rules for emergency and public services.",
    "reverse": "Tax is owed by the recipient of the service.",
    "zero": "No tax is charged in the region of supply.",
    "voucher": "Paid with vouchers; the tax was charged when they were sold.",
}


def note_for(region: str, percent: Decimal, group: str, reverse: bool, vouchers: bool) -> str | None:
    """The sentence the law wants at the foot of the invoice; at most one, the strictest first."""
    if reverse:
        return NOTES["reverse"]
    if is_exempt(group):
        return NOTES["exempt"]
    if percent == 0:
        return NOTES["zero"]
    return NOTES["voucher"] if vouchers else None


def rate_changes(region: str, first: date, last: date) -> list[date]:
    """The days within a span on which a rate of the region begins; the run refuses a month with two."""
    return [row.since for row in RATES.get(region, ()) if first < row.since <= last]
