"""Valid conversations of Gemini as JSON objects, odd ones foremost, made as those of `strategies`."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from hypothesis import strategies as st
from tests.strategies import ODD_JSON, PNG, SEEDS, Dice, Object


def inline(dice: Dice) -> Object:
    if dice.one_in(3):
        return {"inline_data": {"mime_type": "image/png", "data": PNG}}
    return {"inlineData": {"mimeType": "image/png", "data": PNG, "displayName": "a.png"}}


def words(dice: Dice) -> Object:
    """A text as inline data."""
    return {
        "inlineData": {"mimeType": "text/plain", "data": b64encode(dice.long().encode(errors="replace")).decode()}
    }


def medium(dice: Dice) -> Object:
    file = {"fileData": {"fileUri": "https://example.org/a.mp4", "mimeType": "video/mp4"}}
    return dice.choice((inline, inline, words, lambda _: file))(dice)


def thoughts(dice: Dice) -> list[Object]:
    signature = {"thoughtSignature": "c2ln"} if dice.one_in(2) else {}
    said = ({"text": dice.choice(("Hm.", dice.long())), "thought": True, **signature} for _ in range(2))
    return list(said)[: dice.choice((0, 0, 1, 2))]


def aside(dice: Dice) -> Object:
    """What the provider did by itself, kept whole."""
    found: tuple[Object, ...] = (
        {"executableCode": {"language": "PYTHON", "code": dice.said()}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": dice.long()}},
        {"toolCall": {"id": "s", "toolType": "URL_CONTEXT", "args": {"u": 1}}},
        {"x_new": {"deep": ["é\ud800"]}},
    )
    return dice.choice(found)


def response(dice: Dice) -> Any:
    """What a function returned: texts under usual names, or any JSON."""
    found = (
        lambda: {"output": dice.output()},
        lambda: {"output": dice.output()},
        lambda: {"error": dice.output()},
        lambda: {"stdout": dice.output(), "stderr": dice.output(), "exit_code": 0},
        lambda: {"result": {"rows": [dice.long(), {"n": -0.0}], "odd": dice.choice(ODD_JSON)}},
        lambda: {"content": [{"type": "text", "text": dice.output()}]},
        lambda: {dice.output()[:20].encode(errors="replace").decode(): dice.choice(ODD_JSON)},
        dict,
    )
    return dice.choice(found)()


def made(
    dice: Dice, call_id: str, name: str, arguments: Object, style: tuple[str, bool]
) -> tuple[Object, list[Object]]:
    """A call, and its result with what follows it. `style` are the suffix of keys and whether there are ids."""
    snake, has_ids = style[0] == "snake", style[1]
    call: Object = {"name": name, "args": arguments}
    answer: Object = {"name": name, "response": response(dice), **dice.extras()}
    if has_ids:
        call["id"] = call_id
        answer |= {} if dice.one_in(4) else {"id": call_id}
    if dice.one_in(3):
        answer["parts"] = [medium(dice) for _ in range(dice.randrange(3))]
    after = [inline(dice)] if dice.one_in(5) else []
    keys = ("function_call", "function_response") if snake else ("functionCall", "functionResponse")
    return {keys[0]: call}, [{keys[1]: answer}, *after]


def gemini_exchange(seed: int) -> list[Object]:
    """One answer with parallel calls, and their results in the same order."""
    dice = Dice(seed)
    style = (dice.choice(("camel", "camel", "snake")), dice.one_in(2))
    pairs = [made(dice, *one, style) for one in dice.calls()]
    calls = [call for call, _ in pairs]
    calls[0] |= {"thoughtSignature": "c2ln"} if dice.one_in(2) else {}
    said = [
        *thoughts(dice),
        *([{"text": dice.said()}] if dice.one_in(2) else []),
        *([aside(dice)] * dice.one_in(6)),
    ]
    results = [part for _, parts in pairs for part in parts]
    after = [{"text": dice.said()}] if dice.one_in(6) else []
    return [
        {"role": "model", "parts": [*said, *calls], **dice.extras()},
        {"role": "user", "parts": [*results, *after], **dice.extras()},
    ]


def gemini_turn(seed: int, first: bool) -> list[Object]:
    """The answer to the turn before, and what the user says then."""
    dice = Dice(seed)
    answer = {"role": "model", "parts": [*thoughts(dice), {"text": dice.said(), "thoughtSignature": "c2ln"}]}
    role = {} if dice.one_in(4) else {"role": "user"}
    parts = [{"text": dice.said()}, *([medium(dice)] if dice.one_in(3) else [])]
    return [*([] if first else [answer]), {**role, "parts": parts, **dice.extras()}]


def gemini_frame(seed: int, contents: list[Object]) -> Object:
    """What stands around the contents."""
    dice = Dice(seed)
    frame: Object = {"generationConfig": {"maxOutputTokens": 1000}, **dice.extras()}
    if dice.one_in(2):
        frame["systemInstruction"] = {"parts": [{"text": dice.said()}]}
    if dice.one_in(2):
        frame["tools"] = [{"functionDeclarations": [{"name": "read", "description": "Reads. é"}]}]
    return {**frame, "contents": contents}


def build(frame: int, turns: list[tuple[int, list[int]]]) -> Object:
    """The request that these seeds stand for: for each turn its own, and those of its exchanges."""
    contents: list[Object] = []
    for seed, exchanges in turns:
        contents += gemini_turn(seed, not contents)
        for one in exchanges:
            contents += gemini_exchange(one)
    return gemini_frame(frame, contents)


def gemini_requests(most: int = 5) -> st.SearchStrategy[Object]:
    """Valid requests: up to three turns, each of up to `most` exchanges."""
    turns = st.lists(st.tuples(SEEDS, st.lists(SEEDS, max_size=most)), min_size=1, max_size=3)
    return st.builds(build, SEEDS, turns)
