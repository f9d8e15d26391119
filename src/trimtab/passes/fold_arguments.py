"""Long values in the arguments of old, completed calls to one line each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Loss, Place, Replace
from trimtab.errors import WireError
from trimtab.jsonbytes import Set, decode, rewrite
from trimtab.passes.base import Stage, View
from trimtab.stubs import argument_stub
from trimtab.transcript import JSON, Path, ToolCall


class FoldArguments(Struct, frozen=True):
    """Strings of more than `longest` characters in the arguments of a completed call become one line.

    Removes: the long strings. Keeps: the call, its keys, their types and every short value, as valid JSON
    of the same shape (C9, A15). Recovers: the arguments by the handle. Skips when: they are not JSON.
    """

    longest: int = 300

    name: ClassVar[str] = "fold_arguments"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.ARGUMENTS})

    def propose(self, view: View) -> Iterator[Replace]:
        """Oldest first."""
        for at in view.open:
            original = view.original(at)
            if not isinstance(original, ToolCall):
                continue
            try:
                values = decode(original.arguments.encode())
                long = list(long_strings(values, self.longest))
            except (WireError, UnicodeEncodeError, RecursionError):
                continue
            stubs = [Set(path, argument_stub(text, view.count(text), view.handle(at))) for path, text in long]
            if stubs and isinstance(values, dict):
                arguments = rewrite(original.arguments.encode(), stubs).decode()
                yield Replace(at, msgspec.structs.replace(original, arguments=arguments), "old arguments")


def long_strings(value: JSON, longest: int, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """The strings over `longest` characters at any depth, with their paths."""
    match value:
        case str() if len(value) > longest:
            yield path, value
        case dict():
            for key, item in value.items():
                yield from long_strings(item, longest, (*path, key))
        case list():
            for number, item in enumerate(value):
                yield from long_strings(item, longest, (*path, number))
