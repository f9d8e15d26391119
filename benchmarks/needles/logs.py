"""What programs print while they run: a service's log, a test run, a terminal with colours and progress bars."""

from __future__ import annotations

from benchmarks.needles.base import Maker, Plan, fill, planted

CHATTER = (
    "INFO  [{n}-{i}] {v} of {n} {h} took {m} ms",
    "INFO  [{n}-{i}] GET /{n}/{d} 200 {m}ms",
    "INFO  [{n}-{i}] POST /{n}/{d}/lines 201 {m}ms",
    "DEBUG [{n}-{i}] cache hit for {n}:{d}",
    "DEBUG [{n}-{i}] lease on {n} renewed until {t}",
    "INFO  [{n}-{i}] {n} poll: 0 errors, {d} seen",
    "INFO  [{n}-{i}] rotated errors.log, {d} kB",
    "WARN  [{n}-{i}] pool for {n} at {m}% of its size",
    "INFO  [{n}-{i}] job {h} assigned to shard {d}",
)
TESTED = "tests/{n}/test_{n}.py::test_"
BUILD = (
    "\x1b[36m#{i}\x1b[0m [{i}/40] RUN install {n}-{n}",
    "\x1b[36m#{i}\x1b[0m sha256:{h}{h} {m}.{i}MB / 90.0MB",
    "Downloading [    ] 0%\rDownloading [##  ] 50%\rDownloading [####] 100%",
    "\x1b[32m✓\x1b[0m layer {h} pushed as \x1b[1m{n}:{m}\x1b[0m",
    "\x1b[33mnpm warn\x1b[0m old {n}@{i}.0: kept for {n}",
    "added {d} packages in {m}s",
)


def service(plan: Plan, size: int) -> str:
    """A service's log: nine shapes of lines, warnings and the word error among the ordinary ones."""
    maker = plan.maker
    second = 0

    def line() -> str:
        nonlocal second
        second += maker.randrange(3)
        return _stamped(maker, second, _chatter(maker))

    took = plan.needle("anomaly", "a number out of range", str(maker.randrange(110_000, 990_000)))
    shard = plan.needle("identifier", "a shard")
    dump = [".".join(maker.say("{v}") for _ in range(160)) for _ in range(2)]
    odd = [
        f"ERROR [queue-2] {plan.trouble('an error line')}",
        f"INFO  [cache-1] {plan.trouble('trouble at level INFO')}",
        f"INFO  [order-4] {plan.asked('a sentence at level INFO')}",
        maker.say("INFO  [{n}-3] job {x} assigned to shard {y}", x=plan.mentioned(), y=shard),
        f"INFO  [index-3] {plan.news('news at level INFO')}",
        maker.say("INFO  [{n}-1] render of {n} {h} took {x} ms", x=took),
        f"INFO  [token-6] dump {dump[0]} {plan.trouble('far into a long line')} {dump[1]}",
    ]
    odd = [_stamped(maker, maker.randrange(60_000), one) for one in odd[: 4 if size < 10_000 else 7]]
    return "\n".join(planted(maker, fill(size, line), odd)) + "\n"


def tests(plan: Plan, size: int) -> str:
    """A verbose test run: one failure, output captured beside it, warnings, the counts at the end."""
    maker = plan.maker
    body = fill(int(size * 0.75), lambda: _tested(maker))
    name = maker.say(TESTED) + plan.needle("anomaly", "the name of the failed test")
    seed = plan.needle("identifier", "a seed")
    noted = [
        f"{name} FAILED",
        maker.say("tests/{n}/conftest.py: ") + plan.asked("printed among the passed tests"),
        f"tests/test_{plan.mentioned()}.py::test_seed {seed} PASSED",
    ]
    body = planted(maker, body, noted if size > 10_000 else noted[:1])
    last = f"1 failed, {len(body)} passed in {plan.needle('anomaly', 'the last line')}s"
    parts = [
        [
            _ruled("test session starts"),
            "platform linux -- Python 3.11.9",
            f"collected {len(body)} items",
            "",
            *body,
        ],
        [_ruled("FAILURES"), *_failure(plan)],
        [_ruled("warnings summary"), *fill(int(size * 0.15), lambda: _warning(maker)), ""],
        [
            "slowest 10 durations",
            *(maker.say("0.{m}s call     ", m=f"{n}1") + maker.say(TESTED) + "a" for n in range(9)),
        ],
        [_ruled(last)],
    ]
    return "\n".join(line for part in parts for line in part) + "\n"


def terminal(plan: Plan, size: int) -> str:
    """A build in a terminal: colours, a progress bar that rewrites its line, several commands."""
    maker = plan.maker
    layer = f"layer {plan.mentioned()} pushed as \x1b[1m{plan.needle('identifier', 'in bold')}\x1b[0m"
    odd = [
        f"\x1b[31mnpm ERR!\x1b[0m {plan.trouble('after a colour code')}",
        f"\x1b[1m$\x1b[0m cat notes.txt\r\n{plan.asked('the output of a command')}\r",
        f"\x1b[32m✓\x1b[0m {layer}",
        f"[########  ] 80%\r[######### ] 90%\r{plan.trouble('on a line that a progress bar rewrote')}",
        f"\x1b[2m{plan.news('dim text')}\x1b[0m",
    ]
    body = planted(maker, fill(size, lambda: _build(maker)), odd[: 4 if size < 10_000 else 5])
    last = f"make: *** [Makefile:41: {plan.needle('anomaly', 'the last command')}] Error 2"
    return "\n".join([*body, last, "\x1b[1m$\x1b[0m "]) + "\n"


def _chatter(maker: Maker) -> str:
    i, m = str(maker.randrange(8)), str(maker.randrange(2, 90))
    return maker.say(maker.choice(CHATTER), i=i, m=m, t=maker.clock(maker.randrange(86_400)))


def _stamped(maker: Maker, second: int, line: str) -> str:
    return f"2026-03-04T{maker.clock(second)}Z {line}"


def _ruled(title: str) -> str:
    return f" {title} ".center(80, "=")


def _tested(maker: Maker) -> str:
    verdict = maker.choice(("PASSED",) * 24 + ("SKIPPED (needs a network)",))
    return f"{maker.say(TESTED + '{v}_{n}_{n}')} {verdict}"


def _failure(plan: Plan) -> list[str]:
    maker = plan.maker
    wrong = plan.needle("anomaly", "the assertion")
    return [
        maker.say("    def test_{n}(client):"),
        *(maker.say("        {n} = client.{v}('{n}')") for _ in range(12)),
        maker.say(">       assert {n}.total == expected"),
        f"E       AssertionError: assert Decimal('{wrong}') == Decimal('148.37')",
        "",
        f"{maker.path()}:{maker.randrange(100, 400)}: AssertionError",
        "----- Captured stdout call -----",
        *(f"{maker.clock(n)} {_chatter(maker)}" for n in range(30)),
        plan.trouble("captured output"),
    ]


def _warning(maker: Maker) -> str:
    return maker.say("  /usr/lib/python3/{n}/{n}.py:{d}: DeprecationWarning: use {n}() instead")


def _build(maker: Maker) -> str:
    return maker.say(maker.choice(BUILD), i=str(maker.randrange(1, 40)), m=str(maker.randrange(90)))
