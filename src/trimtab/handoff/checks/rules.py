"""A task, a rule, a prohibition: these are the user's alone, and in the user's words."""

from __future__ import annotations

import re

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.ground import Ground, bare
from trimtab.handoff.headings import RULES, TASK
from trimtab.words import stems

BINDS = re.compile(
    r"\b(?:must(?:n['’]t)?|never|always|do not|don['’]t|forbidden|forbids?|forbade|prohibit(?:s|ed)?|not allowed"
    r"|may not|shall(?: not)?|mandatory|required to|no one may|nobody may"
    r"|user(?:s|['’]s)? (?:\w+ )?(?:wants?|wanted|prefers?|preferred|preference|requires?|required|insists?"
    r"|insisted|demands?|demanded|asked|asks|rules?|said|says|told|instructed)"
    r"|niemals|immer|verboten|darf(?:st)? (?:nicht|kein\w*)|dürfen (?:nicht|kein\w*)|muss|müssen"
    r"|nunca|jamás|siempre|prohibido|deben?|no se (?:puede|debe)"
    r"|jamais|toujours|interdit\w*|(?:il )?ne faut pas|doi(?:t|vent)"
    r"|sempre|proibid[oa]|deve[mn]?|não (?:pode|deve)|mai|vietato|nooit|altijd|verboden|nigdy|zawsze"
    r"|никогда|всегда|нельзя|запрещено|должн\w*)\b"
    r"|不得|不要|不能|禁止|必须|必須|しないで|してはいけない|必ず|반드시|금지|하지 마",
    re.IGNORECASE,
)
"""What a rule reads like outside its own section."""

LEAD = re.compile(
    r"^\W*(?:the )?user(?:['’]s)?(?: (?:said|says|asked|asks|wants|wanted|stated|requires?|task|rules?|told))*"
    r"(?: (?:that|is|to))?\W+",
    re.IGNORECASE,
)
"""What a writer puts in front of the user's words."""

ALIKE = 0.7
"""The part of a sentence's words that must be the user's for it to be taken for what the user said."""


def rules(sentence: Sentence) -> Ruling | None:
    """Lets stand what the user said word for word, puts the user's words in the place of what says the same.

    A piece of a sentence may say the contrary of the whole: the whole takes its place.
    """
    own = sentence.section in (TASK, RULES)
    if not own and not BINDS.search(sentence.text):
        return None
    said = bare(LEAD.sub("", sentence.text))
    if said in sentence.ground.told or (not own and said in sentence.ground.plain):
        return None
    if meant := _whole(said, sentence.ground) or _meant(sentence.text, sentence.ground):
        return None if meant == sentence.text else Ruling(meant, "in the user's words")
    return Ruling("", "no rule or task that the user stated")


def _whole(said: str, ground: Ground) -> str:
    """The user's sentence that this is a piece of, or the sentences that it begins and ends with."""
    if not said:
        return ""
    around = [one for key, one in ground.told.items() if said in key]
    if around:
        return around[0] if len(around) == 1 else ""
    pieces = [ground.told.get(bare(one), "") for one in re.split(r"(?<=[.!?;])\s+|\n", said)]
    return " ".join(pieces) if all(pieces) else ""


def _meant(text: str, ground: Ground) -> str:
    """The one sentence of the user that says what this text says, "" where there is none or more than one."""
    words = set(stems(text))
    if len(words) < 3:
        return ""
    near = {one for one in ground.told.values() if len(words & set(stems(one))) >= ALIKE * len(words)}
    binding = {one for one in near if BINDS.search(one) or not BINDS.search(text)}
    return binding.pop() if len(binding) == 1 else ""
