from __future__ import annotations

import re

from hypothesis import given, strategies as st

from trimtab.previews import Attached, Sizes, previews, ranked
from trimtab.selection import rows

HANDLE = "t:0123456789abcdef"
GAP = re.compile(r"\[…(\d+)(?:-(\d+))? · [\d,]+ lines?\]\n|\[…[\d,]+ characters\]")
TITLES = [
    "Install",
    "Backups",
    "Alerts",
    "Upgrades",
    "Owners",
    "Quotas",
    "Queues",
    "Mirrors",
    "Imports",
    "Exports",
]


def manual(*sections: tuple[str, str], filler: int = 40) -> str:
    """A Markdown file with a section a title, filled with sentences that say nothing."""
    return "# Manual\n\n" + "".join(
        f"## {title}\n\n"
        + "".join(f"The {title.lower()} page has an entry {n}.\n\n" for n in range(filler))
        + f"{said}\n\n"
        for title, said in sections
    )


LONG = manual(*((title, f"{title} end here.") for title in TITLES))
RUNBOOK = manual(
    *((title, f"{title} end here.") for title in TITLES[:5]),
    ("Rollback", "A migration that failed is rolled back with `ctl revert --to 41`, never by hand."),
    *((title, f"{title} end here.") for title in TITLES[5:]),
)
ASKED = "How do I roll back a failed migration?"


def attached(*texts: str, line: int = 1) -> list[Attached]:
    return [Attached(f"{n}.md", text, HANDLE, line) for n, text in enumerate(texts)]


def body(preview: str) -> str:
    """A preview without its head and its index."""
    return "".join(row for row in rows(preview) if not row.startswith(("[preview of ", "[sections by line: ")))


def test_below_the_threshold_over_all_files_they_are_sent_in_full() -> None:
    texts = [LONG[:5000], LONG[:5000]]
    assert previews(attached(*texts), ASKED) == texts
    assert previews(attached(*texts, "."), ASKED) != [*texts, "."]


def test_the_document_s_defaults() -> None:
    assert Sizes() == Sizes(full_context_threshold=10_000, preview_chars=600, max_preview_files=4)


def test_a_preview_shows_what_fits_the_question_with_its_heading() -> None:
    [shown] = previews(attached(RUNBOOK), ASKED)
    assert "`ctl revert --to 41`" in shown
    assert "## Rollback\n" in shown
    assert HANDLE in shown.split("\n", 1)[0]
    assert len(GAP.sub("", body(shown))) <= 600


def test_words_are_compared_by_their_stems() -> None:
    [shown] = previews(attached(RUNBOOK), "migrations failing")
    assert "`ctl revert --to 41`" in shown


def test_there_are_several_windows_a_file() -> None:
    [shown] = previews(attached(RUNBOOK), "migration failed? And where do quotas end?")
    assert "`ctl revert --to 41`" in shown
    assert "Quotas end here." in shown


def test_the_index_of_sections_names_lines_that_recall_brings_back() -> None:
    [shown] = previews(attached(RUNBOOK), ASKED)
    index = next(row for row in shown.split("\n") if row.startswith("[sections by line: "))
    named = re.findall(r"(\d+) (\w+)", index)
    assert len(named) >= 6
    for line, name in named:
        assert rows(RUNBOOK)[int(line) - 1].strip("# \n") == name


def test_files_are_ranked_and_only_four_are_shown() -> None:
    files = attached(*[LONG] * 5, RUNBOOK)
    assert ranked(files, ASKED) == [5, 0, 1, 2, 3, 4]
    shown = previews(files, ASKED)
    assert [text.startswith("[preview of ") for text in shown] == [True] * 3 + [False, False, True]
    assert "not shown; all of it: trimtab recall" in shown[3]
    assert "Upgrades" in shown[3]


def test_without_a_question_both_ends_are_shown() -> None:
    [shown] = previews(attached(RUNBOOK), "")
    assert body(shown).startswith("# Manual\n")
    assert shown.endswith("Exports end here.\n\n")


def test_a_small_file_among_large_ones_stays_whole() -> None:
    assert previews(attached(LONG, "It is small."), ASKED)[1] == "It is small."


def test_the_same_question_gives_the_same_previews() -> None:
    files = attached(RUNBOOK, LONG)
    assert previews(files, ASKED) == previews(files, ASKED)


words = st.sampled_from(
    ["migration", "failed", "# ", "## Head\n", "\n", " ", "- item\n", "one two. ", "{", "é\u0301", "\t"]
)
texts = st.lists(words, min_size=1, max_size=60).map(lambda drawn: "".join(drawn) * 12)


@given(st.lists(texts, min_size=1, max_size=5), st.sampled_from(["", ASKED, "item two"]), st.integers(1, 90))
def test_what_is_shown_is_word_for_word_and_the_gaps_are_the_rest(files: list[str], asked: str, line: int) -> None:
    given = attached(*files, line=line)
    sizes = Sizes(full_context_threshold=0, preview_chars=60, max_preview_files=2)
    for one, shown in zip(given, previews(given, asked, sizes), strict=True):
        assert len(shown) <= len(one.text)
        if shown == one.text or not shown.startswith("[preview of "):
            continue
        at, lines = 0, rows(one.text)
        pieces = GAP.split(body(shown))
        for number in range(0, len(pieces), 3):
            assert one.text.startswith(pieces[number], at)
            at += len(pieces[number])
            if number + 2 < len(pieces) and pieces[number + 1]:
                first, last = int(pieces[number + 1]), int(pieces[number + 2] or pieces[number + 1])
                at += len("".join(lines[first - line : last - line + 1]))
            elif number + 2 < len(pieces):
                return
        assert at == len(one.text)
