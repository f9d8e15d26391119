from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.cli.running import process

from trimtab.composition import composition


def test_json_is_the_composition(cli: Cli, request_file: Path) -> None:
    done = cli("inspect", str(request_file), "--json")
    assert done.json == json.loads(json.dumps(composition(request_file.read_bytes()).to_dict()))


def test_the_drawing_names_kinds_tools_and_the_largest(cli: Cli, request_file: Path) -> None:
    shown = cli("inspect", str(request_file)).out.decode()
    for words in ("results", "arguments", "read", "part_7.py", "messages[16].content", "8", "█"):
        assert words in shown


def test_repeats_are_shown(cli: Cli, request_file: Path) -> None:
    body = json.loads(request_file.read_text())
    body["messages"][4]["content"] = body["messages"][2]["content"]
    if not isinstance(body["messages"][2]["content"], str):
        body["messages"][4]["content"] = [
            {**body["messages"][2]["content"][0], "tool_use_id": "call_1"},
        ]
    shown = cli("inspect", "-", stdin=json.dumps(body).encode()).out.decode()
    assert "tokens are repeats" in shown
    assert "tokens are repeats" not in cli("inspect", str(request_file)).out.decode()


def test_the_model_decides_the_tokenizer(cli: Cli, request_file: Path) -> None:
    found = [cli("inspect", str(request_file), "--json", "--model", name).json for name in ("gpt-4", "gpt-4o")]
    assert [one["counter"] for one in found] == ["cl100k_base", "o200k_base"]


@pytest.mark.parametrize("name", ["\x1b]0;title\x07tool", "[red]tool[/red]", "a\nb", "\ud800", "\u202etool"])
def test_a_hostile_name_is_shown_not_obeyed(cli: Cli, name: str) -> None:
    call = {"id": "1", "type": "function", "function": {"name": name, "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "done"},
    ]
    done = cli("inspect", "-", stdin=json.dumps(messages).encode())
    shown = done.out.decode()
    assert done.code == 0
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    if "[red]" in name:
        assert "[red]tool[/red]" in shown


def test_a_process_without_a_terminal_draws_without_colour(request_file: Path) -> None:
    done = process("inspect", str(request_file))
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""
