from __future__ import annotations

import json
import math
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, strategies as st
from tests.json_texts import BOM, CONTAINERS, TEXTS, VALUES, Fields, tree

from trimtab.errors import WireError
from trimtab.jsonbytes import Delete, Set, Slice, at, decode, encode, items, members, outline, rewrite
from trimtab.transcript import JSON, Path


def check_slices(data: bytes, place: Slice, value: Any) -> None:
    """The slices below `place` hold exactly the values that `value`, a tree, has there."""
    assert tree(data[place.start : place.stop]) == value
    assert data[place.start : place.stop].strip() == data[place.start : place.stop]
    if isinstance(value, Fields):
        found = members(data, place.start, place.stop)
        assert [slice_.key for slice_ in found] == [key for key, _ in value]
        values = [inner for _, inner in value]
    elif isinstance(value, list):
        found, values = items(data, place.start, place.stop), value
        assert all(slice_.key is None for slice_ in found)
    else:
        return
    for slice_, inner in zip(found, values, strict=True):
        check_slices(data, slice_, inner)


@given(TEXTS)
@example(BOM.encode() + b'{"\\ud83d\\ude00":"\\ud800","\\ud83d\\ude01":1}')
@example(b'{"a":1,"a":12,"a":[1],"a":1}')
def test_slices_hold_every_value_in_order(data: bytes) -> None:
    whole = at(data, ())
    assert whole is not None
    check_slices(data, whole, tree(data))


@given(CONTAINERS.map(str.encode))
def test_slices_of_the_outline_have_the_same_places(data: bytes) -> None:
    read = members if data.startswith(b"{") else items
    assert [slice_[1:] for slice_ in read(data)] == [slice_[1:] for slice_ in read(outline(data))]


def test_blanks_before_and_after_belong_to_no_slice() -> None:
    assert members(b'xx \n{ "a" : [1] } x', 2, 17) == [Slice("a", 12, 15)]
    assert items(b" [ 1 , {} ] ") == [Slice(None, 3, 4), Slice(None, 7, 9)]


@given(TEXTS)
def test_outline_keeps_length_and_is_plain_json(data: bytes) -> None:
    found = outline(data)
    assert len(found) == len(data)
    msgspec.json.decode(found, type=msgspec.Raw)


def test_outline_is_the_very_data_when_nothing_is_odd() -> None:
    data = b'["\\ud83d\\ude00", "\\\\ud800", 1e999]'
    assert outline(data) is data


def test_outline_blanks_surrogates_of_any_case_and_the_mark() -> None:
    data = BOM.encode() + rb'["\ud800\uDFFf", "\ud7ff\ue000"]'
    assert outline(data) == rb'   ["\u0020\u0020", "\ud7ff\ue000"]'


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "byte 0"),
        (b'{"a" 1}', "byte 5: expected ':'"),
        (b"[1 2]", "byte 3: expected ',' or ']'"),
        (b"[1,]", "byte 3: trailing comma"),
        (b'[1, "abc', "byte 8"),
        (b"[NaN]", "byte 1"),
        (b"[-Infinity]", "byte 2"),
        (b"1 2", "trailing"),
        (b'["\x01"]', "byte 2"),
        (BOM.encode() * 2 + b"1", "byte 3"),
        (b'["\\ud800", x]', "byte 11"),
        (b"{1:2}", "byte 1"),
        (b"\x00", "byte 0"),
        ("[]".encode("utf-16-le"), "byte 1"),
    ],
)
def test_what_is_not_json_is_refused_with_its_byte(data: bytes, complaint: str) -> None:
    for read in (outline, decode, lambda data: rewrite(data, [Set((), 1)])):
        with pytest.raises(WireError, match=complaint):
            read(data)


@given(st.binary(max_size=12) | st.text('[]{}",:\\u0d8 1e-', max_size=12).map(str.encode))
def test_outline_and_decode_agree_with_the_standard_library(data: bytes) -> None:
    try:
        expected = json.loads(data.decode("utf-8-sig"), parse_constant=lambda word: 1 / 0)
    except (ValueError, ZeroDivisionError):
        with pytest.raises(WireError):
            decode(data)
    else:
        assert decode(data) == expected
        outline(data)


def test_damage_inside_a_range_is_named_by_its_byte_in_the_buffer() -> None:
    with pytest.raises(WireError, match="byte 8: expected ','"):
        items(b'{"a":[1 2]}', 5, 10)
    with pytest.raises(WireError, match="not UTF-8 at byte 3"):
        members(b'[{"\xff":1}]', 1, 8)


