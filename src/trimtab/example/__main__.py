"""`python -m trimtab.example NAME [WIRE]`: write a bundled request to standard output.

NAME is `session` (the rounding fault) or `kinds` (the late webhooks), WIRE `anthropic` or `openai_chat`.
"""

from __future__ import annotations

import sys

from trimtab import example
from trimtab.errors import ConfigError
from trimtab.example import kinds

REQUESTS = {"session": example.session, "kinds": kinds.request}


def main(arguments: list[str]) -> int:
    """Run one command line; 2 for wrong usage."""
    name, *wire = arguments or [""]
    if name not in REQUESTS or len(wire) > 1:
        return _refuse(__doc__)
    try:
        sys.stdout.buffer.write(REQUESTS[name](*wire))
    except ConfigError as error:
        return _refuse(str(error))
    return 0


def _refuse(reason: str) -> int:
    sys.stderr.write(f"{reason.rstrip()}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
