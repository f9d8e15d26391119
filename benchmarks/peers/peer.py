"""A peer that runs: its environment is made once, in the folder `peers` of the environment the bench runs in."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer

from trimtab.transcript import JSON

PACKAGES: Mapping[str, str] = {
    "headroom": "headroom-ai==0.42.0",
    "furl": "furl-ctx==1.4.0",
    "kompact": "kompact==0.4.0",
}
"""What is installed for each; `ask_<name>.py` is its driver."""

PATIENCE = 30
"""Seconds for one answer, a start of the process included; who takes longer is not waited for."""


class PeerError(Exception):
    """The peer cannot be installed, or gave no answer; the message says which and why."""


class Peer:
    """Asks one peer, one conversation at a time; its process starts with the first and again when it ended."""

    def __init__(self, name: str, python: Path) -> None:
        self.name = name
        self._command = [str(python), str(Path(__file__).with_name(f"ask_{name}.py"))]
        self._process: subprocess.Popen[str] | None = None

    def ask(self, messages: list[JSON]) -> list[JSON]:
        """What the peer would send. Raises PeerError when it ends or takes too long."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = Timer(PATIENCE, process.kill)
        timer.start()
        try:
            process.stdin.write(json.dumps(messages) + "\n")
            process.stdin.flush()
            answer: list[JSON] = json.loads(process.stdout.readline())
        except (OSError, ValueError) as error:
            self.close()
            raise PeerError(f"{self.name} gave no answer within {PATIENCE} seconds, or ended") from error
        finally:
            timer.cancel()
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            with suppress(BrokenPipeError):
                self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        return self._process


@contextmanager
def running(name: str) -> Iterator[Peer]:
    """A peer, installed if need be. Raises PeerError when that fails."""
    peer = Peer(name, _environment(PACKAGES[name]))
    try:
        yield peer
    finally:
        peer.close()


def _environment(package: str) -> Path:
    """The Python of an environment that has just this package."""
    folder = Path(sys.prefix, "peers", package)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (stamp := folder / ".installed").exists():
        print(f"installing {package} …", file=sys.stderr, flush=True)
        for command in (
            [sys.executable, "-m", "venv", "--clear", str(folder)],
            [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install", package],
        ):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                raise PeerError(f"{package} cannot be installed: {why[:80]}")
        stamp.touch()
    return python
