"""Tables: CSV with quotes, and columns laid out for a terminal."""

from __future__ import annotations

import csv
import io

from benchmarks.needles.base import Maker, Plan, spots

HEADER = ("sku", "product", "warehouse", "stock", "price", "supplier", "checked", "remark")


def comma(plan: Plan, size: int) -> str:
    """Stock by article; remarks have commas and quotes in them."""
    maker = plan.maker
    rows = [_article(maker, n) for n in range(max(size // 64, 20))]
    spoilers = (_remark, _supplier, _negative, _asked, _empty, _price)
    places = spots(maker, len(rows), len(spoilers) if len(rows) > 200 else 4)
    for spot, spoil in zip(places, spoilers, strict=False):
        spoil(plan, rows[spot], spot)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([HEADER, *rows])
    return out.getvalue()


def columns(plan: Plan, size: int) -> str:
    """What a cluster's command prints: names, states, counts."""
    maker = plan.maker
    rows = [_pod(maker) for _ in range(max(size // 101, 20))]
    spoilers = (_crash, _home, _half_ready, _restarts, _asked_pod)
    places = spots(maker, len(rows), len(spoilers) if len(rows) > 200 else 4)
    for spot, spoil in zip(places, spoilers, strict=False):
        spoil(plan, rows[spot], spot)
    heading = ["NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE", "NODE"]
    widths = [max(len(row[n]) for row in [heading, *rows]) for n in range(len(heading))]
    return "".join(
        "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n"
        for row in [heading, *rows]
    )


def _article(maker: Maker, number: int) -> list[str]:
    return [
        f"A{100_000 + number}",
        maker.say("{n} {n}"),
        f"W{maker.randrange(1, 9)}",
        str(maker.randrange(2, 900)),
        f"{maker.randrange(100, 99_000) / 100:.2f}",
        f"S-{maker.randrange(1000, 9999)}",
        maker.day(),
        maker.choice(("", "", "ok", "new box, small", 'label "fragile"', "on order")),
    ]


def _remark(plan: Plan, row: list[str], spot: int) -> None:
    row[7] = plan.trouble(f"a remark in row {spot:,}")


def _supplier(plan: Plan, row: list[str], spot: int) -> None:
    row[5] = plan.mentioned()
    row[1] = plan.needle("identifier", f"the product of row {spot:,}, whose supplier was named")


def _negative(plan: Plan, row: list[str], spot: int) -> None:
    row[3] = plan.needle("anomaly", f"a negative number in row {spot:,}", f"-{plan.maker.randrange(1100, 9900)}")


def _asked(plan: Plan, row: list[str], spot: int) -> None:
    row[7] = plan.asked(f"a remark in row {spot:,}")


def _empty(plan: Plan, row: list[str], spot: int) -> None:
    row[4] = ""
    row[1] = plan.needle("anomaly", f"the product of row {spot:,}, the only one without a price")


def _price(plan: Plan, row: list[str], spot: int) -> None:
    price = f"{plan.maker.randrange(10**7, 10**8) / 100:.2f}"
    row[4] = plan.needle("anomaly", f"a number out of range in row {spot:,}", price)


def _pod(maker: Maker) -> list[str]:
    name = f"{maker.noun()}-{maker.choice(('web', 'api', 'job'))}-{maker.hex(9)}-{maker.hex(5)}"
    age = f"{maker.randrange(1, 90)}d"
    node = f"node-{maker.randrange(40):02d}"
    return [f"team-{maker.noun()}", name, "1/1", "Running", str(maker.choice((0, 0, 0, 1, 2))), age, node]


def _crash(plan: Plan, row: list[str], spot: int) -> None:
    row[1] = plan.needle("anomaly", f"the name in row {spot:,}, whose state no other has")
    row[3] = plan.maker.choice(("CrashLoopBackOff", "ImagePullBackOff", "Evicted", "OOMKilled", "Pending"))


def _home(plan: Plan, row: list[str], spot: int) -> None:
    row[1] = plan.mentioned()
    row[6] = plan.needle("identifier", f"the node of row {spot:,}, whose name was used")


def _half_ready(plan: Plan, row: list[str], spot: int) -> None:
    row[2] = "0/1"
    row[1] = plan.needle("anomaly", f"the name in row {spot:,}, the only one that is not ready")


def _restarts(plan: Plan, row: list[str], spot: int) -> None:
    row[4] = plan.needle(
        "anomaly", f"a number out of range in row {spot:,}", str(plan.maker.randrange(1100, 9900))
    )


def _asked_pod(plan: Plan, row: list[str], spot: int) -> None:
    key, value = plan.asked_key(f"a name in row {spot:,}, in the words of the question")
    row[0], row[1] = key.replace("_", "-"), value
