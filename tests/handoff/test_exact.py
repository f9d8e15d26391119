"""Identifiers of a note are copied exactly, or corrected, or their sentence goes."""

from __future__ import annotations

import pytest
from tests.cases.transcripts import Call, calls, results, user
from tests.handoff.scene import ground, judged

UUID = "123e4567-e89b-12d3-a456-426614174000"
SHA = "9fceb02d0ae598e95dc970b74767f19372d61af8"
URL = "https://wiki.example.com/p?id=77&v=2"
FOLDER = "/srv/My Old Files/report 2.pdf"
LINES = f"""\
request {UUID} failed
commit {SHA}
host 10.0.0.5:8080 answers
copy {FOLDER}
ticket OPS-4471 is open
see {URL}
ARN arn:aws:s3:::bucket-77/key
amount 1,249.50 EUR on 2024-03-17
端口8443已打开
write to C:\\Users\\ana\\notes.txt
"""
GROUND = ground(user("Look at it."), calls(Call("a", "show", {})), results(("a", LINES)))

STANDS = [
    f"Request {UUID} failed",
    f"The commit is {SHA}",
    "The host 10.0.0.5:8080 answers",
    f"It copies {FOLDER}",
    "OPS-4471 is open.",
    f"See {URL}.",
    "The amount is 1,249.50 EUR, on 2024-03-17",
    "端口8443已打开",
    "It writes to C:\\Users\\ana\\notes.txt",
    "It writes to `C:\\Users\\ana\\notes.txt`.",
    "arn:aws:s3:::bucket-77/key is the ARN",
]

CORRECTED = [
    (f"Request {UUID[:-1]}1 failed", f"Request {UUID} failed"),
    (f"Request {UUID.upper()} failed", f"Request {UUID} failed"),
    (f"The commit is {SHA[:7]}a{SHA[8:]}", f"The commit is {SHA}"),
    (f"The commit is {SHA[1:]}", f"The commit is {SHA}"),
    ("OPS-4417 is open", "OPS-4471 is open"),
    ("OPS4471 is open", "OPS-4471 is open"),
    (f"See {URL[:-1]}3", f"See {URL}"),
    ("It copies /srv/My Odd Files/report 2.pdf", f"It copies {FOLDER}"),
    ("It writes to C:\\Users\\anna\\notes.txt", "It writes to C:\\Users\\ana\\notes.txt"),
    ("amount 1249.50 EUR", "amount 1,249.50 EUR"),
]

STRUCK = [
    "The host 10.0.0.6:8080 answers",
    "The host 10.0.0.5:8081 answers",
    "The port is 8433",
    "OPS-4571, OPS-9999 are open",
    "The amount is 1,249.51 EUR",
    "It was on 2024-05-17 that it failed at 17:30",
    "The number is 42",
    "Die Zahl ist 42",
    "端口8444已打开",
    "It is in src/made/up.py",
    "Call made_up_name first",
]


@pytest.mark.parametrize("text", STANDS)
def test_what_the_source_has_stands(text: str) -> None:
    assert judged(text, GROUND) == text


@pytest.mark.parametrize(("text", "right"), CORRECTED)
def test_what_can_only_be_one_is_corrected(text: str, right: str) -> None:
    assert judged(text, GROUND) == right


@pytest.mark.parametrize("text", STRUCK)
def test_what_nobody_said_is_struck(text: str) -> None:
    assert judged(text, GROUND) == ""


def test_two_that_are_alike_leave_no_reading() -> None:
    near = ground(user("Look."), calls(Call("a", "show", {})), results(("a", "build-771a\nbuild-772a\n")))
    assert judged("build-773a broke", near) == ""


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("src/a.py:12 has the line", "src/a.py line 12 has the line"),
        ("lines 12-13 of src/a.py have it", "lines 12 - 13 of src/a.py have it"),
        ("limit_a=7 in src/a.py", "limit_a = 7 in src/a.py"),
    ],
)
def test_two_that_the_note_joins_to_one_are_parted(text: str, apart: str) -> None:
    """The source has not got the joined one, so it would be an identifier that nobody wrote."""
    shown = "\n".join(["12\tthe line has it: limit_a", "13\tlimit_a 7"])
    read = calls(Call("a", "read", {"path": "src/a.py", "offset": 12}))
    assert judged(text, ground(user("Look."), read, results(("a", shown)))) == apart
