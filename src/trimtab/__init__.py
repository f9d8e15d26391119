"""Shrinks the transcript that an agent is about to send to a model, and loses nothing.

    compactor = trimtab.Compactor(model="claude-sonnet-4-5")
    result = compactor.compact(request)
    print(result.report)

Public names are loaded when first used: importing trimtab costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would cost what this file saves

if TYPE_CHECKING:
    from trimtab.checks import (
        Checked as Checked,
        Standing as Standing,
        check_facts as check_facts,
        read_facts as read_facts,
    )
    from trimtab.compactor import Compactor as Compactor, Result as Result
    from trimtab.context_files import context as context
    from trimtab.edits import (
        Ask as Ask,
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
        WriterError as WriterError,
    )
    from trimtab.hidden import Hidden as Hidden, Survival as Survival, survival as survival
    from trimtab.passes import PASSES as PASSES
    from trimtab.passes.base import Pass as Pass, Stage as Stage, View as View
    from trimtab.recall import Recalled as Recalled
    from trimtab.report import Report as Report
    from trimtab.search import Hit as Hit
    from trimtab.sightings import Sight as Sight, Sighting as Sighting, where as where
    from trimtab.tool import recall_tool as recall_tool
    from trimtab.tool_cache import ToolCache as ToolCache
    from trimtab.tool_keep import keep_tool as keep_tool
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
    from trimtab.writer import Writer as Writer, Written as Written

    __version__: str

_HOMES = {
    "Ask": "edits",
    "At": "edits",
    "BudgetError": "errors",
    "check_facts": "checks",
    "Checked": "checks",
    "Compactor": "compactor",
    "ConfigError": "errors",
    "context": "context_files",
    "Drop": "edits",
    "Finding": "transcript",
    "HandleError": "errors",
    "Hidden": "hidden",
    "Hit": "search",
    "keep_tool": "tool_keep",
    "Loss": "edits",
    "Media": "transcript",
    "Message": "transcript",
    "Opaque": "transcript",
    "Pass": "passes.base",
    "PASSES": "passes",
    "Place": "edits",
    "read_facts": "checks",
    "recall_tool": "tool",
    "Recalled": "recall",
    "Reasoning": "transcript",
    "Replace": "edits",
    "Report": "report",
    "Result": "compactor",
    "Sight": "sightings",
    "Sighting": "sightings",
    "Span": "edits",
    "Stage": "passes.base",
    "Standing": "checks",
    "StoreError": "errors",
    "Summarize": "edits",
    "survival": "hidden",
    "Survival": "hidden",
    "Text": "transcript",
    "ToolCache": "tool_cache",
    "ToolCall": "transcript",
    "ToolResult": "transcript",
    "TrimtabError": "errors",
    "validate": "validation",
    "View": "passes.base",
    "where": "sightings",
    "WireError": "errors",
    "Writer": "writer",
    "WriterError": "errors",
    "Written": "writer",
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
