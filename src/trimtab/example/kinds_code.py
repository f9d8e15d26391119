"""Results of the incident that come from a repository: listings, a search, sources, a diff, a run of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random

from trimtab.example import read_toml

WORDS = read_toml("kinds")["words"]
MODULES: list[str] = WORDS["modules"]
PACKAGES: list[str] = WORDS["packages"]

CALL = "self.queue.enqueue(job, delay=wait)"


def listing(random: Random) -> str:
    """Two folders of a deployment; one wheel is as new as the deployment itself."""
    wheels = [
        f"-rw-r--r-- 1 deploy courier {random.randrange(9000, 990000):>6} Oct {random.randrange(10, 30)} 09:12 "
        f"{name}-{random.randrange(1, 5)}.{random.randrange(12)}.0-py3-none-any.whl"
        for name in PACKAGES
    ]
    wheels.append("-rw-r--r-- 1 deploy courier  48213 Nov 18 14:02 tidemark-3.0.1-py3-none-any.whl")
    files = [
        f"-rw-r--r-- 1 deploy courier {random.randrange(700, 9000):>6} Nov 18 14:02 {name}.py" for name in MODULES
    ]
    wheels.sort(key=lambda line: line.rpartition(" ")[2])
    return "\n".join(["/srv/courier/wheels:", *wheels, "", "/srv/courier/app:", *files]) + "\n"


def code(random: Random) -> str:
    """`courier/retry.py` as a reading tool shows it, each line with its number; the unit is wrong in one."""
    lines = _retry(random)
    return "".join(f"{number:6}\t{line}\n" for number, line in enumerate(lines, 1))


def _retry(random: Random) -> list[str]:
    return [
        '"""When a delivery that failed is tried again."""',
        "",
        "from courier.events import Job",
        "from courier.limits import Limits",
        "",
        "LONGEST = 15 * 60",
        "",
        "",
        "class Retries:",
        "    def __init__(self, queue, clock):",
        "        self.queue, self.clock = queue, clock",
        *(line for name in MODULES[:12] for line in _waits(name, random)),
        "",
        "    def put_off(self, job: Job, limits: Limits) -> None:",
        "        wait = self.first_wait(job) * 3 ** job.attempt",
        "        if limits.is_slowed(job.endpoint):",
        "            wait += limits.pause(job.endpoint)",
        "        wait = min(wait, LONGEST) * 1000",
        f"        {CALL}",
        *(line for name in MODULES[12:24] for line in _waits(name, random)),
    ]


def _waits(name: str, random: Random) -> Iterator[str]:
    yield ""
    yield f"    def wait_of_{name}(self, job: Job) -> int:"
    yield f'        """Seconds before a job of {name} is tried once more."""'
    yield f"        if job.attempt > {random.randrange(3, 8)}:"
    yield f"            return {random.randrange(10, 40) * 10}"
    yield f"        return {random.randrange(2, 9)} * self.first_wait(job)"


def search(random: Random) -> str:
    """Every place where a job is put into a queue; one passes a delay."""
    return "".join(line for name in MODULES for line in _hits(name, random))


def _hits(name: str, random: Random) -> Iterator[str]:
    if name == "retry":
        yield f"courier/retry.py:{_line_of(CALL)}:        {CALL}\n"
        return
    number = random.randrange(20, 200)
    for job in ("job", f"{name}_job(event)", "Job.again(job)")[: random.randrange(1, 4)]:
        yield f"courier/{name}.py:{number}:        self.queue.enqueue({job})\n"
        number += random.randrange(4, 60)


def _line_of(wanted: str) -> int:
    """Where a line stands in `courier/retry.py`, which has as many lines by every seed."""
    return next(number for number, line in enumerate(_retry(Random(0)), 1) if wanted in line)  # noqa: S311


def diff(random: Random) -> str:
    """The commit of the deployment: one call renamed in many files, and the upgrade behind it."""
    changed = sorted(random.sample([name for name in MODULES if name != "retry"], 14))
    files = [_renamed(f"courier/{name}.py", random) for name in changed]
    lock = [
        "diff --git a/requirements.lock b/requirements.lock",
        "--- a/requirements.lock",
        "+++ b/requirements.lock",
        "@@ -44,7 +44,7 @@",
        *(f" {name}==2.{random.randrange(20)}.0" for name in PACKAGES[43:46]),
        "-tidemark==2.9.4",
        "+tidemark==3.0.1",
        *(f" {name}==1.{random.randrange(20)}.0" for name in PACKAGES[46:49]),
    ]
    tests = [_renamed(f"tests/test_{name}.py", random) for name in changed]
    head = [
        "commit 8c41f7e",
        "Author: Ida Lunde <ida@courier.example>",
        "Date:   Tue Nov 18 13:48:02 2025 +0000",
        "",
    ]
    return "\n".join([*head, "    put is called enqueue now", "", *chain(*files, lock, *tests)]) + "\n"


def _renamed(path: str, random: Random) -> list[str]:
    line = random.randrange(20, 200)
    return [
        f"diff --git a/{path} b/{path}",
        f"--- a/{path}",
        f"+++ b/{path}",
        f"@@ -{line},3 +{line},3 @@",
        "         job = Job.of(event)",
        "-        self.queue.put(job)",
        "+        self.queue.enqueue(job)",
        "         return job.id",
    ]


def source(random: Random) -> str:
    """The broker's queue in Go, as `cat` prints it; the unit of a delay stands in one line."""
    head = [
        "package broker",
        "",
        'import "time"',
        "",
        "type Queue struct {",
        "\tname string",
        "\tnow  func() time.Time",
    ]
    enqueue = [
        "",
        "// Enqueue takes a job, to be handed out when its delay is over.",
        "func (q *Queue) Enqueue(job *Job) error {",
        "\tdue := q.now().Add(time.Duration(job.Delay) * time.Second)",
        "\tif job.Delay > longest {",
        "\t\tq.warnOnce(job)",
        "\t}",
        "\treturn q.store.Put(job, due)",
        "}",
    ]
    return (
        "\n".join([*head, "}", *_methods(MODULES[:11], random), *enqueue, *_methods(MODULES[11:22], random)])
        + "\n"
    )


