from __future__ import annotations

from typing import Any

import pytest
from tests.cutting import body, cut, session

from trimtab.testing import exchange
from trimtab.versions import Version

WIRES = ("anthropic", "openai_chat")


def edit(wire: str, call_id: str, path: str) -> list[dict[str, Any]]:
    """A call of another tool that names a file."""
    made = exchange(wire, call_id, path, "done")
    if wire == "anthropic":
        made[0]["content"][0]["name"] = "edit"
    else:
        made[0]["tool_calls"][0]["function"]["name"] = "edit"
    return made


@pytest.mark.parametrize("fed_back", [False, True])
@pytest.mark.parametrize("wire", WIRES)
def test_a_file_that_changed_since_is_told_of_with_both_versions(wire: str, fed_back: bool) -> None:
    payload = session(wire, ("a.py", body("one")), ("b.py", body("b")), ("a.py", body("two")))
    compactor, sent, (first, _, second) = cut(payload)
    given = sent if fed_back else payload
    assert compactor.recall(first, payload=given).versions == (Version("later", second, "messages[6]"),)
    assert compactor.recall(second, payload=given).versions == (Version("earlier", first, "messages[2]"),)
    assert compactor.recall(first).versions == (Version("other", second),)
    assert compactor.recall(second).versions == (Version("other", first),)
    assert f"changed since: later the same call gave another result, {second} in messages[6]" == str(
        compactor.recall(first, payload=given).versions[0]
    )


@pytest.mark.parametrize("wire", WIRES)
def test_the_newest_and_the_one_before_are_told_of(wire: str) -> None:
    payload = session(wire, *[("a.py", body(name)) for name in ("one", "two", "three", "four", "five")])
    compactor, _, handles = cut(payload)
    found = compactor.recall(handles[2], payload=payload).versions
    assert [(one.order, one.handle) for one in found] == [("later", handles[4]), ("earlier", handles[1])]
    assert [one.handle for one in compactor.recall(handles[2]).versions] == [handles[1], handles[3], handles[4]]


@pytest.mark.parametrize("wire", WIRES)
def test_a_version_that_stands_in_full_has_no_handle(wire: str) -> None:
    payload = session(wire, ("a.py", body("one")), ("a.py", "short\n"))
    compactor, _, (handle,) = cut(payload)
    (version,) = compactor.recall(handle, payload=payload).versions
    assert version == Version("later", "", "messages[4]")
    assert "in full in messages[4]" in str(version)


@pytest.mark.parametrize("fed_back", [False, True])
@pytest.mark.parametrize("wire", WIRES)
def test_what_is_the_same_again_has_not_changed(wire: str, fed_back: bool) -> None:
    payload = session(wire, *[("a.py", body(name)) for name in ("one", "two", "one", "one")])
    compactor, sent, handles = cut(payload)
    given = sent if fed_back else payload
    assert compactor.recall(handles[0], payload=given).versions == ()
    assert compactor.recall(handles[3], payload=given).versions == (Version("earlier", handles[1], "messages[4]"),)


@pytest.mark.parametrize("wire", WIRES)
def test_a_later_call_that_names_the_file_is_told_of(wire: str) -> None:
    payload = session(wire, ("a.py", body("one")), ("b.py", body("b")))
    payload["messages"][1:1] = edit(wire, "before", "a.py")
    for number, path in enumerate(("a.py", "c.py", "a.py")):
        payload["messages"] += edit(wire, f"edit_{number}", path)
    compactor, _, (first, second, *_) = cut(payload)
    found = compactor.recall(first, payload=payload).versions
    assert [(one.order, one.place) for one in found] == [("touched", "messages[9]"), ("touched", "messages[13]")]
    assert "edit" in found[0].what
    assert str(found[0]).startswith("a later call names the same file: edit")
    assert compactor.recall(second, payload=payload).versions == ()
