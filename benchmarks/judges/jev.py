"""jev-harness-sdk: code words in instruction files, then small talk; which are there after three rounds?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from jev_harness.modules.compaction_survival.canary import canary_text, insert_block
from jev_harness.modules.compaction_survival.service import CompactionOptions, prepare
from jev_harness.modules.compaction_survival.sim import Message, Strategy, run_strategy

from benchmarks.judges.compacting import Messages, Subject, fullness, length, text_of
from benchmarks.judges.scores import Score, answer

JUDGE = "jev-harness-sdk"
SHARE, ROUNDS, TRIALS = 0.2, 3, 5
FILES = {
    "CLAUDE.md": "# Invoices\n\nRun `make check` before you say that something works.\nSee @docs/style.md.\n",
    "docs/style.md": "# Style\n\nShort functions. No new dependency without a word about it.\n",
    ".claude/rules/tests.md": "Tests stand beside the code they test.\n",
    "src/CLAUDE.md": "Amounts are integers of cents, never floats.\n",
}
"""A small project; the judge adds a line or two to each file."""


def measure(subject: Subject) -> Iterator[Score]:
    """Code words kept, and rules whose every character matters."""
    with TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        _, plan = prepare(CompactionOptions(project=Path(folder)))
    texts = {one.source.id: insert_block(FILES[one.source.path], canary_text(one), "end") for one in plan.canaries}
    sizes: list[float] = []
    strategy = Strategy("subject", _rounds(subject, sizes), "", deterministic=False)
    run = run_strategy(strategy, plan, rounds=ROUNDS, trials=TRIALS, texts=texts)
    last = [one for one in run.observations if one.round == ROUNDS]
    yield Score(JUDGE, f"{SHARE:.0%} code words", _share([one.recalled for one in last]), goal=100)
    rules = [one.behavior_followed for one in last if one.behavior_followed is not None]
    yield Score(JUDGE, f"{SHARE:.0%} rules", _share(rules), goal=100)
    yield Score(JUDGE, f"{SHARE:.0%} size", max(sizes), goal=100, most=True)


def _rounds(subject: Subject, sizes: list[float]) -> Callable[[list[Message]], list[Message]]:
    """The subject as the judge wants it; the limit is a share of what is first seen. Notes how full it gets."""
    limit = 0

    def compact(context: list[Message]) -> list[Message]:
        messages: Messages = [{"role": "user", "content": message.text} for message in context]
        nonlocal limit
        if len(messages) > 1:
            limit = int(SHARE * length(messages))
        sent = subject(messages, limit)
        sizes.append(fullness(sent, limit))
        return [Message("system", text_of(sent))]

    return compact


def _share(held: list[bool]) -> float:
    return 100 * sum(held) / len(held)


if __name__ == "__main__":
    answer(measure)
