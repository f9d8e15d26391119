from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from trimtab.cli import run
from trimtab.testing import conversation


class Done(NamedTuple):
    code: int
    out: bytes
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Done]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store and a working folder of its own for each test."""
    path = tmp_path / "store.db"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIMTAB_STORE", str(path))
    monkeypatch.setenv("COLUMNS", "200")
    return path


@pytest.fixture
def cli(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """One command line in this process, with bytes on standard input."""

    def call(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = run(list(arguments))
        out, err = capsysbinary.readouterr()
        return Done(code, out, err.decode())

    return call


@pytest.fixture(params=["anthropic", "openai_chat"])
def request_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A request of 8 exchanges, about 4,500 tokens, as JSON with blanks."""
    path = tmp_path / "request.json"
    path.write_text(json.dumps(conversation(request.param, exchanges=8), indent=1))
    return path
