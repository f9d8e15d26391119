"""Rules per tool: what it wrote or returned gives way to a reference by which it can be had again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from fnmatch import fnmatchcase
from string import Formatter
from typing import ClassVar, TypeVar

import msgspec
from msgspec import Struct

from trimtab.edits import At, Edit, Loss, Place, Replace
from trimtab.errors import WireError
from trimtab.jsonbytes import Set as SetValue, decode, rewrite
from trimtab.passes.base import Stage, View
from trimtab.stubs import clip, referred_stub
from trimtab.transcript import JSON, ToolCall, ToolResult

T = TypeVar("T")

FILES = "Content of {path}. Read it again if needed."
SEARCHES = "Search results for {query}, processed. Search again if needed."
PAGES = "Content of {url}. Fetch it again if needed."
LISTINGS = "Listing of {path}. List it again if needed."

RESULTS: Mapping[str, str] = {
    **dict.fromkeys(("read", "*read_file*", "*readfile*", "*read_text_file*", "*read_many_files*"), FILES),
    **dict.fromkeys(("view", "view_file*", "open_file*", "get_file_content*", "cat"), FILES),
    **dict.fromkeys(("*search*", "grep", "*grep_*", "*_grep", "glob", "find_file*"), SEARCHES),
    **dict.fromkeys(("*fetch*", "*read_page*", "*read_url*", "*open_url*", "*scrape*"), PAGES),
    **dict.fromkeys(("ls", "list_dir*", "list_files*", "*list_directory*"), LISTINGS),
}
"""What takes the place of a result, by globs on the name of its tool; `{name}` is an argument of the call."""

WRITTEN: Mapping[str, str] = {"content": "Content saved."}
EDITED: Mapping[str, str] = {**WRITTEN, "old": "Text that was replaced.", "new": "Text that was written."}
ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("write", "*write_file*", "*write_to_file*", "*create_file*", "create"), WRITTEN),
    **dict.fromkeys(("edit", "multiedit", "*edit_file*", "str_replace*", "*replace_in_file*"), EDITED),
    "*apply_patch*": {"patch": "Patch applied."},
    "notebookedit": {"new": "Cell saved."},
}
"""The arguments that give way once the call has run, and what takes their place, by globs on the tool."""

ALIASES = (
    ("path", "file_path", "filepath", "filePath", "file", "filename", "file_name", "target_file", "absolute_path"),
    ("query", "pattern", "q", "search", "search_term", "regex"),
    ("url", "uri", "link", "urls"),
    ("content", "contents", "file_text", "code_content", "text", "body"),
    ("old", "old_string", "old_str", "old_text", "oldText"),
    ("new", "new_string", "new_str", "new_text", "newText", "new_source"),
    ("patch", "input", "diff"),
)
"""Names that tools give to the same thing."""

LONGEST = 200
"""Characters of an argument shown in a reference."""


class Refer(Struct, frozen=True):
    """Results and written contents become references made from the arguments of their calls.

    `results` and `arguments` are rules over and above `RESULTS` and `ARGUMENTS`: the first glob that fits, case
    aside, decides; an empty rule lets the part stay.
    Removes: what the rules name. Keeps: every other argument, results of tools without a rule, failed calls.
    Recovers: by the handle, or by the call itself. Skips when: nothing is gained.
    """

    results: Mapping[str, str] = {}
    arguments: Mapping[str, Mapping[str, str]] = {}

    name: ClassVar[str] = "refer"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS, Place.ARGUMENTS})

    def __post_init__(self) -> None:
        """Raises ValueError for a template that cannot be read."""
        for template in self.results.values():
            list(Formatter().parse(template))

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first, calls and results as they come."""
        failed = _failed(view)
        for at in view.open:
            original = view.original(at)
            if isinstance(original, ToolCall) and original.id not in failed:
                yield from self._written(view, at, original)
            elif isinstance(original, ToolResult) and not original.is_error and (call := view.call(at)):
                yield from self._returned(view, at, original, call)

    def _returned(self, view: View, at: At, result: ToolResult, call: ToolCall) -> Iterator[Edit]:
        if template := _rule(call.name, self.results, RESULTS):
            text = referred_stub(_filled(template, _values(call)), view.handle(at))
            yield Replace(at, msgspec.structs.replace(result, text=text), f"rule for {call.name}")

    def _written(self, view: View, at: At, call: ToolCall) -> Iterator[Edit]:
        rule = _rule(call.name, self.arguments, ARGUMENTS) or {}
        values = _values(call) if rule else {}
        found = ((_key(wanted, values), said) for wanted, said in rule.items())
        stubs = {
            key: referred_stub(said, view.handle(at)) for key, said in found if isinstance(values.get(key), str)
        }
        stubs = {key: stub for key, stub in stubs.items() if len(stub) < len(str(values[key]))}
        if stubs:
            made = rewrite(call.arguments.encode(), [SetValue((key,), stub) for key, stub in stubs.items()])
            yield Replace(at, msgspec.structs.replace(call, arguments=made.decode()), f"rule for {call.name}")


def _failed(view: View) -> Set[str]:
    """The ids of calls that failed: what they should have written was not."""
    parts = (part for _, message in view.messages for part in message.parts)
    return {part.call_id for part in parts if isinstance(part, ToolResult) and part.is_error}


def _rule(tool: str, *several: Mapping[str, T]) -> T | None:
    """The first rule that fits a tool."""
    name = tool.lower()
    return next(
        (rule for rules in several for glob, rule in rules.items() if fnmatchcase(name, glob.lower())), None
    )


def _values(call: ToolCall) -> Mapping[str, JSON]:
    try:
        values = decode(call.arguments.encode())
    except (WireError, UnicodeEncodeError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def _key(name: str, values: Mapping[str, JSON]) -> str:
    """The argument that a rule means: the one of this name, or of another for the same thing."""
    names = next((group for group in ALIASES if name in group), ())
    return next((one for one in (name, *names) if one in values), name)


def _filled(template: str, values: Mapping[str, JSON]) -> str:
    """A template with the arguments of the call; one that is missing is told as unknown, nothing is evaluated."""
    said = []
    for words, name, _, _ in Formatter().parse(template):
        said.append(words)
        if name is not None:
            found = " ".join(str(values.get(_key(name, values), "unknown")).split())
            said.append(found if len(found) <= LONGEST else f"{clip(found, LONGEST)}…")
    return "".join(said)
