"""JSON texts as clients send them, odd ones foremost, and an independent reading of them."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from trimtab.transcript import Path

BOM = "\ufeff"
KEYS = ["a", "b", "", "\ud83d\ude00", "\ud800", "\\ud800", '"', "é"]
BLANKS = st.text(" \t\n\r", max_size=2)
NUMBERS = st.sampled_from(
    ["0", "-0", "1e999", "-1.5E+2", "0.10", "1e-400", "123456789012345678901234567890", "9" * 5000]
)
PIECES = st.sampled_from(["x", "é", "😀", "{", "]", ",", ":", " ", r"\"", r"\\", r"\/", r"\n", r"\u0041"])
SURROGATES = st.sampled_from([r"\ud83d\ude00", r"\ud800", r"\udfff", r"\uDBff", r"\\ud800", r"\\\ud800"])
STRINGS = st.lists(PIECES | SURROGATES, max_size=6).map(lambda pieces: f'"{"".join(pieces)}"')
NAMES = st.sampled_from(KEYS).map(json.dumps) | STRINGS
SCALARS = st.sampled_from(["true", "false", "null"]) | NUMBERS | STRINGS


def padded(text: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds("{}{}{}".format, BLANKS, text, BLANKS)


def containers(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    fields = st.builds("{}:{}".format, padded(NAMES), padded(texts))
    return (
        st.lists(padded(texts), min_size=1, max_size=4).map(lambda found: f"[{','.join(found)}]")
        | st.lists(fields, min_size=1, max_size=4).map(lambda found: f"{{{','.join(found)}}}")
        | BLANKS.map("[{}]".format)
        | BLANKS.map("{{{}}}".format)
    )


CONTAINERS = containers(st.recursive(SCALARS, containers, max_leaves=10))
TEXTS = st.builds(
    lambda bom, text: (bom + text).encode(), st.sampled_from(["", BOM]), padded(SCALARS | CONTAINERS)
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('a"\\é\ud800', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab\ud800"), inner),
    max_leaves=5,
)


class Fields(list[list[Any]]):
    """An object as its `[key, value]` pairs."""


def tree(data: bytes) -> Any:
    """What the standard library reads, with every key and every digit."""
    return json.loads(
        data.decode("utf-8-sig"),
        object_pairs_hook=lambda pairs: Fields(map(list, pairs)),
        parse_int=str,
        parse_float=str,
    )


def names_of(value: Any) -> list[str | int]:
    if isinstance(value, Fields):
        return list(dict.fromkeys(key for key, _ in value))
    return list(range(len(value))) if isinstance(value, list) else []


def paths_of(value: Any, path: Path = ()) -> list[Path]:
    found = [path]
    for name in names_of(value):
        inner = value[name] if isinstance(name, int) else dict(value)[name]
        found += paths_of(inner, (*path, name))
    return found
