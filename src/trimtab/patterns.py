"""Regular expressions in time that is linear in the text: a pattern from elsewhere never holds up its host.

Python's `re` backtracks: `(a+)+b` on thirty letters takes minutes, and cannot be stopped. Here a pattern
that repeats anything runs as an automaton instead (Thompson, 1968; its sets of states are remembered, so
that a character costs one look-up). What no automaton can do is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import _constants as op, _parser as parser  # type: ignore[attr-defined]

from trimtab.errors import HandleError

TYPE_CHECKING = False  # importing typing would cost a start-up

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Test: TypeAlias = Callable[[str], bool]
    Guard: TypeAlias = Callable[[str, str], bool]

MOST_STATES = 1_000
"""Size of an automaton: `x{2000}` is too large."""

MOST_WORK = 1_000_000
"""States looked at because no set of them was remembered: some seconds."""

MOST_EDGES = 100_000
"""Steps that are remembered before all are forgotten."""

ACCEPT = 0


class Pattern:
    """A regular expression as Python writes it, for one line without its end.

    Beside a repeat there are no look-around, back references and atomic groups. Raises HandleError for
    these, and for a pattern that means nothing or is too large.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        try:
            tree = parser.parse(source)
            self._plain = None if _can_backtrack(tree) else re.compile(source)
            self._machine = None if self._plain else _Machine(tree)
        except (re.error, RecursionError, OverflowError, Warning, _RefusedError) as error:
            raise HandleError(f"pattern {source[:80]!r}: {error}") from error

    def search(self, text: str, start: int = 0) -> int | None:
        """Where a match ends that begins at `start` or later, None where there is none.

        Raises HandleError when that would take too long.
        """
        if self._plain:
            match = self._plain.search(text, start)
            return match.end() if match else None
        assert self._machine
        try:
            return self._machine.search(text, start)
        except _RefusedError as error:
            raise HandleError(f"pattern {self.source[:80]!r}: {error}") from error


class _RefusedError(Exception):
    """What is asked for cannot be done in linear time."""


def _can_backtrack(tree: Any) -> bool:
    """Whether `re` may need more than linear time: after a repeat, or with one choice after another."""
    nodes = str(tree)
    return "REPEAT" in nodes or nodes.count("(BRANCH") > 1


class _State:
    """States of the automaton that hold together; `before` stands for the kind of character read last."""

    __slots__ = ("before", "edges", "inner")

    def __init__(self, inner: frozenset[int], before: str) -> None:
        self.inner, self.before = inner, before
        self.edges: dict[str, _State | None] = {}


