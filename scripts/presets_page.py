"""Writes docs/presets.md from what the presets say of themselves (`make docs`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from trimtab.passes.refer import ARGUMENTS, RESULTS
from trimtab.presets import PRESETS
from trimtab.presets.base import Told, told

PAGE = Path(__file__).parents[1] / "docs" / "presets.md"
INTRO = """\
# Presets

A preset is a named way to compact: passes, the places they touch, what they protect, and when they act. Those \
that carry the name of another system do what it does, so that it can be left, and compared. This page is made \
by `make docs` from the presets themselves; `trimtab presets` shows the same with the settings that hold where \
you are.

    trimtab compact request.json --preset clear-tool-uses > smaller.json

Settings stand in `trimtab.toml` under the name of the preset:

    preset = "clear-tool-uses"

    [presets.clear-tool-uses]
    trigger = 60000
    exclude_tools = ["web_*"]

or in the preset as an object:

```python
from trimtab import Compactor
from trimtab.presets.clear_tool_uses import ClearToolUses

compactor = Compactor(preset=ClearToolUses(trigger=60_000, exclude_tools=("web_*",)), store="memory:")
```

What holds for every preset, whatever the system it follows does:

- What leaves the request is stored first and named by a handle. `recall` brings it back, `undo` everything.
- A call and its result stay together, and so does the answer of a model. The newest exchange is only touched \
for a budget that cannot be met otherwise. Signed thinking is never edited.
- Facts and pins of the caller stay visible. A preset that follows another system finds no facts of its own.
- Its own trigger stands in the place of `window_share` and `max_results`; a fold goes as far as its passes do, \
and `force` folds now. A `budget` holds beside it. `protect_results` and `protect_turns` hold over those of the \
preset.
- An edit that saves next to nothing is not made.
- What replaces text by other words says so in the report (a finding `lossy`). The report counts \
`results_summarized`, `results_redacted` and `turns_compacted`.

Presets that ask for a note need a model to write it: `Compactor(writer=…)` takes a function, plain or `async`, \
of an `Ask` (prompt, system prompt, most tokens, seconds) that answers with the text, \
or one of trimtab's own ([writers](writers.md)). It is asked for the present call only, and what it says is \
checked ([handoff notes](handoff.md)). Keys, tokens and passwords are masked in what it is asked and in what it \
says; the conversation itself stays as it is.
"""
RULES = """\
The rules that are built in, the first that fits decides:

"""


def page() -> str:
    """The whole page."""
    return "\n".join([INTRO, *(line for one in PRESETS.values() for line in _preset(told(one)))])


def _preset(one: Told) -> Iterator[str]:
    yield f"## {one.name}\n"
    yield f"From: {one.source}. Touches: {', '.join(one.touches) or 'nothing'}.\n"
    yield f"{one.does}\n\n{one.keeps}\n\n{one.loses}\n"
    if one.settings:
        yield from _table(
            ("Setting", "Default"), ((f"`{name}`", _code(value)) for name, value in one.settings.items())
        )
        yield ""
    if one.name == "references":
        yield RULES + "\n".join(_table(("Tool", "Gives way", "To"), _rules())) + "\n"


def _rules() -> Iterator[tuple[str, str, str]]:
    for template in dict.fromkeys(RESULTS.values()):
        yield _globs(glob for glob, rule in RESULTS.items() if rule == template), "result", template
    for rule in {json.dumps(rule): rule for rule in ARGUMENTS.values()}.values():
        globs = _globs(glob for glob, other in ARGUMENTS.items() if other == rule)
        for argument, said in rule.items():
            yield globs, f"`{argument}`", said


def _globs(globs: Iterable[str]) -> str:
    return ", ".join(f"`{glob}`" for glob in globs)


def _code(value: Any) -> str:
    return "none" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    heads = list(heads)
    for cells in (heads, ["---"] * len(heads), *rows):
        yield f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
