"""Counting tokens: exact raw counts, cuts on a character boundary, and the factor from raw to billed.

A *raw* count is what the local tokenizer says. Which parts go, and in what order, is decided on raw
counts; whether a window or a budget is reached is judged on raw x factor, because each model family
has a tokenizer of its own.
"""

from __future__ import annotations

import collections
import hashlib
import importlib
import os
import re
import statistics
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from trimtab.errors import ConfigError

FACTORS: Mapping[str, float] = {
    "claude": 1.23,
    "claude-4.7": 1.5,
    "openai": 1.0,
    "gemini": 1.0,
    "unknown": 1.0,
}
"""Billed input tokens for one raw o200k token, by `family`, until the provider's usage says better.

claude: slope of billed input over o200k in recorded uncompacted conversations, 1.23 with opus-4.5
    and 1.16 with sonnet-4.5; the greater one, since too low a factor misses the window.
claude-4.7: Claude 4.7 and later have a new tokenizer. 1.5 comes from a reconstruction of it
    (1.1 on hexadecimal to 1.6 on English and code) and is not verified against the provider.
openai: o200k is their tokenizer. gemini, unknown: nothing measured.
"""

_SURROGATES = re.compile("[\ud800-\udfff]")
_PIECE = 100_000
"""Characters tiktoken gets at once; on a run of a million spaces it overflows its stack."""


class Counter(Protocol):
    """Counts raw tokens. `name` says by what: an encoding, or that it is an estimate."""

    @property
    def name(self) -> str: ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """Raw tokens of each text; text that looks like a special token is ordinary text."""
        ...


class Exact:
    """A BPE encoding, by the vocabulary inside toktok-rs. Linear time on any input."""

    def __init__(self, encoding: str) -> None:
        self.name = encoding

    def count(self, texts: Sequence[str]) -> list[int]:
        """Raw tokens of each text; a lone surrogate, which has no UTF-8, counts as U+FFFD."""
        import toktok

        counts: list[int]
        try:
            counts = toktok.batch_count(texts, self.name, 1)
        except UnicodeEncodeError:
            whole = [_SURROGATES.sub("\ufffd", text) for text in texts]
            counts = toktok.batch_count(whole, self.name, 1)
        return counts


class Tiktoken:
    """The same encoding by tiktoken, for platforms without toktok-rs; its vocabulary must be on disk."""

    def __init__(self, encoding: str) -> None:
        self.name = encoding

    def count(self, texts: Sequence[str]) -> list[int]:
        """Raw tokens of each text, at most a few too many where a long text is cut in pieces."""
        import tiktoken

        encode = tiktoken.get_encoding(self.name).encode_ordinary
        return [sum(len(encode(text[at : at + _PIECE])) for at in range(0, len(text), _PIECE)) for text in texts]

    @staticmethod
    def ready(encoding: str) -> bool:
        """Whether tiktoken can load the encoding without a download (it names files by their URL's SHA-1)."""
        url = f"https://openaipublic.blob.core.windows.net/encodings/{encoding}.tiktoken"
        folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
        path = Path(folder or Path(tempfile.gettempdir(), "data-gym-cache"))
        name = hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()
        return (path / name).is_file() and _installed("tiktoken")


class Estimate:
    """Tokens guessed from kinds of characters, 25 % on the safe side.

    The weights are a fit of o200k counts over prose, code, JSON, logs, base64, hexadecimal and CJK;
    90 % of 2,000-character windows lie between 0.85 and 1.25 times the truth before the margin.
    """

    name = "estimate (no tokenizer available)"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Estimated tokens of each text, at least 1 for a text that is not empty."""
        return [self._one(text) for text in texts]

    @staticmethod
    def _one(text: str) -> int:
        weights = (_weight(character) * times for character, times in collections.Counter(text).items())
        return max(round(1.25 * sum(weights)), 1) if text else 0


@cache
def _weight(character: str) -> float:
    if not character.isascii():
        return 0.62 if "\u2e80" <= character <= "\uffef" or character >= "\U00020000" else 3.362
    if character.isalpha():
        return 0.156 if character.islower() else 1.0
    if character.isdigit():
        return 0.796
    return {" ": 0.024, "\n": 2.275, "\r": 2.275, "\t": 2.275}.get(character, 0.416)


class Given:
    """A count of the caller's own, taken for what the provider counts until its usage says better."""

    name = "count_tokens"

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count

    def count(self, texts: Sequence[str]) -> list[int]:
        """The caller's count of each text. Raises ConfigError where it fails or answers no number from 0 on."""
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> int:
        try:
            found: object = self._count(text)
        except Exception as error:
            raise ConfigError(f"count_tokens failed: {type(error).__name__}: {error}") from error
        if not isinstance(found, int) or isinstance(found, bool) or found < 0:
            raise ConfigError(f"count_tokens answered {found!r}, expected a number of tokens")
        return found


