"""Tool-heavy sessions played with each provider's SDK over streams; what goes out is the SDK's own doing.

Each function plays `ROUNDS` rounds of two parallel calls and returns the bodies that were sent, the last of
them with the whole session.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anthropic
import openai
from google import genai
from google.genai import types
from tests.cases.transcripts import log
from tests.wires.loopback import provider, stream
from tests.wires.responses_items import PNG, URI

ROUNDS = 4
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def arguments(number: int, letter: str) -> dict[str, Any]:
    return {"path": f"src/{number}{letter}.py", "text": log(60, f"new {number}{letter}")}


def halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


def chat() -> list[bytes]:
    tool: Any = {"type": "function", "function": {"name": "edit", "parameters": SCHEMA}}
    messages: list[Any] = [
        {"role": "developer", "content": "Be brief."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "go"}, {"type": "image_url", "image_url": {"url": URI}}],
        },
    ]
    with provider([stream(_chat_events(number)) for number in range(ROUNDS + 1)]) as server:
        client = openai.OpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0)
        for _ in range(ROUNDS + 1):
            with client.chat.completions.stream(
                model="gpt-5",
                messages=messages,
                tools=[tool],
                parallel_tool_calls=True,
                stream_options={"include_usage": True},
            ) as answer:
                said = answer.get_final_completion().choices[0].message
            messages.append(said)
            for call in said.tool_calls or ():
                text = log(150, call.id)
                content: Any = [{"type": "text", "text": text}] if call.id.endswith("b") else text
                messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
        client.close()
        return server.bodies


def _chat_events(number: int) -> Iterator[tuple[str, Any]]:
    def chunk(delta: Any, reason: str | None = None) -> tuple[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5"}
        return "", {**head, "choices": [choice]}

    yield chunk({"role": "assistant", "content": "I "})
    yield chunk({"content": "look."})
    for n, letter in enumerate("ab"):
        given = halves(json.dumps(arguments(number, letter)))
        made = {"index": n, "id": f"call_{number}{letter}", "type": "function"}
        yield chunk({"tool_calls": [{**made, "function": {"name": "edit", "arguments": given[0]}}]})
        yield chunk({"tool_calls": [{"index": n, "function": {"arguments": given[1]}}]})
    yield chunk({}, "tool_calls")
    yield "", "[DONE]"


def claude() -> list[bytes]:
    image: Any = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    messages: list[Any] = [{"role": "user", "content": "go"}]
    with provider([stream(_claude_events(number)) for number in range(ROUNDS + 1)]) as server:
        client = anthropic.Anthropic(base_url=server.url, api_key="none", max_retries=0)
        for _ in range(ROUNDS + 1):
            with client.messages.stream(
                model="claude-opus-4-8",
                max_tokens=2_000,
                system=[{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
                thinking={"type": "adaptive"},
                tools=[{"name": "edit", "input_schema": SCHEMA}],
                messages=messages,
            ) as answer:
                said = answer.get_final_message().content
            messages.append({"role": "assistant", "content": said})
            results: list[Any] = []
            for block in said:
                if block.type == "tool_use":
                    content = [{"type": "text", "text": log(150, block.id)}, image]
                    results.append({"type": "tool_result", "tool_use_id": block.id, "content": content})
            messages.append({"role": "user", "content": results})
        client.close()
        return server.bodies


def _claude_events(number: int) -> Iterator[tuple[str, Any]]:
    def event(kind: str, **fields: Any) -> tuple[str, Any]:
        return kind, {"type": kind, **fields}

    def block(n: int, start: Any, *deltas: Any) -> Iterator[tuple[str, Any]]:
        yield event("content_block_start", index=n, content_block=start)
        yield from (event("content_block_delta", index=n, delta=delta) for delta in deltas)
        yield event("content_block_stop", index=n)

    usage = {"input_tokens": 9, "output_tokens": 9}
    head: dict[str, Any] = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [],
        "stop_reason": None,
    }
    yield event("message_start", message={**head, "stop_sequence": None, "usage": usage})
    thought = {"type": "thinking_delta", "thinking": f"idea {number}"}
    signed = {"type": "signature_delta", "signature": f"c2ln{number}"}
    yield from block(0, {"type": "thinking", "thinking": "", "signature": ""}, thought, signed)
    yield from block(1, {"type": "text", "text": ""}, {"type": "text_delta", "text": "I look."})
    for n, letter in enumerate("ab", 2):
        start = {"type": "tool_use", "id": f"toolu_{number}{letter}", "name": "edit", "input": {}}
        given = halves(json.dumps(arguments(number, letter)))
        yield from block(n, start, *({"type": "input_json_delta", "partial_json": one} for one in given))
    yield event("message_delta", delta={"stop_reason": "tool_use", "stop_sequence": None}, usage=usage)
    yield event("message_stop")


def responses() -> list[bytes]:
    tool: Any = {"type": "function", "name": "edit", "parameters": SCHEMA, "strict": False}
    items: list[Any] = [{"role": "user", "content": [{"type": "input_text", "text": "go"}]}]
    with provider([stream(_response_events(number)) for number in range(ROUNDS + 1)]) as server:
        client = openai.OpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0)
        for _ in range(ROUNDS + 1):
            with client.responses.create(
                model="gpt-5",
                instructions="Be brief.",
                input=items,
                tools=[tool],
                store=False,
                include=["reasoning.encrypted_content"],
                stream=True,
            ) as events:
                done = [event.item for event in events if event.type == "response.output_item.done"]
            items += done
            for item in done:
                if item.type == "function_call":
                    output = [{"type": "input_text", "text": log(150, item.call_id)}]
                    items.append({"type": "function_call_output", "call_id": item.call_id, "output": output})
        client.close()
        return server.bodies


def _response_events(number: int) -> Iterator[tuple[str, Any]]:
    sealed = {"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": f"gAAAA{number}=="}
    made: list[dict[str, Any]] = [sealed]
    for letter in "ab":
        call = {"type": "function_call", "id": f"fc_{number}{letter}", "call_id": f"call_{number}{letter}"}
        given = json.dumps(arguments(number, letter))
        made.append({**call, "name": "edit", "arguments": given, "status": "completed"})
    for n, item in enumerate(made):
        kind = "response.output_item.done"
        yield kind, {"type": kind, "output_index": n, "sequence_number": n, "item": item}


def gemini() -> list[bytes]:
    picture = types.FunctionResponsePart.from_bytes(data=bytes(99), mime_type="image/png")
    tool = types.Tool(function_declarations=[types.FunctionDeclaration(name="edit")])
    config = types.GenerateContentConfig(system_instruction="Be brief.", tools=[tool], max_output_tokens=500)
    contents: list[Any] = [types.Content(role="user", parts=[types.Part(text="go")])]
    with provider([stream(_gemini_events(number)) for number in range(ROUNDS + 1)]) as server:
        with genai.Client(api_key="none", http_options=types.HttpOptions(base_url=server.url)) as client:
            for _ in range(ROUNDS + 1):
                chunks: Any = client.models.generate_content_stream(
                    model="gemini-3-pro", contents=contents, config=config
                )
                parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts]
                contents.append(types.Content(role="model", parts=parts))
                results = []
                for part in parts:
                    if (call := part.function_call) is not None:
                        answer: Any = types.Part.from_function_response(
                            name=call.name, response={"output": log(150, call.id)}, parts=[picture]
                        )
                        answer.function_response.id = call.id
                        results.append(answer)
                contents.append(types.Content(role="user", parts=results))
        return server.bodies


def _gemini_events(number: int) -> Iterator[tuple[str, Any]]:
    def chunk(*parts: Any) -> tuple[str, Any]:
        return "", {"candidates": [{"content": {"role": "model", "parts": list(parts)}}]}

    yield chunk({"text": f"idea {number}", "thought": True})
    yield chunk({"text": "I look."})
    for letter, signature in (("a", {"thoughtSignature": "c2ln"}), ("b", {})):
        call = {"id": f"call_{number}{letter}", "name": "edit", "args": arguments(number, letter)}
        yield chunk({"functionCall": call, **signature})
