"""Places in JSON by patterns such as `tools/*/parameters`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trimtab.transcript import JSON, Path

EACH = "*"


def matches(value: JSON, pattern: str) -> Iterator[tuple[Path, JSON]]:
    """What stands at the places of a pattern, with its path; `*` is every item of a list, or what is no list."""
    yield from _found(value, tuple(pattern.split("/")), ())


def _found(value: JSON, steps: tuple[str, ...], path: Path) -> Iterator[tuple[Path, JSON]]:
    if not steps:
        yield path, value
    elif steps[0] == EACH and isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from _found(item, steps[1:], (*path, number))
    elif steps[0] == EACH:
        yield from _found(value, steps[1:], path)
    elif isinstance(value, Mapping) and steps[0] in value:
        yield from _found(value[steps[0]], steps[1:], (*path, steps[0]))
