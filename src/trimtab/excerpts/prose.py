"""Natural language: sentences, and those among them that state a rule, a decision or a correction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import ClassVar

from trimtab.excerpts.base import ODD, STRUCTURE, Outline, Unit
from trimtab.excerpts.text import LONGEST, pieces
from trimtab.excerpts.views import bodies
from trimtab.selection import rows

BOUNDARY = re.compile(
    r"""[。！？｡.!?…؟۔।\n](?:
     (?<=[。！？｡])[。！？｡]*+[」』”’）\])"']*+\s*+          # ends a sentence without a blank
    |(?<=[.!?…؟۔।])["'”’»)\]*_`]*+(?:\s++|\Z)           # ends one before a blank
    |(?<=\n)\s*+
    )""",
    re.VERBOSE,
)
"""Where a sentence may end: Latin, Arabic, Urdu, Devanagari and full-width marks, and the end of a line.

It begins with all the marks there are, which lets `re` skip what is between them.
"""

SHORT_FORM = frozenset(
    """
    approx apr aug av bspw bzw ca cf co corp dec dept dr ed eds est etc evtl excl feb ggf hon inc incl
    jan jr jul jun ltd max min misc mme mr mrs ms mt nov oct op par prof ref refs resp rev sep sept sog
    sr sra st str tel usw vgl vs zzgl
    """.split()
)
"""What a full stop after it does not end; single letters and letters between stops need no listing."""

BEFORE_NUMBER = frozenset("art ch eq fig figs no nos nr nº núm p pp sec vol ver".split())
"""What is shortened before a number only."""

MONTH = re.compile("Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember")
"""What stands behind the full stop of a German date."""

WRAPPED = 50
"""Characters of a line from which on its end may be the typist's and not the sentence's."""

MARKER = re.compile(r"[-*+•‣>#|=~`]|\(?\w{1,3}[.)][ \t]|\[")
"""What begins a line of its own: an item, a heading, a quotation, a row, a fence."""

TELLING = re.compile(
    r"""\b(?:
    (?P<correction>actually|corrections?|no\ longer|not\ any\ ?more|chang(?:ed|e|ing)\ (?:\w+\ ){0,3}?(?:to|from)
      |scratch\ that|on\ second\ thoughts?|deprecated|superseded?s?|replaced\ (?:by|with)|(?:was|were|is)\ wrong
      |instead|rather\ than|nicht\ mehr|statt|stattdessen|anstatt|geändert|korrektur|doch\ nicht
      |au\ lieu\ de|désormais|ne\ \w+\ plus|remplacée?s?\ par|ya\ no|en\ lugar\ de|en\ vez\ de|corrección
      |cambi(?:ó|ado)\ a)
    |(?P<decision>decided|decisions?|agreed|we\ chose|chosen|settled\ on|go(?:ing)?\ with|approved|rejected
      |entschieden|entscheidung|beschlossen|vereinbart|décidée?s?|convenu|decidi(?:ó|do|mos)|acordado|aprobado)
    |(?P<rule>must|mustn['’]t|never|always|shall|don['’]t|do\ not|cannot|required?s?|mandatory|forbidden|prohibited
      |only\ (?:if|when|after|use)|make\ sure|please\ use|avoid|deadline|due\ (?:by|on|date)|limits?
      |limited\ to|at\ (?:most|least)|(?:no|not)\ more\ than|maximum|minimum|important
      |muss|müssen|darf|dürfen|niemals|immer|verboten|frist|höchstens|mindestens
      |doit|doivent|jamais|toujours|interdit|obligatoire|date\ limite
      |debe[ns]?|nunca|siempre|prohibido|obligatorio|fecha\ límite|plazo)
    )\b
    |\A\W{0,8}(?P<advice>use)\ """,
    re.VERBOSE,
)
"""Words of rules, decisions and corrections in English and, the commonest, in German, French and Spanish."""

PHRASES = (
    *"""
    acordado actually agreed always anstatt approved aprobado avoid beschlossen cambiado cambió change changed
    changing chosen convenu correction corrections corrección darf deadline debe deben debes decided decidido
    decidimos decidió decision decisions deprecated doit doivent décidé décidée décidées décidés désormais dürfen
    entscheidung entschieden forbidden frist geändert höchstens immer important instead interdit jamais korrektur
    limit limits mandatory maximum mindestens minimum muss must mustn müssen never niemals nunca obligatoire
    obligatorio plazo prohibido prohibited rejected remplacé remplacée remplacées remplacés require required
    requires shall siempre statt stattdessen supersede superseded supersedes toujours vereinbart verboten cannot
    """.split(),
    *("at most", "at least", "au lieu de", "date limite", "do not", "doch nicht", "don't", "don’t", "due by"),
    *("due on", "due date", "en lugar de", "en vez de", "fecha límite", "go with", "going with", "is wrong"),
    *("limited to", "make sure", "ne ", "nicht mehr", "no longer", "no more than", "not any", "not more than"),
    *("on second", "only if", "only when", "only after", "only use", "please use", "rather than", "replaced by"),
    *("replaced with", "scratch that", "settled on", "use ", "was wrong", "we chose", "were wrong", "ya no"),
)
"""What is telling, or begins so; a sentence with none of them is looked at no further."""

LETTERS = "".join(chr(code) if chr(code).isalpha() else " " for code in range(128))
"""A translation of ASCII that leaves letters."""


def _first(phrase: str) -> str:
    return next(match[0] for match in WORDS.finditer(phrase))


WORDS = re.compile(r"[^\W\d_]+")
FIRST = {word: tuple(found) for word, found in groupby(sorted(PHRASES, key=_first), _first)}
"""What begins with each first word."""


class Prose:
    """Paragraphs of sentences."""

    name: ClassVar[str] = "prose"

    def read(self, text: str) -> Outline | None:
        """The sentences of a text that is natural language and shows no sign of anything else."""
        if 2 * sum(map(len, WORDS.findall(text, 0, SAMPLE))) < len(text[:SAMPLE].strip()):
            return None
        lines = rows(text)
        own = bodies(lines)
        if not _is_prose("".join(own)):
            return None
        return Outline(self.name, list(_units(text, _by_line(lines) if own != lines else sentences(text))))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a text begin and end; together they are the text, white space and all.

    A line that is short, or is followed by an item, a heading or a blank line, ends its sentence; the
    end of a long line inside a paragraph does not. Where in doubt two sentences stay together.
    """
    start = 0
    for match in BOUNDARY.finditer(text):
        if _ends(text, start, match):
            stop = text.rfind("\n", match.start(), match.end()) + 1 or match.end()
            yield start, stop
            start = stop
    if start < len(text):
        yield start, len(text)


