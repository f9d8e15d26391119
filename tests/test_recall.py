from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st
from tests.cutting import body, cut, session
from tests.stores.making import decide, original

from trimtab.errors import HandleError, WireError
from trimtab.journal import Artifact, Kind
from trimtab.recall import Asked, Recalled, recall
from trimtab.selection import PAGE, select, tokens
from trimtab.stores.base import Store
from trimtab.testing import conversation, memory_store

HANDLE = "t:0123456789abcdef"
LARGE = "".join(f"def part_{number}(): return {number}\n" for number in range(3000))


def keeping(*artifacts: Artifact) -> Store:
    store = memory_store()
    store.commit("default", [decide(one.handle.encode(), one) for one in artifacts])
    return store


def of(text: str, asked: Mapping[str, str] | None = None, *, whole: bool = False) -> Recalled:
    place = keeping(original(text.encode("utf-8", "surrogatepass"), HANDLE, label="read a.py"))
    return recall(place, "default", HANDLE, cast(Asked, asked or {}), whole=whole)


def test_what_is_small_comes_whole_with_an_estimate() -> None:
    found = of("alpha\nbeta\n")
    assert (found.text, found.data, found.label) == ("alpha\nbeta\n", b"alpha\nbeta\n", "read a.py")
    assert (found.tokens, found.outlined, found.next, found.versions) == (3, False, {}, ())


@pytest.mark.parametrize("asked", [{"lines": "2"}, {"bytes": "7-"}, {"grep": "beta"}])
def test_a_part_comes_as_selection_gives_it(asked: dict[str, str]) -> None:
    assert of("alpha\nbeta", asked).text == select("alpha\nbeta", **asked).text  # type: ignore[arg-type]


def test_of_a_large_original_the_outline_comes_first_then_pages() -> None:
    found = of(LARGE)
    assert found.outlined
    assert found.tokens == tokens(LARGE)
    assert found.text.startswith(f"outline of 3,000 lines, {len(LARGE):,} bytes, about {tokens(LARGE):,} tokens")
    assert "\n1: def part_0(): return 0\n" in found.text
    assert found.text.endswith("\n3000: def part_2999(): return 2999\n")
    assert len(found.text) < 10_000


def test_pages_follow_each_other_to_the_end() -> None:
    found = of(LARGE, {"lines": "1-"})
    pages = [found.text]
    while found.next:
        found = of(LARGE, found.next)
        pages.append(found.text)
    assert len(pages) == 3
    assert all(len(page) <= PAGE and not found.outlined for page in pages)
    assert "".join(pages) == LARGE == of(LARGE, whole=True).text


def test_the_first_page_of_an_outline_is_all_that_fits() -> None:
    found = of(LARGE)
    first = of(LARGE, found.next)
    assert first.next == {}
    assert of(LARGE, {"lines": "1-"}).text == first.text


def test_an_outline_of_one_endless_line_names_bytes() -> None:
    found = of("é" * (PAGE + 1))
    assert found.next == {"bytes": f"1-{2 * PAGE}"}
    assert of("é" * (PAGE + 1), found.next).text == "é" * PAGE
    assert len(found.text) < 1000


@settings(max_examples=30)
@given(st.text(st.characters(codec=None)), st.text(st.characters(codec=None), min_size=1, max_size=3))
def test_any_text_comes_back_whole(text: str, more: str) -> None:
    long = text + more * (PAGE + 1)
    assert of(text, whole=True).text == text
    assert of(long, whole=True).data == long.encode("utf-8", "surrogatepass")
    assert of(long).outlined


def test_a_medium_comes_as_bytes_and_has_no_lines() -> None:
    part = json.dumps({"data": b64encode(b"\x89PNG" * 9).decode()}).encode()
    place = keeping(original(part, HANDLE, kind=Kind.MEDIA, media_type="image/png"))
    assert recall(place, "default", HANDLE, {}).data == b"\x89PNG" * 9
    assert recall(place, "default", HANDLE, {"bytes": "2-4"}).data == b"PNG"
    with pytest.raises(HandleError, match="only bytes"):
        recall(place, "default", HANDLE, {"lines": "1"})


@pytest.mark.parametrize("handle", ["t:0000000000000000", "", "nonsense", "\ud800", "\0", "t:" + "0" * 100_000])
def test_what_is_no_handle_here_is_told(handle: str) -> None:
    with pytest.raises(HandleError, match="nothing is stored under this handle"):
        recall(keeping(), "default", handle, {})


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_only_handles_of_the_payloads_own_conversation_come_back(wire: str) -> None:
    payload = session(wire, ("a.py", body("a")))
    compactor, _, (handle,) = cut(payload)
    other = conversation(wire, exchanges=2)
    assert compactor.recall(handle, payload=payload).text == body("a")
    with pytest.raises(HandleError, match="another conversation"):
        compactor.recall(handle, payload=other)
    with pytest.raises(WireError):
        compactor.recall(handle, payload={"no": "request"})
    assert compactor.recall(handle).text == body("a")


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_handles_of_a_request_that_was_fed_back_come_back(wire: str) -> None:
    payload = session(wire, ("a.py", body("a")))
    compactor, sent, (handle,) = cut(payload)
    assert sent != payload
    assert compactor.recall(handle, payload=sent, lines="2").text == body("a").splitlines(keepends=True)[1]


def test_a_handle_belongs_to_a_request_that_holds_its_message() -> None:
    payload = session("anthropic", ("a.py", body("a")))
    compactor, _, (handle,) = cut(payload)
    assert compactor.recall(handle, payload=payload["messages"]).text == body("a")
    with pytest.raises(HandleError, match="another conversation"):
        compactor.recall(handle, payload=payload["messages"][:1])
