from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.excerpts.lawful import HOSTILE, check, over, unit_of

from trimtab.excerpts.base import STRUCTURE, VERDICT, Kind
from trimtab.excerpts.code import Code
from trimtab.excerpts.diff import Diff
from trimtab.excerpts.envelope import EDGE, within, wrapped
from trimtab.excerpts.json import Json
from trimtab.excerpts.search import Search
from trimtab.excerpts.text import PlainText

CONTENT = '{"rows": [' + ", ".join(f'{{"id": {n}}}' for n in range(40)) + "]}\n"
REMINDER = "<system-reminder>\nMind exit codes.\nExit code 1\n</system-reminder>\n"
CAT = "Here's the result of running `cat -n` on"
WORKED = (
    "[Python Interpreter: /opt/bin/python]\nroot@openhands-workspace:/w # \n[Command finished with exit code 2]"
)

ENVELOPES = {
    "codex": (
        "Chunk ID: 4de0f8\nWall time: 0.0155 seconds\nProcess exited with code 0\n"
        "Original token count: 21\nOutput:\n",
        "",
    ),
    "codex, cut": (
        "Chunk ID: 4de0f8\nWall time: 1 seconds\nProcess exited with code 0\nOriginal token count: 21\nOutput:\n"
        "Warning: truncated output (original token count: 21)\nTotal output lines: 711\n\n",
        "",
    ),
    "codex, running": (
        "Chunk ID: ab\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n",
        "",
    ),
    "codex, old": ("Exit code: 1\nWall time: 0 seconds\nTotal output lines: 9\nOutput:\n", ""),
    "codex, of a server": ("Wall time: 0.4 seconds\nOutput:\n", ""),
    "short": ("[exit code 0, 0.0155 s, 21770 tokens, chunk 4de0f8]\n", ""),
    "short, running": ("[running, session ID 81, 0.1 s, 2 tokens, chunk 4de0f8]\n", ""),
    "mini-swe-agent": ("<returncode>1</returncode>\n<output>\n", "</output>"),
    "gemini": (
        "Command: git status\nDirectory: (root)\nOutput: ",
        "Error: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 26931",
    ),
    "openhands": (
        "",
        "[The command completed with exit code 1.]\n[Current working directory: /w/a b]\n"
        "[Python interpreter: /w/p]\n[Command finished with exit code 1]",
    ),
    "openhands, with what was typed": ("cd /w && cat a.json\r\n", WORKED),
    "openhands, crlf": ("", "[The command completed with exit code 1.]\r\n[Current working directory: /w]\r\n"),
    "copilot": ("", "<shellId: 0 completed with exit code 1>"),
    "pi": ("", "\n\nCommand exited with code 2"),
    "pi, a part": ("", "\n[1549 more lines in file. Use offset=121 to continue]"),
    "claude, failed": ("Exit code 1\n", ""),
    "claude, reminded": ("", "\n" + REMINDER),
    "claude, twice": (REMINDER, "\n" + REMINDER + "\n" + REMINDER.strip()),
    "claude, moved": ("", "Shell cwd was reset to /w/a"),
    "claude, kept": (
        "<persisted-output>\nOutput too large (64KB). Full output saved to: /t.txt\n\nPreview (first 2KB):\n",
        "...\n</persisted-output>",
    ),
    "read": (f"OBSERVATION:\n{CAT} /w/a.py:\n", ""),
    "edited": (
        f"The file /w/a.py has been edited. {CAT} a snippet of /w/a.py:\n",
        "Review the changes and make sure they are as expected. Edit the file again if necessary.",
    ),
    "swe-agent": (
        "[File: /w/a.py (372 lines total)]\n(272 more lines above)\n",
        "(37 more lines below)\n\n(Open file: /w/a.py)\n(Current directory: /w)\nbash-$",
    ),
}
"""What stands above and below what is inside."""


@pytest.mark.parametrize(("above", "below"), ENVELOPES.values(), ids=ENVELOPES)
def test_the_content_is_found_and_read(above: str, below: str) -> None:
    text = above + CONTENT + below
    start, stop = within(text)
    assert text[start:stop].strip() == CONTENT.strip()
    assert start == len(above)
    inside = Json().read(text[start:stop])
    assert Json().read(text) is None
    assert inside is not None
    outline = wrapped(text, start, stop, inside)
    check(text, outline)
    assert (outline.kind, outline.sums) == (inside.kind, inside.sums)
    assert len(outline.units) >= len(inside.units) + bool(above) + bool(below)


def test_what_is_glued_to_the_last_line_is_not_of_it() -> None:
    for glued in (
        "[Python Interpreter: /opt/bin/python]",
        "<response clipped><NOTE>Only a part, see `grep -n`.</NOTE>",
    ):
        text = f"a.py\nb.py{glued}\n"
        assert within(text) == (0, len("a.py\nb.py"))


@pytest.mark.parametrize(
    "text",
    [
        CONTENT,
        "",
        "\n\n",
        "Exit code 1\n",
        "Exit code 1\n\n  \n",
        "[Command finished with exit code 0]",
        REMINDER,
        "<returncode>0</returncode>\n<output>\n</output>",
        # Broken off, or one half of an envelope.
        "<returncode>0</returncode>\n<output>\n" + CONTENT,
        CONTENT + "</output>",
        "Output: " + CONTENT,
        "<system-reminder>\n" + CONTENT,
        CONTENT + "</system-reminder>",
        CONTENT + "</system-reminder>\n\n",
        CONTENT + "a <system-reminder>b</system-reminder>",
        "<persisted-output>\n" + CONTENT + "</persisted-output>",
        "Chunk ID: 4de0f8\nWall time: 0.0155 seconds\n" + CONTENT,
        # Lines of a program, a log or a document that look a little like it.
        "Exit code 1 means failure\n" + CONTENT,
        "the Exit code\n" + CONTENT,
        'print("Command exited with code 2")',
        "2024-01-01 Command exited with code 2 after a\n2024-01-02 Command exited with code 3 after b\n",
        "     1\tExit code 1\n     2\t<system-reminder>\n     3\tx\n     4\t</system-reminder>\n",
        "cd /w\r\n" + CONTENT + "[Command finished with exit code",
        "[exit code 0, fine]\n" + CONTENT,
        "x" * 9 + "(Open file: " + "a" * (EDGE - 13) + ")",
        "[Python Interpreter: a] is what it says\n",
    ],
)
def test_anything_else_is_content_from_end_to_end(text: str) -> None:
    assert within(text) == (0, len(text))


