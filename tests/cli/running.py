"""The program as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = [sys.executable, "-c", "from trimtab.cli import main; main()"]


def process(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PROGRAM, *arguments], input=stdin, capture_output=True, check=False)


def on_terminal(*arguments: str) -> tuple[int, str]:
    """Exit code and screen of the program on a terminal of 150 columns."""
    import pty

    ours, theirs = pty.openpty()
    environ = {**os.environ, "COLUMNS": "150", "TERM": "xterm", "NO_COLOR": "1"}
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environ
    ) as child:
        os.close(theirs)
        seen = b""
        try:
            while piece := os.read(ours, 65536):
                seen += piece
        except OSError:
            pass  # Linux tells the end of a terminal by an error
        finally:
            os.close(ours)
    return child.returncode, seen.decode(errors="replace").replace("\r\n", "\n")
