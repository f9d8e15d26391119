"""All passes that lose nothing, one after the other on one result: each step leads back to the one before."""

from __future__ import annotations

from hypothesis import given, strategies as st
from tests.cases.transcripts import wires
from tests.passes.ingesting import asked, ingest, shell

from trimtab.passes import PASSES, Pass, Stage
from trimtab.passes.diff_rereads import apply
from trimtab.passes.drop_headers import lengthen, shorten
from trimtab.passes.fold_repeats import folded, unfold
from trimtab.passes.narrow_numbers import narrow, widen, width_of
from trimtab.passes.strip_terminal import as_shown

CHAIN: list[Pass] = [one for one in PASSES if one.stage is Stage.INGEST]
HEADER = "Chunk ID: a6\nWall time: 0.61 seconds\nProcess exited with code 0\nOriginal token count: 379\nOutput:\n"
LINES = (
    "\x1b[1mbold\x1b[0m  ",
    "10%\r20%",
    "same",
    "same",
    "",
    "  1\ta",
    "x 1",
    "[trimtab: 3 lines between these two, x]",
)


@st.composite
def outputs(draw: st.DrawFn) -> str:
    """The output of a command with something for every pass."""
    rows = list[str]()
    for _ in range(draw(st.integers(1, 4))):
        rows += [draw(st.sampled_from(LINES))] * draw(st.integers(1, 7))
        first, count = draw(st.integers(1, 99_999)), draw(st.integers(0, 9))
        rows += [draw(st.sampled_from(["{:>6}\tx", "{}\tx", "step {}"])).format(first + n) for n in range(count)]
    return draw(st.sampled_from(["", HEADER])) + "\n".join(rows)


@given(outputs())
def test_each_step_leads_back_to_the_one_before(text: str) -> None:
    shown = as_shown(text)
    brief = shorten(shown)
    narrowed = narrow(brief)
    short = folded(narrowed)
    whole = narrowed if short == narrowed else unfold(short)
    assert whole == narrowed
    if widen(narrowed, width_of(brief)) == brief and brief != shown:
        assert lengthen(widen(whole, width_of(brief))) == shown
    assert len(short) <= len(narrowed) <= len(brief) <= len(shown) <= len(text)


@wires
def test_one_result_goes_through_several_passes_and_comes_back(wire: str) -> None:
    rows = [f"{n:>6}\t\x1b[32mvalue {n * n % 89}\x1b[0m  " for n in range(1, 30)]
    text = HEADER + "\n".join([*rows, *["\x1b[33mwaiting for it\x1b[0m"] * 20, "done", ""])
    (sent,) = ingest(CHAIN, shell("make", text), wire=wire)
    assert sent.startswith("[exit code 0, 0.61 s, 379 tokens, chunk a6]\n1\tvalue 1\n2\tvalue 4\n")
    assert sent.endswith("waiting for it\n[trimtab: the line above 19 more times]\ndone\n")
    assert lengthen(widen(unfold(sent), 6)) == as_shown(text)


def test_a_difference_is_one_to_the_text_as_it_is_shown() -> None:
    def listing(changed: int) -> str:
        return HEADER + "".join(f"{n:>6}\tvalue {n * n % 89} {n == changed}\n" for n in range(1, 60))

    first, second = ingest(CHAIN, asked("read", listing(0), path="a"), asked("read", listing(7), path="a"))
    assert apply(first, second) == narrow(shorten(listing(7)))


def test_a_pointer_is_not_touched_again() -> None:
    text = HEADER + "the same line again\n" * 60
    first, second = ingest(CHAIN, shell("make", text), shell("make", text))
    assert unfold(first) == shorten(text)
    assert second.startswith("[trimtab: the same, word for word, as the result of shell")
