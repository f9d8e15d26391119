"""Valid conversations of Bedrock Converse as JSON objects, odd ones foremost, made as those of `strategies`."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.strategies import ODD_JSON, PNG, SEEDS, Dice, Object

POINT: Object = {"cachePoint": {"type": "default"}}
IMAGE: Object = {"image": {"format": "png", "source": {"bytes": PNG}}}


def words(text: str) -> Object:
    """A text, which may not be blank (A8)."""
    return {"text": text if text.strip() else "(empty)"}


def page(text: str) -> Object:
    return {"document": {"format": "txt", "name": "page", "source": {"text": text}}}


def marks(dice: Dice) -> list[Object]:
    return [POINT] if dice.one_in(4) else []


def thinking(dice: Dice) -> list[Object]:
    signed: Object = {"reasoningText": {"text": dice.choice(("Hm.", dice.long())), "signature": "c2ln"}}
    sealed: Object = {"redactedContent": "ZW5j"}
    return [{"reasoningContent": dice.choice((signed, signed, sealed))} for _ in range(dice.choice((0, 0, 1, 2)))]


def aside(dice: Dice) -> Object:
    """What the provider did by itself, or checks; kept whole."""
    found: tuple[Object, ...] = (
        {"guardContent": {"text": {"text": dice.said()}}},
        {"citationsContent": {"content": [{"text": dice.long()}], "citations": []}},
        {"toolUse": {"toolUseId": "s", "name": "search", "input": {}, "type": "server_tool_use"}},
        {"x_new": {"deep": ["é\ud800"]}},
    )
    return dice.choice(found)


def result(dice: Dice, call_id: str) -> Object:
    """A result of texts, JSON values, media and documents, or of nothing."""
    items = (
        lambda: words(dice.output()),
        lambda: words(dice.output()),
        lambda: {"json": {"rows": [dice.long(), {"n": -0.0}], "odd": dice.choice(ODD_JSON)}},
        lambda: IMAGE,
        lambda: page(dice.long()),
        lambda: {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://a/b.png"}}}},
        lambda: {"x_new": 1},
    )
    status: Object = dice.choice(({}, {"status": "success"}, {"status": "error"}))
    content = [dice.choice(items)() for _ in range(dice.choice((0, 1, 1, 2, 3)))]
    return {"toolResult": {"toolUseId": call_id, "content": content, **status, **dice.extras()}}


def bedrock_exchange(seed: int) -> list[Object]:
    """One answer with parallel calls, and their results in any order."""
    dice = Dice(seed)
    calls = dice.calls()
    uses = [{"toolUse": {"toolUseId": one, "name": name, "input": given}} for one, name, given in calls]
    said = [*thinking(dice), *([words(dice.said())] if dice.one_in(2) else []), *([aside(dice)] * dice.one_in(6))]
    results = [result(dice, one) for one, _, _ in dice.sample(calls, len(calls))]
    after = [words(dice.said())] if dice.one_in(5) else []
    return [
        {"role": "assistant", "content": [*said, *marks(dice), *uses], **dice.extras()},
        {"role": "user", "content": [*results, *after, *marks(dice)], **dice.extras()},
    ]


def bedrock_turn(seed: int, first: bool) -> list[Object]:
    """The answer to the turn before, and what the user says then."""
    dice = Dice(seed)
    answer = {"role": "assistant", "content": [*thinking(dice), words(dice.said())]}
    more = [dice.choice((IMAGE, page(dice.long())))] if dice.one_in(3) else []
    said = {"role": "user", "content": [words(dice.said()), *more, *marks(dice)], **dice.extras()}
    return [said] if first else [answer, said]


def bedrock_frame(seed: int, messages: list[Object]) -> Object:
    """What stands around the messages."""
    dice = Dice(seed)
    tool = {"toolSpec": {"name": "read", "description": "Reads. é", "inputSchema": {"json": {"type": "object"}}}}
    frame: Object = {
        "modelId": "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "inferenceConfig": {"maxTokens": 1000},
        "toolConfig": {"tools": [tool, *marks(dice)]},
    }
    if dice.one_in(2):
        frame["system"] = [words(dice.said()), *marks(dice)]
    return {**frame, **dice.extras(), "messages": messages}


def build(frame: int, turns: list[tuple[int, list[int]]]) -> Object:
    """The request that these seeds stand for: for each turn its own, and those of its exchanges."""
    messages: list[Object] = []
    for seed, exchanges in turns:
        messages += bedrock_turn(seed, not messages)
        for one in exchanges:
            messages += bedrock_exchange(one)
    return bedrock_frame(frame, messages)


def bedrock_requests(most: int = 5) -> st.SearchStrategy[Object]:
    """Valid requests: up to three turns, each of up to `most` exchanges."""
    turns = st.lists(st.tuples(SEEDS, st.lists(SEEDS, max_size=most)), min_size=1, max_size=3)
    return st.builds(build, SEEDS, turns)
