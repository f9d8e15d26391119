"""An environment for each judge, made when it is first asked for: their dependencies need not agree."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from platformdirs import user_cache_path

ROOT = Path(__file__).resolve().parents[2]


class NotToBeHadError(Exception):
    """The judge cannot be installed; the message says why in a line."""


def environment(requirement: str) -> Path:
    """The Python of the environment that holds a judge and this trimtab. Raises NotToBeHadError."""
    place = user_cache_path("trimtab-judges") / requirement
    python, stamp = place / "bin" / "python", place / f"for-{ROOT.as_posix().replace('/', '+')}"
    if os.name == "nt":
        python = place / "Scripts" / "python.exe"
    if not stamp.exists():
        print(f"installing {requirement} into {place} …", file=sys.stderr, flush=True)
        _run([sys.executable, "-m", "venv", str(place)])
        pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        _run([*pip, requirement, "--editable", str(ROOT)])
        stamp.touch()
    return python


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise NotToBeHadError((said or ["it could not be installed"])[-1][:100])
