"""The passes in the order in which they run: cheapest loss first within a stage."""

from __future__ import annotations

from trimtab.passes.base import Pass, Stage, View
from trimtab.passes.cut_media import CutMedia
from trimtab.passes.diff_rereads import DiffRereads
from trimtab.passes.digest_results import DigestResults
from trimtab.passes.drop_headers import DropHeaders
from trimtab.passes.fit_budget import FitBudget
from trimtab.passes.fold_arguments import FoldArguments
from trimtab.passes.fold_media import FoldMedia
from trimtab.passes.fold_repeats import FoldRepeats
from trimtab.passes.fold_results import FoldResults
from trimtab.passes.keep_lines import KeepLines
from trimtab.passes.narrow_numbers import NarrowNumbers
from trimtab.passes.point_to_same import PointToSame
from trimtab.passes.shorten_outputs import ShortenOutputs
from trimtab.passes.strip_terminal import StripTerminal
from trimtab.passes.tighten_json import TightenJson

PASSES: tuple[Pass, ...] = (
    CutMedia(),
    StripTerminal(),
    DropHeaders(),
    NarrowNumbers(),
    TightenJson(),
    FoldRepeats(),
    PointToSame(),
    DiffRereads(),
    FoldMedia(),
    KeepLines(),
    ShortenOutputs(),
    FoldResults(),
    FoldArguments(),
    FitBudget(),
)
"""What the default preset runs."""

__all__ = [
    "PASSES",
    "CutMedia",
    "DiffRereads",
    "DigestResults",
    "DropHeaders",
    "FitBudget",
    "FoldArguments",
    "FoldMedia",
    "FoldRepeats",
    "FoldResults",
    "KeepLines",
    "NarrowNumbers",
    "Pass",
    "PointToSame",
    "ShortenOutputs",
    "Stage",
    "StripTerminal",
    "TightenJson",
    "View",
]
