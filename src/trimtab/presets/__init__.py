"""Presets by name, each one way to compact, measured side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from trimtab.errors import ConfigError
from trimtab.presets.base import Preset
from trimtab.presets.clear_tool_uses import ClearToolUses
from trimtab.presets.default import Default
from trimtab.presets.four_places import FourPlaces
from trimtab.presets.handoff import Handoff
from trimtab.presets.ledger import Ledger
from trimtab.presets.llm_summary import LlmSummary
from trimtab.presets.native import Native
from trimtab.presets.none import Nothing
from trimtab.presets.observation_masking import ObservationMasking
from trimtab.presets.prose import Prose
from trimtab.presets.references import References
from trimtab.presets.sliding_window import SlidingWindow
from trimtab.presets.summarization import Summarization
from trimtab.presets.threshold_redact import ThresholdRedact
from trimtab.presets.threshold_summarize import ThresholdSummarize
from trimtab.presets.triggers import Triggers

PRESETS: dict[str, type[Preset]] = {
    one.name: one
    for one in (
        Default,
        Triggers,
        Prose,
        Handoff,
        References,
        Ledger,
        FourPlaces,
        ClearToolUses,
        Native,
        ObservationMasking,
        SlidingWindow,
        Summarization,
        ThresholdSummarize,
        ThresholdRedact,
        LlmSummary,
        Nothing,
    )
}
"""All there are, by name."""


def preset(name: str, settings: Mapping[str, Any] | None = None) -> Preset:
    """A preset with its settings. Raises ConfigError with the names there are, or the setting that is wrong."""
    if name not in PRESETS:
        raise ConfigError(f"preset {name!r}: there are {', '.join(PRESETS)}")
    try:
        return msgspec.convert(dict(settings or {}), PRESETS[name])
    except msgspec.ValidationError as error:
        raise ConfigError(f"presets.{name}: {error}") from error


__all__ = ["PRESETS", "Preset", "preset"]
