"""Source code, with and without line numbers, and a diff over many files."""

from __future__ import annotations

from benchmarks.needles.base import Maker, Plan, fill, spots
from benchmarks.needles.languages import LANGUAGES

Lines = list[str]
LINE = "    {n} = {n}.{v}({n})"


def source(plan: Plan, size: int) -> str:
    """A file as it is."""
    return "\n".join(_file(plan, size)) + "\n"


def numbered(plan: Plan, size: int) -> str:
    """A file as a read tool shows it, each line with its number."""
    return "".join(f"{n:6d}\t{line}\n" for n, line in enumerate(_file(plan, int(size * 0.85)), 1))


def diff(plan: Plan, size: int) -> str:
    """A rename all over the place, and what changed besides."""
    maker = plan.maker
    old, new = f"{maker.noun()}_id", f"{maker.noun()}_key"
    files = fill(size, lambda: _renamed(maker, old, new))
    known = plan.mentioned()
    limit = plan.needle("identifier", "the change in a file that was named", str(maker.randrange(11_000, 99_000)))
    gone = maker.say("src/{n}/") + plan.needle("structure", "a file that was deleted") + ".py"
    runs = f"tests/test_{plan.needle('anomaly', 'a test file whose mode changed')}.py"
    odd = [
        _hunk(maker, maker.path(), "RATE = 1.5", f"RATE = 1.5  # {plan.asked('a comment')}"),
        _hunk(maker, f"src/{known}.py", "    limit = 30", f"    limit = {limit}"),
        _deleted(maker, gone),
        f"diff --git a/{runs} b/{runs}\nold mode 100644\nnew mode 100755",
        _hunk(maker, maker.path(), "    pass", f'    print("{plan.needle("anomaly", "left from debugging")}")'),
    ]
    for spot, file in zip(spots(maker, len(files), 5 if size > 10_000 else 3), odd, strict=False):
        files[spot] = file
    return "\n".join(files) + "\n"


def _file(plan: Plan, size: int) -> Lines:
    """Functions; among them a constant asked for, one whose name was used, odd ones, and a class."""
    maker, language = plan.maker, plan.maker.choice(LANGUAGES)
    length, blocks = 0, list[Lines]()
    while length < size:
        blocks.append(language.function(maker, maker.say("{v}_{n}_{n}")))
        length += sum(len(line) + 1 for line in blocks[-1])
    key, value = plan.asked_key("a constant")
    call = maker.say('{n}("{x}")', x=plan.needle("identifier", "the body of a function that was named"))
    keeper = plan.needle("structure", "the name of a class", maker.say("{N}Keeper") + maker.hex(3))
    news, told = plan.news("a comment in a body"), plan.asked("a comment in a body")
    odd: list[Lines] = [
        [maker.say(language.constant, x=key.upper(), y=value), ""],
        _with(language.function(maker, plan.mentioned(plain=True)), 2, call),
        language.class_of(maker, keeper),
        _with(language.function(maker, maker.say("apply_{n}")), 3, f"{language.comment} FIXME: {news}"),
        _with(language.function(maker, maker.say("check_{n}")), 4, f"{language.comment} {told}"),
    ]
    odd = odd[: 3 if size < 10_000 else 5]
    for spot, block in sorted(zip(spots(maker, len(blocks), len(odd)), odd, strict=True), reverse=True):
        blocks.insert(spot, block)
    return [line for block in blocks for line in block]


def _with(block: Lines, at: int, line: str) -> Lines:
    """The block with a line in its body, laid out as its neighbour is."""
    indent = block[at][: len(block[at]) - len(block[at].lstrip())] or "    "
    return [*block[:at], indent + line, *block[at:]]


def _renamed(maker: Maker, old: str, new: str) -> str:
    """A file in which a name changed, in one hunk or several."""
    lines = _header(maker, maker.path())
    start = maker.randrange(5, 60)
    for _ in range(maker.randrange(1, 5)):
        value = maker.say("    {n}.{v}({x}, {n})", x="{}")
        around = [maker.say(f" {LINE}") for _ in range(4)]
        lines.append(maker.say("@@ -{s},5 +{s},5 @@ def {v}_{n}():", s=str(start)))
        lines += [*around[:2], f"-{value.format(old)}", f"+{value.format(new)}", *around[2:]]
        start += maker.randrange(20, 90)
    return "\n".join(lines)


def _hunk(maker: Maker, path: str, old: str, new: str) -> str:
    start = maker.randrange(5, 400)
    above, below = maker.say(f" {LINE}"), maker.say(f" {LINE}")
    lines = [*_header(maker, path), f"@@ -{start},3 +{start},3 @@", above, f"-{old}", f"+{new}", below]
    return "\n".join(lines)


def _deleted(maker: Maker, path: str) -> str:
    head = f"diff --git a/{path} b/{path}\ndeleted file mode 100644\nindex {maker.hex(7)}..0000000"
    return f"{head}\n--- a/{path}\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-import os\n-os.umask(0)"


def _header(maker: Maker, path: str) -> Lines:
    index = f"index {maker.hex(7)}..{maker.hex(7)} 100644"
    return [f"diff --git a/{path} b/{path}", index, f"--- a/{path}", f"+++ b/{path}"]
