"""The command line. `trimtab recall` is answered before anything heavy is imported: agents run it in a shell."""

from __future__ import annotations

import sys

from trimtab.cli.exits import guarded


def main() -> None:
    """The program `trimtab`."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line; the exit code (see `exits`)."""
    return guarded(lambda: _dispatch(arguments))


def _dispatch(arguments: list[str]) -> int:
    if arguments[:1] == ["recall"] and not {"--help", "-h"} & set(arguments):
        from trimtab.cli.recall import answer

        return answer(arguments[1:])
    from trimtab.cli.app import command

    return command(arguments)
