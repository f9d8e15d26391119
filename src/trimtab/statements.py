"""What a sentence states: a label, a rule, a decision, a preference, an order, what is pending, values."""

from __future__ import annotations

import re
from functools import lru_cache

from trimtab.claims import Claim
from trimtab.excerpts.prose import telling
from trimtab.excerpts.text import LONGEST
from trimtab.values import values
from trimtab.words import stems

LABELLED, HEADED, STATED, AGAIN, VALUE = 5.0, 1.5, 2.0, 1.0, 1.3
"""Worth of a label in capitals; of another word and a colon in front; of the first thing that a sentence states
and of the second; of each kind of value in it, two at most."""

WORD, MOST_WORDS, FEWEST = 0.1, 10, 3
"""Worth of each word that says what a sentence is about, how many count, and below how many nothing is said."""

LABEL = re.compile(
    r"^[\s>*_#-]*(?!(?:INFO|DEBUG|TRACE|WARN|WARNING|ERROR|FATAL|CRITICAL|HTTPS?|GET|POST|PUT|DELETE)\b)"
    r"(?:(?P<capitals>[A-Z][A-Z0-9 _/-]{1,30}):|(?P<words>[^\W\d]\w*(?: [\w-]+){0,3}):)[*_]*[ \t]+\S",
    re.MULTILINE,
)
"""What a sentence is, or is about, in front of it; the level of a line in a log tells nothing of that kind."""

STATES = re.compile(
    r"""\b(?:
    (?P<preference>prefer(?:s|red|ably|ence)?|wants?|would\ (?:rather|like)|likes?|need(?:s|ed)?|please|ideally
      |bevorzug\w*|lieber|möchten?|bitte|wünsch\w*|préfèr\w*|voudrais|veuillez|prefier\w*|quier\w*|por\ favor)
    |(?P<bound>only|unless|without|until|before\ (?:you|any|each|every)|except|no|not|nothing|nobody|every
      |each|whenever|exactly|from\ now\ on|rest\ of
      |nur|ohne|kein\w*|nicht|jede\w*|ab\ sofort|genau|seulement|sans|sauf|chaque|désormais|solo|sin|cada|salvo)
    |(?P<pending>next\ (?:steps?|up)|to[ -]?dos?|pending|remaining|still\ open|unresolved|waiting|blocked
      |depends\ on|I(?:'|\ wi)ll|goals?|planned|nächste\w*|offen\w*|noch\ zu|prochaine?s?
      |reste\ à|pendientes?|falta)
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""What a sentence states besides rules, decisions and corrections (these: `prose.telling`)."""

ORDER = re.compile(
    r"(?:\A\W*|[,;:] (?:then |and )?)(?:please |always |then )?"
    r"(?:use|keep|write|reply|answer|respond|report|end|start|begin|finish|put|make|add|give|show|list|tell|call|name"
    r"|ask|include|exclude|leave|return|format|pick|choose|stop|wait|stick|treat|set|send|store|restate|repeat|refer"
    r"|translate|limit|remember|ensure|assume|follow|check|run|verwende|nutze|schreib\w*|antworte|halte|utilise\w*"
    r"|écri\w+|répon\w+|usa|escrib\w+|respond\w+)\b",
    re.IGNORECASE,
)
"""A sentence, or its main clause, that asks for something to be done."""

LEANS = re.compile(
    r"\W*(?:(?:never|must|do not|don't|always|should|may)\b(?!.*\b(?:the|an?|our|your|my|any)\b)"
    r"|.*\b(?:it|them|this|that)\b)",
    re.IGNORECASE,
)
MOST_LEANING = 70
"""How a short sentence reads that says nothing without the one before it, and how long it is at most."""


NOTHING = re.compile(
    r"(?:\W*\b(?:ok(?:ay)?|yes|yep|sure|right|alright|thanks?|thank you|thx|great|good|nice|cool|perfect|excellent"
    r"|fine|noted|acknowledged|understood|got it|will do|done|of course|sounds good|makes sense|no problem"
    r"|you're welcome|hi|hello|hey|and|recorded|ja|nein|danke|gut|gerne|verstanden|alles klar|oui|merci|d'accord"
    r"|compris|bien|sí|gracias|vale|entendido|claro|obrigado|grazie)\b)+\W*|\W*",
    re.IGNORECASE,
)
"""What a sentence reads like that only acknowledges."""


@lru_cache(maxsize=20_000)
def stated(sentence: str) -> tuple[Claim, ...]:
    """What a sentence states, looked for in its first characters. The keys of the claims are its own."""
    sentence = sentence[:LONGEST]
    found = list[Claim]()
    if label := LABEL.search(sentence):
        found.append(Claim("label", LABELLED if label["capitals"] else HEADED))
    kinds = [match.lastgroup or "" for match in STATES.finditer(sentence)]
    kinds += [why for why in (telling(sentence), "order" if ORDER.search(sentence) else "") if why]
    worths = (STATED, AGAIN)
    found += [Claim(why, worth) for why, worth in zip(dict.fromkeys(kinds), worths, strict=False)]
    found += [Claim(kind, VALUE) for kind in list(values(sentence).found)[:2]]
    found.append(Claim("word", WORD * min(len(set(stems(sentence))), MOST_WORDS)))
    return tuple(Claim(f"{why} in {sentence[:80]}", worth) for why, worth in found)


def says_nothing(sentence: str) -> bool:
    """Whether a sentence only acknowledges."""
    return len(sentence) <= MOST_LEANING and NOTHING.fullmatch(sentence) is not None


def is_bare(sentence: str) -> bool:
    """Whether a sentence states nothing and has hardly a word to it."""
    return len(stated(sentence)) == 1 and len(stems(sentence)) < FEWEST


def leans(sentence: str) -> bool:
    """Whether a sentence says nothing without the one before it."""
    return len(sentence) <= MOST_LEANING and LEANS.match(sentence) is not None
