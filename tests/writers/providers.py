"""The writers with the real clients they are made for, and what each provider answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anthropic
from google import genai
from tests.writers.serving import Answer

from trimtab.edits import Ask
from trimtab.writer import Writer, answer
from trimtab.writers import AnthropicMessages, GoogleGenerate, OpenAIChat

KEY = "sk-T0pSecretKeyOfATest1234567890"
USAGE = (7, 5)
"""Tokens in and out that every answer reports."""


class OpenAI:
    @contextmanager
    def writer(self, url: str) -> Iterator[Writer]:
        yield OpenAIChat(f"{url}/v1", "some-model", KEY)

    def says(self, text: str = "", *, thought: str = "", call: bool = False, cut: bool = False) -> Answer:
        message: dict[str, Any] = {"role": "assistant", "content": text or None}
        if thought:
            message["reasoning_content"] = thought
        if call:
            made = {"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}
            message["tool_calls"] = [made]
        usage = {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1]}
        choice = {"index": 0, "message": message, "finish_reason": "length" if cut else "stop"}
        return Answer({"object": "chat.completion", "model": "m-1", "choices": [choice], "usage": usage})

    def declines(self) -> Answer:
        message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
        return Answer({"model": "m-1", "choices": [{"message": message, "finish_reason": "stop"}]})

    def fails(self, status: int, word: str) -> Answer:
        return Answer({"error": {"message": f"Incorrect key {KEY}", "type": word, "param": None}}, status)

    def prompt(self, body: Any) -> Any:
        return [one["content"] for one in body["messages"]]

    def most(self, body: Any) -> Any:
        return body["max_tokens"]

    def schema(self, body: Any) -> Any:
        return body["response_format"]["json_schema"]["schema"] if "response_format" in body else None


class Claude:
    @contextmanager
    def writer(self, url: str) -> Iterator[Writer]:
        with anthropic.Anthropic(base_url=url, api_key=KEY, max_retries=0) as client:
            yield AnthropicMessages(client, "some-model")

    def says(self, text: str = "", *, thought: str = "", call: bool = False, cut: bool = False) -> Answer:
        content: list[dict[str, Any]] = []
        if thought:
            content.append({"type": "thinking", "thinking": thought, "signature": "c2ln"})
        if text:
            content.append({"type": "text", "text": text})
        if call:
            content.append({"type": "tool_use", "id": "toolu_1", "name": "read", "input": {}})
        usage = {"input_tokens": 2, "cache_read_input_tokens": 5, "output_tokens": USAGE[1]}
        head = {"id": "m", "type": "message", "role": "assistant", "model": "m-1", "stop_sequence": None}
        why = "max_tokens" if cut else "tool_use" if call else "end_turn"
        return Answer({**head, "content": content, "stop_reason": why, "usage": usage})

    def declines(self) -> Answer:
        said = self.says()
        return Answer({**said.body, "stop_reason": "refusal"})

    def fails(self, status: int, word: str) -> Answer:
        return Answer({"type": "error", "error": {"type": word, "message": f"Incorrect key {KEY}"}}, status)

    def prompt(self, body: Any) -> Any:
        return [body["system"], body["messages"][0]["content"]]

    def most(self, body: Any) -> Any:
        return body["max_tokens"]

    def schema(self, body: Any) -> Any:
        return body["output_config"]["format"]["schema"] if "output_config" in body else None


class ClaudeLater(Claude):
    @contextmanager
    def writer(self, url: str) -> Iterator[Writer]:
        client = anthropic.AsyncAnthropic(base_url=url, api_key=KEY, max_retries=0)

        async def close(ask: Ask) -> str:
            await client.close()
            return "closed"

        yield AnthropicMessages(client, "some-model")
        assert answer(close, Ask(""))[1] == ""  # where its connections are: in the loop of the writers


class Gemini:
    @contextmanager
    def writer(self, url: str) -> Iterator[Writer]:
        with genai.Client(api_key=KEY, http_options={"base_url": url}) as client:
            yield GoogleGenerate(client, "some-model")

    def says(self, text: str = "", *, thought: str = "", call: bool = False, cut: bool = False) -> Answer:
        parts: list[dict[str, Any]] = []
        if thought:
            parts.append({"text": thought, "thought": True})
        if text:
            parts.append({"text": text})
        if call:
            parts.append({"functionCall": {"name": "read", "args": {}}})
        first = {"content": {"role": "model", "parts": parts}, "finishReason": "MAX_TOKENS" if cut else "STOP"}
        usage = {"promptTokenCount": USAGE[0], "candidatesTokenCount": 3, "thoughtsTokenCount": 2}
        return Answer({"candidates": [first], "usageMetadata": usage, "modelVersion": "m-1"})

    def declines(self) -> Answer:
        return Answer({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})

    def fails(self, status: int, word: str) -> Answer:
        return Answer({"error": {"code": status, "status": word, "message": f"Incorrect key {KEY}"}}, status)

    def prompt(self, body: Any) -> Any:
        return [one["parts"][0]["text"] for one in (body["systemInstruction"], body["contents"][0])]

    def most(self, body: Any) -> Any:
        return body["generationConfig"]["maxOutputTokens"]

    def schema(self, body: Any) -> Any:
        return body["generationConfig"].get("responseJsonSchema")


class GeminiLater(Gemini):
    @contextmanager
    def writer(self, url: str) -> Iterator[Writer]:
        client = genai.Client(api_key=KEY, http_options={"base_url": url})

        async def close(ask: Ask) -> str:
            await client.aio.aclose()
            return "closed"

        yield GoogleGenerate(client.aio, "some-model")
        assert answer(close, Ask(""))[1] == ""
        client.close()


PROVIDERS: list[Any] = [OpenAI(), Claude(), ClaudeLater(), Gemini(), GeminiLater()]
