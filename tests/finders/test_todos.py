from __future__ import annotations

import json

from tests.finders.talking import calls, found, gives, says, user

from trimtab.facts import Fact
from trimtab.finders.todos import MOST


def shown(facts: list[Fact], *texts: str) -> list[bool]:
    return [any(fact.pattern.search(text) for fact in facts) for text in texts]


def test_what_the_latest_list_of_a_tool_leaves_open() -> None:
    items = [("read", "completed"), ("mend", "in_progress"), ("test it", "pending")]
    old = json.dumps({"todos": [{"content": "old one", "status": "pending"}]})
    new = json.dumps({"todos": [{"content": text, "status": status} for text, status in items]})
    facts = found("todos", calls("TodoWrite", old), gives("ok"), calls("TodoWrite", new))
    assert shown(facts, "old one", "read", "mend", "test it") == [False, False, True, True]


def test_a_plan_and_hyphens_in_a_status() -> None:
    plan = json.dumps({"plan": [{"step": "ship", "status": "pending"}, {"step": "rest", "status": "done"}]})
    managed = json.dumps({"todoList": [{"id": 1, "title": "write", "status": "not-started"}]})
    facts = found("todos", calls("update_plan", plan), calls("manage_todo_list", managed))
    assert shown(facts, "ship", "rest", "write") == [True, False, True]


def test_a_to_do_is_recognised_in_the_arguments_that_name_it() -> None:
    arguments = json.dumps({"todos": [{"content": 'say "hi"\tagain', "status": "pending"}]})
    (fact,) = found("todos", calls("TodoWrite", arguments))
    assert fact.pattern.search(arguments)
    assert fact.pattern.search('then say "hi"\tagain')


def test_boxes_that_were_not_ticked_later() -> None:
    facts = found("todos", gives("# Plan\n- [ ] alpha\n* [x] beta\n- [ ] gamma\n"), says("- [x] alpha"))
    assert [str(fact.pattern.pattern) for fact in facts if fact.pattern.search("[ ] gamma")]
    assert shown(facts, "[ ] alpha", "[ ] beta", "[ ] gamma") == [False, False, True]


def test_what_the_user_calls_a_to_do() -> None:
    facts = found("todos", user("Look.\nTODO: bump the version"), gives("# TODO: of the code"))
    assert shown(facts, "TODO: bump the version", "TODO: of the code") == [True, False]


def test_another_tool_with_a_status_keeps_no_list() -> None:
    assert not found("todos", calls("send_orders", '{"orders": [{"name": "x", "status": "pending"}]}'))


def test_thousands_of_to_dos_and_arguments_that_are_no_json() -> None:
    many = "".join(f"- [ ] item {n}\n" for n in range(20_000))
    broken = calls("todo", '{"todos": ' + "[" * 100_000)
    facts = found("todos", gives(many), user("TODO: first of all"), broken, calls("todo", '{"todos": [1, null]}'))
    assert len(facts) == MOST
    assert shown(facts, "TODO: first of all", "[ ] item 19999", "[ ] item 3\n") == [True, True, False]
