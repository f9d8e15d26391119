"""The shape of the house: which way imports run, who may use what, how large a file may grow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "trimtab"

LEVELS: tuple[frozenset[str], ...] = (
    frozenset({"errors", "transcript", "words", "values", "rates", "observed", "credentials"}),
    frozenset(
        {
            "edits",
            "jsonbytes",
            "jsonpath",
            "patterns",
            "wildcards",
            "images",
            "blobs",
            "bindings",
            "memo",
            "caching",
            "marks",
            "invariants",
            "tool_levels",
            "single_flight",
        }
    ),
    frozenset({"selection", "facts", "calls", "supersession"}),
    frozenset(
        {"writer", "effects", "journal", "identity", "stubs", "objects", "originals", "interest", "numbering"}
    ),
    frozenset(
        {
            "tokens",
            "prices",
            "cache",
            "wires",
            "stores",
            "body",
            "files",
            "schemas",
            "instructions",
            "outcomes",
            "attachments",
            "writers",
            "tool_shapes",
        }
    ),
    frozenset({"excerpts", "policy"}),
    frozenset({"claims", "finders", "search", "ledger", "meter", "keep"}),
    frozenset({"score", "statements"}),
    frozenset({"choice"}),
    frozenset({"excerpt", "talk", "previews"}),
    frozenset({"handoff"}),
    frozenset({"passes", "triggers", "request", "sessions"}),
    frozenset({"state", "report", "reader", "versions"}),
    frozenset({"visibility", "runs", "recall", "frame_changes", "recent"}),
    frozenset({"guard", "gate", "render", "undo", "frames"}),
    frozenset({"view"}),
    frozenset({"draft"}),
    frozenset({"reach", "walk", "lots"}),
    frozenset({"fold", "metering"}),
    frozenset({"engine"}),
    frozenset({"accounts", "config", "presets", "validation", "composition", "differences"}),
    frozenset({"calibration"}),
    frozenset({"compactor"}),
    frozenset({"testing", "context_files", "history", "survey", "provenance", "tool", "tool_cache", "tool_keep"}),
    frozenset({"checks", "hidden", "sightings", "fresh_run", "resume", "replay"}),
    frozenset({"trimtab"}),  # the package itself: the public names
    frozenset({"example"}),
    frozenset({"cli", "__main__", "pytest_plugin"}),
)
"""Modules and folders, lowest level first; each imports from levels below its own."""

SIDEWAYS: frozenset[tuple[str, str]] = frozenset()
"""Imports allowed within a level or between siblings, as `("trimtab.importer", "trimtab.imported")`."""

SHARED = {
    "wires": frozenset({"base", "leaves", "signs"}),
    "passes": frozenset({"base", "fold_arguments", "keep_window"}),
    "stores": frozenset({"base"}),
    "sessions": frozenset({"base", "lines", "recording", "chains", "keys", "reported"}),
    "excerpts": frozenset(
        {
            "base",
            "text",
            "columns",
            "numbered",
            "parts",
            "items",
            "marks",
            "prose",
            "views",
            "trace",
            "code_nesting",
        }
    ),
    "claims": frozenset({"base", "meaning", "structure"}),
    "finders": frozenset({"base"}),
    "presets": frozenset({"base", "default"}),
    "writers": frozenset({"base"}),
    "replay.baselines": frozenset({"base"}),
    "handoff.checks": frozenset({"base"}),
    "handoff.parts": frozenset({"base"}),
}
"""The plural folders, and what the siblings in each may import of their own folder."""

OWNERS = {
    "typer": "cli",
    "rich": "cli",
    "genai_prices": "prices",
    "toktok": "tokens",
    "tiktoken": "tokens",
    "yaml": "sessions",
    "langchain_core": "objects",
}
"""Third-party packages that one unit alone may import, being heavy or likely to be replaced."""

IMPURE = frozenset({"time", "datetime", "random", "sqlite3", "os"})
BEYOND_PASSES = frozenset({"stores", "wires", "engine"})
GRAB_BAGS = frozenset({"util", "utils", "helper", "helpers", "common", "misc", "manager", "managers"})
MOST_LINES = 300


class Import(NamedTuple):
    importer: str
    line: int
    target: str

    def __str__(self) -> str:
        return f"{self.importer}, line {self.line}, imports {self.target}"

    @property
    def internal(self) -> bool:
        return self.target.split(".")[0] == "trimtab"


def is_data(path: Path) -> bool:
    """Whether a file belongs to the repository that the example session is about."""
    return path.is_relative_to(PACKAGE / "example") and path.parent != PACKAGE / "example"


def dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {dotted(path): path for path in sorted(PACKAGE.rglob("*.py")) if not is_data(path)}


def imports(module: str) -> Iterator[Import]:
    """Every import of a module, those inside functions and for type checkers included."""
    for node in ast.walk(ast.parse(MODULES[module].read_bytes())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module, node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            for alias in node.names:
                name = f"{base}.{alias.name}"
                yield Import(module, node.lineno, name if name in MODULES else base)


IMPORTS = [found for module in MODULES for found in imports(module)]


def unit(module: str) -> str:
    """The module or folder right under the package that a dotted name belongs to."""
    return module.split(".")[1] if "." in module else module


def level(module: str) -> int | None:
    return next((height for height, units in enumerate(LEVELS) if unit(module) in units), None)


def runs_down(found: Import) -> bool:
    source, target = level(found.importer), level(found.target)
    if source is None or target is None or unit(found.importer) == unit(found.target):
        return True  # told by the tests of levels and of siblings
    return target < source or (target == source and found[::2] in SIDEWAYS)


def inside(module: str, folder: str) -> str:
    """The name right under a folder that a dotted name leads to, "" for the folder itself."""
    return module.removeprefix(f"trimtab.{folder}").lstrip(".").partition(".")[0]


def keeps_to_itself(found: Import) -> bool:
    """Whether a sibling imports nothing of its folder but itself, what is shared, or `itself_…`."""
    folder = next((one for one in SHARED if f"{found.importer}.".startswith(f"trimtab.{one}.")), "")
    name, other = inside(found.importer, folder), inside(found.target, folder)
    if not folder or not name or not f"{found.target}.".startswith(f"trimtab.{folder}."):
        return True
    return (
        other == name
        or other.startswith(f"{name}_")
        or (other in SHARED[folder] and name != "base")
        or found[::2] in SIDEWAYS
    )


def listing(problems: Iterator[object]) -> str:
    return "\n".join(dict.fromkeys(str(problem) for problem in problems))


def test_every_module_has_a_level() -> None:
    homeless = listing(f"{m}: no level; add {unit(m)!r} to LEVELS" for m in MODULES if level(m) is None)
    assert not homeless, homeless


def test_no_unit_has_two_levels() -> None:
    units = [name for names in LEVELS for name in names]
    assert len(units) == len(set(units))


def test_imports_are_absolute_and_exist() -> None:
    wrong = listing(
        found
        for found in IMPORTS
        if found.target.startswith(".") or (found.internal and found.target not in MODULES)
    )
    assert not wrong, wrong


def test_imports_run_down() -> None:
    upward = listing(found for found in IMPORTS if found.internal and not runs_down(found))
    assert not upward, f"upward, or sideways and not in SIDEWAYS:\n{upward}"


def test_every_plural_folder_is_known() -> None:
    bases = (path.parent for path in MODULES.values() if path.name == "base.py")
    folders = {".".join(folder.relative_to(PACKAGE).parts) for folder in bases}
    assert folders == set(SHARED)


def test_siblings_never_import_each_other() -> None:
    familiar = listing(found for found in IMPORTS if not keeps_to_itself(found))
    assert not familiar, familiar


def test_sideways_imports_listed_are_in_use() -> None:
    stale = SIDEWAYS - {found[::2] for found in IMPORTS}
    assert not stale, f"take out of SIDEWAYS: {sorted(stale)}"


def test_passes_are_pure() -> None:
    impure = listing(
        found
        for found in IMPORTS
        if unit(found.importer) == "passes"
        and (unit(found.target) in BEYOND_PASSES if found.internal else found.target.split(".")[0] in IMPURE)
    )
    assert not impure, impure


def test_third_party_packages_stay_with_their_owner() -> None:
    strays = listing(
        f"{found} (only {owner} may)"
        for found in IMPORTS
        if (owner := OWNERS.get(found.target.split(".")[0])) and unit(found.importer) != owner
    )
    assert not strays, strays


def python_files() -> Iterator[Path]:
    for folder in ("src", "tests", "benchmarks", "scripts"):
        yield from (path for path in sorted((ROOT / folder).rglob("*.py")) if not is_data(path))


def test_no_file_outgrows_its_room() -> None:
    lines = {path: len(path.read_bytes().splitlines()) for path in python_files()}
    large = listing(f"{path.relative_to(ROOT)}: {n} lines" for path, n in lines.items() if n > MOST_LINES)
    assert not large, f"more than {MOST_LINES} lines:\n{large}"


def test_no_grab_bags() -> None:
    bags = listing(path.relative_to(ROOT) for path in python_files() if path.stem in GRAB_BAGS)
    assert not bags, f"name what is in it:\n{bags}"