def counter_for(model: str | None) -> Counter:
    """The counter whose encoding suits the model: cl100k for GPT-4 and GPT-3.5, else o200k."""
    old = re.search(r"(?:^|[/.])gpt-(?:3\.?5|4(?![\w.]))", (model or "").lower())
    return _counter("cl100k_base" if old else "o200k_base")


@cache
def _counter(encoding: str) -> Counter:
    if _installed("toktok"):
        return Exact(encoding)
    return Tiktoken(encoding) if Tiktoken.ready(encoding) else Estimate()


def _installed(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def truncate(text: str, limit: int) -> str:
    """The longest prefix found of at most `limit` o200k tokens, never cut inside a character."""
    count = counter_for(None).count

    def fits(stop: int) -> bool:
        return count([text[:stop]])[0] <= limit

    return text[: _last(fits, len(text), max(limit, 1) * 4)]


def _last(fits: Callable[[int], bool], most: int, guess: int) -> int:
    """The greatest n of 0..most that fits; gallops from `guess`, so the work is linear in the answer."""
    low, high = 0, guess
    while high < most and fits(high):
        low, high = high, high * 2
    if high >= most:
        if fits(most):
            return most
        high = most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def family(model: str | None) -> str:
    """The key of `FACTORS` for a model name as found in requests (vendor prefix, dots or dashes)."""
    name = (model or "")[:200].lower()
    if "claude" in name:
        version = re.search(r"claude-(?:[a-z]+-)*(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?", name)
        new = version and (int(version[1]), int(version[2] or 0)) >= (4, 7)
        return "claude-4.7" if new else "claude"
    if "gemini" in name:
        return "gemini"
    return "openai" if re.search(r"(?:^|[/.])(?:gpt|chatgpt|codex|o[1-9])(?![a-z])", name) else "unknown"


def factor(model_family: str, pairs: Sequence[tuple[int, int]]) -> float:
    """Billed tokens for one raw token: the median over `pairs` of (raw, billed), newest first.

    Only the nine newest pairs count, of at least 1,000 raw tokens (below, what the provider adds to
    every request weighs too much) and with a ratio of 0.5 to 2.5. Without any, the family's factor.
    """
    ratios = [billed / raw for raw, billed in pairs if raw >= 1_000 and billed > 0 and 0.5 <= billed / raw <= 2.5]
    return statistics.median(ratios[:9]) if ratios else FACTORS.get(model_family, 1.0)


def plausible(billed: int | None, window: int) -> bool:
    """Whether a reported input can be the size of one request: known, positive, within the window.

    Some clients sum usage over the calls of a turn or a session; such sums soon exceed the window.
    """
    return billed is not None and 0 < billed <= window


def billed_input(usage: object) -> int | None:
    """All input tokens a usage object reports, or None when it is missing or zero (unknown).

    Takes JSON objects and SDK objects. OpenAI (`prompt_tokens`, `input_tokens`) and Gemini
    (`promptTokenCount`) include what was read from the cache; Anthropic's `input_tokens` does not:
    there `cache_read_input_tokens` and `cache_creation_input_tokens`, which nobody else sends
    beside `input_tokens`, are added.
    """
    for name in ("prompt_tokens", "promptTokenCount", "prompt_token_count"):
        if total := _tokens(usage, name):
            return total
    disjoint = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return sum(_tokens(usage, name) for name in disjoint) or None


def _tokens(usage: object, name: str) -> int:
    value = usage.get(name) if isinstance(usage, Mapping) else getattr(usage, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
