"""A short transcript as the ground of a note, and what the checks make of one sentence over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.cases.transcripts import Step, request

from trimtab.edits import At
from trimtab.handoff.ground import Ground
from trimtab.handoff.headings import FOUND
from trimtab.handoff.note import Note
from trimtab.handoff.verify import Fault, verified
from trimtab.interest import interest
from trimtab.reader import Reader
from trimtab.testing import memory_store
from trimtab.tokens import counter_for


def ground(*steps: Step, notes: Mapping[int, Note] | None = None) -> Ground:
    """What a note on these steps is held against; `notes` are earlier notes by the numbers of their messages."""
    given = Reader(counter_for(None), memory_store(), "").read(request("anthropic", *steps))
    messages = [(name, one.message) for name, one in zip(given.names, given.parsed, strict=True)]
    earlier = {given.names[number]: note for number, note in (notes or {}).items()}
    return Ground(messages, earlier, interest(messages, ()), lambda text: len(text) // 4, handle)


def handle(at: At) -> str:
    """A handle of the usual form."""
    return f"t:{at.message[:7].hex()}{at.part:02x}"


def judged(text: str, on: Ground, section: str = FOUND, **others: Sequence[str]) -> str:
    """What becomes of an item of a note; "" where it is struck. `others` are other sections of the note."""
    kept, _ = verified({**{key: list(items) for key, items in others.items()}, section: [text]}, on)
    return kept.get(section, [""])[0]


def faults(text: str, on: Ground, section: str = FOUND) -> list[Fault]:
    """What was wrong with an item of a note."""
    return verified({section: [text]}, on)[1]
