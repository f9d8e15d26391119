"""A threshold on utilisation, above which a model summarizes old turns."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from trimtab.passes import Pass
from trimtab.passes.ask_for_note import AskForNote
from trimtab.passes.keep_window import PLACES
from trimtab.passes.redact_results import RedactResults
from trimtab.presets.base import Count, Seconds, Share
from trimtab.reach import Rules, When

PROMPT = (
    "You summarize a conversation so that it can be continued from your summary alone. Be short, but leave out"
    " nothing that this needs: decisions that were made, important information that came to light, what is being"
    " worked on now, and what is still to be done."
)


class LlmSummary(Struct, frozen=True, forbid_unknown_fields=True):
    """Over `threshold` of the window, all old turns become one summary by the writer.

    `Compactor(writer=…)` is the model, told by `summary_system_prompt`; at most `max_summary_tokens` tokens,
    within `summary_timeout` seconds. It sees what was said and the names of the tools called; with `tool_contents`
    also arguments and results. Of more than `summary_input_tokens` tokens long texts lose their middle. An error,
    a timeout and an empty summary leave the conversation as it was, and the report says which. `tool_compaction`
    lets `threshold-summarize` or `threshold-redact` go before.

    Keeps system messages and the last `keep_recent_turns` turns.

    Loses what the summary does not say, the wording of the task included. The messages come back word for word by
    the handle that stands over the summary.
    """

    threshold: Share = 0.75
    keep_recent_turns: Count = 3
    summary_system_prompt: str = PROMPT
    max_summary_tokens: Count = 2048
    summary_timeout: Seconds = 60.0
    tool_contents: bool = False
    summary_input_tokens: Count = 100_000
    tool_compaction: Literal["off", "summarize", "redact"] = "off"

    name: ClassVar[str] = "llm-summary"
    source: ClassVar[str] = "Compaction Algorithm: LLMCompactor"

    def rules(self) -> Rules:
        """The compaction of results where it is asked for, then the summary."""
        asks = AskForNote(
            prompt=self.summary_system_prompt,
            most=self.max_summary_tokens,
            seconds=self.summary_timeout,
            names_only=not self.tool_contents,
            longest=self.summary_input_tokens,
        )
        passes: tuple[Pass, ...] = (asks,)
        if self.tool_compaction != "off":
            passes = (RedactResults(summarize=self.tool_compaction == "summarize"), asks)
        return Rules(
            preset=self.name,
            passes=passes,
            places=PLACES,
            protect_results=0,
            protect_turns=self.keep_recent_turns,
            finders=(),
            when=When(share=self.threshold),
            smallest=0,
            task_stays=False,
        )
