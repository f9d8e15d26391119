"""Where the work stands: the folder it goes on in, the language of the user, what the assistant said last."""

from __future__ import annotations

import re

from trimtab.handoff.actions import command_of
from trimtab.handoff.cutting import beginning, one_line
from trimtab.handoff.ground import Ground
from trimtab.handoff.speech import FORGED
from trimtab.ledger import arguments_of
from trimtab.transcript import Role

TITLE = "State"

FOLDER, LANGUAGE, LAST = "working directory: ", "the user's language: ", "the assistant said last: "

CHANGES = re.compile(r"(?:^|&&|;|\n)\s*cd\s+([^\s;&|]+)")
NAMES = ("cwd", "workdir", "working_directory", "working_dir")

LONGEST = 400


def state(ground: Ground, room: int) -> list[str]:
    """Each at most once; what is not known now is as the earlier note said."""
    kept = ground.kept(TITLE)
    folder = _folder(ground)
    spoken = [row.text for row in ground.rows if row.role is Role.ASSISTANT and row.call is None and not row.kept]
    last = one_line(spoken[-1]) if spoken and not FORGED.search(spoken[-1]) else ""
    found = {
        FOLDER: folder,
        LANGUAGE: ground.language,
        LAST: beginning(last, LONGEST),
    }
    earlier = {sign: item.removeprefix(sign) for sign in found for item in kept if item.startswith(sign)}
    return [f"{sign}{text}" for sign in found if (text := found[sign] or earlier.get(sign, ""))]


def _folder(ground: Ground) -> str:
    """The folder that the last call which names one works in, or goes to."""
    folder = ""
    for one in ground.calls:
        values = arguments_of(one.call)
        named = next((values[key] for key in NAMES if isinstance(values.get(key), str)), "")
        gone = [path for path in CHANGES.findall(command_of(one.call)) if path not in ("-", "..")]
        folder = gone[-1].strip("'\"") if gone else str(named) or folder
    return folder
