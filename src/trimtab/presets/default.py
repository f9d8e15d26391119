"""The default: results, call arguments, media in results, and reasoning that is bound to what was cut."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trimtab.passes import PASSES, FoldResults
from trimtab.policy import Marks, Policy
from trimtab.presets.base import DEFAULT_PLACES
from trimtab.reach import Rules
from trimtab.tool_levels import Level

Care: TypeAlias = Literal["careful", "balanced", "saver"]

CARE: dict[Care, float] = {"careful": 3.0, "balanced": 1.2, "saver": 0.6}
"""How a missed need weighs against what keeping costs (`Policy.care`)."""


class Default(Struct, frozen=True, forbid_unknown_fields=True):
    """Tidies results on arrival, and folds old ones when that pays by the prices of the model and its cache; at
    the latest when the window asks for it. Where the caller sets a budget or a count of results, that alone says
    when.

    `care` weighs a missed need against what keeping costs: `careful`, `balanced` or `saver`. `never_dearer_than`
    is the share by which a conversation may cost more than one that is kept whole, two calls after a fold;
    without it that is not looked at. `marks` says where the client's cache marks stand, if the request does not
    show that: `good`, `naive` (system and last message) or `none`.

    `tools` says by globs on the names of tools how far their old results may be cut, the first glob that fits
    decides: `keep` leaves them whole, `shorten` makes excerpts of long ones, `fold` (what holds for all others)
    one line each. A budget of the caller that cannot be met otherwise goes over it.

    Keeps word for word what system, user and assistant say, and the newest results. Loses nothing for good:
    what is cut comes back by its handle.
    """

    tools: dict[str, Level] = {}
    care: Care = "balanced"
    never_dearer_than: float | None = 0.01
    marks: Marks | None = None

    name: ClassVar[str] = "default"
    source: ClassVar[str] = "trimtab"

    def rules(self) -> Rules:
        """The passes of `trimtab.PASSES` over the default places."""
        passes = (replace(one, tools=self.tools) if isinstance(one, FoldResults) else one for one in PASSES)
        policy = Policy(care=CARE[self.care], never_dearer_than=self.never_dearer_than, marks=self.marks)
        return Rules(
            preset=self.name, passes=tuple(passes), places=DEFAULT_PLACES, tools=self.tools, policy=policy
        )
