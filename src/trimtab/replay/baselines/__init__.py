"""What other systems do, simulated without them: each replays a recorded session in its own way."""

from __future__ import annotations

from trimtab.replay.baselines.base import Policy
from trimtab.replay.baselines.clear_tool_uses import ClearToolUses
from trimtab.replay.baselines.evicting_oracle import EvictingOracle
from trimtab.replay.baselines.keep_all import KeepAll
from trimtab.replay.baselines.masking import Masking
from trimtab.replay.baselines.sliding_window import SlidingWindow
from trimtab.replay.baselines.summary import Summary
from trimtab.replay.baselines.trim import Trim
from trimtab.replay.baselines.writing_oracle import WritingOracle

KEEP_ALL = KeepAll()

BASELINES: tuple[Policy, ...] = (
    KEEP_ALL,
    SlidingWindow(),
    Trim(),
    ClearToolUses(),
    ClearToolUses(least=40_000, name="clear tool uses 100k, 40k"),
    Masking(),
    Summary(),
    EvictingOracle(),
    WritingOracle(),
)
"""All of them; the first is what the others are measured against."""

__all__ = ["BASELINES", "KEEP_ALL", "Policy"]