def telling(text: str, start: int = 0, stop: int | None = None) -> str:
    """What `text[start:stop]` states: "rule", "decision", "correction", or "" for none of them."""
    low = text[start:stop].lower()
    words = low.translate(LETTERS).split() if low.isascii() else WORDS.findall(low)
    likely = any(phrase in low for word in FIRST.keys() & words for phrase in FIRST[word])
    found = TELLING.search(low) if likely else None
    return (found.lastgroup or "").replace("advice", "rule") if found else ""


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a sentence that began at `start` ends here."""
    mark = match[0][0]
    if mark == "\n":
        return not _runs_on(text, start, match)
    if mark not in ".!?…" or "\n" in match[0] or match.end() == len(text):
        return True
    following = text[match.end()]
    if mark != ".":
        return not following.islower()
    return not _is_short_form(text, match, following)


def _runs_on(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a sentence goes on behind the end of a line."""
    at, end = match.span()
    if match[0].count("\n") > 1 or end == len(text) or not start + WRAPPED <= at <= start + LONGEST:
        return False
    last = text[at - 2 if text[at - 1] == "\r" else at - 1]
    following = text[end]
    return (
        (last.isalnum() or last in " ,;)–—")
        and (following.isalpha() or following in "\"'(“‘«")
        and text.rfind("\n", at - WRAPPED, at) < 0
        and not MARKER.match(text, end)
    )


