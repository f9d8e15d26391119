"""What a base install adds to a bare virtual environment."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.table import Row

PACKAGES, MEGABYTES = 25, 100


def measure() -> Iterator[Row]:
    """Packages and megabytes, trimtab itself among them."""
    with TemporaryDirectory() as folder:
        bare, base = Path(folder, "bare"), Path(folder, "base")
        for place in (bare, base):
            subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        python = next(path for path in (base / "bin/python", base / "Scripts/python.exe") if path.exists())
        pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "."]
        done = subprocess.run(pip, capture_output=True, text=True)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
            yield Row("install", "base, beyond a bare environment", None, PACKAGES, note=f"pip: {why[:80]}")
            return
        packages, size = _packages(base) - _packages(bare), _bytes(base) - _bytes(bare)
        yield Row("install", "packages beyond a bare environment", packages, PACKAGES, unit="packages")
        yield Row("install", "size beyond a bare environment", size / 1e6, MEGABYTES, unit="MB")


def _packages(environment: Path) -> int:
    return sum(1 for _ in environment.rglob("*.dist-info"))


def _bytes(environment: Path) -> int:
    return sum(path.stat().st_size for path in environment.rglob("*") if path.is_file() and not path.is_symlink())
