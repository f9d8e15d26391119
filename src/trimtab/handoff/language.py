"""The language of a text, by its writing and its commonest words; "" where it cannot be told."""

from __future__ import annotations

import re
from collections import Counter

WRITINGS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
)
"""Writings that one language, or the commonest of several, has; Japanese before Chinese, whose signs it shares."""

SHARE = 0.15
"""The part of the letters that must be of a writing; names and code are in Latin letters everywhere."""

COMMON = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the and of to in is that it for with was are this not be on as have from please what should which",
        "de": "der die das und ist nicht ein eine mit für auf den dem zu von wir bitte wird sind auch noch oder",
        "fr": "le la les et est des une pour dans pas que qui sur avec nous vous il faut du ce cette sont",
        "es": "el la los las y es que en una para con por no del se está hay pero como este esta",
        "pt": "o a os as e é que em uma para com não por do da está foi mas como este esta você",
        "it": "il la gli e è che di una per con non del della sono questo questa ma come si anche",
        "nl": "de het een en is niet van voor met op dat die zijn aan ook wel maar deze dit",
        "pl": "i w nie na się jest to że do z dla jak ale co jego przez tylko proszę",
        "tr": "ve bir bu için ile değil ne da de çok olarak gibi lütfen sonra kadar",
        "sv": "och att det är en som på inte för med av till den har om ska jag",
    }.items()
}
"""The commonest words of languages written in Latin letters."""

WORD = re.compile(r"[^\W\d_]+")
FENCED = re.compile(r"```[\s\S]*?(?:```|\Z)|`[^`\n]*`")
CODE = re.compile(r"[/\\_=<>{}()\[\]]")
"""What is no prose, whatever its author speaks: what stands in fences, and words with such signs in them."""

LONGEST = 20_000
"""Characters that are looked at."""

FEWEST, CLEARLY = 2, 1.3
"""Common words that a text must have, and how many times as many as of any other language."""


def language(text: str) -> str:
    """The language by its code (ISO 639-1)."""
    prose = " ".join(word for word in FENCED.sub(" ", text[:LONGEST]).split() if not CODE.search(word))
    letters = sum(map(str.isalpha, prose))
    for code, writing in WRITINGS:
        if letters and len(writing.findall(prose)) >= SHARE * letters:
            return code
    words = Counter(word.lower() for word in WORD.findall(prose))
    found = {code: sum(words[word] for word in common) for code, common in COMMON.items()}
    best, second = sorted(found.values(), reverse=True)[:2]
    if best < FEWEST or best < CLEARLY * second:
        return ""
    return next(code for code, count in found.items() if count == best)
