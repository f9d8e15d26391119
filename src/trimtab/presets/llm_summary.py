"""A threshold on utilisation, above which a model summarizes old turns."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from trimtab.edits import Brief
from trimtab.handoff.injected import TAGS
from trimtab.passes import Pass
from trimtab.passes.keep_window import PLACES
from trimtab.passes.redact_results import RedactResults
from trimtab.passes.write_note import WriteNote
from trimtab.presets.base import Count, Seconds, Share
from trimtab.reach import Rules, When


class LlmSummary(Struct, frozen=True, forbid_unknown_fields=True):
    """Over `threshold` of the window, all old turns become one handoff note by the writer, checked by trimtab.

    `Compactor(writer=…)` is the model, asked for the sections of `summary_headings` and by further
    `summary_instructions`, or by a `summary_system_prompt` of one's own; at most `max_summary_tokens` tokens,
    within `summary_timeout` seconds. It sees what was said and the names of the tools called; with `tool_contents`
    also arguments and results; in pieces of at most `summary_input_tokens` tokens, without what stands between
    `injected_tags`. An error, a timeout, and twice a note that cannot be used leave the conversation as it was,
    and the report says which. `tool_compaction` lets `threshold-summarize` or `threshold-redact` go before.

    Keeps system messages and the last `keep_recent_turns` turns; in the note the user's words, what was executed
    and what failed.

    Loses what the note does not say. The messages come back word for word by the handle that stands over it.
    """

    threshold: Share = 0.75
    keep_recent_turns: Count = 3
    summary_system_prompt: str = ""
    summary_headings: dict[str, str] = {}
    summary_instructions: str = ""
    injected_tags: tuple[str, ...] = TAGS
    max_summary_tokens: Count = 2048
    summary_timeout: Seconds = 60.0
    tool_contents: bool = False
    summary_input_tokens: Count = 30_000
    tool_compaction: Literal["off", "summarize", "redact"] = "off"

    name: ClassVar[str] = "llm-summary"
    source: ClassVar[str] = "Compaction Algorithm: LLMCompactor"

    def rules(self) -> Rules:
        """The compaction of results where it is asked for, then the summary."""
        brief = Brief(
            prompt=self.summary_system_prompt,
            headings=self.summary_headings,
            extra=self.summary_instructions,
            most=self.max_summary_tokens,
            seconds=self.summary_timeout,
            longest=self.summary_input_tokens,
            names_only=not self.tool_contents,
            tags=self.injected_tags,
        )
        asks = WriteNote(brief=brief)
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
