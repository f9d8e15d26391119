"""Numbers of the billing service: what is exact, what is rounded, and to which step.

Everything here works on `Decimal`. Floats never enter: meters report whole watt-hours, tariffs are
stored as text, and the ledger refuses anything that is not a decimal string.

Two steps are in use. Energy is billed in tenths of a kilowatt-hour, because the meters of the first
generation resolve no finer. Money is billed in cents. Keep the two apart: a quantity that was cut
to cents cannot be reconciled with the meter, and a sum that was cut to tenths cannot be paid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
TENTH = Decimal("0.1")

MODES = {"commercial": ROUND_HALF_UP, "banker": ROUND_HALF_EVEN, "truncate": ROUND_DOWN}


def rounding_mode(name: str) -> str:
    """The decimal mode for a name from the settings; unknown names are an error, not a default."""
    try:
        return MODES[name]
    except KeyError:
        raise ValueError(f"unknown rounding mode {name!r}, expected one of {sorted(MODES)}") from None


def kilowatt_hours(watt_hours: int) -> Decimal:
    """A meter reading as a billable quantity, always down: nobody pays for energy not delivered."""
    return (Decimal(watt_hours) / 1000).quantize(TENTH, rounding=ROUND_DOWN)


def started_minutes(seconds: int) -> int:
    """Parking time in started minutes. The grace period is the business of the tariff, not ours."""
    return -(-seconds // 60)


def is_settled(open_amount: Decimal) -> bool:
    """True when less than half a cent is left, which no payment provider can collect."""
    return abs(open_amount) < CENT / 2


def parse_amount(text: str) -> Decimal:
    """An amount from a tariff or a ledger entry; a comma is refused, it has caused trouble before."""
    return Decimal(text.strip())


def price_of(quantity: Decimal, unit_price: Decimal) -> Decimal:
    """The exact product. It may carry five or six decimals and is rounded by the caller, once."""
    return quantity * unit_price


def round_charge(amount: Decimal, mode: str = ROUND_HALF_UP) -> Decimal:
    """A charge as it is printed on the invoice and sent to the ledger.

    The mode is one of the values of `MODES`; the sign is kept: credit notes mirror their invoices.
    """
    if not amount.is_finite():
        raise ValueError(f"cannot bill {amount}")
    return amount.quantize(TENTH, rounding=mode)


def round_invoice(amounts: Iterable[Decimal], mode: str = ROUND_HALF_UP) -> Decimal:
    """The sum of exact amounts, rounded once at the end.

    This was the only path until lines could be rounded on their own. It does not go through the
    function above, since a sum of nothing has to come out as 0.00 and not as a bare 0.
    """
    return sum(amounts, start=Decimal(0)).quantize(CENT, rounding=mode)


def spread(total: Decimal, weights: Sequence[Decimal]) -> list[Decimal]:
    """`total` in shares by weight that add up to it exactly, to the cent.

    Each share is cut down first; the cents left over go to the largest remainders, the earlier share
    first where two are equal. Used for shared parking fees and for splitting a credit over lines.
    """
    whole = sum(weights, start=Decimal(0))
    if not weights or whole == 0:
        raise ValueError("cannot spread over no weight")
    exact = [total * weight / whole for weight in weights]
    shares = [share.quantize(CENT, rounding=ROUND_DOWN) for share in exact]
    left = int((total - sum(shares, start=Decimal(0))) / CENT)
    order = sorted(range(len(shares)), key=lambda i: (shares[i] - exact[i], i))
    for index in order[:left]:
        shares[index] += CENT
    return shares


def drift(lines: Iterable[Decimal], total: Decimal) -> Decimal:
    """How far a printed total stands from the exact sum of its lines; the nightly audit reports it."""
    return total - sum(lines, start=Decimal(0))


def as_text(amount: Decimal) -> str:
    """The ledger's notation: a plain decimal string, never an exponent, a minus sign in front."""
    return format(amount, "f")


def as_printed(amount: Decimal, currency: str) -> str:
    """The notation on the invoice: thousands apart, two decimals, currency behind."""
    return f"{amount:,.2f} {currency}"


def from_printed(text: str) -> tuple[Decimal, str]:
    """The way back, for invoices that support pastes into the tool: amount and currency."""
    number, _, currency = text.rpartition(" ")
    return parse_amount(number.replace(",", "")), currency


def instalments(total: Decimal, count: int) -> list[Decimal]:
    """Equal instalments, to the cent; the first ones carry what does not divide.

    Only offered above 200 and for two, three, four or six months, which the contract form enforces.
    """
    if count < 1:
        raise ValueError("at least one instalment")
    return spread(total, [Decimal(1)] * count)


def discounted(amount: Decimal, percent: Decimal) -> Decimal:
    """An exact amount less a discount in percent, still exact: discounts come before rounding."""
    if not 0 <= percent <= 100:
        raise ValueError(f"a discount of {percent} percent")
    return amount * (100 - percent) / 100
