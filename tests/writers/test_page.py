"""docs/writers.md tells of the models that the script fetches."""

from __future__ import annotations

import re
from pathlib import Path

from scripts.models import MODELS

PAGE = (Path(__file__).parents[2] / "docs" / "writers.md").read_text(encoding="utf-8")


def test_the_page_names_every_model_with_its_size_and_hash() -> None:
    rows = re.findall(r"^\| `(.+?)` \| ([\d,]+) \| `(\w+)…` \|", PAGE, re.MULTILINE)
    meant = [(name, f"{model.size:,}", model.sha256[:8]) for name, model in MODELS.items()]
    assert rows == meant
