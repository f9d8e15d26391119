"""Summarization: a model writes what the older messages said, the last ones stay."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.passes.ask_for_note import PROMPT, AskForNote
from trimtab.passes.keep_window import PLACES
from trimtab.presets.base import Count, Seconds, Share
from trimtab.reach import Rules, When


class Summarization(Struct, frozen=True, forbid_unknown_fields=True):
    """Above `tokens`, or a `share` of the window, all but the last `keep` messages become a note by the writer.

    `Compactor(writer=…)` is the model that writes it, told so by `prompt`; at most `max_summary_tokens` tokens,
    within `summary_timeout` seconds. Without a writer, or when it fails, the messages stay and the report says
    why.

    Keeps system messages and the last messages; more of them where the cut would part a call from its result.

    Loses what the note does not say, and exact wording; the task is one of the older messages, and so is the
    question being worked on when more than `keep` messages have come since. The messages come back word for word
    by the handle that stands over the note.
    """

    tokens: Count | None = None
    share: Share | None = 0.75
    keep: Count = 20
    prompt: str = PROMPT
    max_summary_tokens: Count = 2048
    summary_timeout: Seconds = 60.0

    name: ClassVar[str] = "summarization"
    source: ClassVar[str] = "LangChain SummarizationMiddleware, last 20 messages"

    def rules(self) -> Rules:
        """One pass over whole messages."""
        asks = AskForNote(self.keep, self.prompt, self.max_summary_tokens, self.summary_timeout)
        return Rules(
            preset=self.name,
            passes=(asks,),
            places=PLACES,
            protect_results=0,
            finders=(),
            when=When(tokens=self.tokens, share=self.share),
            smallest=0,
            task_stays=False,
            question_stays=False,
        )
