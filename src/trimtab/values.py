"""Values in sentences by their kinds: what of a statement may change while its words stay."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

_NUMERAL = (
    "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
    "|seventy|eighty|ninety|hundred|thousand|million)"
)
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember"
    "|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre"
    "|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
)
_UNIT = (
    "(?:%|percent|prozent|words?|lines?|characters?|tokens?|days?|weeks?|months?|years?|hours?|minutes?|seconds?"
    "|ms|gb|mb|kb|km|kg|tage|wochen|stunden|minuten|sekunden|jours|heures|días|horas)"
)

KINDS: Mapping[str, re.Pattern[str]] = {
    "url": re.compile(r"\bhttps?://[^\s\"'<>]+[\w/]"),
    "address": re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "money": re.compile(
        rf"[$€£¥]\s?\d[\d,.]*\d?[km]?\b|\b(?:\d[\d,.]*|{_NUMERAL}(?:[ -](?:and[ -])?{_NUMERAL}){{0,5}})[ -]"
        r"(?:dollars?|euros?|pounds?|yen|usd|eur|gbp|chf)\b",
        re.IGNORECASE,
    ),
    "date": re.compile(
        rf"\b\d{{4}}-\d\d-\d\d\b|\b{_MONTH}\.? \d{{1,2}}\b|\b\d{{1,2}}(?:\.|st|nd|rd|th)? (?:de )?{_MONTH}\b"
        r"|\b\d{1,2}[./]\d{1,2}\.(?:\d{4})?|\b\d\d-\d\d\b",
        re.IGNORECASE,
    ),
    "time": re.compile(r"\b\d{1,2}:\d\d(?::\d\d)?\b|\b\d{1,2} ?[ap]\.?m\b", re.IGNORECASE),
    "zone": re.compile(
        r"\b(?:UTC|GMT|[ECMP][SD]T|CES?T|(?:Pacific|Eastern|Central|Mountain)(?= [Tt]ime)"
        r"|(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Pacific)/[A-Z]\w+)\b"
    ),
    "units": re.compile(r"\b(?:metric|imperial|celsius|fahrenheit)\b", re.IGNORECASE),
    "indent": re.compile(r"\b(?:tabs|spaces)\b"),
    "clock": re.compile(r"\b(?:12|24)[ -]hour\b"),
    "theme": re.compile(r"\b(?:dark|light)(?=[ -](?:mode|theme))", re.IGNORECASE),
    "path": re.compile(r"(?<![\w/])[~.]{0,2}/?[\w.-]+(?:/[\w.-]+)+/?"),
    "identifier": re.compile(
        r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])\w+(?:[-_]\w+)+|\b(?=\w*\d)(?=\w*[A-Za-z])\w{6,}\b|\b\w+_\w+\b"
    ),
    "version": re.compile(r"\bv?\d+(?:\.\d+)+\b"),
    "amount": re.compile(rf"\b\d[\d,.]*(?:\s|-)?{_UNIT}(?!\w)", re.IGNORECASE),
    "name": re.compile(
        r"\b(?!(?:The|An?|Our|My|Your|We|This|Die|Der|Das|Ein|Unser|Le|La|Les|Los|El|Una?)\b)"
        r"[A-Z][a-zà-ÿ]+ [A-Z][a-zà-ÿ]+\b"
    ),
    "number": re.compile(r"\b\d[\d,.]*\d\b|\b\d\b|\b[0-9a-f]{7,}\b"),
}
"""What may be a value, the surest kinds first: what one kind has taken is no value of a later one."""

QUANTITIES = frozenset({"money", "date", "time", "version", "amount", "number"})
"""Kinds of which the same words say one value: of names, addresses and identifiers there may be several."""

SETTINGS = frozenset({"zone", "units", "indent", "clock", "theme"})
"""Kinds of which one value holds at a time: to name another one is to change the setting."""


FIRST, MOST = 0xE000, 1000
"""Values of a sentence are numbered by characters that Unicode leaves to private use; so many are looked at."""

SIGN = re.compile(f"[{chr(FIRST)}-{chr(FIRST + MOST)}]")


class Value(NamedTuple):
    """A value: what kind it is of, and how it reads."""

    kind: str
    text: str


class Values(NamedTuple):
    """The values of a sentence by kind, and all in turn; `frame` is the sentence with a sign for each."""

    found: Mapping[str, frozenset[str]]
    held: Sequence[Value]
    frame: str

    @property
    def words(self) -> str:
        """What is left of the sentence without its values."""
        return SIGN.sub(" ", self.frame)

    def of(self, sign: str) -> Value:
        """The value that a sign of the frame stands for."""
        return self.held[ord(sign) - FIRST]


@lru_cache(maxsize=20_000)
def values(sentence: str) -> Values:
    """The values of a sentence."""
    held, frame = list[Value](), SIGN.sub(" ", sentence)
    for kind, pattern in KINDS.items():
        spans = [match.span() for match in pattern.finditer(frame)][: MOST - len(held)]
        for start, stop in reversed(spans):
            held.append(Value(kind, frame[start:stop].lower()))
            frame = f"{frame[:start]}{chr(FIRST + len(held) - 1)}{frame[stop:]}"
    found = {kind: frozenset(one.text for one in held if one.kind == kind) for kind in {one.kind for one in held}}
    return Values(found, held, frame)
