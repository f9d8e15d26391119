"""The passes in the order in which they run: cheapest loss first within a stage."""

from __future__ import annotations

from trimtab.passes.base import Pass, Stage, View
from trimtab.passes.cut_media import CutMedia
from trimtab.passes.fold_arguments import FoldArguments
from trimtab.passes.fold_media import FoldMedia
from trimtab.passes.fold_results import FoldResults
from trimtab.passes.shorten_outputs import ShortenOutputs

PASSES: tuple[Pass, ...] = (CutMedia(), FoldMedia(), ShortenOutputs(), FoldResults(), FoldArguments())
"""What the default preset runs."""

__all__ = [
    "PASSES",
    "CutMedia",
    "FoldArguments",
    "FoldMedia",
    "FoldResults",
    "Pass",
    "ShortenOutputs",
    "Stage",
    "View",
]
