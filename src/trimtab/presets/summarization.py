"""Summarization: a model writes what the older messages said, the last ones stay."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Brief
from trimtab.passes.keep_window import PLACES
from trimtab.passes.write_note import WriteNote
from trimtab.presets.base import Count, Seconds, Share
from trimtab.reach import Rules, When


class Summarization(Struct, frozen=True, forbid_unknown_fields=True):
    """Above `tokens`, or a `share` of the window, all but the last `keep` messages become a handoff note.

    `Compactor(writer=…)` is the model that writes it, by a `prompt` of one's own or by trimtab's; at most
    `max_summary_tokens` tokens, within `summary_timeout` seconds. trimtab checks it. Without a writer, or when no
    note can be had from it, the messages stay and the report says why.

    Keeps system messages and the last messages; more of them where the cut would part a call from its result.

    Loses what the note does not say; the task is one of the older messages, and so is the question being worked
    on when more than `keep` messages have come since, but the note has the user's words. The messages come back
    word for word by the handle that stands over the note.
    """

    tokens: Count | None = None
    share: Share | None = 0.75
    keep: Count = 20
    prompt: str = ""
    max_summary_tokens: Count = 2048
    summary_timeout: Seconds = 60.0

    name: ClassVar[str] = "summarization"
    source: ClassVar[str] = "LangChain SummarizationMiddleware, last 20 messages"

    def rules(self) -> Rules:
        """One pass over whole messages."""
        brief = Brief(prompt=self.prompt, most=self.max_summary_tokens, seconds=self.summary_timeout)
        return Rules(
            preset=self.name,
            passes=(WriteNote(self.keep, brief=brief),),
            places=PLACES,
            protect_results=0,
            finders=(),
            when=When(tokens=self.tokens, share=self.share),
            smallest=0,
            task_stays=False,
            question_stays=False,
        )
