"""Which statements a later one replaces, and which stand beside each other."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from trimtab.supersession import superseded
from trimtab.values import values

TALK = [
    "The parser now reads comments.",
    "I looked at the logs.",
    "Refactor the loader a bit.",
    "Acknowledged.",
    "The cache layer seems fine.",
    "Could you summarise the document?",
    "We talked about naming.",
    "The docs build locally.",
    "Tests pass on my machine.",
]

REPLACED = [
    ("The retry limit is 3.", "The retry limit is 5."),
    ("Deploy to eu-west-1.", "Change of plan: deploy to us-east-2 instead."),
    ("Our contact at the bank is Maria Lopez.", "The contact at the bank is now John Smith."),
    ("Keep responses under 200 words.", "From now on keep responses under 80 words."),
    ("The API key lives in config/prod.yaml.", "The API key moved to secrets/api.yaml."),
    ("Use port 8080 for the preview server.", "Use port 9090 for the preview server."),
    ("The meeting is on 2026-03-04.", "The meeting has been moved to 2026-03-11."),
    ("Indent with tabs in this repository.", "Indent with spaces in this repository."),
    ("Invoices are due after 30 days.", "Correction: invoices are due after 14 days."),
    ("We pin numpy to 1.26.4.", "We no longer pin numpy to 1.26.4; numpy is at 2.1.0 now."),
    ("The deadline for the grant is May 3.", "Grant deadline: May 9."),
    ("Das Budget beträgt 500 Euro.", "Das Budget beträgt 700 Euro."),
    ("Die Besprechung ist am 3. Mai.", "Die Besprechung wurde auf den 9. Mai verschoben."),
    ("Le plafond du projet est de 500 euros.", "Désormais le plafond du projet est de 300 euros."),
    ("El plazo del informe es el 3 de mayo.", "El plazo del informe ha cambiado al 9 de mayo."),
    ("Ship it from branch release/4.2.", "We switched: ship it from branch release/4.3."),
    ("Show temperatures in Celsius.", "Please show temperatures in Fahrenheit."),
    ("Call the service billing-core-17.", "The service was renamed to ledger-core-21."),
    ("Alerts go to alerts@example.com.", "Alerts now go to pager@example.com."),
    ("The code is ABC-12 and the review is on 2026-01-02.", "The code is ABC-12 and the review is on 2026-01-09."),
]

DISTINCT = [
    ("The production database runs Postgres 15.", "The staging database runs Postgres 14."),
    ("The production database runs Postgres 15.", "The staging database now runs Postgres 14."),
    ("Fixed issue #12.", "Fixed issue #13."),
    ("Step 1 is done.", "Step 2 is done."),
    ("Test 3 failed with exit code 1.", "Test 4 failed with exit code 1."),
    ("The reviewer for the frontend is Ana Silva.", "The reviewer for the backend is Tom Baker."),
    ("The marketing budget is $500.", "The travel budget is $250."),
    ("Never push to main.", "Never delete a branch."),
    ("The kickoff is on 2026-03-04.", "The retrospective is on 2026-03-11."),
    ("Keep the summary under 100 words.", "Keep the title under 10 words."),
    ("Use metric units.", "Now run the unit tests."),
    ("Store logs in var/log/app.", "I have now read src/app/main.py."),
    ("The timeout for uploads is 30 seconds.", "The timeout for downloads is 60 seconds."),
    ("The minimum order is $20.", "The maximum order is $900."),
    ("Version 2.1.0 is broken.", "Version 2.1.1 is broken."),
    ("Read src/a.py.", "Now read src/b.py."),
    ("Merged PR 12 into main.", "Merged PR 13 into main."),
    ("Deploy at 10:00 on Monday.", "Deploy at 12:00 on Friday."),
    ("The primary key is user_id.", "The secondary key is org_id."),
    ("The server web-1 listens at 10.0.0.1.", "The server web-2 listens at 10.0.0.2."),
    ("Each new page begins with: # top-alpha-17", "Each new page begins with: # top-beta-18"),
]


def among(earlier: str, later: str) -> dict[int, int]:
    """What is replaced in a talk in which these two are the sixth and the last sentence."""
    return superseded([*TALK[:5], earlier, *TALK[5:], later])


@pytest.mark.parametrize(("earlier", "later"), REPLACED)
def test_an_updated_statement_replaces_the_earlier_one(earlier: str, later: str) -> None:
    assert among(earlier, later) == {5: len(TALK) + 1}


@pytest.mark.parametrize(("earlier", "later"), DISTINCT)
def test_statements_about_different_things_stand_beside_each_other(earlier: str, later: str) -> None:
    assert among(earlier, later) == {}


def test_what_is_said_again_after_its_update_holds_again() -> None:
    old, new = REPLACED[0]
    assert superseded([old, new]) == {0: 1}
    assert superseded([old, new, old]).keys() == {1}


def test_of_three_the_last_holds() -> None:
    said = [f"The retry limit is {n}." for n in (3, 5, 7)]
    assert superseded(said).keys() == {0, 1}


def test_a_label_in_capitals_is_no_part_of_what_is_said() -> None:
    assert among("RULE: The retry limit is 3.", "The retry limit is 5.") == {5: len(TALK) + 1}


@given(
    st.lists(st.text(max_size=200) | st.sampled_from([text for pair in REPLACED for text in pair]), max_size=30)
)
def test_only_an_earlier_statement_is_replaced_and_only_by_a_different_one(said: list[str]) -> None:
    for earlier, later in superseded(said).items():
        assert earlier < later
        assert said[earlier] != said[later]


def test_values_are_found_by_kind_and_leave_the_words() -> None:
    found = values("Pay $5 by 2026-01-02 to src/a.py, see https://a.example/x or call Ana Silva.")
    assert {kind: set(texts) for kind, texts in found.found.items()} == {
        "money": {"$5"},
        "date": {"2026-01-02"},
        "path": {"src/a.py"},
        "url": {"https://a.example/x"},
        "name": {"ana silva"},
    }
    assert found.words.split() == ["Pay", "by", "to", ",", "see", "or", "call", "."]
