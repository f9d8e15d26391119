"""What a client puts into messages by itself, between tags: reminders, memory, the state of an editor."""

from __future__ import annotations

from collections.abc import Sequence

TAGS = ("system-reminder", "environment_details", "environment_context", "memory", "workspace_state", "ide_state")
"""Tags that agents are known to use (Claude Code, Cline, Codex), and what others call the same."""


def without(text: str, tags: Sequence[str]) -> str:
    """A text without what stands between these tags; a tag that is not closed stays. Linear."""
    for tag in tags:
        kept, done, start = list[str](), 0, text.find(f"<{tag}")
        while start >= 0:
            head = start + len(tag) + 1
            stop = text.find(f"</{tag}>", head)
            if stop < 0:
                break
            if text[head : head + 1] in (">", " ", "\n"):
                kept.append(text[done:start])
                done = stop + len(tag) + 3
            start = text.find(f"<{tag}", max(done, head))
        text = "".join([*kept, text[done:]])
    return text.strip()