class _Machine:
    """An automaton and what it has done so far."""

    def __init__(self, tree: Any) -> None:
        self.tests: dict[int, tuple[Test, int]] = {}
        self.jumps: dict[int, list[tuple[Guard | None, int]]] = {ACCEPT: []}
        self._built = 0
        self._entry = self._row(tree, tree.state.flags, ACCEPT)
        self._work = self._edges = 0
        self._states: dict[tuple[frozenset[int], str], _State] = {}

    def search(self, text: str, start: int) -> int | None:
        """Where the first match to end ends."""
        state = self._state(frozenset([self._entry]), _kind(text[start - 1]) if start else "")
        for place, character in enumerate(text[start:] if start else text, start):
            try:
                following = state.edges[character]
            except KeyError:
                following = self._step(state, character)
            if following is None:
                return place
            state = following
        last = state.edges[""] if "" in state.edges else self._step(state, "")
        return len(text) if last is None else None

    def _step(self, state: _State, character: str) -> _State | None:
        """The state after a character ("" at the end), None when a match ends before it."""
        reached = self._reached(state, character)
        following = None
        if ACCEPT not in reached:
            tests = (self.tests[number] for number in reached if number in self.tests)
            inner = {target for test, target in tests if character and test(character)}
            following = self._state(frozenset([self._entry, *inner]), _kind(character))
        self._edges += 1
        if self._edges > MOST_EDGES:
            self._edges = 0
            self._states.clear()
        state.edges[character] = following
        return following

    def _reached(self, state: _State, character: str) -> set[int]:
        """All that holds before this character without reading it."""
        reached, todo = set(state.inner), list(state.inner)
        while todo:
            for guard, target in self.jumps.get(todo.pop(), ()):
                if target not in reached and (guard is None or guard(state.before, character)):
                    reached.add(target)
                    todo.append(target)
        self._work += len(reached)
        if self._work > MOST_WORK:
            raise _RefusedError("searching with it takes too long; use a simpler one, or fewer lines")
        return reached

    def _state(self, inner: frozenset[int], before: str) -> _State:
        return self._states.setdefault((inner, before), _State(inner, before))

    def _row(self, tree: Any, flags: int, after: int) -> int:
        """Where to enter what matches these nodes one after another, and then goes on at `after`."""
        for code, value in reversed(list(tree)):
            after = self._node(code, value, flags, after)
        return after

    def _node(self, code: Any, value: Any, flags: int, after: int) -> int:
        number = self._number()
        match code:
            case op.BRANCH:
                return self._jump([(None, self._row(branch, flags, after)) for branch in value[1]])
            case op.SUBPATTERN:
                _, more, less, inner = value
                return self._row(inner, (flags | more) & ~less, after)
            case op.MAX_REPEAT | op.MIN_REPEAT:
                return self._repeat(value, flags, after)
            case op.AT:
                return self._jump([(_guard(value, flags), after)])
        self.tests[number] = (_test(code, value, flags), after)
        return number

    def _repeat(self, value: Any, flags: int, after: int) -> int:
        least, most, tree = value
        if not len(tree):
            return after
        if most is op.MAXREPEAT:
            loop = self._jump([(None, after)])
            self.jumps[loop].append((None, self._row(tree, flags, loop)))
            after, most = loop, least
        for _ in range(most - least):
            after = self._jump([(None, after), (None, self._row(tree, flags, after))])
        for _ in range(least):
            after = self._row(tree, flags, after)
        return after

    def _jump(self, targets: list[tuple[Guard | None, int]]) -> int:
        number = self._number()
        self.jumps[number] = targets
        return number

    def _number(self) -> int:
        """The number of a new state."""
        self._built += 1
        if self._built > MOST_STATES:
            raise _RefusedError("too large; a repeat counts as often as it is repeated")
        return self._built


def _kind(character: str) -> str:
    """One character that stands for all which `\\b` and `^` do not tell apart."""
    if character.isalnum() or character == "_":
        return "a" if character.isascii() else "é"
    return " "


def _guard(where: Any, flags: int) -> Guard:
    """What holds between two characters, "" being none. A line is all there is, so `^` and `\\A` are the same."""
    match where:
        case op.AT_BEGINNING | op.AT_BEGINNING_STRING:
            return lambda before, after: not before
        case op.AT_END | op.AT_END_STRING:
            return lambda before, after: not after
        case op.AT_BOUNDARY:
            return lambda before, after: _is_word(before, flags) != _is_word(after, flags)
    return lambda before, after: _is_word(before, flags) == _is_word(after, flags)


def _is_word(character: str, flags: int) -> bool:
    return (character.isalnum() or character == "_") and (character.isascii() or not flags & re.ASCII)


def _test(code: Any, value: Any, flags: int) -> Test:
    """Whether one character matches a node."""
    match code:
        case op.ANY:
            return (lambda one: True) if flags & re.DOTALL else (lambda one: one != "\n")
        case op.LITERAL | op.NOT_LITERAL:
            same = _either_case(lambda one: one == chr(value), flags)
            return same if code is op.LITERAL else lambda one: not same(one)
        case op.IN:
            negated = value[0][0] is op.NEGATE
            tests = [_member(item, flags) for item in value[negated:]]
            found = _either_case(lambda one: any(test(one) for test in tests), flags)
            return (lambda one: not found(one)) if negated else found
    raise _RefusedError("look-around, back references and atomic groups are not available beside a repeat")


def _either_case(test: Test, flags: int) -> Test:
    if not flags & re.IGNORECASE:
        return test

    def either(one: str) -> bool:
        if flags & re.ASCII and not one.isascii():
            return test(one)
        upper = one.upper()
        return any(map(test, {one, upper, upper.lower()}))

    return either


def _member(item: Any, flags: int) -> Test:
    """Whether a character is in one item of a set."""
    code, value = item
    match code:
        case op.LITERAL:
            return lambda one: one == chr(value)
        case op.RANGE:
            first, last = map(chr, value)
            return lambda one: len(one) == 1 and first <= one <= last
    kind = re.compile(_CATEGORIES[value], flags & re.ASCII)
    return lambda one: kind.fullmatch(one) is not None


_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}