def test_an_exit_code_is_a_verdict_unless_it_is_0() -> None:
    body = "one\ntwo\n"
    for above, below, line, weight, why in [
        (*ENVELOPES["codex"], "Process exited", STRUCTURE, "exit code 0"),
        (*ENVELOPES["short"], "[exit code", STRUCTURE, "exit code 0"),
        (*ENVELOPES["mini-swe-agent"], "<returncode>", VERDICT, "exit code"),
        (*ENVELOPES["claude, failed"], "Exit code", VERDICT, "exit code"),
        (*ENVELOPES["gemini"], "Exit Code", STRUCTURE, "exit code 0"),
        (*ENVELOPES["openhands"], "[The command", VERDICT, "exit code"),
        (*ENVELOPES["copilot"], "<shellId", VERDICT, "exit code"),
        (*ENVELOPES["pi"], "Command exited", VERDICT, "exit code"),
        ("Exit code 2\n", REMINDER, "Exit code 2", VERDICT, "exit code"),
        (REMINDER + "Exit code 2\n", "", "Exit code 2", VERDICT, "exit code"),
    ]:
        text = above + body + below
        start, stop = within(text)
        outline = wrapped(text, start, stop, PlainText().read(text[start:stop]))
        assert unit_of(text, outline, line)[2:4] == (weight, why)
        weighty = [unit for unit in outline.units if unit.weight]
        assert len(weighty) == 1 + (text.count("with exit code 1") > 1)


def test_what_needs_another_unit_needs_the_same_one() -> None:
    inside = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
    alone = Diff().read(inside)
    above, below = ENVELOPES["codex"][0], "[Command finished with exit code 0]"
    text = above + inside + below
    assert alone is not None
    outline = wrapped(text, *within(text), alone)
    told = [text[unit.start : unit.stop] for unit in outline.units]
    for unit in alone.units:
        same = unit_of(text, outline, inside[unit.start : unit.stop])
        assert (same.weight, same.why) == (unit.weight, unit.why)
        needed = alone.units[unit.needs]
        assert (same.needs >= 0) == (unit.needs >= 0)
        assert unit.needs < 0 or told[same.needs] == inside[needed.start : needed.stop]
    assert any(unit.needs >= 0 for unit in alone.units)


def test_paths_are_only_of_a_text_that_is_json() -> None:
    text = ENVELOPES["short"][0] + CONTENT
    start, stop = within(text)
    inside = Json().read(text[start:stop])
    assert inside is not None
    assert any(unit.path for unit in inside.units)
    assert not any(unit.path for unit in wrapped(text, start, stop, inside).units)


@pytest.mark.parametrize(
    ("kind", "body", "envelope"),
    [
        (
            Code(),
            "".join(f"{n:6}\tdef f{n}(a):\n{n + 1:6}\t    return a + {n}\n" for n in range(1, 40, 2)),
            "edited",
        ),
        (Search(), "".join(f"src/a.py:{n}:    aggregator = {n}\n" for n in range(1, 40)), "codex, cut"),
        (
            Diff(),
            "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-two\n+three\n",
            "mini-swe-agent",
        ),
    ],
)
def test_kinds_are_seen_through_it(kind: Kind, body: str, envelope: str) -> None:
    above, below = ENVELOPES[envelope]
    start, stop = within(above + body + below)
    found = kind.read((above + body + below)[start:stop])
    assert found is not None
    assert found.kind == kind.name


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_wrapped_lawfully(text: str) -> None:
    for above, below in (("", ""), ENVELOPES["codex"], ENVELOPES["mini-swe-agent"], ENVELOPES["swe-agent"]):
        whole = above + text + "\n" + below
        start, stop = within(whole)
        check(whole, wrapped(whole, start, stop, PlainText().read(whole[start:stop])))


@pytest.mark.parametrize(
    "text",
    [
        "bash-$\n" * 100_000,
        "Exit code 1\n" * 100_000,
        "<system-reminder>\n" * 60_000 + "x\n" + "</system-reminder>\n" * 60_000,
        "[Python Interpreter: " * 50_000,
        "</output>" * 100_000,
        "<returncode>0</returncode>\n<output>\n" + "</output> " * 100_000,
    ],
)
def test_endless_envelopes_are_left_alone_at_some_point(text: str) -> None:
    start, stop = within(text)
    assert 0 <= start < stop <= len(text)
    assert stop - start > len(text) // 2
    check(text, wrapped(text, start, stop, PlainText().read(text[start:stop])))


PIECES = [line for pair in ENVELOPES.values() for side in pair for line in side.splitlines() if line]


@given(over(*PIECES), st.sampled_from(["\n", "\r\n"]))
def test_any_mixture_of_its_lines_is_wrapped_lawfully(text: str, end: str) -> None:
    text = text.replace("\n", end)
    start, stop = within(text)
    assert (start, stop) == (0, len(text)) or text[start:stop].strip()
    check(text, wrapped(text, start, stop, PlainText().read(text[start:stop])))
