"""Keys, tokens and passwords in texts that leave the conversation: each gives way to the kind of secret it was."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

KINDS: tuple[tuple[str, str], ...] = (
    (
        "private key",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY-----"
        r"(?:(?!-----)[\s\S]){0,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----",
    ),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{16,200}"),
    ("OpenAI key", r"\bsk-(?=[\w-]{0,200}[A-Z])(?=[\w-]{0,200}[0-9])[A-Za-z0-9_-]{20,200}"),
    ("AWS access key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{30,255}\b|\bgithub_pat_[A-Za-z0-9_]{22,255}\b"),
    ("GitLab token", r"\bglpat-[A-Za-z0-9_-]{20,100}"),
    ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,200}"),
    ("Google key", r"\bAIza[0-9A-Za-z_-]{35}"),
    ("Stripe key", r"\b[rs]k_live_[A-Za-z0-9]{16,100}"),
    ("JSON web token", r"\beyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,2000}"),
)
"""Secrets that can be told by themselves, in the forms that their issuers document for secret scanning."""

NAMES = (
    r"(?:[a-z0-9]{1,40}[_-]){0,4}(?:api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|client[_-]?secret"
    r"|auth[_-]?token|access[_-]?token|secret|token|password|passwd|pwd)"
)
ASSIGNED = re.compile(
    rf"""(?i)(?<![a-z0-9_-])({NAMES}["']?[ \t]{{0,8}}(?:[:=]|=>)[ \t]{{0,8}}["']?)"""
    r"([a-z0-9+/_.~!@#$%^&*-]{6,400}={0,2})"
)
"""A value under a name that says it is secret, as in an .env file, YAML, JSON or a header."""

BEARER = re.compile(r"(?i)\b(bearer[ \t]{1,8})([a-z0-9+/_.~-]{16,4000}={0,2})")
IN_URL = re.compile(r"(?i)(\b[a-z][a-z0-9+.-]{1,20}://[^\s:@/]{1,100}:)([^\s:@/]{3,200})(?=@)")

TOLD = re.compile("|".join(f"({pattern})" for _, pattern in KINDS))
MADE_UP = re.compile(r"(?i)example|placeholder|changeme|redacted|dummy|your[_-]|x{6}|\*{4}|\.{3}|(.)\1{7}")
"""What stands in examples and templates in the place of a secret."""


def masked(text: str) -> str:
    """A text without its secrets: `[secret: AWS access key]` stands for one.

    Examples, digests and other identifiers stay, and so do words and code under a name such as `token`.
    """
    text = TOLD.sub(lambda match: _named(match[0], KINDS[(match.lastindex or 1) - 1][0]), text)
    for pattern, kind in ((ASSIGNED, "value"), (BEARER, "bearer token"), (IN_URL, "password")):
        text = pattern.sub(partial(_assigned, kind), text)
    return text


def masked_values(value: Any) -> Any:
    """A JSON value whose texts are masked."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, dict):
        return {key: masked_values(item) for key, item in value.items()}
    return [masked_values(item) for item in value] if isinstance(value, list | tuple) else value


def _named(secret: str, kind: str) -> str:
    return secret if MADE_UP.search(secret) and kind != "private key" else f"[secret: {kind}]"


def _assigned(kind: str, match: re.Match[str]) -> str:
    """The name as it stands, and its value unless that is a word, a number, a call or made up."""
    value = match[2]
    is_mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    is_plain = match.string[match.end() : match.end() + 1] in ("(", "[")
    if MADE_UP.search(value) or is_plain or not (is_mixed or kind == "password"):
        return match[0]
    return f"{match[1]}[secret: {kind}]"
