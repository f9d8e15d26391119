"""Reported bugs about settings: each one that is shown holds, and a limit cuts no more than it must."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cases.transcripts import (
    Sent,
    Step,
    calls,
    compact,
    encoded,
    forms,
    handles,
    log,
    request,
    results,
    says,
    texts,
    user,
    wires,
)

import trimtab
from trimtab.cli import run
from trimtab.config import Settings, load


def work(exchanges: int, lines: int = 60) -> list[Step]:
    return [
        step
        for number in range(exchanges)
        for step in (calls((f"c{number}", f"{number}.py")), results((f"c{number}", log(lines, f"part {number}"))))
    ]


def billed(sent: Sent) -> float:
    """The tokens that the provider is expected to charge for."""
    report = sent.result.report
    return report.tokens_after * report.factor


@wires
@forms
@pytest.mark.parametrize(("share", "cap"), [(0.8, 9_000), (0.01, 900_000), (0.01, 9_000), (0.8, 900_000)])
def test_CONF_03_of_a_cap_and_a_share_of_the_window_the_smaller_holds(
    wire: str, form: str, share: float, cap: int
) -> None:
    """A window of a million tokens, 80 % of which no session reaches before it has cost a fortune."""
    given = request(wire, user("task"), *work(24), says("done"), user("next"))
    sent = compact(
        given, form, preset="triggers", window=1_000_000, window_share=share, budget=cap, protect_results=0
    )
    limit = min(share * 1_000_000, cap)
    assert sent.result.report.tokens_before * sent.result.report.factor > 10_000
    assert billed(sent) <= min(limit, 100_000)
    assert sent.result.changed is (limit < 100_000)


@wires
@forms
@pytest.mark.parametrize("share", [0.9, 0.7, 0.5])
@pytest.mark.parametrize("trigger", ["target", "budget"])
def test_CONF_04_no_more_is_cut_than_the_target_asks_for(wire: str, form: str, share: float, trigger: str) -> None:
    """A large system prompt, and 20 results of which a part has to go: within one result of the target."""
    given = request(wire, user("task"), *work(20), says("done"), user("next"), system="Rule. " * 1_500)
    whole = compact(given, form).result.report
    goal = int(share * whole.tokens_before * whole.factor)
    options: dict[str, Any] = (
        {"force": True, "target": goal} if trigger == "target" else {"budget": goal, "target": goal}
    )
    sent = compact(given, form, preset="triggers", protect_results=0, **options)
    assert goal - 1_000 < billed(sent) <= goal
    assert sent.payload.get("system") == given.get("system")


@wires
@forms
@pytest.mark.parametrize("preset", ["default", "prose"])
def test_CONF_04_a_goal_out_of_reach_wipes_nothing(wire: str, form: str, preset: str) -> None:
    """The system prompt alone is over the window: what is said, the last results and all calls stay."""
    steps = [user("task"), *work(9), says("done"), user("next"), *work(4)]
    given = request(wire, *steps, system="Rule. " * 3_000)
    sent = compact(given, form, window=3_000, preset=preset)
    assert len(sent.messages) == len(given["messages"])
    assert texts(sent.payload)[-3:] == texts(given)[-3:]
    kept = [one for one in given["messages"] if not handles([one]) and one["role"] in ("system", "assistant")]
    assert [one for one in sent.messages if one["role"] in ("system", "assistant")] == kept
    report = sent.result.report
    assert any(one.rule == "target-missed" for one in report.refused)
    with pytest.raises(trimtab.BudgetError) as caught:
        compact(given, form, budget=3_000, preset=preset)
    assert caught.value.fixed[0][1] > 3_000


Check = Callable[[trimtab.Compactor, trimtab.Result], bool]


def folded(_: trimtab.Compactor, result: trimtab.Result) -> bool:
    return result.changed


def whole(result: trimtab.Result) -> set[int]:
    """The results that were sent as they came, by number."""
    return {n for n in range(8) if log(60, f"part {n}") in texts(result.payload)}


def keeps_a_line(_: trimtab.Compactor, result: trimtab.Result) -> bool:
    return "part 0 41:" in texts(result.payload)[0] and 0 not in whole(result)


def lowest(one: trimtab.Compactor) -> float:
    """The fewest tokens that a fold left."""
    return min(entry.after * entry.factor for entry in one.store.log("default", 99))


EFFECTS: dict[str, tuple[Any, dict[str, Any], Check]] = {
    "model": ("gpt-4.1", {}, lambda _, result: result.report.model == "gpt-4.1"),
    "preset": ("none", {"budget": 2_500}, lambda _, result: result.report.preset == "none" and not result.changed),
    "store": ("none", {"window": 5_000}, lambda one, result: not one.store.keeps and not result.changed),
    "namespace": (
        "x",
        {"budget": 4_000},
        lambda one, _: {c.namespace for c in one.store.conversations()} == {"x"},
    ),
    "budget": (4_000, {}, folded),
    "target": (2_400, {"budget": 4_000}, lambda one, _: lowest(one) <= 2_400),
    "window": (5_000, {}, folded),
    "window_share": (0.02, {}, folded),
    "max_results": (4, {}, folded),
    "protect_results": (0, {"window": 4_000}, lambda _, result: not whole(result) >= {5, 6, 7}),
    "protect_turns": (1, {"window": 4_000}, lambda _, result: whole(result) >= {4}),
    "pins": (["part 0 1:"], {"window": 3_000}, lambda _, result: 0 in whole(result)),
    "facts": (["part 0 41:"], {"window": 3_000}, keeps_a_line),
    "presets": ({"prose": {}}, {}, lambda one, _: one.settings.presets == {"prose": {}}),
    "models": ({"gpt-4.1": {"window": 5_000}}, {"model": "gpt-4.1"}, folded),
}
"""By setting: a value, what else is set, and what this value alone brings about."""


TABLES = {"presets": "[presets.prose]", "models": '[models."gpt-4.1"]\nwindow = 5_000'}
"""The settings that are tables, as a file says them."""

IN_A_VARIABLE = {"presets": "prose = {}", "models": '"gpt-4.1" = {window = 5_000}'}
"""The same as a variable says them."""


def test_CONF_07_no_setting_is_forgotten_here() -> None:
    assert list(EFFECTS) == [*Settings.__struct_fields__]


@pytest.mark.parametrize("name", list(EFFECTS))
@pytest.mark.parametrize("origin", ["trimtab.toml", "environment", "argument"])
def test_CONF_07_every_setting_does_what_it_says_wherever_it_is_set(
    name: str, origin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value, others, shows = EFFECTS[name]
    monkeypatch.chdir(tmp_path)
    given = request("anthropic", user("task"), *work(8)[:8], says("ok"), user("more"), *work(8)[8:])

    def run_with(settings: dict[str, Any]) -> bool:
        held = {key: kept for key, kept in settings.items() if key != name or origin == "argument"}
        one = trimtab.Compactor(config=held if origin == "argument" else None)
        return shows(one, one.compact(given))

    base = {"store": "memory:", **others}
    for key, kept in base.items():
        monkeypatch.setenv(f"TRIMTAB_{key.upper()}", str(kept))
    assert not run_with(base)
    if origin == "environment":
        text = "\n".join(value) if isinstance(value, list) else str(value)
        monkeypatch.setenv(f"TRIMTAB_{name.upper()}", IN_A_VARIABLE.get(name, text))
    elif name in base:
        monkeypatch.delenv(f"TRIMTAB_{name.upper()}")
    if origin == "trimtab.toml":
        Path("trimtab.toml").write_text(TABLES.get(name, f"{name} = {json.dumps(value)}"))
    assert run_with({**base, name: value})
    assert load().origins[name] == ("default" if origin == "argument" else origin)


def test_settings_of_presets_in_a_variable_are_toml_and_what_is_not_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TRIMTAB_PRESETS", 'clear-tool-uses = {trigger = 60000, exclude_tools = ["web_*"]}')
    held = load().settings.presets["clear-tool-uses"]
    assert held == {"trigger": 60_000, "exclude_tools": ["web_*"]}
    for wrong in ("clear-tool-uses", '{"ledger": {}}', "ledger = 4"):
        monkeypatch.setenv("TRIMTAB_PRESETS", wrong)
        with pytest.raises(trimtab.ConfigError, match="environment: presets = "):
            load()


VALUES = [
    ("budget", 5_000, 6_000, 7_000),
    ("model", "gpt-4o", "gpt-4.1", "o3"),
    ("pins", ["a"], ["b"], ["c", "d"]),
]


@pytest.mark.parametrize(("name", "in_file", "in_environment", "as_argument"), VALUES)
def test_CONF_07_arguments_go_before_the_environment_and_that_before_the_file(
    name: str,
    in_file: Any,
    in_environment: Any,
    as_argument: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    """And `trimtab config` prints each value with where it comes from."""
    monkeypatch.chdir(tmp_path)

    def shown() -> tuple[Any, str]:
        assert run(["config", "--json"]) == 0
        found = json.loads(capsysbinary.readouterr().out)[name]
        return found["value"], found["origin"]

    assert shown()[1] == "default"
    Path("trimtab.toml").write_text(f"{name} = {json.dumps(in_file)}")
    assert shown() == (in_file, "trimtab.toml")
    as_text = "\n".join(in_environment) if isinstance(in_environment, list) else str(in_environment)
    monkeypatch.setenv(f"TRIMTAB_{name.upper()}", as_text)
    assert shown() == (in_environment, "environment")
    one = trimtab.Compactor(store="memory:", **{name: as_argument})
    assert getattr(one.settings, name) == (tuple(as_argument) if isinstance(as_argument, list) else as_argument)


def test_CONF_07_a_flag_goes_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIMTAB_BUDGET", "4000")
    given = request("openai_chat", user("task"), *work(8))
    Path("request.json").write_bytes(encoded(given))
    sent = dict[str, Any]()
    for flag, given_to in (("--budget", "2500"), ("--preset", "none"), ("--target", "3900")):
        assert run(["compact", "request.json", "--store", "memory:", flag, given_to]) == 0
        sent[flag] = json.loads(capsysbinary.readouterr().out)
    monkeypatch.delenv("TRIMTAB_BUDGET")
    sizes = {flag: trimtab.Compactor(store=None).compact(one).report.tokens_before for flag, one in sent.items()}
    assert sent["--preset"] == given
    assert sizes["--budget"] <= 2_500 < sizes["--target"] <= 4_000
