"""What has become of facts in a request that was compacted: visible, recoverable, lost, or never there."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

from trimtab.compactor import Compactor
from trimtab.errors import ConfigError
from trimtab.facts import Fact
from trimtab.finders import ASK, wanted
from trimtab.provenance import Origin, Provenance
from trimtab.request import countable
from trimtab.transcript import ToolResult


class Standing(StrEnum):
    """How a fact stands."""

    VISIBLE = "visible"
    RECOVERABLE = "recoverable"
    """The request does not show it, and a handle brings it back."""
    LOST = "lost"
    ABSENT = "not in the original"


class Checked(Struct, frozen=True):
    """A fact and how it stands.

    `place` is where the request shows it, else where the original does (message and part). Of a fact that is
    recoverable `handle` brings back the part, and `line` is the line in it, counted from 1 (0 where the handle
    is that of whole messages).
    """

    name: str
    fact: str
    standing: Standing
    place: str = ""
    what: str = ""
    handle: str = ""
    line: int = 0

    @property
    def where(self) -> str:
        """Where it stands, or the command that brings it back."""
        if self.standing is Standing.RECOVERABLE:
            lines = f" --lines {self.line}" if self.line else ""
            return f"trimtab recall {self.handle}{lines} ({self.what})"
        return f"{self.place} ({self.what})" if self.standing is Standing.LOST else self.place

    def __str__(self) -> str:
        return f"{self.name}: {self.standing}{f', {self.where}' if self.where else ''}"


def check_facts(
    facts: Mapping[str, str] | Iterable[str],
    payload: Any,
    original: Any = None,
    compactor: Compactor | None = None,
) -> list[Checked]:
    """How each fact stands in a compacted request.

    Facts are texts, `re:` patterns or `find:` names, with names of their own or without; a finder's finds in
    the original are checked one by one. Without `original` it is what the compactor's store makes of the
    payload. Raises ConfigError for a fact that is none, WireError and StoreError.
    """
    named = facts if isinstance(facts, Mapping) else {text: text for text in facts}
    known = Provenance(payload, original, compactor)
    return [_checked(known, *row) for row in _rows(named, known)]


def read_facts(path: str | os.PathLike[str]) -> dict[str, str]:
    """Facts by name from a TOML file: its table `facts`, or all of it. Raises ConfigError."""
    try:
        read = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    found = read.get("facts", read)
    if not isinstance(found, dict) or not found or not all(isinstance(one, str) and one for one in found.values()):
        raise ConfigError(f'{path}: expected facts by name, such as: ticket = "INC-4711"')
    return found


def _rows(facts: Mapping[str, str], known: Provenance) -> Iterator[tuple[str, str, Fact]]:
    """Each fact with its name and its text."""
    messages = [one.message for one in known.given.parsed]
    for name, text in facts.items():
        for fact in wanted([text], messages):
            yield (name, str(fact), fact) if text.startswith(ASK) else (name, text, fact)


def _checked(known: Provenance, name: str, text: str, fact: Fact) -> Checked:
    if (place := _shown(known, fact)) is not None:
        return Checked(name, text, Standing.VISIBLE, place)
    holders = [one for one in known.origins if (fact.told or one.result) and fact.pattern.search(one.text)]
    if not holders:
        return Checked(name, text, Standing.ABSENT)
    held = next((one for one in reversed(holders) if one.handle), None)
    best = held or holders[-1]
    standing = Standing.RECOVERABLE if held else Standing.LOST
    return Checked(name, text, standing, best.place, best.what, best.handle, _line(best, fact))


def _shown(known: Provenance, fact: Fact) -> str | None:
    """Where the request shows a fact, None when it does not."""
    if fact.told and any(map(fact.pattern.search, known.around)):
        return "system and tools"
    for index, one in enumerate(known.sent.parsed):
        for number, part in enumerate(one.message.parts):
            if (fact.told or isinstance(part, ToolResult)) and fact.pattern.search(countable(part)):
                return f"messages[{index}] part {number}"
    return None


def _line(origin: Origin, fact: Fact) -> int:
    """The line in what the handle brings back; of messages it brings back JSON."""
    match = None if origin.noted else fact.pattern.search(origin.text)
    return max(origin.text.count("\n", 0, match.start()) + 1 - origin.above, 1) if match else 0
