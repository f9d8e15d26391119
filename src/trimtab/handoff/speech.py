"""What must not speak in a note: orders to whoever reads it, reasoning, forged marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

INJECTS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}"
    r"\b(?:instructions?|rules?|above|previous|prior|system|everything)\b"
    r"|\byou are now\b|\byour (?:new )?(?:task|job|role|instructions?|purpose) (?:is|are)\b"
    r"|\bnew (?:system )?(?:instructions?|orders)\b|\bjailbreak\b|\bas an ai\b"
    r"|\b(?:do not|don['’]t|never) (?:tell|inform|mention|ask|alert)\b.{0,30}\buser\b"
    r"|\b(?:ignorier|missacht|vergiss|vergesst|ignor[eao]|olvid|oubli|dimentic|esque[cç])\w*\b.{0,60}"
    r"\b(?:anweisung|regel|vorherig|instruc|instruç|instruk|regla|règle|anterior|précédent|istruzion|precedent)"
    r"|忽略.{0,20}(?:指令|指示|规则)|无视.{0,20}(?:指令|指示|规则)|(?:指示|命令).{0,12}無視|무시하"
    r"|\b(?:игнорир|забудь)\w*.{0,60}(?:инструкци|правил)",
    re.IGNORECASE,
)
"""What somebody says in a tool's result who wants to be obeyed."""

ORDERS = re.compile(
    r"\b(?:reply|respond|answer|output|say|print|write)\b.{0,20}"
    r"\b(?:only|exactly|nothing but|just|with the word)\b"
    r"|\b(?:you|du|sie|tú|vous) (?:must|should|shall|have to|will now|musst|müssen|debes|devez)\b"
    r"|\b(?:system|developer) (?:prompt|message|instruction)s?\b",
    re.IGNORECASE,
)
"""What else reads like an order to the model: it came from a tool's output, or the writer made it up."""

REASONING = re.compile(
    r"\b(?:my|the assistant['’]s|internal) (?:reasoning|thinking|thoughts?|chain of thought)\b"
    r"|\bchain[- ]of[- ]thought\b"
    r"|^\W*(?:reasoning|thinking|thoughts?)\W*:|^\W*(?:let me|hmm|okay, so|wait,|i think|i need to think)\b",
    re.IGNORECASE,
)
"""Text presented as reasoning; a provider may refuse the whole request for it (oh-my-pi#12854)."""

FORGED = re.compile(
    r"<\|[^|\n]{0,40}\|>"
    r"|</?\s*(?:system|assistant|user|human|developer|instructions?|think|thinking|reasoning|tool_\w+)\b"
    r"|\[trimtab:|^\W*(?:system|assistant|user|human|developer)\W*:",
    re.IGNORECASE,
)
"""Marks of a message, a role or a stub."""

AROUND = 2
"""Lines below an order that go on with it."""


def unfit(text: str) -> str:
    """Why a text may not stand in a note, "" where it may."""
    if FORGED.search(text):
        return "a forged mark"
    if REASONING.search(text):
        return "presented as reasoning"
    return "an order" if INJECTS.search(text) or ORDERS.search(text) else ""


def injected(text: str) -> Iterator[str]:
    """The lines of a result that want to be obeyed, each with those right below it."""
    if INJECTS.search(text):
        lines = text.splitlines()
        yield from ("\n".join(lines[number : number + AROUND + 1]) for number in _orders(lines))


def spoken(text: str) -> str:
    """A result without the lines that want to be obeyed, or to be taken for something else."""
    if not INJECTS.search(text) and not FORGED.search(text):
        return text
    lines = text.splitlines(keepends=True)
    gone = {number + more for number in _orders(lines) for more in range(AROUND + 1)}
    return "".join(line for number, line in enumerate(lines) if number not in gone and not FORGED.search(line))


def _orders(lines: list[str]) -> Iterator[int]:
    yield from (number for number, line in enumerate(lines) if INJECTS.search(line))
