"""compaction-conformance-kit: statements planted in chats, five rounds of compaction, budgets of characters.

Survival counts them, semantic those that an update replaced and that are gone while the update stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from compaction_kit.benchmark import run_budget_benchmark
from compaction_kit.compacted import CompactedContext
from compaction_kit.generated import build_generated_session
from compaction_kit.runner import run_conformance
from compaction_kit.session import Turn
from compaction_kit.testing import check_compactor

from benchmarks.judges.compacting import Subject, text_of
from benchmarks.judges.scores import Score, answer

JUDGE = "compaction-conformance-kit"
BUDGETS, SEEDS, UNSEEN, ROUNDS = (0.1, 0.2, 0.3), (1, 2, 3, 4), range(101, 113), 5
SURVIVAL = {0.1: 40.1, 0.2: 85.1, 0.3: 100.0}
"""More than the best of the kit's own compactors keeps, all where that keeps all."""


class Adapter:
    """A subject as the kit wants it. An earlier round's text comes back as one turn: the user's."""

    name = "subject"

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def compact(
        self, turns: Sequence[Turn], round_num: int = 1, budget_chars: int | None = None
    ) -> CompactedContext:
        """One round."""
        messages = [{"role": "user" if round_num > 1 else turn.role, "content": turn.text} for turn in turns]
        return CompactedContext(text_of(self._subject(messages, budget_chars)), self.name, round_num)


def measure(subject: Subject) -> Iterator[Score]:
    """The kit's benchmark, its check of one long session, and sessions whose wording it makes up."""
    told = run_budget_benchmark({"subject": lambda: Adapter(subject)}, BUDGETS, SEEDS, ROUNDS)
    for entry in told["entries"]:
        yield from _entry(entry)
    for budget in BUDGETS:
        report = check_compactor(Adapter(subject), rounds=ROUNDS, budget_fraction=budget)
        kept = report.budget_checks[0]
        share = 100 * kept.final_survived / kept.final_total
        yield Score(JUDGE, f"{budget:.0%} survival, its own session", share)
    for budget in BUDGETS:
        yield Score(JUDGE, f"{budget:.0%} survival, made-up wording", _made_up(subject, budget))


def _entry(entry: dict[str, Any]) -> Iterator[Score]:
    budget, semantic = entry["budget_fraction"], entry["semantic"]
    at, conflicts = f"{budget:.0%}", semantic["conflicts"]
    goal = 100.0 if budget >= 0.2 else None
    within, longest = entry["budget_compliant"], 100 * entry["max_output_to_budget"]
    yield Score(JUDGE, f"{at} size, of the budget", longest, goal=100, most=True, note="" if within else "over")
    survival = 100 * entry["randomized"]["overall_final_survival"]
    yield Score(JUDGE, f"{at} survival", survival, goal=SURVIVAL[budget])
    yield Score(JUDGE, f"{at} semantic", 100 * semantic["resolved_rate"], goal=goal)
    yield Score(JUDGE, f"{at} stale, of {conflicts['n']}", conflicts["stale"], unit="", goal=0, most=True)
    yield Score(JUDGE, f"{at} distinct pairs", 100 * semantic["distinct_pair_rate"], goal=goal)


def _made_up(subject: Subject, budget: float) -> float:
    """Survival over sessions whose subjects and phrases change from seed to seed."""
    kept = total = 0
    for seed in UNSEEN:
        session, canaries = build_generated_session(seed)
        run = run_conformance(session, Adapter(subject), ROUNDS, canaries, budget_fraction=budget)
        kept, total = kept + sum(run.rounds[-1].survived.values()), total + len(canaries)
    return 100 * kept / total


if __name__ == "__main__":
    answer(measure)
