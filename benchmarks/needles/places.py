"""Where things are: the matches of a search over files, and the listing of folders."""

from __future__ import annotations

from benchmarks.needles.base import Maker, Plan, planted, spots

OWNERS = ("dev", "dev", "dev", "build")
MATCHES = (
    "    total = {n}.{v}({n})",
    "    return total - {n}.{n}",
    "        if total > {d}:",
    "def total_{n}({n}):",
    '    log.debug("total %s", {n})',
    "    # total of all {n}s",
    "    assert total == {d}",
)


def search(plan: Plan, size: int) -> str:
    """Matches as `grep -rn` prints them, grouped by file."""
    maker = plan.maker
    length, body = 0, list[str]()
    while length < size:
        path, number = maker.path(maker.choice((".py", ".ts", ".go"))), 0
        for _ in range(maker.randrange(1, 9)):
            number += maker.randrange(1, 80)
            body.append(f"{path}:{number}:{maker.say(maker.choice(MATCHES))}")
            length += len(body[-1]) + 1
    found = plan.needle("identifier", "a match in a file that was named")
    odd = [
        maker.say("src/{n}/{x}.py:{d}:    total = {n}('{y}')", x=plan.mentioned(), y=found),
        maker.say("config/{n}.toml:{d}:# ") + plan.asked("a match with words of the question"),
        f"grep: var/{plan.needle('anomaly', 'a file that could not be read')}: Permission denied",
        f"scripts/{plan.needle('anomaly', 'the only match in another folder')}.sh:3:export total",
        f"Binary file data/{plan.needle('anomaly', 'a binary file')} matches",
    ]
    return "\n".join(planted(maker, body, odd[: 3 if size < 10_000 else 5])) + "\n"


def listing(plan: Plan, size: int) -> str:
    """Folders with their files, as `ls -lR` prints them."""
    maker = plan.maker
    length, lines = 0, list[str]()
    while length < size:
        files = [_entry(maker, maker.say("{v}_{n}_{n}.py")) for _ in range(maker.randrange(6, 28))]
        folder = [maker.say("./src/{n}/{n}:"), maker.say("total {d}"), *files, ""]
        lines += folder
        length += sum(len(line) + 1 for line in folder)
    entries = [number for number, line in enumerate(lines) if line.startswith("-rw-")]
    key, value = plan.asked_key("a file's name, in the words of the question")
    ending = plan.needle("identifier", "the ending of a file that was named")
    locked = plan.needle("anomaly", "a folder that could not be read")
    foreign = plan.needle("anomaly", "a file of another owner with all rights")
    odd = [
        _entry(maker, f"{key}.{value}"),
        _entry(maker, f"{plan.mentioned()}.{ending}"),
        _entry(maker, plan.needle("anomaly", "a file of a size out of range"), size=48_318_382_080),
        f"ls: cannot open directory './src/{locked}': Permission denied",
        _entry(maker, foreign, mode="-rwsrwxrwx", owner="root"),
    ]
    odd = odd[: 3 if size < 10_000 else 5]
    for spot, line in sorted(zip(spots(maker, len(entries), len(odd)), odd, strict=True), reverse=True):
        lines.insert(entries[spot], line)
    return "\n".join(lines) + "\n"


def _entry(maker: Maker, name: str, size: int = 0, mode: str = "-rw-r--r--", owner: str = "") -> str:
    size = size or maker.randrange(200, 60_000)
    when = f"Mar {maker.randrange(1, 29):2d} {maker.randrange(24):02d}:{maker.randrange(60):02d}"
    return f"{mode} 1 {owner or maker.choice(OWNERS):<5} dev {size:>8} {when} {name}"
