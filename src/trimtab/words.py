"""Words, stems and identifiers of any text: what two texts can have in common.

The stemmer is light on purpose (plural, -ing, -ed and their like, after Harman's S-stemmer, 1991):
a full one in pure Python takes longer for a word than all the rest for its line.
"""

from __future__ import annotations

import re
from functools import lru_cache

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_A-Za-z]+")
"""A word: compounds of code fall apart (`roundStage`, `round_stage`), each CJK character is one."""

PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""A word in a name of code: of a tool, of an argument."""

CHUNK = re.compile(r"(?:[\w./@:~+%#?&-]|(?<=\d),(?=\d{3}))+")
"""What may be an identifier: letters and digits with the marks that stand inside addresses and paths."""

EXACT = re.compile(
    r"(?=.*\d)(?=.*[^\W\d_]).{4,}|.*[^\W_]_\w.*|.*[a-z][A-Z].*|.*\w[/@]\w.*|[.~]*/\w.*|\d[\d.:,-]*\d\d"
    r"|[^\W\d_]{2,}(?:\.[^\W\d_]{2,})+",
    re.ASCII,
)
"""A chunk that must be copied exactly: ids with digits, joined and dotted names, paths, numbers of three
digits."""

CALLED = re.compile(r"\b([A-Za-z_]\w{2,})\(")
"""A name that is called or defined with parameters."""

DEFINED = re.compile(r"\b(?:def|class|func|fn|function|struct|interface|trait|enum|type)\s+(\w{3,})")
"""A name that is defined."""

JOINTS = re.compile(r"[/,:=.?&#]")
"""What parts the names in a path, an address, a row or an assignment."""

INSIDE = "".join(chr(code) if chr(code).isalnum() or chr(code) in "_./@:~+%#?&-," else " " for code in range(128))
"""A translation of ASCII that leaves what may stand inside an identifier."""

LONGEST = 200
"""Characters of a chunk above which it is a blob and no identifier."""

STOP = frozenset(
    """
    a able about above across actually after again against ago all almost alone along already also although
    always am among an and another any anybody anyone anything anyway are around as ask asked at away back be
    became because become been before begin being below beside between both but by call called came can cannot
    come comes could did do does doing done down due during each either else end enough even ever every everyone
    everything far few find first for found from get gets getting give given gives go goes going gone good got
    had has have having he help her here him his how however i if in indeed instead into is it its itself just
    keep kind knew know known last later least left less let like likely little long look looked looking made
    make makes making many may maybe me mean means might more most much must my near nearly need needs neither
    never new next no nobody none nor not nothing now of off often oh ok okay old on once one ones only onto or
    other others our ours out over own part perhaps place please possible put quite rather really right said
    same saw say says see seem seen several shall she should show shown side simply since so some somebody
    someone something still such sure take taken takes tell tells than thank thanks that the their them
    themselves then there therefore these they thing things think this those though thought three through thus
    till to together told too took toward tried try turn two under until up upon us use used uses using usually
    very via want wants was way we well went were what whatever when where whether which while who whole whom
    whose why will with within without work would yes yet you your yours yourself
    """.split()
)
"""English words that say nothing about what a text is about."""

ENDINGS = ("ations", "ation", "ings", "ing", "ied", "ies", "ers", "ed", "er", "es", "ly", "s")


def stems(text: str) -> list[str]:
    """The stems of a text's words in order, without stop words and single letters."""
    return [stem for word in WORD.findall(text) if (stem := _stem(word))]


def identifiers(text: str) -> list[str]:
    """The identifiers of a text in order: paths, addresses, ids, joined names, numbers of three digits or more."""
    return [found for chunk in CHUNK.findall(text) if (found := _exact(chunk))]


def chunks(text: str) -> list[str]:
    """The runs of what may stand in identifiers, in order; quicker than the identifiers themselves."""
    return text.translate(INSIDE).split()


def named(text: str) -> set[str]:
    """The names a text uses: its identifiers, the names within them (of a file, without its ending), what it
    calls."""
    return {name for chunk in set(chunks(text)) for name in names(chunk)}.union(CALLED.findall(text))


def names(chunk: str) -> set[str]:
    """The identifier that a chunk is, and those within it."""
    whole, *within = pieces(chunk)
    found = {_exact(whole), *(name for piece in within if not (name := _exact(piece)).isdigit())}
    return found - {""}


def pieces(chunk: str) -> list[str]:
    """What of a chunk may be an identifier: the whole without the marks around it, and what stands between
    joints."""
    whole = chunk.strip(",.:-+%#?&")
    if len(whole) > LONGEST or not JOINTS.search(whole):
        return [whole.removeprefix("./")]
    lines = whole.split(":") if ":" in whole else []
    return [whole.removeprefix("./"), whole.rpartition("/")[2], *lines, *JOINTS.split(whole)]


@lru_cache(maxsize=50_000)
def _exact(chunk: str) -> str:
    """The chunk without the marks around it, "" when it is no identifier."""
    chunk = chunk.strip(".:-+%#?&").removeprefix("./")
    return chunk if 3 <= len(chunk) <= LONGEST and EXACT.fullmatch(chunk) else ""


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    word = word.lower()
    if word in STOP or (len(word) < 2 and word.isascii()):
        return ""
    if not word.isascii() or len(word) < 4 or word.isdigit():
        return word[:40]
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= (4 if ending == "ly" else 3) and word[-2:] != "ss":
            return _mended(word[: -len(ending)], ending)
    return word.removesuffix("e")[:40]


def _mended(root: str, ending: str) -> str:
    """A root as it stands without its ending: `running` → run, `tries` → try, `rounding` → round."""
    if ending in ("ied", "ies"):
        return root + "y"
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz":
        return root[:-1]
    return root.removesuffix("e")[:40]
