"""The provider asked to compact on its own side, where it can and nobody has asked it yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec import Struct

from trimtab.edits import Loss, Place
from trimtab.jsonbytes import Set
from trimtab.passes.base import FrameEdit, FrameView, Stage
from trimtab.transcript import JSON, Finding

FIELD = "context_management"
"""Where Anthropic Messages and OpenAI Responses are asked for it."""

CLEAR_TOOL_USES, COMPACT = "clear_tool_uses_20250919", "compact_20260112"
"""Anthropic's names of the edits that are asked for."""

BETAS: Mapping[str, str] = {
    CLEAR_TOOL_USES: "context-management-2025-06-27",
    "clear_thinking_20251015": "context-management-2025-06-27",
    COMPACT: "compact-2026-01-12",
}
"""The beta of each edit of Anthropic's, as its documentation gives them."""

ON_DEMAND = "compact-2026-09-04"
"""The beta of Anthropic's field `compaction`, by which a request asks for a summary and nothing else."""

LEAST_THRESHOLD = 50_000
"""Tokens below which Anthropic refuses to make a summary."""


class AskProvider(Struct, frozen=True):
    """Anthropic is asked to clear old tool uses, with `compact` to summarize too; OpenAI Responses to compact.

    Removes: nothing here; the provider leaves out what it clears. Keeps: whatever the request asks of the provider
    itself, `truncation` included. Recovers: the client holds the whole history. Skips when: the wire has no such
    field, the request asks for it already or is itself one to compact; tool uses, when there are no tools.
    """

    trigger: int = 100_000
    keep: int = 3
    clear_at_least: int = 0
    exclude_tools: tuple[str, ...] = ()
    clear_tool_inputs: bool = False
    compact: bool = False
    compact_threshold: int = 150_000

    name: ClassVar[str] = "ask_provider"
    stage: ClassVar[Stage] = Stage.FRAME
    loss: ClassVar[Loss] = Loss.LOSSY
    places: ClassVar[frozenset[Place]] = frozenset({Place.OPTIONS})

    def shape(self, view: FrameView) -> Iterator[FrameEdit | Finding]:
        """The field that asks, or what there is instead."""
        if view.wire not in ("anthropic", "openai_responses"):
            yield _told("not-asked", f"{view.wire} has no field to ask the provider by", "choose another preset")
        elif asked := _asks(view):
            yield _told("passed-through", f"the request has `{asked}` already; it stays as it is")
        elif str(view.fields.get("anthropic_version", "")).startswith("bedrock"):
            yield _told("not-asked", "a request to Bedrock takes no betas by header", "choose another preset")
        elif not (edits := self._edits(view)):
            yield _told("not-asked", "there are no tools whose uses could be cleared")
        else:
            yield FrameEdit(Set((FIELD,), edits), "the provider is asked to compact on its side")

    def headers(self, wire: str, fields: Mapping[str, JSON]) -> Mapping[str, str]:
        """The betas of what is asked of Anthropic, whoever asks."""
        if wire != "anthropic":
            return {}
        betas = [BETAS[kind] for kind in _kinds(fields.get(FIELD)) if kind in BETAS]
        betas += [ON_DEMAND] if fields.get("compaction") is not None else []
        return {"anthropic-beta": ",".join(dict.fromkeys(betas))} if betas else {}

    def _edits(self, view: FrameView) -> JSON:
        if view.wire == "openai_responses":
            return [{"type": "compaction", "compact_threshold": self.compact_threshold}]
        edits = [self._clearing()] if view.fields.get("tools") else []
        if self.compact:
            edits.append({"type": COMPACT, "trigger": _tokens(max(self.compact_threshold, LEAST_THRESHOLD))})
        return {"edits": edits} if edits else None

    def _clearing(self) -> dict[str, Any]:
        """What is Anthropic's own default is not said, but for the two figures that everyone asks about."""
        edit: dict[str, Any] = {"type": CLEAR_TOOL_USES, "trigger": _tokens(self.trigger)}
        edit["keep"] = {"type": "tool_uses", "value": self.keep}
        if self.clear_at_least:
            edit["clear_at_least"] = _tokens(self.clear_at_least)
        if self.exclude_tools:
            edit["exclude_tools"] = list(self.exclude_tools)
        if self.clear_tool_inputs:
            edit["clear_tool_inputs"] = True
        return edit


def _asks(view: FrameView) -> str:
    """The field by which the request itself says how the provider is to compact, or not to; "" when none does."""
    if view.compacting:
        return "compaction_trigger"
    if view.wire == "anthropic":
        return next((one for one in (FIELD, "compaction") if one in view.fields), "")
    if view.fields.get("truncation") == "auto":
        return "truncation"
    return FIELD if FIELD in view.fields else ""


def _kinds(asked: JSON) -> list[str]:
    edits = asked.get("edits") if isinstance(asked, dict) else None
    listed = edits if isinstance(edits, list) else []
    return [str(one.get("type")) for one in listed if isinstance(one, dict)]


def _tokens(value: int) -> dict[str, Any]:
    return {"type": "input_tokens", "value": value}


def _told(rule: str, text: str, mend: str = "") -> Finding:
    return Finding(rule, FIELD, text, mend)
