"""What the wires list as their rules are the rules they check, no more and no fewer."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from tests.wires.rule_examples import EXAMPLES

from trimtab import validate, validation
from trimtab.body import open_body
from trimtab.wires import WIRES, sniff
from trimtab.wires.base import Wire

ID = re.compile(r"[A-Z]\d+")
wires = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)


@wires
def test_every_rule_listed_is_found_broken_in_an_example_of_its_wire(wire: Wire) -> None:
    assert list(EXAMPLES[wire.name]) == list(wire.rules)
    for rule, example in EXAMPLES[wire.name].items():
        now, before = example if isinstance(example, tuple) else (example, None)
        body = open_body(now)
        assert sniff(body.fields(), [body.source(index) for index in range(body.size)]) is wire
        found = {one.rule for one in validate(now, before=before)}
        assert found == ({"A1", "A2", "A3"} if rule == "A3" else {rule})  # its results come too late as well


@wires
def test_every_finding_in_the_code_is_of_a_rule_listed(wire: Wire) -> None:
    """Read off the source: each id that is written there, wherever a finding takes it from."""
    written = {one for module in modules(wire) for one in ids(inspect.getsource(module))}
    shared = {one for one in ids(inspect.getsource(validation)) if one in wire.rules}
    assert written | shared == set(wire.rules)


@wires
def test_no_rule_is_both_checked_and_not(wire: Wire) -> None:
    assert not wire.rules.keys() & wire.unchecked.keys()
    assert all(ID.fullmatch(one) for one in [*wire.rules, *wire.unchecked])
    assert all(text.strip() for text in [*wire.rules.values(), *wire.unchecked.values()])


def modules(wire: Wire) -> Iterator[Any]:
    """The wire's own modules: its file and those whose names begin with its name."""
    own = type(wire).__module__
    yield from (module for name, module in sys.modules.items() if name == own or name.startswith(f"{own}_"))


def ids(source: str) -> Iterator[str]:
    """The ids a source writes as whole strings, but for those of its lists of rules."""
    for statement in ast.parse(source).body:
        if not isinstance(statement, ast.AnnAssign):
            for node in ast.walk(statement):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and ID.fullmatch(node.value):
                    yield node.value
