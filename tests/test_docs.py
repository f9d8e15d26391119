"""The code in the documents runs, and says what the documents say it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trimtab.handoff.checks import CHECKS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_in_a_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIMTAB_STORE", str(tmp_path / "store.db"))
    names: dict[str, object] = {}
    for number, code in enumerate(BLOCK.findall(page.read_text(encoding="utf-8"))):
        exec(compile(code, f"{page.name}, block {number}", "exec"), names)


def test_the_readme_shows_what_its_code_prints(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```python\n.*?^```\n```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    exec(compile(BLOCK.findall(text)[0], "README.md", "exec"), {})
    assert capsys.readouterr().out == shown


def test_the_pass_of_the_page_does_what_it_says() -> None:
    names: dict[str, object] = {}
    code = BLOCK.findall((ROOT / "docs" / "writing-a-pass.md").read_text(encoding="utf-8"))[0]
    exec(compile(code, "writing-a-pass.md", "exec"), names)
    import trimtab

    listing = "\n".join(f"src/module_{number}.py" for number in range(400))
    messages = [
        {"role": "user", "content": "What is here?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "type": "function", "function": {"name": "list_files", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": listing},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "2", "type": "function", "function": {"name": "read", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "2", "content": "x = 1"},
        {"role": "user", "content": "Go on."},
    ]
    pass_type = names["FoldListings"]
    assert isinstance(pass_type, type)
    compactor = trimtab.Compactor(passes=[pass_type()], store="memory:", config={"protect_results": 0})
    result = compactor.compact(messages, force=True)
    lines = result.payload[2]["content"].splitlines()
    assert lines[:10] == listing.splitlines()[:10]
    assert "390 more lines" in lines[10]
    assert compactor.recall(result.report.edits[0].handle).text == listing


def test_every_check_of_a_note_stands_on_its_page() -> None:
    page = (ROOT / "docs" / "handoff.md").read_text(encoding="utf-8")
    assert [one.__name__ for one in CHECKS if f"| `{one.__name__}` |" not in page] == []
