"""Exit codes, and the one place where an error becomes a line on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress

from trimtab.errors import BudgetError, StoreError, TrimtabError

FINE = 0
FINDINGS = 1
USAGE = 2
BUDGET = 3
STORE = 4
FAULT = 5

MEANINGS = {
    FINE: "all went well",
    FINDINGS: (
        "validate has findings; a fact is lost; there is nothing to show; or a question was answered with no"
    ),
    USAGE: "wrong usage or bad input: options, settings, a file, a handle",
    BUDGET: "the budget cannot be met",
    STORE: "the store cannot be used",
    FAULT: "a fault in trimtab itself",
}

PIPE_CLOSED = 141
INTERRUPTED = 130
"""What shells report for programs that SIGPIPE and SIGINT end."""


class UsageError(TrimtabError):
    """The command line asks for something that does not exist or cannot be read or written."""


def guarded(run: Callable[[], int]) -> int:
    """The exit code of `run`; whatever it raises becomes one message, never a traceback."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    try:
        code = run()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _forget_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except TrimtabError as error:
        complain(str(error))
        return BUDGET if isinstance(error, BudgetError) else STORE if isinstance(error, StoreError) else USAGE
    except OSError as error:
        complain(f"{error.filename or 'output'}: {(error.strerror or str(error)).lower()}")
        return USAGE
    except Exception as error:
        complain(f"a fault in trimtab: {type(error).__name__}: {error} ({_where(error)}); please report it")
        return FAULT


def complain(text: str) -> None:
    """One message on standard error, also when nobody reads it."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"trimtab: {visible(text)}\n")
        sys.stderr.flush()


def visible(text: str) -> str:
    """Text of others made safe for a terminal: what would move the cursor, colour or hide is shown instead."""
    return text.encode(errors="replace").decode().translate(_SIGNS)


_BIDI = (*range(0x200E, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_SIGNS = {
    **{code: 0x2400 + code for code in range(32) if code not in (9, 10)},
    0x7F: 0x2421,
    **dict.fromkeys((*range(0x80, 0xA0), *_BIDI), 0xFFFD),
}


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "nowhere" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"


def _forget_output() -> None:
    """Send what is still buffered nowhere, so that closing the stream at exit says nothing."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
