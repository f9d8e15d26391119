from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st
from tests.cutting import body, cut, session
from tests.stores.making import original

from trimtab import HandleError
from trimtab.journal import Artifact, Kind
from trimtab.search import MOST_HITS, SHOWN, Hit, search
from trimtab.selection import rows, select
from trimtab.testing import conversation

CODE = """def apply_discount(total):
    # rounding happens here
    return round_up(total)

def ship(order):
    pass
"""
LOG = "INFO started\nERROR tax rounded wrongly for order 4711\nINFO order 4712 shipped\nINFO done\n"


def of(*texts: str, label: str = "read") -> list[Artifact]:
    return [
        original(
            text.encode("utf-8", "surrogatepass"), f"t:{number:016x}", b"%d" % number, label=f"{label} {number}"
        )
        for number, text in enumerate(texts)
    ]


def found(hits: list[Hit]) -> list[tuple[int, int]]:
    return [(int(hit.handle.partition(":")[2], 16), hit.line) for hit in hits]


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("rounding error in orders", (1, 2)),
        ("apply_discount", (0, 1)),
        ("applyDiscount", (0, 1)),
        ("shipping", (0, 5)),
        ("4712", (1, 3)),
        ("error", (1, 2)),
        ("order):", (0, 5)),
        ("round_up(", (0, 3)),
    ],
)
def test_the_line_that_fits_best_comes_first(text: str, best: tuple[int, int]) -> None:
    assert found(search(of(CODE, LOG), text))[0] == best


def test_a_hit_says_where_it_is_and_what_it_is_from() -> None:
    (hit,) = search(of(CODE, LOG), "wrongly")
    assert (hit.handle, hit.label, hit.line, hit.bytes) == ("t:0000000000000001", "read 1", 2, "")
    assert hit.text == "ERROR tax rounded wrongly for order 4711"
    assert hit.score > 0


def test_words_are_found_in_their_other_forms() -> None:
    assert [hit.text for hit in search(of("three retries\nno more\n"), "retry")] == ["three retries"]
    assert [hit.text for hit in search(of("it was running\nno more\n"), "runs")] == ["it was running"]


def test_a_rare_word_counts_for_more_than_a_common_one() -> None:
    hits = search(of("order order order\n" * 20 + "order\n" + "tax\n"), "tax order")
    assert hits[0].text == "tax"
    assert hits[0].score > hits[1].score


def test_a_word_inside_another_is_found_too_after_whole_words() -> None:
    assert found(search(of("concatenated\nthe cat\n"), "cat")) == [(0, 2), (0, 1)]
    assert found(search(of("a => b\nc == d\n"), "=>")) == [(0, 1)]


@pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", "nowhere", "税" * 40])
def test_what_is_not_there_is_not_found(text: str) -> None:
    assert search(of(CODE, LOG), text) == []
    assert search([], text) == []


def test_of_the_same_lines_of_one_call_the_latest_counts() -> None:
    first, second = (original(LOG.encode(), f"t:{n:016x}", b"%d" % n, label="read a") for n in (1, 2))
    assert found(search([first, second], "wrongly")) == [(2, 2)]
    assert found(search(of(LOG, LOG), "wrongly")) == [(1, 2), (0, 2)]


def test_an_overlong_line_is_searched_in_pieces_that_recall_brings_back() -> None:
    text = "é head\n" + json.dumps({"rows": ["filler ü words"] * 900 + ["needle here"] + ["more filler"] * 900})
    (hit,) = search(of(text), "needle")
    assert hit.line == 2
    assert "needle here" in hit.text or len(hit.text) > SHOWN
    assert "needle" in select(text, bytes=hit.bytes).text
    assert len(select(text, bytes=hit.bytes).text) <= 400


def test_media_are_not_searched() -> None:
    medium = original(b'{"data": "needle"}', "t:1", kind=Kind.MEDIA, media_type="image/png")
    assert search([medium], "needle") == []


def test_only_so_many_hits_come() -> None:
    many = of("".join(f"needle {number}\n" for number in range(100)))
    assert len(search(many, "needle")) == MOST_HITS
    assert len(search(many, "needle", 3)) == 3
    assert search(many, "needle", 0) == []


@given(
    st.lists(st.text(st.sampled_from("ab c\n\ré税\ud800\0")), max_size=4),
    st.text(st.sampled_from("abc é税"), max_size=9),
)
def test_every_hit_is_a_line_of_its_original(texts: list[str], text: str) -> None:
    for hit in search(of(*texts), text):
        whole = texts[int(hit.handle.partition(":")[2], 16)]
        assert hit.text == rows(whole)[hit.line - 1].rstrip("\r\n")
        assert select(whole, lines=str(hit.line)).text.startswith(hit.text)


@given(st.lists(st.text(st.sampled_from("ab c\n")), max_size=4), st.sampled_from(["ab", "ca b", "a"]))
def test_every_line_that_holds_the_text_is_found(texts: list[str], text: str) -> None:
    holding = {line for whole in texts for line in rows(whole) if text in line}
    hits = search(of(*texts), text, limit=10_000)
    assert {line.rstrip("\n") for line in holding} <= {hit.text for hit in hits}


@pytest.mark.parametrize("fed_back", [False, True])
@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_a_payload_is_searched_in_all_that_was_cut_from_it(wire: str, fed_back: bool) -> None:
    payload = session(wire, ("a.py", body("alpha")), ("b.py", body("beta")))
    compactor, sent, (first, second) = cut(payload)
    (hit, *others) = compactor.search("beta line 77", sent if fed_back else payload)
    assert (hit.handle, hit.line) == (second, 77)
    assert {one.handle for one in others} <= {first, second}
    assert compactor.search("beta", {**payload, "messages": payload["messages"][:3]}) == []
    assert compactor.search("beta", conversation(wire)) == []


def test_without_a_payload_it_is_the_conversation_used_last() -> None:
    compactor, _, _ = cut(session("anthropic", ("a.py", body("alpha"))))
    assert compactor.search("alpha line 7", limit=1)[0].line == 7
    other = session("anthropic", ("b.py", body("beta")))
    other["messages"][0]["content"] = "Another task."
    compactor.compact(other, force=True)
    assert {hit.label for hit in compactor.search("line")} == {'read {"path":"b.py"}'}
    assert compactor.search("alpha") == []


def test_a_store_that_holds_nothing_finds_nothing() -> None:
    from trimtab import Compactor
    from trimtab.testing import memory_store

    assert Compactor(store=None).search("x") == []
    assert Compactor(store=memory_store()).search("x") == []
    with pytest.raises(HandleError):
        Compactor(store=None).recall("t:0000000000000000")
