"""compaction-guard: sees which rules of a long history are dropped, weakened or changed in value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compaction_guard import Guard, Policy

from benchmarks.judges.compacting import Messages, Subject, fullness, length
from benchmarks.judges.histories import histories
from benchmarks.judges.scores import Score, answer

JUDGE = "compaction-guard"
SHARE = 0.1
RULES = (
    "Never push to main without my review.",
    "Keep Python 3.9 support in everything you touch.",
    "Do not spend more than $500 on the test cluster.",
    "All amounts are integers of cents, never floats.",
    "The staging database is at db-7.staging.internal, port 5433.",
    "Ask me before you delete a file outside build/.",
)


def measure(subject: Subject) -> Iterator[Score]:
    """The rules that are still there as they were said, each in a message of its own, far from the end."""
    for name, history in histories().items():
        messages = _ruled(history)
        limit = int(SHARE * length(messages))
        guard = Guard(RULES, policy=Policy.WARN)
        sent = subject(messages, limit)
        guard.compact(messages, lambda _, sent=sent: sent)
        found = Counter(finding.kind.value for finding in guard.last_report.findings)
        note = ", ".join(f"{kind} {number}" for kind, number in sorted(found.items()) if kind != "preserved")
        kept = 100 * found["preserved"] / len(RULES)
        yield Score(JUDGE, f"{SHARE:.0%} preserved, {name}", kept, goal=100, note=note)
        yield Score(JUDGE, f"{SHARE:.0%} size, {name}", fullness(sent, limit), goal=100, most=True)


def _ruled(history: Messages) -> Messages:
    """The history with the rules put in front of the first user messages, one each."""
    rules, messages = list(RULES), list[dict[str, object]]()
    for message in history:
        if rules and message["role"] == "user":
            message = {**message, "content": f"{rules.pop(0)}\n{message['content']}"}
        messages.append(message)
    return messages


if __name__ == "__main__":
    answer(measure)
