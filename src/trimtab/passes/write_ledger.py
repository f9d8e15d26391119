"""Old exchanges and the chat before them to a ledger: an entry for each call, a few words of each message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Span, Summarize
from trimtab.ledger import calls_made, chat, told
from trimtab.passes.base import Stage, View
from trimtab.stubs import ledger_stub


class WriteLedger(Struct, frozen=True):
    """Each run of old messages becomes one: its calls with what they gave, as that is sent now, and its chat.

    Removes: what is said beside calls, reasoning, and of the chat all but the first `characters` of the last
    `messages`. Keeps: the newest turn and the newest exchange in place. Recovers: the messages by the handle.
    Skips when: nothing is gained.
    """

    messages: int = 6
    characters: int = 400

    name: ClassVar[str] = "write_ledger"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset(
        {Place.RESULTS, Place.ARGUMENTS, Place.REASONING, Place.MEDIA, Place.ASSISTANT_TEXT, Place.USER_TEXT}
    )

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit a run, oldest first."""
        runs, calls = view.foldable, calls_made(view.messages)
        chats = [name for run in runs for name, message in run if chat(message)]
        shown = set(chats[max(len(chats) - self.messages, 0) :])
        for run in runs:
            span = Span(run[0][0], run[-1][0])
            lines = told(run, calls, view.part, shown, self.characters)
            text = "\n".join([ledger_stub(len(run), view.handle(span)), *lines])
            yield Summarize(span, text, f"calls and chat of {len(run)} messages", Loss.RECOVERABLE)
