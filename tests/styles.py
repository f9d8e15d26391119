"""The ways in which a client may write the JSON of a request."""

from __future__ import annotations

import json
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st


class Style(NamedTuple):
    """`gap` stands around every token; `shuffle` seeds the order of keys, None keeps it."""

    gap: str = ""
    ascii: bool = False
    bom: bool = False
    doubled: bool = False
    exponents: bool = False
    shuffle: int | None = None

    def write(self, value: Any) -> bytes:
        text = f"{self.gap}{self._value(value)}{self.gap}"
        return b"\xef\xbb\xbf" * self.bom + text.encode()

    def _value(self, value: Any) -> str:
        gap = self.gap
        if isinstance(value, dict):
            keys = list(value) if self.shuffle is None else sorted(value, key=self._rank)
            fields = [f"{self._text(key)}{gap}:{gap}{self._value(value[key])}" for key in keys]
            if self.doubled and "role" in value:
                fields = ['"x_twice":1', *fields, '"x_twice": 2.50']
            return f"{{{gap}{f'{gap},{gap}'.join(fields)}{gap}}}"
        if isinstance(value, list):
            return f"[{gap}{f'{gap},{gap}'.join(self._value(item) for item in value)}{gap}]"
        if isinstance(value, str):
            return self._text(value)
        return "1e3" if self.exponents and value == 1000 else json.dumps(value)

    def _rank(self, key: str) -> float:
        return Random(f"{self.shuffle} {key}").random()

    def _text(self, text: str) -> str:
        try:
            text.encode()
        except UnicodeEncodeError:
            return json.dumps(text)
        return json.dumps(text, ensure_ascii=self.ascii)


STYLES = st.builds(
    Style,
    st.sampled_from(["", "", " ", "\n  ", "\r\n\t"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.none() | st.integers(0, 3),
)
