"""Results of the incident that are records: the broker's queues, figures, events, a log, a recorded terminal."""

from __future__ import annotations

import json as encoder
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from trimtab.example import read_toml

PUT_OFF = datetime(2025, 11, 18, 14, 4, 8)  # noqa: DTZ001  (the logs of the story name no zone)
"""When the first retry was put off by too much, two minutes after the deployment."""

CUSTOMERS: list[str] = read_toml("kinds")["words"]["customers"]


def json(random: Random) -> str:
    """What the broker says about its queues, indented; the jobs of courier.retry wait for hours."""
    names = [f"{team}.{queue}" for team in ("audit", "billing", "courier", "search") for queue in _QUEUES]
    queues = [
        {
            "name": name,
            "consumers": random.randrange(2, 9),
            "ready": random.randrange(40),
            "waiting": random.randrange(12),
            "oldest_seconds": random.randrange(40),
            "paused": False,
        }
        for name in names
    ]
    queues[names.index("courier.retry")] |= {"waiting": 1932, "oldest_seconds": 63412}
    answer = {"broker": "tidemark 3.0.1", "at": "2025-11-19T07:41:00Z", "queues": queues}
    return encoder.dumps(answer, indent=2) + "\n"


_QUEUES = ("archive", "dead", "inbound", "mail", "outbound", "retry", "webhook")


def table(random: Random) -> str:
    """The deliveries of a day by customer, as CSV; of one nearly all that failed is still waiting."""
    rows = [f"{name},{_figures(random)}" for name in CUSTOMERS] + ["marlowe-freight,18204,1887,0,1887,412"]
    return "\n".join(["customer,delivered,failed,retried,waiting,p95_ms", *sorted(rows)]) + "\n"


def _figures(random: Random) -> str:
    """Delivered, failed, retried, waiting, and the 95th percentile of the time it took."""
    failed = random.randrange(9)
    return f"{random.randrange(900, 24000)},{failed},{failed},0,{random.randrange(180, 460)}"


def json_lines(random: Random) -> str:
    """Deliveries to one customer, an event a line; one retry after the upgrade is put off in another unit."""
    return "".join(f"{_event(number, random)}\n" for number in range(-78, 42))


def _event(number: int, random: Random) -> str:
    """The event so many events after the retry that matters."""
    event: dict[str, str | int] = {"at": _time(number, 45, random), "job": 88213 + 20 * number}
    if number == 0:
        event |= {"event": "put_off", "status": 503, "attempt": 3, "delay": 900000, "unit": "s"}
    elif number < 0 and number % 17 == 3:
        event |= {"event": "put_off", "status": 503, "attempt": 1, "delay": 60000, "unit": "ms"}
    else:
        event |= {"event": "delivered", "status": 200, "ms": random.randrange(150, 440)}
    return encoder.dumps(event, separators=(",", ":"))


def _time(number: int, seconds: float, random: Random) -> str:
    """The time of an entry so many entries after the one that matters, which are so many seconds apart."""
    late = random.random() * seconds if number else 0
    return (PUT_OFF + timedelta(seconds=number * seconds + late)).isoformat(" ", "milliseconds")


def log(random: Random) -> str:
    """What a worker logged around the upgrade; the client warns once, among deliveries."""
    return "".join(f"{_time(number, 2.6, random)} {_entry(number, random)}\n" for number in range(-92, 68))


def _entry(number: int, random: Random) -> str:
    if number == -49:
        return "INFO  courier.worker: stopping for a deployment, 3 jobs in flight"
    if number == -48:
        return "INFO  courier.worker: started, tidemark client 3.0.1, 8 threads"
    if number == 0:
        return "WARN  tidemark.client: job 88213: delay 900000 s exceeds the longest allowed, 86400 s (told once)"
    customer, size = random.choice(CUSTOMERS), random.randrange(300, 5200)
    took = random.randrange(90, 460)
    return f"INFO  courier.worker: job {88213 + 5 * number + 1} to {customer}: 200, {size} bytes in {took} ms"


def terminal(random: Random) -> str:
    """A recorded session on a worker, colours and all; the switch for the old unit is not set to 2."""
    return "".join(
        f"\x1b[1;32moncall@worker-3\x1b[0m:\x1b[1;34m~\x1b[0m$ {command}\r\n"
        + "".join(f"{line}\r\n" for line in output)
        for command, output in (
            ("uptime", [" 07:52:11 up 61 days,  3:40,  1 user,  load average: 0.31, 0.28, 0.30"]),
            ("df -h", _disks(random)),
            ("systemctl status courier-worker", _status(random)),
            ("systemctl show courier-worker -p Environment | tr ' ' '\\n' | sort", _environment(random)),
            ("ss -tn state established", _connections(random)),
            ("exit", ["logout"]),
        )
    )


def _disks(random: Random) -> Iterator[str]:
    yield "Filesystem      Size  Used Avail Use% Mounted on"
    for number, place in enumerate(("/", "/var", "/var/log", "/srv", "/srv/courier", "/tmp", "/boot"), 1):  # noqa: S108
        used = random.randrange(20, 70)
        yield f"/dev/nvme0n1p{number}  100G   {used}G   {100 - used}G  {used}% {place}"


def _status(random: Random) -> Iterator[str]:
    yield "\x1b[1;32m●\x1b[0m courier-worker.service - Courier webhook worker"
    yield "     Active: \x1b[1;32mactive (running)\x1b[0m since Tue 2025-11-18 14:02:31 UTC; 17h ago"
    yield f"   Main PID: {random.randrange(2000, 9000)} (python)"
    yield f"      Tasks: 19\r\n     Memory: {random.randrange(180, 320)}.4M"


def _environment(random: Random) -> list[str]:
    names = [f"{part}_{value}" for part in _PARTS for value in ("HOST", "POOL_SIZE", "TIMEOUT_MS")]
    values = [f"{name}={random.randrange(2, 60) * 10}" for name in names if not name.endswith("HOST")]
    hosts = [f"{name}={name.partition('_')[0].lower()}.internal" for name in names if name.endswith("HOST")]
    return sorted([*values, *hosts, "TIDEMARK_COMPAT=3"])


_PARTS = ("AUDIT", "BILLING", "CACHE", "LEDGER", "MAIL", "SIGNING", "TIDEMARK", "TRACING", "VAULT", "WEBHOOK")


def _connections(random: Random) -> Iterator[str]:
    yield "Recv-Q  Send-Q   Local Address:Port    Peer Address:Port"
    for _ in range(22):
        own, other = random.randrange(32768, 60999), random.randrange(2, 250)
        yield f"0       0        10.4.0.13:{own}       10.4.1.{other}:5671"
