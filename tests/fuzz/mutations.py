"""Changes to a valid file: of its bytes, of its values, of where it ends and what it goes on with."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from tests.fuzz.seeds import WORDS, seed

MOST_BYTES = 400_000
MARK = b'"@@raw@@"'
RAW: tuple[bytes, ...] = (
    *(b"[" * depth + b"]" * depth for depth in (60, 300, 900, 1010, 6000)),
    *(b'{"a":' * depth + b"1" + b"}" * depth for depth in (60, 900, 6000)),
    *(b"1e999", b"-1e-999", b"-0", b"1" + b"0" * 5000, b"0.1e1", b"NaN", b"01", b"Infinity"),
    *(rb'"\ud800"', rb'"\udc00\ud800"', rb'"\\ud800"', rb'"\u0000"', b'"\xff"', b'"\xed\xa0\x80"', b'"\x01"'),
    *(b'"' + b"x" * 60_000 + b'"', b'"' + rb"\n" * 20_000 + b'"', b'"' + b" " * 50_000 + b'"'),
    *(b'{"a":1,"a":2}', b'{"role":"user","role":"tool"}', b'{"type":"text","type":7}', b""),
)
"""What stands in the place of a value, and no JSON writer writes."""
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2**31, 2**63, 2**64, 1.5, 1e300, "", " \n", "x", "\ud800", "\u202e\x00"),
    *([], {}, [[]], [None], [{}], {"": {}}, "data:image/png;base64,AAAA", "A" * 3000, "1970-01-01T00:00:00Z"),
    *([{"type": "text"}], [{"text": 1}], {"content": [{"type": "tool_result"}]}, {"role": "assistant"}),
)
SPLINTERS: tuple[bytes, ...] = (
    *(b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\n", b"\r\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xc3"),
    *(b"\\u", b"\\ud83d", b'","', b"},{", b"}\n{", b"null", b" ", b"- ", b"&a ", b"*a", b"0", b"-", b"e9"),
)


def mutated(dice: Random) -> bytes:
    """A seed with one to three changes."""
    data = seed(dice)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        data = dice.choice(CHANGES)(data, dice)[:MOST_BYTES]
    return data


def _spot(data: bytes, dice: Random) -> int:
    return dice.randint(0, len(data))


def _replaced_bytes(data: bytes, dice: Random) -> bytes:
    for _ in range(dice.randint(1, 5)):
        start = _spot(data, dice)
        new = dice.choice(SPLINTERS) if dice.random() < 0.7 else dice.randbytes(dice.randint(0, 8))
        data = data[:start] + new + data[start + dice.choice((0, 0, 1, len(new), 30)) :]
    return data


def _moved_bytes(data: bytes, dice: Random) -> bytes:
    """A stretch again, elsewhere or taken out."""
    start, to = _spot(data, dice), _spot(data, dice)
    piece = data[start : start + dice.choice((1, 10, 100, 1000))]
    if dice.random() < 0.3:
        return data.replace(piece, b"", 1)
    return data[:to] + piece * dice.choice((1, 1, 2, 50)) + data[to:]


def _cut(data: bytes, dice: Random) -> bytes:
    return data[: _spot(data, dice)] if dice.random() < 0.8 else data[_spot(data, dice) :]


def _joined(data: bytes, dice: Random) -> bytes:
    """Two files in one: behind each other, or the end of one at the beginning of another."""
    other = seed(dice)
    if dice.random() < 0.5:
        return data + dice.choice((b"", b"\n", b"\r\n", b",", b"\xef\xbb\xbf")) + other
    return data[: _spot(data, dice)] + other[_spot(other, dice) :]


def _mixed_lines(data: bytes, dice: Random) -> bytes:
    lines = data.splitlines(keepends=True) + dice.choice((b"", seed(dice))).splitlines(keepends=True)
    return b"".join(dice.choices(lines, k=len(lines)) if dice.random() < 0.5 else dice.sample(lines, len(lines)))


def _changed_values(data: bytes, dice: Random) -> bytes:
    """The JSON, or one of the JSON lines, with some values that are not what the format says."""
    lines = [data]
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        lines = data.splitlines(keepends=True)
        value = None
    place = dice.randrange(len(lines)) if lines else 0
    try:
        value = json.loads(lines[place]) if value is None else value
        for _ in range(dice.randint(1, 4)):
            value = _changed(value, dice)
        text = json.dumps(value).encode()
    except (ValueError, RecursionError, IndexError):
        return _replaced_bytes(data, dice)
    raw = text.replace(MARK, dice.choice(RAW))
    lines[place] = raw + (b"\n" if len(lines) > 1 else b"")
    return b"".join(lines)


def _changed(value: Any, dice: Random, top: bool = True) -> Any:
    """The value with a change somewhere in it, mostly far down."""
    if not isinstance(value, dict | list) or not value or (dice.random() < 0.1 and not top):
        return _other(value, dice)
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    wide = [key for key in keys if isinstance(value[key], dict | list)]
    key, other = dice.choice(wide if wide and dice.random() < 0.6 else keys), dice.choice(keys)
    change = dice.randrange(12)
    if change == 0:
        del value[key]
    elif change == 1:
        value[key], value[other] = value[other], value[key]
    elif change == 2 and isinstance(value, dict):
        value[dice.choice(WORDS)] = deepcopy(dice.choice((value[key], *VALUES)))
    elif change == 2 and isinstance(value, list):
        value.insert(key, value[other])
    elif change == 3 and isinstance(value, list):
        dice.shuffle(value)
    else:
        value[key] = _changed(value[key], dice, top=False)
    return value


def _other(value: Any, dice: Random) -> Any:
    match dice.randrange(6):
        case 0:
            return MARK[1:-1].decode()
        case 1 | 2 if isinstance(value, str):
            return dice.choice(WORDS)
        case 3:
            return dice.choice(([value], {"content": value}, {dice.choice(WORDS): value}, [value, value]))
        case 4 if isinstance(value, str):
            return value * dice.choice((2, 50)) if len(value) < 500 else value[: len(value) // 2]
        case _:
            return json.loads(json.dumps(dice.choice(VALUES)))


CHANGES: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(_changed_values,) * 16,
    _replaced_bytes,
    _moved_bytes,
    _cut,
    _joined,
    _mixed_lines,
)