@pytest.mark.parametrize(("read", "data"), [(members, b" []"), (items, b" {}"), (items, b" "), (members, b"")])
def test_the_wrong_kind_is_refused(read: Any, data: bytes) -> None:
    with pytest.raises(WireError, match=f"expected .* at byte {min(1, len(data))}"):
        read(data)


def test_at_finds_the_last_duplicate_and_nothing_where_nothing_is() -> None:
    data = b'{"a": [0, {"b": 1}], "a": [2, {"b": 3, "b": 4}]}'
    found = at(data, ("a", 1, "b"))
    assert found is not None
    assert (found.key, data[found.start : found.stop]) == ("b", b"4")
    paths: list[Path] = [("a", 2), ("a", -1), ("a", "1"), ("b",), (0,), ("a", 1, "b", "c"), ("a", 0, 0)]
    assert [at(data, path) for path in paths] == [None] * len(paths)


@given(VALUES)
def test_encoded_values_read_back(value: JSON) -> None:
    assert decode(encode(value)) == value


@given(TEXTS)
def test_decoded_texts_read_back(data: bytes) -> None:
    value = decode(data)
    assert decode(encode(value)) == value


def test_encode_escapes_only_strings_with_surrogates() -> None:
    value = {"é": ["\ud800é", "é", msgspec.Raw(b" 1.0 "), 2**80, None]}
    assert encode(value) == '{"é":["\\ud800\\u00e9","é", 1.0 ,1208925819614629174706176,null]}'.encode()


def test_encode_refuses_what_json_cannot_hold() -> None:
    endless: list[JSON] = ["\ud800"]
    endless.append(endless)
    for value in (object(), {"a": {1j}}, endless, ["\ud800", object()], 10**5000):
        with pytest.raises(WireError):
            encode(value)


def test_decode_keeps_numbers_apart_that_python_cannot_hold() -> None:
    huge = "9" * 5000
    assert decode(f"[1e999, -1e999, 1.5, 7, {huge}, -{huge}]".encode()) == [
        "1e999", "-1e999", 1.5, 7, huge, f"-{huge}"
    ]  # fmt: skip
    assert decode(b'["\\ud800", 18446744073709551616, 0.5]') == ["\ud800", 18446744073709551616, 0.5]
    assert math.copysign(1, decode(b'["\\ud800", -0.0]')[1]) == -1


def test_decode_names_the_byte_that_is_not_utf8() -> None:
    for data in (b'["\xc3\xa9\xff"]', b'["\xc3\xa9\xed\xa0\x80"]'):
        with pytest.raises(WireError, match="not UTF-8 at byte 4"):
            decode(data)


def nested(depth: int, core: bytes = b"0") -> bytes:
    return b'[{"a":' * depth + core + b"}]" * depth


@pytest.mark.parametrize("core", [b"0", b'"\\ud800"', b"1e999"])
def test_two_hundred_levels_are_no_trouble(core: bytes) -> None:
    data = nested(100, core)
    path: Path = (0, "a") * 100
    found = at(data, path)
    assert found is not None
    assert data[found.start : found.stop] == core
    assert rewrite(data, [Set(path, 1)]) == nested(100, b"1")
    assert encode(decode(nested(100, b"1"))) == nested(100, b"1")
    decode(data)


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("closed", [True, False])
def test_bottomless_nesting_is_refused(opening: bytes, closed: bool) -> None:
    data = opening * 100_000 + (b"0" + (b"]" if opening == b"[" else b"}") * 100_000 if closed else b"")
    read = items if opening == b"[" else members
    for use in (outline, decode, read, lambda data: rewrite(data, [Set((), 1)])):
        with pytest.raises(WireError, match="deep"):
            use(data)


@pytest.mark.parametrize(
    "inner", ["[]", "{}", '"', "\\", "[", "\\ud800", "\\\\ud800", ",", " ", '\\"', '{"a":1,', "\\u"]
)
def test_a_megabyte_of_one_thing_is_walked(inner: str) -> None:
    text = inner * (1_000_000 // len(inner))
    string = json.dumps(text).encode()
    data = b"{%s:1,%s:[%s]}" % (string, string, string)
    last = members(data)[-1]
    assert last == Slice(text, *last[1:])
    assert items(data, *last[1:]) == [Slice(None, last.start + 1, last.stop - 1)]
    assert rewrite(data, [Delete((text,))]) == b"{}"
    with pytest.raises(WireError):
        outline(f'[{text}"'.encode())


def test_many_duplicates_of_a_key_before_a_large_value() -> None:
    data = b"{" + b'"a":1,' * 50_000 + b'"a":"' + b"x" * 500_000 + b'"}'
    found = members(data)
    assert len(found) == 50_001
    assert found[-1].stop - found[-1].start == 500_002
