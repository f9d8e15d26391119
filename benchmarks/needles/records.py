"""JSON as tools answer it: an array of objects, JSON lines, all of it on one line, and a nested configuration."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from benchmarks.needles.base import Maker, Plan, spots

Row = dict[str, Any]
SETTLED = ("paid", "shipped", "open", "delivered")


def array(plan: Plan, size: int) -> str:
    """An answer with a list of orders, laid out."""
    return json.dumps(_answer(plan, size // 270), indent=2)


def minified(plan: Plan, size: int) -> str:
    """The same on one line."""
    return json.dumps(_answer(plan, size // 180), separators=(",", ":"))


def lines(plan: Plan, size: int) -> str:
    """Events, one a line."""
    rows = _rows(plan, size // 175, _event)
    return "".join(json.dumps(row) + "\n" for row in rows)


def nested(plan: Plan, size: int) -> str:
    """The state of services, four levels deep, with JSON inside of strings."""
    maker = plan.maker
    names = [f"{maker.noun()}-{maker.noun()}-{number}" for number in range(max(size // 930, 4))]
    services = {name: _service(maker, name) for name in names}
    places = spots(maker, len(names), 6 if len(names) > 20 else 3)
    for number, spot in enumerate(places):
        name = names[spot]
        _spoil(plan, number, services, name)
    zone = plan.needle("structure", "a section of the top level", f"{maker.noun()}_overrides_{maker.hex(3)}")
    head = {"apiVersion": "v2", "cluster": "live-3", "revision": maker.randrange(10**6)}
    return json.dumps({**head, "services": services, zone: {"paused": False}, "elapsed_ms": 41}, indent=2)


def _answer(plan: Plan, number: int) -> dict[str, Any]:
    rows = _rows(plan, number, _order)
    return {"total": len(rows), "page": 1, "items": rows, "next": None}


def _rows(plan: Plan, number: int, make: Callable[[Maker, int], Row]) -> list[Row]:
    maker = plan.maker
    rows = [make(maker, n) for n in range(max(number, 8))]
    spoilers = [_failed, _note, _known, _out_of_range, _extra_key, _missing][: 4 if len(rows) < 40 else 6]
    for spot, spoil in zip(spots(maker, len(rows), len(spoilers)), spoilers, strict=True):
        spoil(plan, rows[spot], spot)
    return rows


def _order(maker: Maker, number: int) -> Row:
    return {
        "id": 50_000 + 3 * number,
        "reference": f"PAY-{maker.hex(8).upper()}",
        "customer": f"C-{maker.randrange(10_000, 99_999)}",
        "region": maker.choice(("EU", "US", "APAC")),
        "status": maker.choice(SETTLED),
        "amount": maker.randrange(500, 50_000) / 100,
        "attempts": maker.choice((1, 1, 1, 2)),
        "created_at": f"{maker.day()}T{maker.clock(maker.randrange(86_400))}Z",
        "note": maker.choice(("", "gift", "call before delivery", "second invoice wanted")),
    }


def _event(maker: Maker, number: int) -> Row:
    return {
        "ts": f"2026-03-04T{maker.clock(number * 2)}.{maker.randrange(1000):03d}Z",
        "reference": maker.hex(16),
        "actor": f"user-{maker.randrange(400)}",
        "status": maker.choice(("ok", "ok", "ok", "cached")),
        "amount": maker.randrange(3, 180),
        "customer": f"C-{maker.randrange(10_000, 99_999)}",
        "note": f"{maker.choice(VERBS_PAST)} {maker.noun()} {maker.randrange(9999)}",
    }


VERBS_PAST = ("loaded", "stored", "merged", "checked", "rendered", "updated")


def _failed(plan: Plan, row: Row, spot: int) -> None:
    row["status"] = plan.maker.choice(("failed", "chargeback", "rejected", "timeout"))
    row["reference"] = plan.needle("anomaly", f"the id of row {spot:,}, whose status no other row has")


def _note(plan: Plan, row: Row, spot: int) -> None:
    row["note"] = plan.asked(f"the note of row {spot:,}")


def _known(plan: Plan, row: Row, spot: int) -> None:
    row["customer"] = plan.mentioned()
    row["reference"] = plan.needle("identifier", f"the id of row {spot:,}, whose customer was named")


def _out_of_range(plan: Plan, row: Row, spot: int) -> None:
    value = plan.maker.randrange(10**7, 10**8) / 100
    row["amount"] = float(plan.needle("anomaly", f"a number out of range in row {spot:,}", str(value)))


def _extra_key(plan: Plan, row: Row, spot: int) -> None:
    row["override"] = plan.needle("anomaly", f"the value of a key that only row {spot:,} has")


def _missing(plan: Plan, row: Row, spot: int) -> None:
    row["status"] = None
    row["reference"] = plan.needle("anomaly", f"the id of row {spot:,}, the only one with a null")


def _service(maker: Maker, name: str) -> Row:
    port = maker.randrange(3000, 9000)
    applied = {"kind": "Deployment", "metadata": {"name": name, "labels": {"tier": "web"}}, "port": port}
    return {
        "image": f"registry.example/{name}@sha256:{maker.hex(16)}",
        "replicas": {"wanted": 3, "ready": 3, "restarts": maker.randrange(3)},
        "env": {
            "LOG_LEVEL": maker.choice(("info", "warn")),
            "CACHE_SIZE_MB": maker.choice((64, 128)),
            "UPSTREAM": f"http://{maker.noun()}.internal:{port}",
        },
        "annotations": {"last-applied": json.dumps(applied), "owner": f"team-{maker.noun()}"},
        "status": {
            "phase": "Running",
            "conditions": [
                {"type": "Available", "status": "True", "message": "minimum replicas are there"},
                {"type": "Progressing", "status": "True", "message": f"set {name}-{maker.hex(8)} is complete"},
            ],
        },
    }


def _spoil(plan: Plan, number: int, services: dict[str, Row], name: str) -> None:
    """One of six needles, each at another depth."""
    service = services[name]
    env, status = service["env"], service["status"]
    if number == 0:
        status["conditions"][0] |= {
            "status": "False",
            "message": plan.trouble("a condition, with a word for trouble"),
        }
    elif number == 1:
        key, value = plan.asked_key("a key four levels deep")
        env[key.upper()] = value
    elif number == 2:
        applied = json.loads(service["annotations"]["last-applied"])
        applied["metadata"]["labels"]["note"] = plan.asked("inside of a JSON string")
        service["annotations"]["last-applied"] = json.dumps(applied)
    elif number == 3:
        plan.mentions.append(name)
        service["annotations"]["owner"] = plan.needle("identifier", "a field of the service that was named")
    elif number == 4:
        restarts = str(plan.maker.randrange(11_000, 99_000))
        service["replicas"]["restarts"] = int(plan.needle("anomaly", "a number out of range", restarts))
    else:
        key = f"FORCE_{plan.maker.noun()}_{plan.maker.hex(4)}".upper()
        env[plan.needle("anomaly", "a key that only one service has", key)] = "1"
