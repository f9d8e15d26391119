"""A note tells what happened; it neither gives orders to who reads it nor speaks as the assistant's reasoning."""

from __future__ import annotations

import re

from trimtab.handoff.checks.base import Ruling, Sentence

ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}"
    r"\b(?:instructions?|rules?|above|previous|prior|system|all)\b"
    r"|\b(?:reply|respond|answer|output|say|print|write)\b.{0,20}\b"
    r"(?:only|exactly|nothing but|just|with the word)\b"
    r"|\b(?:you|du|sie|tú|vous) (?:are now|must|should|shall|have to|will now|musst|müssen|debes|devez)\b"
    r"|\byour (?:new )?(?:task|job|role|instructions?|purpose) (?:is|are)\b"
    r"|\b(?:system|developer) (?:prompt|message|instruction)s?\b|\bjailbreak\b|\bas an ai\b",
    re.IGNORECASE,
)
"""What reads like an order to the model: it came from a tool's output, or the writer made it up."""

REASONING = re.compile(
    r"\b(?:my|the assistant['’]s|internal) (?:reasoning|thinking|thoughts?|chain of thought)\b"
    r"|\bchain[- ]of[- ]thought\b"
    r"|^\W*(?:reasoning|thinking|thoughts?)\W*:|^\W*(?:let me|hmm|okay, so|wait,|i think|i need to think)\b",
    re.IGNORECASE,
)
"""Text presented as reasoning; a provider may refuse the whole request for it (oh-my-pi#12854)."""

FORGED = re.compile(
    r"<\|[^|\n]{0,40}\|>|</?\s*(?:system|assistant|user|human|developer|instructions?|think|thinking|reasoning|tool_\w+)\b"
    r"|\[trimtab:|^\W*(?:system|assistant|user|human|developer)\W*:",
    re.IGNORECASE,
)
"""Marks of a message, a role or a stub."""


def voice(sentence: Sentence) -> Ruling | None:
    """Strikes orders, reasoning and forged marks."""
    for pattern, why in ((FORGED, "a forged mark"), (REASONING, "presented as reasoning"), (ORDERS, "an order")):
        if pattern.search(sentence.text):
            return Ruling("", why)
    return None
