"""What a note names together stands together in the source."""

from __future__ import annotations

import pytest
from tests.cases.transcripts import Call, calls, results, says, user
from tests.handoff.scene import ground, judged

TAX = "40\tdef tax(order):\n41\t    rate = 0.21\n42\t    return order.total * rate\n43\tMAX_RETRIES = 3\n"
INVOICE = "def invoice(order):\n    MIN_TOTAL = 45\n    raise ValueError(order)\n"
ORDERS = '[{"id":"A-17","amount":129.50},{"id":"B-23","amount":48.00}]'
PRETTY = '[\n  {\n    "id": "C-31",\n    "amount": 7.25\n  },\n  {\n    "id": "D-44",\n    "amount": 9.75\n  }\n]'
GROUND = ground(
    user("Find the bug."),
    calls(Call("a", "read", {"path": "src/tax.py", "offset": 40})),
    results(("a", TAX)),
    calls(Call("b", "read", {"path": "src/invoice.py"})),
    results(("b", INVOICE)),
    calls(Call("o", "list_orders", {})),
    results(("o", ORDERS)),
    calls(Call("p", "list_orders", {"page": 2})),
    results(("p", PRETTY)),
    calls(Call("w", "write", {"path": "src/fee.py", "content": "FEE_CENTS = 250\nFEE_NAME = 'x-7'\n"})),
    results(("w", "ok")),
    says("E-51 costs 10.50 and F-62 costs 11.75."),
)

COUNTS = "1 failed, 12 passed in 3 files"

STANDS = [
    "src/tax.py line 41 sets rate = 0.21",
    "rate is 0.21 in src/tax.py",
    "MAX_RETRIES = 3 (src/tax.py, line 43)",
    "src/invoice.py raises ValueError",
    "src/invoice.py line 2 sets MIN_TOTAL = 45",
    "MAX_RETRIES = 3, MIN_TOTAL = 45",
    "MIN_TOTAL = 45 and MAX_RETRIES = 3",
    "Order A-17 has amount 129.50.",
    "B-23: 48.00, A-17: 129.50",
    "C-31 costs 7.25",
    "src/fee.py has FEE_CENTS = 250",
    "F-62 costs 11.75",
    "MAX_RETRIES is in src/tax.py. MIN_TOTAL is in src/invoice.py.",
    "Die Zeile 41 von src/tax.py setzt rate = 0.21",
]

CORRECTED = [
    ("src/tax.py line 42 sets rate = 0.21", "src/tax.py line 41 sets rate = 0.21"),
    ("MAX_RETRIES is 45", "MAX_RETRIES is 3"),
    ("MIN_TOTAL = 3", "MIN_TOTAL = 45"),
]

STRUCK = [
    "src/invoice.py line 41 sets rate",
    "src/tax.py line 2 sets MIN_TOTAL",
    "src/tax.py raises ValueError",
    "MAX_RETRIES is in src/invoice.py",
    "Order A-17 has amount 48.00",
    "A-17: 48.00, B-23: 129.50",
    "A-17 and B-23 cost 129.50 and 48.00",
    "C-31 costs 9.75",
    "E-51 costs 11.75",
    "F-62 costs 10.50",
    "src/fee.py has MAX_RETRIES",
    "src/invoice.py sets FEE_CENTS to 250",
]


@pytest.mark.parametrize("text", STANDS)
def test_what_stands_together_in_the_source_stands(text: str) -> None:
    assert judged(text, GROUND) == text


@pytest.mark.parametrize(("text", "right"), CORRECTED)
def test_one_reading_is_taken(text: str, right: str) -> None:
    assert judged(text, GROUND) == right


@pytest.mark.parametrize("text", STRUCK)
def test_what_the_source_has_apart_is_struck(text: str) -> None:
    assert judged(text, GROUND) == ""


def test_a_sentence_may_not_borrow_from_the_one_before_it() -> None:
    assert judged("The limit is MAX_RETRIES. It is 45.", GROUND) == "The limit is MAX_RETRIES."
    assert judged("Look at src/invoice.py. Its line 41 sets rate.", GROUND) == "Look at src/invoice.py."


ITEMS = '{"order": "#W2", "items": [{"name": "Keyboard", "item_id": "1151", "price": 272.33},'
ITEMS += ' {"name": "Thermostat", "item_id": "4983", "price": 262.47}], "total": 534.80}'


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("The keyboard costs 272.33", True),
        ("The keyboard costs 262.47", False),
        ("The thermostat has item id 4983", True),
        ("Keyboard item id: 4983", False),
        ("The total is 534.80", True),
        ("12 passed, 1 failed", True),
        ("12 failed, 1 passed", False),
        ("1 test failed in 3 files", True),
    ],
)
def test_a_number_goes_with_the_words_of_its_record(text: str, stands: bool) -> None:
    on = ground(user("Look."), calls(Call("a", "get", {})), results(("a", ITEMS)), says(COUNTS))
    assert bool(judged(text, on)) is stands


def test_the_number_of_a_line_is_none_of_a_count() -> None:
    """`12` stands beside the path, but not as the number of a line."""
    on = ground(user("Look."), calls(Call("a", "grep", {})), results(("a", "src/a.py has 12 tests\n")))
    assert judged("src/a.py has 12 tests", on) == "src/a.py has 12 tests"
    assert judged("src/a.py line 12 has the tests", on) == ""
