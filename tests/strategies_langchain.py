"""Valid conversations of LangChain messages, odd ones foremost, made as those of `strategies`.

AI messages hold their calls in all the ways in which integrations of providers do.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.messages.tool import tool_call_chunk
from tests.strategies import PNG, SEEDS, Dice, Object

Calls: TypeAlias = Sequence[tuple[str, str, Object]]


def image(dice: Dice) -> Object:
    forms: tuple[Object, ...] = (
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "high"}},
        {"type": "image_url", "image_url": f"data:image/png;base64,{PNG}"},
        {"type": "image", "base64": PNG, "mime_type": "image/png", "id": "lc_1"},
        {"type": "image", "source_type": "base64", "data": PNG, "mime_type": "image/png"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
        {"type": "image", "url": "https://example.org/a.png"},
    )
    return dice.choice(forms)


def content(dice: Dice) -> Any:
    """What a tool returned: a text, or a list of texts and images, or of nothing."""
    if dice.one_in(2):
        return dice.output()
    items = (
        lambda: {"type": "text", "text": dice.output()},
        dice.output,
        lambda: image(dice),
        lambda: {"type": "x_new", "data": {"deep": ["é"]}},
        lambda: {"type": "text-plain", "text": dice.long(), "mime_type": "text/plain"},
    )
    return [dice.choice(items)() for _ in range(dice.randrange(4))]


def about(dice: Dice) -> Object:
    """What a checkpoint keeps with a message and no model is sent."""
    named = {"id": f"run-{dice.randrange(99)}"} if dice.one_in(2) else {}
    return {**named, "response_metadata": dice.extras()}


def written(dice: Dice, value: Object) -> str:
    return json.dumps(value, ensure_ascii=dice.one_in(2), indent=dice.choice((None, 2)))


def parsed(made: Calls) -> list[Any]:
    return [{"id": one, "name": name, "args": args, "type": "tool_call"} for one, name, args in made]


def of_openai(dice: Dice, made: Calls) -> BaseMessage:
    raw = [
        {"id": one, "type": "function", "function": {"name": name, "arguments": written(dice, args)}}
        for one, name, args in made
    ]
    beside: Object = {"tool_calls": raw, "refusal": None}
    if dice.one_in(3):
        beside["reasoning_content"] = dice.long()
    return AIMessage(
        dice.choice(("", dice.said())), tool_calls=parsed(made), additional_kwargs=beside, **about(dice)
    )


def of_anthropic(dice: Dice, made: Calls) -> BaseMessage:
    said: list[Any] = [{"type": "thinking", "thinking": dice.said(), "signature": "c2ln", "index": 0}]
    said += [{"type": "text", "text": dice.said()}] if dice.one_in(2) else []
    streamed = dice.one_in(3)
    for one, name, args in made:
        rest: Object = {"input": {}, "partial_json": written(dice, args)} if streamed else {"input": args}
        said.append({"type": "tool_use", "id": one, "name": name, **rest})
    return AIMessage(said, tool_calls=parsed(made), **about(dice))


def of_v1(dice: Dice, made: Calls) -> BaseMessage:
    said: list[Any] = [{"type": "reasoning", "reasoning": "Hm.", "extras": {"signature": "c2ln"}}]
    said += [{"type": "text", "text": dice.said()}, *parsed(made)]
    return AIMessage(said, tool_calls=parsed(made), response_metadata={"output_version": "v1"})


def of_responses(dice: Dice, made: Calls) -> BaseMessage:
    said: list[Any] = [{"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ZW5j"}]
    for one, name, args in made:
        call = {"type": "function_call", "id": "fc_1", "call_id": one, "name": name}
        said.append({**call, "arguments": written(dice, args)})
    said.append({"type": "web_search_call", "id": "ws_1", "status": "completed"})
    return AIMessage(said, tool_calls=parsed(made), **about(dice))


def of_gemini(dice: Dice, made: Calls) -> BaseMessage:
    _, name, args = made[-1]
    beside = {"function_call": {"name": name, "arguments": written(dice, args)}}
    return AIMessage(dice.said(), tool_calls=parsed(made), additional_kwargs=beside, **about(dice))


def streamed(dice: Dice, made: Calls) -> BaseMessage:
    """A message as it is when its last chunk has come."""
    pieces = [
        tool_call_chunk(id=one, name=name, args=json.dumps(args), index=n)
        for n, (one, name, args) in enumerate(made)
    ]
    return AIMessageChunk(content=dice.said(), tool_call_chunks=pieces, chunk_position="last", **about(dice))


INTEGRATIONS = (of_openai, of_anthropic, of_v1, of_responses, of_gemini, streamed)


def artifact(dice: Dice) -> Any:
    return dice.choice((None, None, {"rows": [1, {"é": "x" * 99}]}, ("a", "tuple"), object()))


def exchange(seed: int) -> list[BaseMessage]:
    """One answer with parallel calls, and their results in any order; or a call as it was before tools."""
    dice = Dice(seed)
    if dice.one_in(8):
        asked = {"function_call": {"name": "read", "arguments": written(dice, dice.arguments())}}
        return [AIMessage("", additional_kwargs=asked), FunctionMessage(name="read", content=dice.output())]
    made = dice.calls()
    results = [
        ToolMessage(
            content(dice),
            tool_call_id=one,
            name=name,
            artifact=artifact(dice),
            status=dice.choice(("success", "success", "error")),
            **about(dice),
        )
        for one, name, _ in dice.sample(made, len(made))
    ]
    return [dice.choice(INTEGRATIONS)(dice, made), *results]


def turn(seed: int, first: bool) -> list[BaseMessage]:
    dice = Dice(seed)
    before: list[BaseMessage] = [AIMessage(dice.said(), usage_metadata=None, **about(dice))]
    if first:
        before = [SystemMessage(dice.said()) for _ in range(dice.randrange(3))]
    if dice.one_in(8):
        return [*before, ChatMessage(role="user", content=dice.said())]
    said: Any = dice.said()
    if dice.one_in(3):
        said = [dice.said(), {"type": "text", "text": dice.said()}, image(dice)]
    return [*before, HumanMessage(said, additional_kwargs=dice.extras(), **about(dice))]


def build(turns: list[tuple[int, list[int]]]) -> Object:
    """The request that these seeds stand for: for each turn its own, and those of its exchanges."""
    messages: list[BaseMessage] = []
    for seed, exchanges in turns:
        messages += turn(seed, not messages)
        for one in exchanges:
            messages += exchange(one)
    return {"model": "gpt-4o", "messages": messages}


def langchain_requests(most: int = 5) -> st.SearchStrategy[Object]:
    """Valid requests: up to three turns, each of up to `most` exchanges."""
    turns = st.lists(st.tuples(SEEDS, st.lists(SEEDS, max_size=most)), min_size=1, max_size=3)
    return st.builds(build, turns)


def plain(message: BaseMessage) -> Object:
    """The fields of a message as JSON; what has none as its name."""
    dumped: Object = json.loads(json.dumps(message.model_dump(), default=lambda value: type(value).__name__))
    return dumped
