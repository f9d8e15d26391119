from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel, ConfigDict

from trimtab import objects
from trimtab.body import open_body
from trimtab.errors import WireError
from trimtab.jsonbytes import Delete, Set, decode

RAW = b"\xfb\xff\xfe"
VALUES = st.recursive(
    st.none() | st.integers() | st.text() | st.binary() | st.binary().map(bytearray),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=9,
)


class Picture(BaseModel):
    """A type as SDKs have them: binary fields, strict about their names."""

    model_config = ConfigDict(extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")
    data: bytes
    name: str = ""


class Said(BaseModel):
    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")
    role: str
    items: list[Picture | str]


def said() -> Said:
    return Said(role="user", items=["long", Picture(data=RAW)])


@given(VALUES)
def test_a_value_is_restored_from_its_json_and_the_places_of_bytes(value: Any) -> None:
    places = [tuple(path) for path in objects.binary(value)]
    restored = objects.restored(decode(objects.encode(value, "value")), places)
    assert restored == value
    assert list(objects.binary(restored)) == places


def test_bytes_of_either_alphabet_and_inside_sdk_objects_are_found() -> None:
    assert set(objects.binary({"a": [RAW, {"b": said()}]})) == {("a", 0), ("a", 1, "b", "items", 1, "data")}
    assert list(objects.binary(said(), ("items", 1))) == [("data",)]
    for base64 in ("+//+", "-__-"):
        assert objects.restored({"a": base64}, [("a",)]) == {"a": RAW}
        assert objects.restored(base64, [()]) == RAW


def test_a_value_in_the_place_of_bytes_becomes_bytes() -> None:
    given = {"mime": "image/png", "data": RAW, "same": [RAW]}
    new = objects.edited(given, [Set(("mime",), "text/plain"), Set(("data",), "aGk=")])
    assert new == {"mime": "text/plain", "data": b"hi", "same": [RAW]}
    assert new["same"] is given["same"]
    assert objects.edited(given, [Set(("data",), {"text": "x"}), Delete(("mime",))])["data"] == {"text": "x"}


def test_an_sdk_object_comes_back_as_one_of_its_class() -> None:
    given = said()
    new = objects.edited([given], [Set((0, "items", 0), "s"), Set((0, "items", 1, "name"), "n")])
    assert new == [Said(role="user", items=["s", Picture(data=RAW, name="n")])]
    assert given == said()


def test_what_the_class_refuses_comes_back_as_json() -> None:
    new = objects.edited(said(), [Set(("items",), 5)])
    assert new == {"role": "user", "items": 5}


def test_what_cannot_be_edited_in_place_is_said() -> None:
    with pytest.raises(TypeError, match="str cannot be edited"):
        objects.edited({"a": "text"}, [Set(("a", "b"), 1)])
    with pytest.raises(WireError, match=r"messages\[0\]: cannot be written"):
        objects.encode(object(), "messages[0]")


@pytest.mark.parametrize("key", ["generateContentRequest", "generate_content_request", "request"])
@pytest.mark.parametrize("form", ["dict", "bytes"])
def test_a_request_inside_another_is_pointed_to(key: str, form: str) -> None:
    wrapped = {"model": "models/gemini-3-pro", key: {"contents": []}}
    payload = wrapped if form == "dict" else objects.encode(wrapped, "payload")
    with pytest.raises(WireError, match=f'give the request inside "{key}"'):
        open_body(payload)
