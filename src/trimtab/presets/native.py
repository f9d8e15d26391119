"""What the provider does on its own side, passed through or asked for."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Place
from trimtab.passes.ask_provider import AskProvider
from trimtab.presets.base import Count
from trimtab.reach import Rules, When


class Native(Struct, frozen=True, forbid_unknown_fields=True):
    """The provider compacts on its side: what the request asks for stays as it is, else it is asked here.

    Anthropic Messages is asked to clear tool uses above `trigger` tokens, all but the last `keep`, unless less
    than `clear_at_least` tokens would go; those of the tools in `exclude_tools` (by their names) stay, and with
    `clear_tool_inputs` arguments go as well. With `compact` it is also asked for a summary above
    `compact_threshold` tokens (Anthropic takes 50,000 at least). OpenAI Responses is asked for a compaction above
    `compact_threshold`. `Result.headers` has the betas that Anthropic wants: send them along with those that you
    send. What has no such field (OpenAI Chat Completions, Gemini, Bedrock, LangChain) goes out as it came, and the
    report says so.

    Keeps the whole request here: the client holds the history, and every message goes out byte for byte.

    Loses what the provider clears or leaves out of its summary: nothing here counts it, shows it or brings it back
    to the model, but the history is yours. A summary comes back as an item of the answer that must be sent again;
    OpenAI's cannot be read.
    """

    trigger: Count = 100_000
    keep: Count = 3
    clear_at_least: Count = 0
    exclude_tools: tuple[str, ...] = ()
    clear_tool_inputs: bool = False
    compact: bool = False
    compact_threshold: Count = 150_000

    name: ClassVar[str] = "native"
    source: ClassVar[str] = "Anthropic context editing and compaction, OpenAI Responses compaction"

    def rules(self) -> Rules:
        """One pass over the options; nothing is folded."""
        return Rules(
            preset=self.name,
            passes=(),
            places=frozenset({Place.OPTIONS}),
            finders=(),
            when=When(),
            frames=(AskProvider(**msgspec.structs.asdict(self)),),
        )
