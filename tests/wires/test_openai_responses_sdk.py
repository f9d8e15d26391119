"""Requests as the openai package sends them: read, compacted, and still of its types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from openai import OpenAI
from openai.types.responses import Response
from tests.wires.openai_types import satisfies
from tests.wires.responses_items import broken, output, reasoning

import trimtab
from trimtab.testing import lines, memory_store

TOOL: Any = {
    "type": "function",
    "name": "read",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    "strict": False,
}


class Provider(ThreadingHTTPServer):
    """Answers each call with the next of `answers`, and keeps the bodies it was sent."""

    def __init__(self, answers: list[list[dict[str, Any]]]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.bodies = answers, list[bytes]()

    def client(self) -> OpenAI:
        return OpenAI(base_url=f"http://127.0.0.1:{self.server_address[1]}/v1", api_key="x", max_retries=0)


class Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        self.server.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps(whole(self.server.answers[len(self.server.bodies) - 1])).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


def whole(items: list[dict[str, Any]]) -> dict[str, Any]:
    """A response of these items."""
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1.0,
        "model": "gpt-5",
        "output": items,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "status": "completed",
    }


def answer(number: int) -> list[dict[str, Any]]:
    """Reasoning and two parallel calls, as the provider gives them."""
    calls = [
        {
            "type": "function_call",
            "id": f"fc_{number}{letter}",
            "call_id": f"call_{number}{letter}",
            "name": "read",
            "arguments": json.dumps({"path": f"{number}{letter}.py", "text": lines(200)}),
            "status": "completed",
        }
        for letter in "ab"
    ]
    return [reasoning(number), *calls]


FINAL = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "phase": "final_answer",
    "content": [{"type": "output_text", "text": "done", "annotations": [], "logprobs": []}],
}
ROUNDS = 4


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider([*map(answer, range(ROUNDS)), [FINAL], [FINAL]]) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def picture(call_id: str) -> dict[str, Any]:
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{'iVBORw0K' * 400}", "detail": "auto"}
    return output(call_id, [{"type": "input_text", "text": lines(300, call_id)}, image])


def conversation(client: OpenAI, compactor: trimtab.Compactor | None = None) -> list[Any]:
    """An agent's loop over the package's own objects; the input of its last call."""
    history: list[Any] = [{"role": "user", "content": "Find the error."}]
    options: Any = {"model": "gpt-5", "tools": [TOOL], "instructions": "Be brief.", "store": False}
    for _ in range(ROUNDS + 1):
        sent = history if compactor is None else compactor.compact({**options, "input": history}).payload["input"]
        response = client.responses.create(**options, input=sent)
        history = [*history, *response.output]
        history += [
            picture(item.call_id) if item.call_id.endswith("b") else output(item.call_id, lines(600, item.call_id))
            for item in response.output
            if item.type == "function_call"
        ]
    return [*history, {"role": "user", "content": "Thanks. And now?"}]


def test_the_bodies_of_the_sdk_obey_the_rules_and_shrink(provider: Provider) -> None:
    with provider.client() as client:
        conversation(client)
    for body in provider.bodies:
        assert trimtab.validate(body) == []
    compactor = trimtab.Compactor(store=memory_store(), budget=4_500)
    for body in provider.bodies:
        result = compactor.compact(body)
        assert result.report.tokens_after <= 4_500
        assert trimtab.validate(result.payload) == []
        assert satisfies(json.loads(result.payload))
        assert compactor.undo(result.payload) == body
    assert result.changed
    assert b"input_image" not in result.payload[: len(result.payload) // 2]


def test_compacting_in_the_loop_sends_the_same_as_afterwards(provider: Provider) -> None:
    """The package's own response objects go in; what is not edited comes out as the very same object."""
    compactor = trimtab.Compactor(store=memory_store(), budget=4_500)
    with provider.client() as client:
        history = conversation(client, compactor)
    request = {"model": "gpt-5", "input": history, "tools": [TOOL], "instructions": "Be brief.", "store": False}
    result = compactor.compact(request)
    assert result.changed
    sent = result.payload["input"]
    kept = [before for before, after in zip(history, sent, strict=True) if before is after]
    assert any(getattr(item, "type", "") == "reasoning" for item in kept)
    assert all(item in kept for item in history if getattr(item, "type", "") in ("reasoning", "message"))
    plain = [item if isinstance(item, dict) else item.model_dump(mode="json", exclude_unset=True) for item in sent]
    assert satisfies({**request, "input": plain})
    assert broken(*plain) == []


@pytest.mark.parametrize("form", [dict, bytes])
@pytest.mark.parametrize(
    ("made", "answered"),
    [
        ({"type": "custom_tool_call", "call_id": "c", "name": "sh", "input": "ls"},
         {"type": "custom_tool_call_output", "call_id": "c", "output": lines(900)}),
        ({"type": "shell_call", "call_id": "c", "action": {"commands": [lines(500)]}},
         {"type": "shell_call_output", "call_id": "c", "output": [
             {"stdout": lines(900), "stderr": lines(400, "warn"), "outcome": {"type": "exit", "exit_code": 1}}]}),
        ({"type": "local_shell_call", "call_id": "c", "id": "lsh_1", "status": "completed",
          "action": {"type": "exec", "command": ["cat", "a"], "env": {}}},
         {"type": "local_shell_call_output", "id": "c", "output": lines(900)}),
        ({"type": "apply_patch_call", "call_id": "c", "status": "completed",
          "operation": {"type": "create_file", "path": "a.py", "diff": lines(900)}},
         {"type": "apply_patch_call_output", "call_id": "c", "status": "completed", "output": lines(400)}),
        ({"type": "computer_call", "call_id": "c", "id": "cu_1", "status": "completed",
          "action": {"type": "screenshot"}, "pending_safety_checks": []},
         {"type": "computer_call_output", "call_id": "c", "output": {
             "type": "computer_screenshot", "image_url": f"data:image/png;base64,{'iVBORw0K' * 4000}"}}),
    ],
)  # fmt: skip
def test_calls_of_every_kind_stay_of_their_type(
    form: type, made: dict[str, Any], answered: dict[str, Any]
) -> None:
    task = {"role": "user", "content": "go"}
    more = [part for n in range(3) for part in answer(n)[1:2]]
    results = [output(one["call_id"], lines(600)) for one in more]
    items = [task, made, answered, *(one for pair in zip(more, results, strict=True) for one in pair), task]
    request = {"model": "gpt-5", "input": items}
    assert satisfies(request)
    compactor = trimtab.Compactor(store=memory_store(), config={"protect_results": 1})
    given = json.dumps(request).encode() if form is bytes else request
    result = compactor.compact(given, force=True)
    sent = json.loads(result.payload) if form is bytes else result.payload
    assert result.changed
    assert satisfies(sent)
    assert trimtab.validate(result.payload) == []
    assert [one.get("call_id") for one in sent["input"]] == [one.get("call_id") for one in items]
    assert (sent["input"][1:3] == items[1:3]) == (made["type"] == "computer_call")


def test_the_types_do_tell() -> None:
    assert not satisfies({"model": "gpt-5", "input": [output("c", [{"type": "text", "text": "a"}])]})
    assert Response.model_validate(whole(answer(1))).output[0].type == "reasoning"
