"""Logs: entries that begin with a time, a level or both, and the lines that continue them."""

from __future__ import annotations

import re
from collections import Counter
from typing import ClassVar, NamedTuple

from trimtab.excerpts.base import ODD, Outline
from trimtab.excerpts.marks import NOTHING, Mark, faces, first, fit, tempered, units

FEWEST = 5
"""Entries below which a text is not taken for a log."""

SHARE = 0.9
"""Share of the lines that begin or visibly continue an entry, at least."""

LOOKED_AT = 400
"""Characters of a line that are looked at; the time and the level stand in front."""

_LEVEL = "trace|debug|info|notice|warn(?:ing)?|err(?:or)?|severe|crit(?:ical)?|alert|emerg|fatal|panic"
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"

HEAD = re.compile(
    rf"""
    (?:[\w.-]{{1,60}}+[ ]+\|[ ])?(?:<\d{{1,3}}>(?:1[ ])?)?   # the service (compose), the priority (RFC 5424)
    (?: \[?(?P<stamp>
            \d{{4}}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{{1,9}})?(?:[ ]?Z|[ ]?[+-]\d\d:?\d\d)?
          | (?:[A-Z][a-z]{{2}}[ ])?{_MONTH}[ ][ \d]?\d[ ]\d\d:\d\d:\d\d(?:\.\d{{1,9}})?(?:[ ]\d{{4}})?  # RFC 3164
          | \d\d-\d\d[ ]\d\d:\d\d:\d\d\.\d{{3}}                                             # Android
          | \d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?
          | [ ]{{0,7}}\d{{1,7}}\.\d{{6}}(?=\])                                                  # the kernel
        )(?=[\s\]|)\[]|:(?!\d)|$)
      | (?P<letter>[IWEF])(?P<glog>(?:\d{{4}}){{1,2}}[ ]\d\d:\d\d:\d\d\.\d{{1,9}})(?=\s)
      | [^\s"]{{1,255}}+[ ][^\s"]{{1,80}}[ ][^"\[\n]{{1,80}}\[
        (?P<access>\d\d/{_MONTH}/\d{{4}}:\d\d:\d\d:\d\d[ ][+-]\d{{4}})\][ ]
        "(?P<request>(?:[^"\\]|\\.)*+)"[ ](?P<status>\d{{3}})(?=\s|$)
      | (?=[\w.@-]{{1,60}}=)(?:[\w.@-]{{1,60}}=(?:"(?:[^"\\]|\\.)*+"|[^\s"]*+)[ ]+){{0,6}}?
        (?:time|ts|t|timestamp|level|lvl|severity)="?(?P<logfmt>[^\s"]++)
      | (?=(?P<lone>(?:(?i:{_LEVEL})(?<![a-z])))[: ])
    )""",
    re.VERBOSE,
)
"""How an entry begins: ISO 8601, syslog, glog, an access log, logfmt, or the level alone."""

LEVEL = re.compile(
    rf"""
    [\s\])|]*+(?:
        (?P<first>{_LEVEL})(?=[:\t])
      | \d+[ ]+\d+[ ](?P<letter>[DIWEF])(?=[ ])
      | (?:(?:[^\s"]|"[^"]*+")++[ \t]++){{0,5}}?
        (?: [\[<(|]?(?:\w{{1,40}}[.:])?(?P<upper>(?i:{_LEVEL})(?<![a-z]))(?=[\s\]>)|:,]|$)
          | (?:[\[<(|](?:\w{{1,40}}:)?|\b(?:level|lvl|severity)="?)(?P<lower>(?i:{_LEVEL}))\b
        )
    )""",
    re.VERBOSE,
)
"""The level among the first words behind the time: in capitals, in brackets, by name, or right in front."""

CONTINUES = re.compile(
    r"\s|Traceback \(|Caused by: |\.\.\. \d+ more|[\w.$]+(?:Error|Exception|Exit|Interrupt)\b"
    r"|panic: |goroutine \d|[\])}]"
)
"""What a line that belongs to the entry above begins with."""

EXCEPTION = re.compile(r"(?:Caused by: )?(?:[A-Za-z_]\w*[.$])*+\w*(?:Error|Exception)(?::|$)|panic: ")
BETWEEN = re.compile(r"-- .* --$|==> .* <==$|-- (?:Logs begin|Boot|Reboot)")
"""Lines that `journalctl` and `tail` put between entries."""

OTHERS = re.compile(
    r"##\[(?:group|error|command)\]|^\[\w+\] (?:BUILD [SF]|Tests run:|Scanning for projects)", re.MULTILINE
)
"""What a build writes: its time and level are no matter, what it ran is."""

