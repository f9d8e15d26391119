"""The public names: all there, all documented, and cheap until used."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import trimtab
from trimtab import errors

NAMES = sorted(trimtab.__all__)


def homes_told_to_type_checkers() -> dict[str, str]:
    """Public name → module, as the `if TYPE_CHECKING` block of the package imports them."""
    tree = ast.parse(Path(str(trimtab.__file__)).read_bytes())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.asname or f"{alias.name}: not exported": str(node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def own_docstring(value: object, name: str) -> bool:
    """Whether a docstring was written, and is not the one that a NamedTuple or dataclass makes up."""
    text = getattr(value, "__doc__", None)
    return bool(text and not text.startswith(f"{name}("))


def undocumented(cls: type) -> Iterator[str]:
    """Public methods and properties that the class itself defines without a docstring."""
    for name, value in vars(cls).items():
        documentable = inspect.isroutine(value) or isinstance(value, property)
        if documentable and not name.startswith("_"):
            function = getattr(value, "__func__", value)
            if not own_docstring(function, name):
                yield name


def modules_after(statement: str) -> set[str]:
    """Top-level names in `sys.modules` of a fresh interpreter that ran `statement`."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split()}


def test_every_name_loads_from_the_module_that_type_checkers_see() -> None:
    told = homes_told_to_type_checkers()
    assert sorted(told) == NAMES
    for name, module in told.items():
        assert getattr(trimtab, name) is getattr(sys.modules[module], name)


def test_every_error_is_public() -> None:
    raised = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and value.__module__ == errors.__name__
    }
    assert raised <= set(NAMES)


def test_names_are_listed_before_use() -> None:
    assert {*NAMES, "__version__"} <= set(dir(trimtab))


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_of_that_name"):
        _ = trimtab.nothing_of_that_name  # type: ignore[attr-defined]


def test_version_is_that_of_the_installed_package() -> None:
    assert trimtab.__version__[0].isdigit()


@pytest.mark.parametrize("name", NAMES)
def test_public_name_has_a_docstring(name: str) -> None:
    value = getattr(trimtab, name)
    assert own_docstring(value, name)
    if inspect.isclass(value):
        assert not list(undocumented(value))


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        ("import trimtab", {"typer", "rich", "genai_prices", "toktok", "sqlite3", "msgspec"}),
        ("import trimtab.cli", {"typer", "rich", "genai_prices", "toktok"}),
    ],
)
def test_import_is_light(statement: str, unwanted: set[str]) -> None:
    loaded = unwanted & modules_after(statement)
    assert not loaded
