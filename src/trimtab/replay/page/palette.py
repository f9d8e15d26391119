"""A colour for each policy, the same in every chart and table: presets stand out, oracles stand back."""

from __future__ import annotations

from trimtab.replay.totals import Results

OWN = ("#2563eb", "#0f9d8a", "#8b3fd1", "#c2410c", "#0e7490")
"""Colours of presets."""

OTHERS = ("#d08700", "#cf4436", "#c94b8c", "#e39ac2", "#8d6e3a", "#6f9a2b", "#5566aa")
"""Colours of the baselines."""

KEPT, FUTURE = "#7b8494", "#a3abb8"
"""Colours of keeping everything, and of what knows the future."""


def futures(results: Results) -> frozenset[str]:
    """The policies that know the future."""
    return frozenset(policy.name for policy in results.options.policies() if policy.knows_future)


def palette(results: Results) -> list[str]:
    """A colour for each policy, in their order."""
    own = others = 0
    found = []
    for number, policy in enumerate(results.options.policies()):
        if number == 0 or policy.knows_future:
            found.append(FUTURE if number else KEPT)
        elif policy.name in results.options.presets:
            found.append(OWN[own % len(OWN)])
            own += 1
        else:
            found.append(OTHERS[others % len(OTHERS)])
            others += 1
    return found


def rules(results: Results) -> str:
    """The style rules that colour each policy, and dim the others when one is pointed at."""
    known, presets = futures(results), results.options.presets
    found = [f".p{number}{{color:{colour}}}" for number, colour in enumerate(palette(results))]
    for number, name in enumerate(results.names):
        found.append(f"svg:has(.p{number}:hover) g:not(.p{number}){{opacity:.15}}")
        if name in known:
            found.append(f".p{number} polyline{{stroke-dasharray:5 4}}")
        if name in presets:
            found.append(f".p{number} polyline{{stroke-width:2.6}}")
    return "".join(found)