def _methods(names: list[str], random: Random) -> Iterator[str]:
    for name in names:
        yield ""
        yield f"func (q *Queue) {name.capitalize()}(limit int) ([]*Job, error) {{"
        yield f"\tif limit > {random.randrange(2, 90) * 100} {{"
        yield f'\t\treturn nil, tooMany("{name}", limit)'
        yield "\t}"
        yield f'\treturn q.store.Select("{name}", limit)'
        yield "}"


def trace(random: Random) -> str:
    """A run of the tests, one a line, in which one fails; what was compared stands between much else."""
    cases = [
        f"tests/test_{name}.py::{case}"
        for name in MODULES
        for case in ("test_empty", "test_twice", "test_order")[: random.randrange(1, 4)]
        if name != "retry"
    ]
    failed = "tests/test_retry.py::test_never_longer_than_a_quarter"
    cases = sorted([*cases, failed])
    ran = [
        f"{case} {'FAILED' if case == failed else 'PASSED'} [{100 * number // len(cases):>3}%]"
        for number, case in enumerate(cases, 1)
    ]
    return (
        "\n".join(
            [
                "============================= test session starts ==============================",
                "platform linux -- Python 3.12.7, pytest-8.3.3, pluggy-1.5.0",
                f"collected {len(cases)} items",
                "",
                *ran,
                "",
                *_failure(),
                *(f"{random.random() / 9 + 0.2:.2f}s call     {case}" for case in cases[:25]),
                "=========================== short test summary info ============================",
                f"FAILED {failed}",
                f"================== 1 failed, {len(cases) - 1} passed in 9.41s ==================",
            ]
        )
        + "\n"
    )


def _failure() -> list[str]:
    return [
        "=================================== FAILURES ===================================",
        "_______________________ test_never_longer_than_a_quarter _______________________",
        "",
        "    def test_never_longer_than_a_quarter(retries, queue):",
        "        retries.put_off(Job(attempt=9), Limits())",
        ">       assert queue.jobs[0].delay <= 15 * 60",
        "E       AssertionError: assert 900000 <= 900",
        "E        +  where 900000 = Job(attempt=9).delay",
        "",
        "tests/test_retry.py:31: AssertionError",
        "============================= slowest 25 durations =============================",
    ]
