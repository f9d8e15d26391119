from __future__ import annotations

from typing import Any

import pytest
from tests.passes.test_preview_files import attached
from tests.test_previews import ASKED, LONG, RUNBOOK

from trimtab.objects import edited
from trimtab.passes.preview_system_files import PreviewSystemFiles
from trimtab.stubs import HANDLE

TEXT = f"Rules.\n{attached(LONG, RUNBOOK)}\nMore rules."
FIELDS: list[tuple[str, dict[str, Any]]] = [
    ("anthropic", {"system": TEXT}),
    ("anthropic", {"system": [{"type": "text", "text": "Rules."}, {"type": "text", "text": TEXT}]}),
    ("bedrock", {"system": [{"text": TEXT}, {"cachePoint": {}}]}),
    ("openai_responses", {"instructions": TEXT}),
    ("gemini", {"systemInstruction": {"parts": [{"text": TEXT}]}}),
    ("gemini", {"config": {"system_instruction": TEXT}}),
]


@pytest.mark.parametrize(("wire", "fields"), FIELDS, ids=lambda case: str(case)[:40])
def test_files_in_the_system_text_become_previews_whose_handles_are_stored(
    wire: str, fields: dict[str, Any]
) -> None:
    one = PreviewSystemFiles(tags=("file",))
    [(op, _)] = one.shape(wire, fields, ASKED)
    sent = str(edited(fields, [op]))
    assert "`ctl revert --to 41`" in sent
    assert "Rules." in sent
    assert "More rules." in sent
    stored = {artifact.handle: artifact.data.decode() for artifact in one.originals(wire, fields, ASKED)}
    assert [stored[handle].strip() for handle in HANDLE.findall(sent)] == [LONG.strip(), RUNBOOK.strip()]
    assert list(one.shape(wire, fields, ASKED)) == list(one.shape(wire, fields, ASKED))


def test_small_files_and_texts_without_files_stay() -> None:
    assert not list(PreviewSystemFiles().shape("anthropic", {"system": attached("a", "b")}, ASKED))
    assert not list(PreviewSystemFiles().shape("anthropic", {"system": RUNBOOK}, ASKED))
    assert not list(PreviewSystemFiles(tags=("page",)).shape("anthropic", {"system": TEXT}, ASKED))
