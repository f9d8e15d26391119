"""The default, with one level more: where folding is not enough, old messages give way to a handoff note."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from trimtab.edits import Brief
from trimtab.handoff.injected import TAGS
from trimtab.passes.keep_window import PLACES
from trimtab.passes.write_note import WriteNote
from trimtab.presets.base import Count, Seconds
from trimtab.presets.default import Care, Default
from trimtab.reach import Rules


class Handoff(Struct, frozen=True, forbid_unknown_fields=True):
    """What `default` does; and where the window or a budget asks for more than folding gives, all but the last
    `keep` messages become a handoff note by the writer, checked by trimtab.

    `Compactor(writer=…)` is the model, asked for the sections of `headings` (titles by key) and by further
    `instructions`, or by a `prompt` of one's own; at most `note_tokens` tokens, within `timeout` seconds, in
    questions of at most `input_tokens` tokens, without what stands between `injected_tags`. The program adds about
    `program_tokens` tokens: the user's words, what was executed, what failed, files, lines word for word. Without
    a writer, and where it fails, the note is the program's own. A note has at most one `factor`-th of the tokens
    that it stands for. `care` is that of `default`.

    Keeps system messages, the task, the newest turn and the last `keep` messages. Where users and models must take
    turns (Bedrock), task and newest turn stand in the note when they are older than that.

    Loses what the note does not say. The messages come back word for word by the handle that stands over it.
    """

    keep: Count = 12
    headings: dict[str, str] = {}
    instructions: str = ""
    prompt: str = ""
    note_tokens: Count = 1500
    program_tokens: Count = 2000
    input_tokens: Count = 30_000
    timeout: Seconds = 60.0
    factor: float = 1.5
    injected_tags: tuple[str, ...] = TAGS
    care: Care = "balanced"

    name: ClassVar[str] = "handoff"
    source: ClassVar[str] = "trimtab"

    def rules(self) -> Rules:
        """The rules of the default, and the note as the last of its folds."""
        brief = Brief(
            prompt=self.prompt,
            headings=self.headings,
            extra=self.instructions,
            most=self.note_tokens,
            seconds=self.timeout,
            longest=self.input_tokens,
            tags=self.injected_tags,
            program=self.program_tokens,
            factor=self.factor,
            stands_alone=True,
        )
        made = Default(care=self.care).rules()
        return replace(
            made,
            preset=self.name,
            passes=(*made.passes, WriteNote(self.keep, turns_stay=True, brief=brief)),
            places=made.places | PLACES,
            task_stays=False,
            question_stays=False,
        )