def _is_short_form(text: str, match: re.Match[str], following: str) -> bool:
    """Whether a full stop shortens a word or orders a number and ends no sentence."""
    before = text[max(match.start() - 16, 0) : match.start()]
    words = before.split()
    word = words[-1].lstrip("([\"'“„«*_").lower() if words and not before[-1].isspace() else ""
    if word.isdecimal():
        line = before.rpartition("\n")[2] if len(before) < 16 or "\n" in before else "…"
        return line.strip() == word or bool(MONTH.match(text, match.end()))
    if len(word) < 2 or word[-2] == ".":
        return word[-1:].isalpha()
    if word in BEFORE_NUMBER and following.isdecimal():
        return True
    return word in SHORT_FORM or (following.islower() and len(match[0].rstrip()) > 1)


def _by_line(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The sentences of lines that stand for themselves."""
    at = 0
    for line in lines:
        yield from ((at + start, at + stop) for start, stop in sentences(line))
        at += len(line)


def _units(text: str, spans: Iterator[tuple[int, int]]) -> Iterator[Unit]:
    """A unit a sentence, several for an overlong one."""
    apart = True
    for start, stop in spans:
        if stop - start <= LONGEST:
            why = telling(text, start, stop)
            closed = text.endswith(("\n\n", "\r\n\r\n"), start, stop)
            heading = apart and closed and not why and _is_heading(text[start:stop].strip())
            yield Unit(start, stop, STRUCTURE if heading else ODD if why else 0.0, "heading" if heading else why)
            apart = closed
        else:
            for piece in pieces(text, start, stop):
                why = telling(text, piece.start, piece.stop)
                yield Unit(piece.start, piece.stop, ODD if why else 0.0, why)
            apart = False


HEADING = 80
"""Characters a heading has at most."""


def _is_heading(line: str) -> bool:
    """Whether what stands alone between blank lines is a heading."""
    return 2 < len(line) <= HEADING and "\n" not in line and line[-1].isalnum() and not MARKER.match(line)


ENDS = re.compile(r"[.!?…؟۔।。！？｡](?:(?<=[。！？｡])|[\"'”’»)\]*_`]*+(?=\s|\Z))")
SIGNS = b"{}<>=;\\|$_#@~^[]0123456789"
"""What is frequent in code, data and logs and rare in sentences."""

OTHERS = bytes(code for code in range(128) if not chr(code).isalpha() and not chr(code).isspace())
"""What is neither a letter nor a blank, of ASCII; of what is beyond, letters are the most."""

RECORD = re.compile(
    r"\n[ \t]*+(?:\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d|(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\b)"
    r"|\$ |>>> |@@ |[\w./-]++:\d+:)"
)
"""How a line of a log, a session, a diff or a search begins, behind the end of the line above."""


def _is_prose(text: str) -> bool:
    """Whether most of a text is words, in sentences of a likely length, in lines of a likely length."""
    solid = len(text) - text.count(" ") - text.count("\n")
    if not solid or _count(text, OTHERS) > 0.3 * solid or _count(text, SIGNS) > 0.04 * solid:
        return False
    lines = [len(line) for line in text.split("\n") if line and not line.isspace()]
    ends = len(ENDS.findall(text))
    return (
        ends >= FEWEST_SENTENCES
        and 8 * ends <= len(text) <= 300 * ends
        and sum(length for length in lines if length >= LONG) >= len(text) / 2
        and len(lines) <= 4 * ends
        and not RECORD.search(f"\n{text}")
    )


def _count(text: str, marks: bytes) -> int:
    """How many of these characters of ASCII a text has."""
    data = text.encode("utf-8", "surrogatepass")
    return len(data) - len(data.translate(None, marks))


SAMPLE = 4000
"""Characters after which what is far from prose is looked at no further."""

FEWEST_SENTENCES = 3
LONG = 30
"""Characters of a line that is more than a label; a line of Chinese is shorter than one of English."""
