from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given, strategies as st
from tests.cases.transcripts import wires
from tests.passes.ingesting import asked, ingest

from trimtab.passes.cut_media import CutMedia
from trimtab.passes.cut_named_media import KEYS, CutNamedMedia, without_named

HANDLE = "t:0123456789abcdef"
WORDS = base64.b64encode(b"plain words that decoding does not tell from text, " * 40).decode()
RAW = base64.b64encode(bytes(range(256)) * 4).decode()


@wires
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("blob", [WORDS, RAW], ids=["of words", "of unknown bytes"])
def test_base64_under_these_keys_goes_from_every_result_the_newest_too(wire: str, key: str, blob: str) -> None:
    text = json.dumps({"ok": True, "page": {key: blob, "title": "Home"}})
    assert ingest([CutMedia()], asked("browse", text), wire=wire) == [text]  # what decoding alone leaves
    [sent] = ingest([CutMedia(), CutNamedMedia()], asked("browse", text), wire=wire)
    page = json.loads(sent)["page"]
    assert page["title"] == "Home"
    assert page[key].startswith("[trimtab: base64, ")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"data": WORDS[:1000]}),
        json.dumps({"data": [WORDS]}),
        json.dumps({"notes": WORDS}),
        json.dumps({"data": "plain words, " * 200}),
        json.dumps({"data": "a" * 1001}),
        f'"data": {WORDS}',
        f'"data": "{WORDS}\'',
    ],
    ids=["1,000", "a list", "another key", "no base64", "no length of base64", "no quotes", "two quotes"],
)
def test_what_is_not_base64_under_a_key_stays(text: str) -> None:
    assert without_named(text, HANDLE) == text


def test_lines_json_in_json_and_python_are_read() -> None:
    wrapped = base64.encodebytes(WORDS.encode()).decode()
    for text in (
        json.dumps({"data": wrapped}),
        json.dumps({"out": json.dumps({"Data": wrapped})}),
        str({"data": WORDS}),
    ):
        sent = without_named(text, HANDLE)
        assert len(sent) < 200
        assert sent.replace(sent[sent.index("[") : sent.index("]") + 1], "") == text.replace(_blob(text), "")


def _blob(text: str) -> str:
    """The longest stretch between quotes."""
    return max(text.replace("'", '"').replace('\\"', '"').split('"'), key=len).removesuffix("\\")


@given(st.text(alphabet='{}[]":, \\ndata', max_size=300))
def test_text_without_long_runs_stays(text: str) -> None:
    assert without_named(text, HANDLE) == text


def test_long_hostile_texts_end() -> None:
    for text in ('"data":"' + "A" * 400_000, '"data":"A' * 50_000, "\\" * 400_000, '"data"' + " " * 400_000):
        assert without_named(text, HANDLE) == text
