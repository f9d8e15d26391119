"""Before and after of each pass, to be read by people: `tests/golden/<pass>/*.txt`.

A file is a title, the options of the pass as JSON (`shed` are the tokens to go under a
budget), and a transcript as a diff: lines that start with a
minus are cut, those with a plus take their place. `call ID NAME` and `result ID` begin a part, its
content is indented; a `note` stands in the place of messages. `‹text × 30›` stands for the text thirty
times over, `‹png 900›` for so many bytes of an image in base64, `<png 640x480>` for an image of a result.
A task stands before the transcript and a newer exchange after it, which no pass touches. Handles are
numbered.

`python -m tests.test_golden --bless` writes what the passes do now; read the difference before it is kept.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher
from importlib import import_module
from itertools import groupby
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

import pytest
from tests.cases.transcripts import Call, Step, answers, calls, encoded, made_calls, png, request, results, user

import trimtab
from trimtab import passes
from trimtab.passes import Stage
from trimtab.stubs import HANDLE
from trimtab.testing import note_of

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.rglob("*.txt"))


def kinds() -> Iterator[tuple[str, Any]]:
    """The passes there are, by name, but those that gather a whole conversation."""
    for module in iter_modules(passes.__path__):
        made = vars(import_module(f"{passes.__name__}.{module.name}")).values()
        for one in made:
            gathers = getattr(one, "stage", None) is Stage.BUDGET and one is not passes.FitBudget
            if getattr(one, "name", None) == module.name and not gathers and one.stage is not Stage.FRAME:
                yield module.name, one


KINDS = dict(kinds())
SHORT = re.compile(r"‹(png) (\d+)›|‹([^›]*) × (\d+)›|<png (\d+)x(\d+)>")
INDENT = "    "


class Case(NamedTuple):
    """What a file says: how it begins, the options, the transcript before, and the whole text."""

    head: str
    options: dict[str, Any]
    before: list[str]
    whole: str


def read(path: Path) -> Case:
    whole = path.read_text(encoding="utf-8")
    title, options, _, *rows = whole.splitlines()
    before = [row[2:] for row in rows if not row.startswith("+")]
    return Case(f"{title}\n{options}\n\n", json.loads(options), before, whole)


def spelled(match: re.Match[str]) -> str:
    """What an abbreviation stands for."""
    if match[1]:
        return base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)[: int(match[2])].decode()
    return match[3] * int(match[4]) if match[3] else png(int(match[5]), int(match[6])).data


def steps(rows: list[str]) -> Iterator[Step]:
    """The transcript that is written in these rows; calls and results that follow each other are parallel."""
    parts: list[tuple[str, list[str]]] = []
    for row in rows:
        if row.startswith(INDENT) or not row:
            parts[-1][1].append(row.removeprefix(INDENT))
        else:
            parts.append((row, []))
    for kind, group in groupby(parts, lambda part: part[0].split()[0]):
        found = [(header.split()[1:], content) for header, content in group]
        if kind == "call":
            yield calls(*(Call(name[0], name[1], json.loads(text(content))) for name, content in found))
        else:
            yield results(*((name[0], whole(content)) for name, content in found))


def whole(content: list[str]) -> Any:
    """The content of a result: a text, or a list when images stand in it."""
    groups = [(is_image, list(rows)) for is_image, rows in groupby(content, lambda row: row.startswith("<png"))]
    if not any(is_image for is_image, _ in groups):
        return text(content)
    items: list[Any] = []
    for is_image, rows in groups:
        sizes = [SHORT.fullmatch(row) for row in rows]
        items += [png(int(size[5]), int(size[6])) for size in sizes if size] if is_image else [text(rows)]
    return items


def text(rows: list[str]) -> str:
    return SHORT.sub(spelled, "".join(f"{row}\n" for row in rows))


def written(payload: dict[str, Any], short: dict[str, str]) -> Iterator[str]:
    """A payload in the notation of the files, without the task and the newer exchange."""
    for message in payload["messages"][1:-2]:
        if message["role"] == "user" and isinstance(said := _said(message), str):
            yield "note"
            yield from indented(said, short)
            continue
        for call in made_calls({"messages": [message]}):
            yield f"call {call.id} {call.name}"
            yield from indented(json.dumps(call.arguments, ensure_ascii=False, indent=2), short)
        for call_id, content in answers({"messages": [message]}):
            yield f"result {call_id}"
            for item in content if isinstance(content, list) else [{"text": content}]:
                image = item.get("source", item.get("image_url", {}))
                yield from indented(item.get("text") or image.get("data") or image["url"].partition(",")[2], short)


def _said(message: dict[str, Any]) -> Any:
    """The text of a user message that holds one text, and nothing else."""
    match message["content"]:
        case [{"type": "text", "text": text}]:
            return text
    return message["content"]


def indented(content: str, short: dict[str, str]) -> Iterator[str]:
    for long, abbreviated in short.items():
        content = content.replace(long, abbreviated)
    yield from (f"{INDENT}{row}" if row else "" for row in content.removesuffix("\n").split("\n"))


def difference(before: list[str], after: list[str]) -> Iterator[str]:
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (f"  {row}".rstrip() for row in before[a:b])
        else:
            yield from (f"- {row}".rstrip() for row in before[a:b])
            yield from (f"+ {row}".rstrip() for row in after[c:d])


def shedding(given: dict[str, Any], tokens: int) -> dict[str, int]:
    """The budget under which so many tokens have to go."""
    before = trimtab.Compactor("gpt-5", store=None).compact(given).report.tokens_before
    return {"budget": before - tokens, "target": before - tokens}


def run(path: Path, wire: str) -> str:
    """The text of a file as the pass makes it now."""
    case = read(path)
    kind = KINDS[path.parent.name]
    given = request(wire, user("Mend it."), *steps(case.before), calls(("new", "b")), results(("new", "ok")))
    options = dict(case.options)
    limits: dict[str, Any] = shedding(given, options.pop("shed")) if "shed" in options else {"target": 1}
    at_work, settings = [kind(**options)], {"protect_results": 0}
    compactor = trimtab.Compactor(
        model="gpt-5",
        store="memory:",
        **limits,
        passes=at_work,
        config=settings,
        writer=lambda ask: note_of("The tax is a fallback."),
    )
    payload = json.loads(compactor.compact(encoded(given), force=True).payload)
    assert trimtab.validate(payload) == []
    short = {spelled(match): match[0] for match in SHORT.finditer("\n".join(case.before))}
    after = "\n".join(written(payload, short))
    numbered = {handle: f"t:{n}" for n, handle in enumerate(dict.fromkeys(HANDLE.findall(after)), 1)}
    after = HANDLE.sub(lambda match: numbered[match[0]], after)
    return case.head + "".join(f"{row}\n" for row in difference(case.before, after.split("\n")))


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_each_pass_does_what_its_golden_files_show(path: Path, wire: str) -> None:
    assert run(path, wire) == read(path).whole


def test_every_pass_has_golden_files() -> None:
    assert {path.parent.name for path in FILES} == set(KINDS)


if __name__ == "__main__" and "--bless" in sys.argv:
    for golden in FILES:
        golden.write_text(run(golden, "anthropic"), encoding="utf-8")
