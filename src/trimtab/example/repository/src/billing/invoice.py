"""From charging sessions to one invoice for each contract and month.

The order of work is fixed, because the auditors check it in this order:

1. collect the sessions of the month, oldest first, and drop those that were billed before
2. price every session: energy, parking after the grace period, and the start fee
3. round, at the stage the settings name, and add the tax of the customer's region
4. compare with the exact sum, write the invoice, and hand it to the ledger

Prices are exact until step 3. Nothing before that step may round, and nothing after it may touch an
amount again: the ledger compares the text of the amounts, not their value.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from billing.rounding import (
    CENT,
    as_text,
    drift,
    kilowatt_hours,
    price_of,
    round_charge,
    round_invoice,
    rounding_mode,
    started_minutes,
)
from billing.tax import rounding_stage, tax_on

log = logging.getLogger("billing.invoice")


@dataclass(frozen=True)
class Session:
    """One plug-in of one car, as the charging point reported it."""

    id: str
    contract: str
    started: datetime
    watt_hours: int
    parked_seconds: int
    tariff: str


@dataclass(frozen=True)
class Tariff:
    """Prices without tax; they are kept as text in the tariff table and parsed without a float."""

    per_kwh: Decimal
    per_minute: Decimal
    start_fee: Decimal
    grace_minutes: int = 0


@dataclass(frozen=True)
class Line:
    """One line of an invoice. `exact` is what the tariff gives, `amount` what is printed."""

    session: str
    text: str
    exact: Decimal
    amount: Decimal


@dataclass
class Invoice:
    """An invoice before it is numbered; the number comes from the ledger and has no gaps."""

    contract: str
    month: date
    region: str
    lines: list[Line] = field(default_factory=list)
    net: Decimal = Decimal(0)
    tax: Decimal = Decimal(0)

    @property
    def gross(self) -> Decimal:
        return self.net + self.tax


class TotalMismatch(Exception):
    """The printed total is further from the exact one than the settings tolerate."""


def price_session(session: Session, tariff: Tariff) -> list[tuple[str, Decimal]]:
    """The exact amounts of one session, with the words that are printed next to them."""
    parts = [("energy", price_of(kilowatt_hours(session.watt_hours), tariff.per_kwh))]
    minutes = max(0, started_minutes(session.parked_seconds) - tariff.grace_minutes)
    if minutes:
        parts.append((f"parking, {minutes} min", price_of(Decimal(minutes), tariff.per_minute)))
    if tariff.start_fee:
        parts.append(("start fee", tariff.start_fee))
    return parts


def unbilled(sessions: Iterable[Session], billed: set[str]) -> list[Session]:
    """Sessions that no earlier invoice holds, oldest first. A session is billed as a whole or not."""
    return sorted((s for s in sessions if s.id not in billed), key=lambda s: (s.started, s.id))


def make_lines(
    sessions: Sequence[Session], tariffs: Mapping[str, Tariff], settings: Mapping[str, str]
) -> list[Line]:
    """The lines of an invoice, each with its exact and its printed amount.

    With rounding by invoice the printed amount of a line is only for show, and the total is built
    from the exact ones. With rounding by line the total is the sum of what is printed, so whatever
    happens to a single line here ends up on the bill.
    """
    mode = rounding_mode(settings["mode"])
    lines = []
    for session in sessions:
        for text, exact in price_session(session, tariffs[session.tariff]):
            lines.append(Line(session.id, text, exact, round_charge(exact, mode)))
    return lines


def net_total(lines: Sequence[Line], settings: Mapping[str, str]) -> Decimal:
    """The total without tax, by the stage in force."""
    if rounding_stage(settings) == "per_line":
        return sum((line.amount for line in lines), start=Decimal(0))
    return round_invoice((line.exact for line in lines), rounding_mode(settings["mode"]))


def check_total(invoice: Invoice, settings: Mapping[str, str]) -> None:
    """Refuse an invoice that strays from its exact sum by more than half a cent for each line."""
    allowed = CENT / 2 * max(1, len(invoice.lines))
    off = drift((line.exact for line in invoice.lines), invoice.net)
    if abs(off) > allowed:
        log.error("net %s is off by %s over %d lines", as_text(invoice.net), off, len(invoice.lines))
        if settings.get("on_mismatch", "warn") == "stop":
            raise TotalMismatch(f"{invoice.contract}: {as_text(invoice.net)} is off by {off}")


def build(
    contract: str,
    month: date,
    region: str,
    sessions: Iterable[Session],
    tariffs: Mapping[str, Tariff],
    settings: Mapping[str, str],
    billed: set[str],
) -> Invoice:
    """The invoice of one contract for one month, checked and ready for the ledger."""
    invoice = Invoice(contract, month, region)
    invoice.lines = make_lines(unbilled(sessions, billed), tariffs, settings)
    invoice.net = net_total(invoice.lines, settings)
    invoice.tax = tax_on(invoice.lines, invoice.net, region, settings)
    check_total(invoice, settings)
    return invoice
