"""Calls by what they ask: one key for the same tool with the same arguments, however these are written."""

from __future__ import annotations

import json
from hashlib import blake2b

from trimtab.transcript import JSON

KEY_BYTES = 16
"""Bytes of a key: no two calls of all conversations there will ever be share one by chance."""

_JSON_TYPES = frozenset({dict, list, str, int, float, bool, type(None)})


def call_key(name: str, arguments: JSON) -> str | None:
    """A key for a call; order of keys, blanks and escapes make no difference, `1`, `1.0`, `"1"` and `true` do.

    `arguments` is JSON text, as models write it (blank text is no arguments), or the value. None where
    there is no telling: for text that is not JSON, and for values that JSON would not give back as they are
    (tuples, objects, keys that are not strings).
    """
    try:
        value = value_of(arguments)
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    except (ValueError, TypeError, RecursionError):
        return None
    if value is arguments and not _is_plain(value):
        return None
    return blake2b(f"{name}\0{text}".encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).hexdigest()


def value_of(arguments: JSON) -> JSON:
    """The value of arguments given as JSON text; any other value as it is. Raises ValueError and RecursionError.

    Read by the standard library: numbers of any size keep their digits, and 1e999 is no text of digits.
    """
    if not isinstance(arguments, str):
        return arguments
    return json.loads(arguments) if arguments.strip() else {}


def _is_plain(value: JSON) -> bool:
    """Whether a value that was written as JSON, hence has an end, would come back the same."""
    todo = [value]
    while todo:
        one = todo.pop()
        if type(one) not in _JSON_TYPES:
            return False
        if isinstance(one, dict):
            if any(type(key) is not str for key in one):
                return False
            todo += one.values()
        elif isinstance(one, list):
            todo += one
    return True
