"""Valid conversations of OpenAI Responses as JSON objects, odd ones foremost, made as those of `strategies`."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from tests.strategies import PNG, SEEDS, Dice, Object

SEALED = "gAAAAABp4CVuo_va1l5KdyyI-" * 40
URI = f"data:image/png;base64,{PNG}"


def said(dice: Dice, role: str = "user") -> Object:
    """A message in one of its forms; of the assistant also as the provider gave it."""
    text, kind = dice.said(), "output_text" if role == "assistant" else "input_text"
    if dice.one_in(3):
        return {"role": role, "content": text, **dice.extras()}
    parts: list[Object] = [{"type": kind, "text": text}]
    if role == "user" and dice.one_in(3):
        parts.append({"type": "input_image", "image_url": URI, "detail": "auto"})
    if role == "assistant":
        parts[0] |= {"annotations": [], "logprobs": []}
        whole = {"id": f"msg_{dice.randrange(99)}", "status": "completed", "phase": "commentary"}
        return {"type": "message", **(whole if dice.one_in(2) else {}), "role": role, "content": parts}
    return {"type": "message", "role": role, "content": parts, **dice.extras()}


def thinking(dice: Dice) -> list[Object]:
    sealed: Object = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": SEALED}
    plain: Object = {
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": dice.said()}],
        "content": None,
        "encrypted_content": None,
    }
    return [dice.choice((sealed, plain)) for _ in range(dice.choice((0, 0, 1, 1, 2)))]


def aside(dice: Dice) -> Object:
    """What the provider did by itself, kept whole."""
    found: tuple[Object, ...] = (
        {
            "type": "web_search_call",
            "id": "ws_1",
            "status": "completed",
            "action": {"type": "search", "query": "税"},
        },
        {
            "type": "mcp_call",
            "id": "mcp_1",
            "name": "f",
            "server_label": "s",
            "arguments": "{}",
            "output": dice.long(),
        },
        {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": PNG},
        {"type": "compaction", "encrypted_content": SEALED},
        {"type": "x_new", "data": {"deep": ["é"]}},
    )
    return dice.choice(found)


def listed(dice: Dice) -> Any:
    """A function's output: a text, or a list of texts and media."""
    if dice.one_in(2):
        return dice.output()
    text = {"type": "input_text", "text": dice.output()}
    image = {"type": "input_image", "image_url": URI, "detail": "high"}
    return [dice.choice((text, text, image, {"type": "x_new", "n": 1})) for _ in range(dice.choice((0, 1, 1, 3)))]


def printed(dice: Dice) -> Object:
    outcome = dice.choice(({"type": "exit", "exit_code": dice.randrange(2)}, {"type": "timeout"}))
    return {"stdout": dice.output(), "stderr": dice.choice(("", dice.output())), "outcome": outcome}


def pair(dice: Dice, call_id: str, name: str, arguments: Object) -> tuple[Object, Object]:
    """A call of one of the kinds that the client carries out, and its result."""
    written = json.dumps(arguments, ensure_ascii=dice.one_in(2), indent=dice.choice((None, 2)))
    kinds: tuple[tuple[str, Object, Object], ...] = (
        ("function_call", {"name": name, "arguments": written, "id": "fc_1"}, {"output": listed(dice)}),
        ("function_call", {"name": name, "arguments": written}, {"output": dice.output()}),
        ("custom_tool_call", {"name": name, "input": dice.output()}, {"output": listed(dice)}),
        (
            "shell_call",
            {"action": {"commands": ["ls", dice.output()], "timeout_ms": 1000}},
            {"output": [printed(dice) for _ in range(dice.randrange(3))]},
        ),
        (
            "apply_patch_call",
            {"operation": {"type": "create_file", "path": "é.py", "diff": dice.output()}, "status": "completed"},
            {"status": dice.choice(("completed", "failed")), "output": dice.output()},
        ),
        (
            "computer_call",
            {"action": {"type": "screenshot"}, "status": "completed"},
            {"output": {"type": "computer_screenshot", "image_url": URI}},
        ),
    )
    kind, made, answered = dice.choice(kinds)
    return (
        {"type": kind, "call_id": call_id, **made, **dice.extras()},
        {"type": f"{kind}_output", "call_id": call_id, **answered, **dice.extras()},
    )


def responses_exchange(seed: int) -> list[Object]:
    """One answer with parallel calls, and their results in any order."""
    dice = Dice(seed)
    pairs = [pair(dice, *one) for one in dice.calls()]
    before = [*thinking(dice), *([said(dice, "assistant")] if dice.one_in(3) else [])]
    if dice.one_in(5):
        before.append(aside(dice))
    results = [result for _, result in dice.sample(pairs, len(pairs))]
    tools: Object = {"type": "additional_tools", "role": "developer", "tools": []}
    return [*before, *(made for made, _ in pairs), *results, *([tools] if dice.one_in(6) else [])]


def responses_turn(seed: int, first: bool) -> list[Object]:
    """The answer to the turn before, and what the user says then."""
    dice = Dice(seed)
    if first:
        before = [said(dice, dice.choice(("system", "developer"))) for _ in range(dice.randrange(3))]
    else:
        before = [*thinking(dice), said(dice, "assistant")]
    return [*before, said(dice)]


def responses_frame(seed: int, items: list[Object]) -> Object:
    """What stands around the items."""
    dice = Dice(seed)
    frame: Object = {"model": "gpt-5", "max_output_tokens": 1000, **dice.extras()}
    if dice.one_in(2):
        frame |= {"instructions": dice.said(), "store": False, "include": ["reasoning.encrypted_content"]}
    if dice.one_in(2):
        frame["tools"] = [{"type": "function", "name": "read", "parameters": {"type": "object"}, "strict": True}]
    return {**frame, "input": items}


def build(frame: int, turns: list[tuple[int, list[int]]]) -> Object:
    """The request that these seeds stand for: for each turn its own, and those of its exchanges."""
    items: list[Object] = []
    for seed, exchanges in turns:
        items += responses_turn(seed, not items)
        for one in exchanges:
            items += responses_exchange(one)
    return responses_frame(frame, items)


def responses_conversations(most: int = 5) -> st.SearchStrategy[Object]:
    """Valid requests: up to three turns, each of up to `most` exchanges."""
    turns = st.lists(st.tuples(SEEDS, st.lists(SEEDS, max_size=most)), min_size=1, max_size=3)
    return st.builds(build, SEEDS, turns)
