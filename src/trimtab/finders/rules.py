"""Rules and limits that the user stated: the sentences that say what must, may not, always or never happen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from trimtab.facts import Fact
from trimtab.finders.base import exact, said
from trimtab.transcript import Message

MOST = 30
"""Rules in all, the latest ones: a later rule may replace an earlier one, hardly the other way round."""

MOST_AT_ONCE = 10
"""Rules of one message, the first ones: a pasted specification must not crowd out what was said before it."""

SHORTEST, LONGEST = 8, 400
"""Characters of a sentence: a shorter one says nothing by itself, a longer one is no sentence."""

SENTENCE = re.compile(r"[^\n.!?;。！？；]+(?:[.!?;](?!\s|$)[^\n.!?;。！？；]*)*[.!?;。！？；]?")
"""A sentence ends with its line, or with a mark before a blank: `v1.2` and `a.py` end none."""

WORDS = re.compile(
    r"\b(?:never|always|must(?:n't)?|do not|don['’]t|shall|should(?:n't| not| never)|cannot|can['’]t|may not"
    r"|not allowed|forbidden|prohibited|required|only|at (?:most|least)|no (?:more|less|later) than|avoid|unless"
    r"|until|without|from now on|make sure|be sure|ensure|stick to|keep in mind|remember|important|instead of"
    r"|(?:answer|reply|respond|write|speak)\w*(?: \w+){0,3} in [A-Z]\w+|limit|maximum|minimum"
    r"|nie(?:mals)?|immer|nur|nicht|kein\w*|muss|müssen|darf|dürfen|höchstens|mindestens|ohne|verboten"
    r"|nunca|jamás|siempre|debe[ns]?|solo|sólo|prohibido|sempre|não|deve[m]?|somente|apenas|proibido"
    r"|jamais|toujours|ne .{1,40} pas|doi(?:t|vent)|uniquement|seulement|interdit)\b"
    r"|不要|不得|不能|必须|必須|禁止|只能|始终|永远|务必"
    r"|しないで|してはいけない|必ず|だけ|하지 마|반드시|항상|금지",
    re.IGNORECASE,
)
"""What a rule is told by, in the languages that agents are spoken to most."""


class Rules:
    """The sentences of the user that state a rule or a limit, word for word."""

    name: ClassVar[str] = "rules"

    def find(self, messages: Sequence[Message]) -> Iterator[Fact]:
        found: dict[str, None] = {}
        for text in said(messages):
            for sentence in _rules(text):
                found.setdefault(sentence)
            if len(found) >= MOST:
                break
        for sentence in reversed([*found][:MOST]):
            yield exact(sentence, "a rule of the user")


def _rules(text: str) -> Iterator[str]:
    """The first rules that a text states, each as it stands."""
    count = 0
    for match in SENTENCE.finditer(text):
        sentence = match[0].strip()
        if SHORTEST <= len(sentence) <= LONGEST and WORDS.search(sentence):
            yield sentence
            count += 1
        if count == MOST_AT_ONCE:
            return