NAMES = {"warning": "WARN", "err": "ERROR", "severe": "ERROR", "crit": "CRITICAL", "panic": "FATAL"}
LETTERS = {"D": "DEBUG", "I": "INFO", "W": "WARN", "E": "ERROR", "F": "FATAL"}
WEIGHTS = dict.fromkeys(("ERROR", "CRITICAL", "ALERT", "EMERG", "FATAL", "5xx"), ODD) | {
    "WARN": ODD / 3,
    "4xx": ODD / 6,
}
"""Weight of a level; an entry of the same shape as an earlier one weighs a half, a third, and so on."""

ENOUGH = 5
"""Entries of one shape that have weight at all."""

VARYING = re.compile(r'"[^"]*"|\b[^\W\d]*+\d\w*+')
"""What differs between entries of one shape: numbers, identifiers with digits in them, what is quoted."""


class Entry(NamedTuple):
    """What the head of an entry says; `stamp` and `level` are "" where it does not."""

    stamp: str
    level: str
    shape: str


class Log:
    """Entries, their levels and what continues them: stack traces, wrapped messages."""

    name: ClassVar[str] = "log"

    def read(self, text: str) -> Outline | None:
        """The entries of a log, by time or level; None where most lines are neither an entry nor part of one."""
        begins = first(text)
        if not (HEAD.match(begins, 0, LOOKED_AT) or BETWEEN.match(begins)):
            return None
        lines, seen = faces(text)
        entries = [entry(face) for face in seen]
        if not _is_log(seen, entries) or OTHERS.search(text):
            return None
        return Outline(self.name, units(lines, tempered(_marks(seen, entries))), _sums(entries))


def entry(face: str) -> Entry | None:
    """The head of an entry, or None for a line that is none."""
    head = HEAD.match(face, 0, LOOKED_AT)
    if head is None:
        return None
    stamp = head["stamp"] or head["glog"] or head["access"] or ""
    if head["logfmt"] and "T" in head["logfmt"]:
        stamp = head["logfmt"]
    level = _level(face, head)
    shape = VARYING.sub("#", head["request"] or face[head.end() : LOOKED_AT]) if level in WEIGHTS else ""
    return Entry(stamp, level, shape)


def _level(face: str, head: re.Match[str]) -> str:
    if head["status"]:
        return head["status"][0] + "xx"
    if head["letter"]:
        return LETTERS[head["letter"]]
    found = LEVEL.match(face, 0 if head["logfmt"] or head["lone"] else head.end(), LOOKED_AT)
    if found and found["letter"]:
        return LETTERS[found["letter"]]
    word = (found[found.lastgroup or 0]).lower() if found else ""
    return NAMES.get(word, word.upper())


def _is_log(seen: list[str], entries: list[Entry | None]) -> bool:
    heads = len(entries) - entries.count(None)
    filled = [number for number, face in enumerate(seen) if face and not face.isspace()]
    if heads < FEWEST or heads * 10 < len(filled):
        return False
    ours = sum(entries[number] is not None or bool(CONTINUES.match(seen[number])) for number in filled)
    return ours >= SHARE * len(filled)


def _marks(seen: list[str], entries: list[Entry | None]) -> list[Mark]:
    marks: list[Mark] = []
    shapes: Counter[str] = Counter()
    head = -1
    for number, (face, found) in enumerate(zip(seen, entries, strict=True)):
        if found is not None:
            head = number
            marks.append(_weighed(found.level, found.shape, shapes) if found.level in WEIGHTS else NOTHING)
        elif not face or face.isspace() or BETWEEN.match(face):
            marks.append(NOTHING)
        elif EXCEPTION.match(face, 0, LOOKED_AT):
            marks.append(_weighed("ERROR", VARYING.sub("#", face[:LOOKED_AT]), shapes)._replace(needs=head))
        else:
            marks.append(Mark(needs=head))
    return marks


def _weighed(level: str, shape: str, shapes: Counter[str]) -> Mark:
    shapes[shape] += 1
    times = shapes[shape]
    return Mark(WEIGHTS[level] / times, level.lower()) if times <= ENOUGH else NOTHING


def _sums(entries: list[Entry | None]) -> str:
    heads = [found for found in entries if found is not None]
    stamps = [found.stamp for found in heads if found.stamp]
    levels = Counter(found.level for found in heads if found.level)
    counts = " · ".join(f"{level} {count:,}" for level, count in levels.most_common())
    span = f"{stamps[0]} to {stamps[-1]}" if stamps else ""
    return fit(f"{len(heads):,} entries", *filter(None, (counts, span)))
