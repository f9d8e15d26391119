"""Which statements a later one replaces: the same said of another value, a change announced, a setting set anew.

Three rules, each of which needs the later statement to name a value of the same kind or to announce the
change. In doubt both stand. The subjects are compared by the beginnings of their words, found through an
index of these, never all pairs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from math import fsum, log
from typing import NamedTuple

from trimtab.values import QUANTITIES, SETTINGS, SIGN, Values, values
from trimtab.words import STOP

LABEL = re.compile(r"\s*[A-Z][A-Z /-]{1,30}:\s+")
"""A label in capitals before a statement, which is no part of what it says."""

CUE = re.compile(
    r"""\b(?:
    updates?:?|updated|now|instead(?!\ of)|no\ longer|not\ any\ ?more|any\ ?more|change[sd]?|changing|moved?
    |switch(?:ed)?|rotated|renamed|rebased|migrated|replace[sd]|rather|retired|previous(?:ly)?|formerly|corrections?|actually
    |scratch\ that|on\ second\ thoughts?|postponed|rescheduled|extended|raised|lowered|increased|reduced
    |ab\ sofort|ab\ jetzt|jetzt|nun|nicht\ mehr|stattdessen|geändert|verschoben|korrektur|neuerdings|umbenannt
    |désormais|maintenant|ne\ \w+\ plus|changé|déplacée?|reportée?|remplacée?|correction
    |ahora|ya\ no|a\ partir\ de\ ahora|cambiado|movido|aplazado|corrección
    |adesso|d'ora\ in\ poi|agora|a\ partir\ de\ agora|voortaan
    )\b|今後|変更|现在|改为|不再""",
    re.IGNORECASE | re.VERBOSE,
)
"""What announces a change; it counts only where the subject and the kind of value fit as well."""

FRESH = re.compile(
    r"(?<!\ba )(?<!any )(?<!no )(?<!each )(?<!every )\b(?:new|neue[rns]?|nouve(?:au|lle)|nuev[oa])\b",
    re.IGNORECASE,
)
"""What may announce one: only together with a value of the same kind."""

EVENT = re.compile(
    r"\W*(?:now\ |just\ |(?:I|we)(?:'ve|\ have)?\ (?:now\ |just\ )?)*"
    r"(?:read|ran|run|found|fixed|merged|closed|opened|tested|deployed|pushed|built|wrote|saw|checked|committed|added)\b",
    re.IGNORECASE,
)
"""How the report of something done begins: the next one of its kind does not take it back."""

ASSIGNS = re.compile(
    r"(?:\b(?:is|are|be|was|to|at|of|under|below|above|than|within|until|by|use[sd]?|set|keep|costs?|runs?|goes|go"
    r"|beträgt|ist|sind|bis|auf|unter|est|sont|de|es|son|hasta)\b|[=:])(?:\W+\w+){0,4}\W*\Z",
    re.IGNORECASE,
)
"""What stands before a value that is said of something."""

EQUALS = re.compile(r"(?:\b(?:is|are|ist|sind|lautet|est|sont|es|son)\b(?: \w+)?|=)\s*\Z", re.IGNORECASE)
"""What stands before the one value of something, of whatever kind."""

ASSERTS = re.compile(r"\s*(?:\w+\s+)?(?:is|are|was|were|has|have|failed|passed|ist|sind|est|es)\b", re.IGNORECASE)
"""What stands behind a value of which something is said."""

RIVALS = (
    "production staging development preview sandbox demo",
    "primary backup secondary replica fallback",
    "unit integration acceptance regression",
    "frontend backend",
    "internal external public private",
    "minimum maximum",
    "client server",
    "upload download input output import export read write request response",
    "daily weekly monthly quarterly yearly",
    "monday tuesday wednesday thursday friday saturday sunday",
    "first second third fourth",
    "left right top bottom",
    "start end kickoff",
)
"""Words of which one does not stand for another: two statements that name different ones differ in subject."""

STEM, NEAR, POSTINGS = 4, 3, 40
"""Letters by which words are compared; from how many statements at most a word must come to tell of its subject
alone; statements looked at for a word, the newest first."""

_RIVAL = {word[:6]: group for group, words in enumerate(RIVALS) for word in words.split()}
_CUE_STEMS = frozenset(
    re.findall(
        r"\w+",
        "upda now inst long chan move swit rota rena reba migr repl rath reti prev form corr actu scra new plan"
        " from jetz sofo geän vers ahor camb déso plea must shou only",
    )
)
"""Beginnings of words that announce or ask, and are no subject."""

_WORD = re.compile(r"[^\W\d_]+")


class Traits(NamedTuple):
    """What is compared of a statement: its values, the stems of its subject, the rivals it names, whether it
    announces a change (1: only with a value), whether it tells of something done."""

    said: Values
    stems: frozenset[str]
    rivals: frozenset[str]
    cue: int
    event: bool


def superseded(statements: Sequence[str]) -> dict[int, int]:
    """The numbers of the statements that a later one replaces, each with the number of that one."""
    return _Search(statements).found


@lru_cache(maxsize=20_000)
def _traits(statement: str) -> Traits:
    text = LABEL.sub("", statement)
    said = values(text)
    folders = (path.strip("~./").partition("/")[0] for path in said.found.get("path", ()))
    words = [word.lower() for word in _WORD.findall(" ".join([said.words, *folders]))]
    stems = frozenset(word[:STEM] for word in words if len(word) > 2 and word not in STOP)
    cue = 2 if CUE.search(text) else 1 if FRESH.search(text) else 0
    rivals = frozenset(word[:6] for word in words if word[:6] in _RIVAL)
    return Traits(said, stems - _CUE_STEMS, rivals, cue, bool(EVENT.match(text)))


class _Search:
    """One pass over statements in their order."""

    def __init__(self, statements: Sequence[str]) -> None:
        self.statements = statements
        self.found: dict[int, int] = {}
        counts = Counter(stem for text in set(statements) for stem in _traits(text).stems)
        total = len(set(statements))
        self.rarity = {stem: log((total + 1) / count) for stem, count in counts.items()}
        self.floor = log((total + 1) / NEAR)
        self.by_stem = defaultdict[str, list[int]](list)
        masks, places = dict[str, int](), dict[str, int]()
        for number, text in enumerate(statements):
            mask = _mask(text)
            before = masks.get(mask) if mask else None
            if before is not None and statements[before] != text:
                self.found[before] = number
            elif (best := self._best(number)) is not None:
                self.found[best] = number
            if mask:
                masks[mask] = number
            if (same := places.get(text)) is not None and same in self.found:
                del self.found[same]  # said again since: it holds again
            if text not in places:
                for stem in _traits(text).stems:
                    self.by_stem[stem].append(number)
            places[text] = number

    def _best(self, number: int) -> int | None:
        """The one earlier statement that this one replaces, or None."""
        mine = _traits(self.statements[number])
        if mine.event or not (mine.cue or mine.said.found):
            return None
        shared = Counter[int]()
        for stem in mine.stems:
            for other in self.by_stem[stem][-POSTINGS:]:
                shared[other] += 1
        fits = [(self._fit(number, other), other) for other in shared if other not in self.found]
        best = max(fits, default=(0.0, -1))
        return best[1] if best[0] > 0 else None

    def _fit(self, number: int, other: int) -> float:
        """How well a later statement fits an earlier one that it may replace; 0: it does not."""
        now, then = self.statements[number], self.statements[other]
        mine, its = _traits(now), _traits(then)
        new, old = mine.said.found, its.said.found
        alike = {kind for kind in new if kind in old and new[kind] != old[kind]}
        announced = mine.cue == 2 and new.keys() <= SETTINGS
        if not (alike or announced) or now == then or its.event or _are_rivals(mine, its):
            return 0.0
        common = fsum([self.rarity[stem] for stem in mine.stems & its.stems])
        same = bool(alike) and mine.stems == its.stems and _subject(now) == _subject(then) is not None
        if alike & SETTINGS or (alike and (mine.cue or same)):
            return common
        return common if announced and common >= self.floor else 0.0


def _are_rivals(one: Traits, other: Traits) -> bool:
    """Whether two statements name different ones of words that do not stand for each other."""
    if not one.rivals or not other.rivals:
        return False
    groups = {_RIVAL[word] for word in one.rivals} & {_RIVAL[word] for word in other.rivals}
    return any(
        {word for word in one.rivals if _RIVAL[word] == group} != {w for w in other.rivals if _RIVAL[w] == group}
        for group in groups
    )


@lru_cache(maxsize=20_000)
def _mask(statement: str) -> str:
    """A statement with the kind of each value that it assigns in the place of it, "" when it assigns none."""
    traits = _traits(statement)
    if traits.event:
        return ""
    said, assigned = traits.said, _assigned(traits.said)
    mask = SIGN.sub(
        lambda sign: f"<{said.of(sign[0]).kind}>" if sign[0] in assigned else said.of(sign[0]).text, said.frame
    )
    return mask.lower() if assigned else ""


@lru_cache(maxsize=20_000)
def _subject(statement: str) -> frozenset[str] | None:
    """The values that a statement speaks of, without those it assigns; None when it assigns none."""
    said = _traits(statement).said
    assigned = _assigned(said)
    return (
        frozenset(said.of(sign).text for sign in SIGN.findall(said.frame) if sign not in assigned)
        if assigned
        else None
    )


def _assigned(said: Values) -> frozenset[str]:
    """The signs of the values that are said of something, and are not what something is said of."""
    found = list[str]()
    for sign in SIGN.finditer(said.frame):
        before = said.frame[max(sign.start() - 60, 0) : sign.start()]
        single = said.of(sign[0]).kind in QUANTITIES or EQUALS.search(before)
        if single and ASSIGNS.search(before) and not ASSERTS.match(said.frame, sign.end()):
            found.append(sign[0])
    return frozenset(found)
