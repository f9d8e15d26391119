"""Shrinks the transcript that an agent is about to send to a model, and loses nothing.

    compactor = trimtab.Compactor(model="claude-sonnet-4-5")
    result = compactor.compact(request)
    print(result.report)

Public names are loaded when first used: importing trimtab costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would cost what this file saves

if TYPE_CHECKING:
    from trimtab.compactor import Compactor as Compactor, Result as Result
    from trimtab.edits import (
        At as At,
        Drop as Drop,
        Loss as Loss,
        Place as Place,
        Replace as Replace,
        Span as Span,
        Summarize as Summarize,
    )
    from trimtab.errors import (
        BudgetError as BudgetError,
        ConfigError as ConfigError,
        HandleError as HandleError,
        StoreError as StoreError,
        TrimtabError as TrimtabError,
        WireError as WireError,
    )
    from trimtab.passes import PASSES as PASSES
    from trimtab.passes.base import Pass as Pass, Stage as Stage, View as View
    from trimtab.report import Report as Report
    from trimtab.transcript import (
        Finding as Finding,
        Media as Media,
        Message as Message,
        Opaque as Opaque,
        Reasoning as Reasoning,
        Text as Text,
        ToolCall as ToolCall,
        ToolResult as ToolResult,
    )
    from trimtab.validation import validate as validate

    __version__: str

_HOMES = {
    "At": "edits",
    "BudgetError": "errors",
    "Compactor": "compactor",
    "ConfigError": "errors",
    "Drop": "edits",
    "Finding": "transcript",
    "HandleError": "errors",
    "Loss": "edits",
    "Media": "transcript",
    "Message": "transcript",
    "Opaque": "transcript",
    "Pass": "passes.base",
    "PASSES": "passes",
    "Place": "edits",
    "Reasoning": "transcript",
    "Replace": "edits",
    "Report": "report",
    "Result": "compactor",
    "Span": "edits",
    "Stage": "passes.base",
    "StoreError": "errors",
    "Summarize": "edits",
    "Text": "transcript",
    "ToolCall": "transcript",
    "ToolResult": "transcript",
    "TrimtabError": "errors",
    "validate": "validation",
    "View": "passes.base",
    "WireError": "errors",
}

__all__ = list(_HOMES)

if not TYPE_CHECKING:  # a type checker that saw this would accept any name

    def __getattr__(name: str) -> object:
        """The public name or the version, from the module it lives in; kept for the next use."""
        from importlib import import_module

        if name in _HOMES:
            value = getattr(import_module(f"trimtab.{_HOMES[name]}"), name)
        elif name == "__version__":
            value = import_module("importlib.metadata").version("trimtab")
        else:
            raise AttributeError(f"module 'trimtab' has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
