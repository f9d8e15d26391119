"""`trimtab inspect`: where the context of a request goes, drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trimtab.cli import options
from trimtab.cli.files import named, print_json, read
from trimtab.cli.screen import bar, counted, number, screen, table, text, waiting
from trimtab.composition import Composition, Repeat, Share, composition

MOST_TOOLS = 12


def inspect(file: options.File, model: options.Model = None, json: options.Json = False) -> None:
    """Show where the context goes: by role, kind and tool, the largest parts, and what is there twice."""
    payload = read(file)
    with waiting("counting tokens"), named(file, payload):
        found = composition(payload, model)
    if json:
        print_json(found.to_dict())
    else:
        screen().print(Group(*_sections(found)))


def _sections(found: Composition) -> Iterator[RenderableType]:
    about = (found.wire, found.model or "model not named", counted(found.messages, "message"))
    head = Text.assemble((f"{found.tokens:,} tokens", "bold"), f" by {found.counter}  ")
    yield head.append_text(text(" · ".join(about), "dim"))
    yield Padding(_shares("kind", found.kinds, found.tokens), (1, 0, 0, 0))
    yield Padding(_shares("role", found.roles, found.tokens), (1, 0, 0, 0))
    if found.tools:
        yield Padding(_tools(found), (1, 0, 0, 0))
    if found.largest:
        yield Padding(_largest(found), (1, 0, 0, 0))
    if found.repeats:
        yield Padding(_repeats(found.repeats, found.repeated), (1, 0, 0, 0))


def _percent(tokens: int, whole: int) -> Text:
    return Text(f"{tokens / whole if whole else 0:.0%}", "dim", justify="right")


def _shares(by: str, shares: Sequence[Share], whole: int) -> Table:
    made = table(by, ">tokens", "", "", ">parts")
    made.columns[0].min_width = 16
    for one in shares:
        size = (number(one.tokens), _percent(one.tokens, whole), bar(one.tokens, whole, 32))
        made.add_row(text(one.name), *size, number(one.parts, "dim"))
    return made


def _tools(found: Composition) -> Table:
    made = table("tool", ">tokens", "", "", ">calls", ">arguments", ">results")
    made.columns[0].min_width = 16
    for one in found.tools[:MOST_TOOLS]:
        made.add_row(
            text(one.name, "bold"),
            number(one.tokens),
            _percent(one.tokens, found.tokens),
            bar(one.tokens, found.tokens, 32, "magenta"),
            number(one.calls, "dim"),
            number(one.arguments, "dim"),
            number(one.results, "dim"),
        )
    if len(found.tools) > MOST_TOOLS:
        made.add_row(Text(f"and {len(found.tools) - MOST_TOOLS} more", "dim"))
    return made


def _largest(found: Composition) -> Table:
    made = table(">tokens", "", "", "kind", "*the largest parts", "where")
    most = found.largest[0].tokens
    for one in found.largest:
        size = (number(one.tokens), _percent(one.tokens, found.tokens), bar(one.tokens, most, 10, "yellow"))
        made.add_row(*size, text(one.kind), text(one.what), text(one.place, "dim"))
    return made


def _repeats(repeats: Sequence[Repeat], repeated: int) -> Table:
    made = table(">tokens", ">times", "*the same result again", "where", title=f"{repeated:,} tokens are repeats")
    for one in repeats:
        places = " ".join(one.places[:3]) + (" …" if len(one.places) > 3 else "")
        made.add_row(number(one.spent, "red"), number(one.times), text(one.what), text(places, "dim"))
    return made
