"""What a sample is, and what all generators make it from: words, names, numbers and the needles themselves.

A needle is a text that stands once in a result. What it hangs on is one of four things: it is an anomaly
(nothing but the result itself says so), it is asked for (in the words of the question, or in other forms
of them), it stands beside an identifier that another message of the conversation uses, or it is
structure (a heading, a definition).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal, NamedTuple

from msgspec import Struct

Sort = Literal["anomaly", "asked", "identifier", "structure"]

VOCABULARY = """
    invoice ledger account customer region tariff setting queue worker session cache index token shipment
    order basket voucher warehouse supplier pallet route driver meter reading payment batch report archive
    tenant profile template message channel mailbox sensor gateway cluster volume snapshot bucket policy
"""
DEEDS = "load store merge check read write send parse render build count group sort apply update close"
SURNAMES = "Aigner Bakker Castro Dvorak Eriksen Fontaine Guerra Haddad Ito Jansen Kowalski Lindqvist Moreau"
NOUNS, VERBS, PEOPLE = VOCABULARY.split(), DEEDS.split(), SURNAMES.split()
REGIONS = ("eu-west", "eu-north", "us-east", "us-west", "ap-south", "sa-east")
SLOT = re.compile(r"\{([a-zA-Z])\}")


class Needle(NamedTuple):
    """`text` stands once in the result; `how` says in a few words what it looks like and where it hides."""

    text: str
    sort: Sort
    how: str


class Sample(Struct, frozen=True):
    """A result with the conversation around it: what was asked before, what is said and asked after."""

    kind: str
    seed: int
    text: str
    needles: tuple[Needle, ...]
    question: str
    said: str
    tool: str


class Ask(NamedTuple):
    """A thing that is asked for: the question, and how it is told as a sentence, as a key and as a file's name."""

    question: str
    sentence: str
    key: str


ASKS = (
    Ask("Which host was the replica promoted to?", "replica promotion completed on {}", "promoted_replica"),
    Ask("When does the signing certificate expire?", "certificate for signing, expiry {}", "signing_cert_expiry"),
    Ask("Who approved the refunds?", "refund approval given by {}", "refund_approver"),
    Ask("What quota do exports have?", "export quotas now {}", "export_quota"),
    Ask("Which port does the scheduler listen on?", "scheduler listening at {}", "scheduler_port"),
    Ask("Why are migrations skipped?", "skipping migration, marker {} present", "skip_migrations_marker"),
    Ask("How long do we retain audit trails?", "audit trail retention: {}", "audit_retention"),
    Ask("Which vendor delivers the thermostats?", "thermostat deliveries by vendor {}", "thermostat_vendor"),
    Ask("What discount did wholesalers get?", "wholesale discounts: {}", "wholesale_discount"),
    Ask("Where are the backups encrypted?", "backup encryption runs on {}", "backup_encryption_host"),
)

TROUBLES = (
    "ERROR could not commit, code {}",
    "request {} failed: card expired",
    "permission denied for {}",
    "upstream timed out, peer {}",
    "HTTP 500 from {}",
    "connection refused by {}",
    "killed by signal 9, unit {}",
    "giving up on {} after 5 attempts",
    "checksum mismatch in {}",
    "no space left on {}",
    "unhandled exception in {}",
    "{} is unreachable",
    "panic: index out of range in {}",
    "FATAL: role {} does not exist",
    "certificate of {} rejected",
    "deadlock detected, victim {}",
    "{}: segmentation fault",
    "quota exceeded for {}",
)
"""Anomalies that use a word for what is wrong, not always the same one."""

NEWS = (
    "primary is now {}",
    "switched to read-only by {}",
    "fallback tariff {} in use",
    "clock moved back, source {}",
    "license reassigned to {}",
)
"""Anomalies without any such word: all that marks them is that nothing else reads like this."""


