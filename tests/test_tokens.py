from __future__ import annotations

import base64
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from trimtab.tokens import (
    FACTORS,
    Estimate,
    Exact,
    Tiktoken,
    billed_input,
    counter_for,
    factor,
    family,
    plausible,
    truncate,
)

MIXED = [
    "def f(x: int) -> int:\n\treturn x + 1\r\n",
    '{"path": "/usr/lib/x.so", "n": 184704, "ok": [true, null]}',
    "2026-01-05T12:00:01Z ERROR worker-17 retry 3/5 in 250ms",
    "日本語のテキストと中文和한국어",
    "🧠👩‍👩‍👧 café é ߿ \u0000 \x1b[31m",
    "<|endoftext|><|im_start|>",
    "        \n\n\n   x",
    "deadbeef" * 20,
    "",
]
EMOJI = "🧠👩‍👩‍👧🇩🇪é漢字" * 40


def count(text: str) -> int:
    return counter_for(None).count([text])[0]


def test_nothing_heavy_is_loaded_at_import() -> None:
    code = "import sys, trimtab.tokens; print([m for m in ('toktok', 'tiktoken') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (None, "o200k_base"),
        ("gpt-5", "o200k_base"),
        ("gpt-4o-mini", "o200k_base"),
        ("gpt-4.1", "o200k_base"),
        ("claude-sonnet-4-5", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("openai/gpt-4-turbo-2024-04-09", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("azure/gpt-35-turbo", "cl100k_base"),
    ],
)
def test_encoding_follows_the_model(model: str | None, name: str) -> None:
    assert counter_for(model).name == name


def test_counts_are_those_of_a_second_exact_tokenizer() -> None:
    oracle = pytest.importorskip("bpe_openai").get_encoding("o200k_base")
    assert counter_for(None).count(MIXED) == [len(oracle.encode_ordinary(text)) for text in MIXED]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\u017f"), max_size=60))
def test_counts_of_any_text_are_those_of_a_second_exact_tokenizer(text: str) -> None:
    oracle = pytest.importorskip("bpe_openai").get_encoding("o200k_base")
    assert count(text) == len(oracle.encode_ordinary(text))


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
def test_tiktoken_counts_the_same_where_its_vocabulary_is_present(encoding: str) -> None:
    if not Tiktoken.ready(encoding):
        pytest.skip(f"tiktoken or its {encoding} vocabulary is not here; set TIKTOKEN_CACHE_DIR")
    assert Tiktoken(encoding).count(MIXED) == Exact(encoding).count(MIXED)
    assert abs(Tiktoken(encoding).count([" " * 1_000_000])[0] - Exact(encoding).count([" " * 1_000_000])[0]) < 20


def test_special_tokens_are_ordinary_text() -> None:
    assert count("<|endoftext|>") == 7


def test_lone_surrogates_are_counted_and_change_no_other_count() -> None:
    torn = "a\ud83e b\udc00"
    assert counter_for(None).count([MIXED[0], torn, MIXED[3]]) == [
        count(MIXED[0]),
        count("a\ufffd b\ufffd"),
        count(MIXED[3]),
    ]


def test_many_texts_are_counted_in_order() -> None:
    texts = [str(n) * (n % 50) for n in range(20_000)]
    assert sum(map(len, texts)) > 500_000
    assert counter_for(None).count(texts)[:2_000] == counter_for(None).count(texts[:2_000])


@pytest.mark.parametrize(
    ("text", "least"),
    [
        (" " * 1_000_000, 5_000),
        ("a" * 1_000_000, 100_000),
        ("[" * 1_000_000, 100_000),
        ("=" * 200_000, 3_000),
        (base64.b64encode(random.Random(1).randbytes(600_000)).decode(), 300_000),
        ("漢" * 300_000, 200_000),
    ],
    ids=["spaces", "letter", "brackets", "equals", "base64", "cjk"],
)
def test_pathological_text_is_counted(text: str, least: int) -> None:
    assert least <= count(text) <= len(text)


def test_TOK_06_cjk_is_not_undercounted() -> None:
    text = "压缩会话记录时不能丢失任何需要的信息，否则代理会重复劳动。" * 35
    assert count(text) > len(text) / 4 * 1.8


@pytest.mark.parametrize("limit", range(1, 51))
def test_UNI_04_a_cut_is_a_prefix_and_never_inside_a_character(limit: int) -> None:
    cut = truncate(EMOJI, limit)
    assert EMOJI.startswith(cut)
    assert "\ufffd" not in cut
    assert count(cut) <= limit < count(EMOJI[: len(cut) + 4])


@given(st.text(max_size=200), st.integers(-1, 60))
def test_a_cut_of_any_text_is_a_prefix_within_the_limit(text: str, limit: int) -> None:
    cut = truncate(text, limit)
    assert text.startswith(cut)
    assert count(cut) <= max(limit, 0)


