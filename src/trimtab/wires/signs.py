"""What tells one wire from another, as data, and the one walk that looks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trimtab.transcript import JSON
from trimtab.wires.leaves import items, kind


class Signs(NamedTuple):
    """What tells one wire from another: top-level fields, message keys, roles, item types, keys of tools."""

    fields: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()

    def in_fields(self, fields: Mapping[str, JSON]) -> bool:
        """Whether the top-level fields or the tools show a sign."""
        present = {key for key, value in fields.items() if value is not None}
        tools = (tool.keys() for tool in items(fields.get("tools")) if isinstance(tool, dict))
        return not self.fields.isdisjoint(present) or any(not self.tools.isdisjoint(keys) for keys in tools)

    def in_message(self, message: Mapping[str, JSON]) -> bool:
        """Whether a message shows a sign, in its keys, its role or the types of its items."""
        if not self.keys.isdisjoint(message) or message.get("role") in self.roles:
            return True
        return any(kind(item) in self.types for item in items(message.get("content")))


_ELSEWHERE = Signs(
    fields=frozenset({"contents", "input", "modelId", "inferenceConfig", "toolConfig"}),
    keys=frozenset({"parts"}),
    types=frozenset({"object"}),
    tools=frozenset({"functionDeclarations", "toolSpec"}),
)
"""Signs of Gemini, OpenAI Responses and Bedrock Converse (whose items carry no `type`: kind "object")."""

_ITEMS = frozenset(
    {"reasoning", "compaction", "compaction_trigger", "item_reference", "additional_tools", "configuration_update"}
    | {"mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "tool_search_output"}
    | {"program", "program_output"}
)
_ITEM_CONTENT = frozenset({"input_text", "output_text", "input_image", "input_file"})


def is_item(message: Mapping[str, JSON]) -> bool:
    """Whether an object is an item of OpenAI Responses, by its type or by that of its content."""
    name, content = message.get("type"), message.get("content")
    if isinstance(name, str) and (name in _ITEMS or name.endswith(("_call", "_call_output"))):
        return True
    return (name == "message" and isinstance(content, str)) or any(
        kind(one) in _ITEM_CONTENT for one in items(content)
    )


def score(fields: Mapping[str, JSON], messages: Sequence[JSON], own: Signs, other: Signs) -> int:
    """0, 1 or 2 as a wire's `sniff` tells it; looks no further than the first sign that decides."""
    if _ELSEWHERE.in_fields(fields) or other.in_fields(fields):
        return 0
    if own.in_fields(fields):
        return 2
    seen = False
    for message in messages:
        if not isinstance(message, dict) or not isinstance(message.get("role"), str) or is_item(message):
            return 0
        if own.in_message(message):
            return 2
        if _ELSEWHERE.in_message(message) or other.in_message(message):
            return 0
        seen = True
    return int(seen)
