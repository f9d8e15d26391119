"""What a note has to say, heading by heading; how that is asked for, and how an answer is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.transcript import JSON


class Heading(Struct, frozen=True):
    """A section of a note: its key, its title, and what it asks for."""

    key: str
    title: str
    asks: str


TASK, RULES, FOUND, RULED_OUT, DONE, DOING, NEXT = "task", "rules", "found", "ruled_out", "done", "doing", "next"

HEADINGS = (
    Heading(TASK, "Task", "the user's task, word for word"),
    Heading(RULES, "Rules and limits", "the user's rules and limits, each word for word"),
    Heading(
        FOUND,
        "Facts found",
        "each path, line number, code, setting, id and amount copied exactly, with what it is",
    ),
    Heading(RULED_OUT, "Tried and ruled out", "what failed or proved wrong, and why"),
    Heading(DONE, "Done", "what was changed, sent or run, so that nobody does it again"),
    Heading(DOING, "In progress", "what is begun and not finished"),
    Heading(NEXT, "Next step", "what is to be done next"),
)
"""The sections of a note, in their order."""

LONGEST_ITEM, MOST_ITEMS = 240, 10
"""Characters of an item and items of a section that a schema allows: small models loop in what has no bound."""

TITLE = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*|\*\*|\d{1,2}[.)][ \t]*(?:\*\*)?)?([^\n]{2,60}?)[ \t]*(?:\*\*)?:?(?:\*\*)?[ \t]*$"
)
BULLET = re.compile(r"^[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+")
FENCE = re.compile(r"```(?:json)?[ \t]*\n([\s\S]*?)\n?```")
NOTHING = re.compile(
    r"\W*(?:none|nothing|n/a|not applicable|keine?s?|nichts|ninguno|nada|aucun|rien|无|没有|なし)?\W*",
    re.IGNORECASE,
)
"""What an item says that says nothing."""


def headings(own: Mapping[str, str]) -> tuple[Heading, ...]:
    """The sections; `own` gives titles of one's own by key, "" takes a section out, and a new key adds one."""
    kept = [Heading(one.key, own.get(one.key, one.title), one.asks) for one in HEADINGS if own.get(one.key) != ""]
    more = [
        Heading(key, title, "") for key, title in own.items() if title and key not in {one.key for one in HEADINGS}
    ]
    return (*kept, *more)


def schema(wanted: Sequence[Heading]) -> Mapping[str, JSON]:
    """A JSON schema with bounds for these sections: a list of short texts for each."""
    item = {"type": "string", "maxLength": LONGEST_ITEM}
    items: JSON = {"type": "array", "items": item, "maxItems": MOST_ITEMS}
    keys = [one.key for one in wanted]
    return {
        "type": "object",
        "properties": dict.fromkeys(keys, items),
        "required": list(keys),
        "additionalProperties": False,
    }


def asked(wanted: Sequence[Heading]) -> str:
    """The sections as a prompt asks for them."""
    return "\n".join(f"## {one.title}" + (f"\n({one.asks})" if one.asks else "") for one in wanted)


Sections = dict[str, list[str]]
"""What a note says, by the keys of its headings."""


def read(text: str, wanted: Sequence[Heading]) -> Sections:
    """The sections of an answer, written as JSON or under headings; none where it has not got them.

    Without headings to look for all of it is one section, "".
    """
    if not wanted:
        return {"": list(_items(text.splitlines()))}
    fenced = FENCE.search(text)
    if (found := _of_json(fenced[1] if fenced else text, wanted)) is not None:
        return found
    keys = {_plain(name): one.key for one in wanted for name in (one.title, one.key)}
    sections, key = Sections(), ""
    for line in text.splitlines():
        title = TITLE.match(line)
        if title and (named := keys.get(_plain(title[1]))):
            key = named
        elif line.startswith("#"):
            key = ""
        elif key:
            sections.setdefault(key, []).append(line)
    return {key: items for key, lines in sections.items() if (items := list(_items(lines)))}


def _of_json(text: str, wanted: Sequence[Heading]) -> Sections | None:
    try:
        value = decode(text.strip().encode("utf-8", "surrogatepass"))
    except (WireError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    keys = {_plain(name): one.key for one in wanted for name in (one.title, one.key)}
    found = Sections()
    for name, inner in value.items():
        if (key := keys.get(_plain(name))) is not None:
            found[key] = [*found.get(key, ()), *_items(_texts(inner))]
    return {key: items for key, items in found.items() if items}


def _texts(value: JSON) -> Iterator[str]:
    """The texts in a value; an object's pairs stand together."""
    todo = [value]
    while todo:
        match todo.pop(0):
            case str(text):
                yield from text.splitlines()
            case list(inner):
                todo = [*inner, *todo]
            case dict(pairs):
                yield ", ".join(f"{key}: {one}" for key, one in pairs.items())
            case int() | float() as number:
                yield str(number)
            case _:
                pass


def _items(lines: Iterable[str]) -> Iterator[str]:
    """The items of a section, without bullets; one said twice is said once."""
    seen = set[str]()
    for line in lines:
        item = BULLET.sub("", line).strip().strip("*").strip()
        if not NOTHING.fullmatch(item) and item not in seen:
            seen.add(item)
            yield item


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