def test_what_fits_is_not_cut() -> None:
    text = "one two three\n" * 50
    assert truncate(text, count(text)) == text
    assert truncate(" " * 1_000_000, 10_000) == " " * 1_000_000
    assert truncate("anything", 0) == ""


def test_the_estimate_says_so_and_errs_on_the_safe_side() -> None:
    estimate = Estimate()
    assert "estimate" in estimate.name
    assert estimate.count(["", "x"]) == [0, 1]
    for text in (
        MIXED[0] * 40,
        MIXED[1] * 40,
        MIXED[2] * 40,
        MIXED[3] * 40,
        "The quick brown fox jumps. " * 60,
    ):
        assert 0.9 < estimate.count([text])[0] / count(text) < 2.2


def test_without_a_tokenizer_the_estimate_serves(tmp_path: Path) -> None:
    (tmp_path / "hidden.py").write_text(
        "import importlib.abc, sys\n"
        "class Hide(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'toktok': raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Hide())\n"
        "from trimtab.tokens import counter_for, truncate\n"
        "print(counter_for('gpt-5').name, len(truncate('word ' * 900, 100)))\n"
    )
    environment = {"TIKTOKEN_CACHE_DIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, str(tmp_path / "hidden.py")], capture_output=True, text=True, env=environment
    )
    assert done.stdout.startswith("estimate"), done.stderr
    assert 100 < int(done.stdout.split()[-1]) < 900


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-opus-4-5-20251101", "claude"),
        ("claude-3-5-sonnet-20241022", "claude"),
        ("claude-opus-4-20250514", "claude"),
        ("anthropic/claude-sonnet-4.6", "claude"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude"),
        ("claude-opus-4-7", "claude-4.7"),
        ("anthropic/claude-opus-4.8", "claude-4.7"),
        ("claude-sonnet-5", "claude-4.7"),
        ("claude-fable-5-1", "claude-4.7"),
        ("gpt-5.2-codex", "openai"),
        ("openai/o3-mini", "openai"),
        ("models/gemini-2.5-pro", "gemini"),
        ("my-local-x", "unknown"),
        ("olmo-2", "unknown"),
        (None, "unknown"),
    ],
)
def test_family_of_a_model(model: str | None, name: str) -> None:
    assert family(model) == name
    assert name in FACTORS


def test_factor_is_the_familys_until_usage_is_known() -> None:
    assert factor("claude", []) == FACTORS["claude"]
    assert factor("claude", [(0, 5_000), (5_000, 0), (300, 600)]) == FACTORS["claude"]
    assert factor("no such family", []) == 1.0


def test_factor_is_the_median_of_the_newest_plausible_ratios() -> None:
    wild = [(10_000, 931_000), (10_000, 100)]
    assert factor("claude", [*wild, (10_000, 12_000), (10_000, 13_000), (10_000, 24_000)]) == 1.3
    assert factor("openai", [(10_000, 11_000)] * 9 + [(10_000, 20_000)] * 90) == 1.1


def test_TOK_08_cached_tokens_are_counted_once() -> None:
    cached = {"cached_tokens": 183_936}
    openai = {"prompt_tokens": 184_704, "prompt_tokens_details": cached}
    responses = {"input_tokens": 184_704, "input_tokens_details": cached}
    anthropic = {"input_tokens": 768, "cache_read_input_tokens": 183_936, "cache_creation_input_tokens": 0}
    gemini = {"promptTokenCount": 184_704, "cachedContentTokenCount": 183_936}
    for usage in (openai, responses, anthropic, gemini):
        assert billed_input(usage) == 184_704
        assert billed_input(SimpleNamespace(**usage)) == 184_704
    assert billed_input(SimpleNamespace(prompt_token_count=184_704)) == 184_704
    written = {"input_tokens": 3, "cache_read_input_tokens": None, "cache_creation_input_tokens": 9_000}
    assert billed_input(written) == 9_003


def test_a_gateway_that_reports_both_forms_is_counted_once() -> None:
    both = {"prompt_tokens": 184_704, "cache_read_input_tokens": 183_936, "cache_creation_input_tokens": 0}
    assert billed_input(both) == 184_704


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"input_tokens": None, "cache_read_input_tokens": None},
        {"prompt_tokens": "12"},
        {"prompt_tokens": True},
        {"input_tokens": -5},
        SimpleNamespace(),
        "usage",
    ],
)
def test_TOK_11_missing_or_zero_usage_is_unknown(usage: object) -> None:
    assert billed_input(usage) is None
    assert not plausible(billed_input(usage), 200_000)


def test_TOK_09_TOK_10_sums_over_many_calls_are_implausible() -> None:
    turn = {"input_tokens": 2_000, "cache_read_input_tokens": 1_800_000, "cache_creation_input_tokens": 0}
    assert not plausible(billed_input(turn), 300_000)
    assert not plausible(10 * 20_000, 100_000)
    assert plausible(20_000, 100_000)