class Maker(Random):
    """Seeded words and values. Unique values never come twice from one maker."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self._used = set[str]()

    def unique(self, make: Callable[[], str]) -> str:
        value = make()
        while value in self._used:
            value = make()
        self._used.add(value)
        return value

    def noun(self) -> str:
        return self.choice(NOUNS)

    def say(self, template: str, **known: str) -> str:
        """A template with its slots filled: {n} a noun, {N} one with a capital, {v} a verb, {p} a surname,
        {d} a number below 900, {h} eight hexadecimal digits; other letters as given.
        """
        return SLOT.sub(lambda slot: known.get(slot[1]) or self._word(slot[1]), template)

    def _word(self, letter: str) -> str:
        match letter:
            case "n":
                return self.noun()
            case "N":
                return self.noun().title()
            case "v":
                return self.choice(VERBS)
            case "p":
                return self.choice(PEOPLE)
            case "d":
                return str(self.randrange(900))
        return self.hex(8)

    def hex(self, digits: int) -> str:
        return f"{self.getrandbits(4 * digits):0{digits}x}"

    def path(self, ending: str = ".py") -> str:
        return self.say("src/{n}/{v}_{n}") + ending

    def day(self) -> str:
        return f"2026-{self.randrange(1, 13):02d}-{self.randrange(1, 29):02d}"

    def clock(self, second: int) -> str:
        return f"{second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}"

    def value(self) -> str:
        """What a needle says: a host, a number with a unit, a name, a date, an id, a file; seen nowhere else."""
        forms: Sequence[Callable[[], str]] = (
            lambda: f"{self.choice(REGIONS)}-{self.randrange(20, 99)}{self.choice('xyz')}",
            lambda: f"{self.randrange(2031, 2060)}-{self.randrange(1, 13):02d}-{self.randrange(1, 29):02d}",
            lambda: f"{self.choice(PEOPLE)}-{self.choice(PEOPLE)}",
            lambda: f"{self.randrange(1100, 9900)}.{self.randrange(11, 99)}",
            lambda: f"{self.choice('QXZ')}{self.choice('KVW')}-{self.randrange(10_000, 99_999)}",
            lambda: f"{self.noun()}_{self.choice('qxz')}{self.randrange(100, 999)}",
        )
        return self.unique(lambda: self.choice(forms)())

    def identifier(self) -> str:
        """What another message may name: an id, a file, a name as code has them."""
        forms: Sequence[Callable[[], str]] = (
            lambda: f"{self.noun()[:3]}-{self.randrange(10_000, 99_999)}",
            lambda: self.hex(8),
            lambda: f"{self.noun().title()}{self.noun().title()}{self.randrange(2, 99)}",
            self.name,
        )
        return self.unique(lambda: self.choice(forms)())

    def name(self) -> str:
        return f"{self.noun()}_{self.noun()}_{self.randrange(100, 999)}"

    def trouble(self, value: str) -> str:
        return self.choice(TROUBLES).format(value)

    def news(self, value: str) -> str:
        return self.choice(NEWS).format(value)


class Plan:
    """The needles of one sample as they are put in, and what has to be said around the result for them."""

    def __init__(self, maker: Maker, kind: str) -> None:
        self.maker, self.kind = maker, kind
        self.needles = list[Needle]()
        self.questions, self.mentions = list[str](), list[str]()
        self._asks = iter(maker.sample(ASKS, k=len(ASKS)))

    def needle(self, sort: Sort, how: str, text: str | None = None) -> str:
        """A text that is to be found again, noted down."""
        found = self.maker.value() if text is None else text
        self.needles.append(Needle(found, sort, how))
        return found

    def trouble(self, how: str = "a word for trouble") -> str:
        return self.maker.trouble(self.needle("anomaly", how))

    def news(self, how: str = "no word for trouble") -> str:
        return self.maker.news(self.needle("anomaly", how))

    def asked(self, how: str = "a sentence") -> str:
        """A sentence that answers a question."""
        ask = self._next()
        return ask.sentence.format(self.needle("asked", how))

    def asked_key(self, how: str = "a key") -> tuple[str, str]:
        """A key and a value that answer a question."""
        return self._next().key, self.needle("asked", how)

    def mentioned(self, *, plain: bool = False) -> str:
        """An identifier that another message uses, `plain` where it names a thing in code.

        What stands beside it is for the caller to plant.
        """
        self.mentions.append(self.maker.name() if plain else self.maker.identifier())
        return self.mentions[-1]

    def _next(self) -> Ask:
        ask = next(self._asks)
        self.questions.append(ask.question)
        return ask


def spots(maker: Maker, size: int, number: int) -> list[int]:
    """So many different places among `size` items: past the head, all over the middle, just before the tail."""
    shares = [0.06, 0.985, 0.5, 0.73, 0.31, 0.62, 0.17, 0.88, 0.42, 0.95][:number]
    maker.shuffle(shares)
    return [min(int((share + maker.uniform(-0.02, 0.012)) * size), size - 1) for share in shares]


def planted(maker: Maker, lines: list[str], odd: Sequence[str]) -> list[str]:
    """The lines with the odd ones put in at hostile places, in random order."""
    for spot, line in sorted(zip(spots(maker, len(lines), len(odd)), odd, strict=True), reverse=True):
        lines.insert(spot, line)
    return lines


def fill(size: int, make: Callable[[], str]) -> list[str]:
    """Pieces until there are `size` characters, line ends counted."""
    pieces, length = list[str](), 0
    while length < size:
        pieces.append(make())
        length += len(pieces[-1]) + 1
    return pieces
