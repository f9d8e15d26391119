"""A task, a rule, a prohibition: these are the user's alone, and in the user's words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trimtab.finders.rules import SENTENCE
from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.ground import Ground, plain
from trimtab.handoff.headings import RULES, TASK
from trimtab.transcript import Role
from trimtab.words import stems

BINDS = re.compile(
    r"\b(?:must(?:n['’]t)?|never|always|do not|don['’]t|forbidden|prohibited|not allowed|may not|shall(?: not)?"
    r"|mandatory|required to|niemals|immer|verboten|darf nicht|muss|nunca|siempre|prohibido|jamais|toujours"
    r"|interdit|sempre|proibido)\b|不得|禁止|必须|必須|してはいけない|반드시|금지",
    re.IGNORECASE,
)
"""What a rule reads like outside its own section."""

LEAD = re.compile(
    r"^\W*(?:the )?user(?:'s)?(?: (?:said|says|asked|asks|wants|wanted|stated|requires?|task|rules?))*"
    r"(?: (?:that|is|to))?\W+",
    re.IGNORECASE,
)
"""What a writer puts in front of the user's words."""

ALIKE = 0.7
"""The part of a sentence's words that must be the user's for it to be taken for what the user said."""


def rules(sentence: Sentence) -> Ruling | None:
    """Lets stand what the user said word for word, puts the user's words in the place of what says the same."""
    own = sentence.section in (TASK, RULES)
    if not own and not BINDS.search(sentence.text):
        return None
    said = plain(LEAD.sub("", sentence.text)).strip(" \"'.!?;:,-*")
    if said and said in (sentence.ground.user if own else sentence.ground.plain):
        return None
    if meant := _meant(sentence.text, sentence.ground):
        return Ruling(meant, "in the user's words")
    return Ruling("", "no rule or task that the user stated")


def _meant(text: str, ground: Ground) -> str:
    """The one sentence of the user that says what this text says, "" where there is none or more than one."""
    words = set(stems(text))
    if len(words) < 3:
        return ""
    near = {one for one in _said(ground) if len(words & set(stems(one))) >= ALIKE * len(words)}
    binding = {one for one in near if BINDS.search(one) or not BINDS.search(text)}
    return binding.pop() if len(binding) == 1 else ""


def _said(ground: Ground) -> Iterator[str]:
    for row in ground.rows:
        if row.role in (Role.USER, Role.SYSTEM):
            yield from (match[0].strip() for match in SENTENCE.finditer(row.text))
