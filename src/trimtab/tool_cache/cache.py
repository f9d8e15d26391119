"""Answers a repeated call of a tool from its earlier result, while that result is still what the tool would say.

The cache serves the loop that runs the tools, never a request: compaction answers no calls.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextvars import ContextVar
from functools import wraps
from inspect import Parameter, Signature, iscoroutinefunction, signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from trimtab.calls import call_key
from trimtab.effects import EVERYWHERE, HARMLESS, NEVER, Globs, changed, looked_at, place
from trimtab.errors import ConfigError
from trimtab.report import Report
from trimtab.tool_cache.held import Entry, Held
from trimtab.transcript import JSON

if TYPE_CHECKING:
    from trimtab.compactor import Result

P = ParamSpec("P")
R = TypeVar("R")

MOST, MOST_BYTES = 256, 32_000_000

_LED: ContextVar[frozenset[Future[None]]] = ContextVar("led", default=frozenset())
"""The runs that the present task is in the midst of: to wait for one of these would be to wait for itself."""


class ToolCache:
    """Results of the named tools by tool and arguments, for one conversation. In memory; thread-safe.

    `tools` are globs of the tools whose calls may be answered from an earlier result: those that give the
    same again as long as nobody writes. `never` are globs of names, or of words in names, that are not,
    whatever `tools` says. `harmless` are globs of other tools that change nothing. At most `most` results
    and `most_bytes` bytes are held; those used longest ago go first.

    Show it every call of the loop, by `run`, `wrap` or `get` and `put`, since what one call writes may make
    the result of another stale; and every result of `compact`, by `observe`.

    A result is held pickled: every answer is a copy of its own, and what cannot be copied (a generator, an
    open file) is not held. Errors are not held either. Raises ConfigError.
    """

    def __init__(
        self,
        tools: Sequence[str],
        *,
        never: Sequence[str] = NEVER,
        harmless: Sequence[str] = HARMLESS,
        most: int = MOST,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        for name, given in (("tools", tools), ("never", never), ("harmless", harmless)):
            if isinstance(given, str):
                raise ConfigError(f"{name} of a ToolCache is a sequence of globs, not the text {given!r}")
        if most < 1 or most_bytes < 1:
            raise ConfigError("most and most_bytes of a ToolCache are above 0")
        self._tools, self._never, self._harmless = Globs(tools), Globs(never), Globs(harmless)
        for name in tools:
            if self._never.fit_word(name):
                raise ConfigError(
                    f"the tool {name!r} may have effects or tell a status; if not, give other `never`"
                )
        self._results = Held(most, most_bytes)
        self._runs: dict[str, Future[None]] = {}

    def __len__(self) -> int:
        """The number of results held."""
        return len(self._results)

    def get(self, name: str, arguments: JSON, default: Any = None) -> Any:
        """The earlier result of this call, or `default`; `arguments` as JSON text or as a dict.

        A call that may change something evicts here and in `put`. For calls that run side by side use `run`:
        between `get` and `put` a write may pass unnoticed.
        """
        held = self._held(self._key(name, arguments))
        self._note(name, arguments)
        return held[0] if held else default

    def put(self, name: str, arguments: JSON, result: R, call_id: str | None = None) -> R:
        """Hold the result of a call that was run, if it may be held, and return it. `call_id` is its id in the
        transcript: with it, `observe` tells this call from an earlier one of the same arguments.
        """
        self._keep(self._key(name, arguments), arguments, result, call_id, self._results.changes)
        self._note(name, arguments)
        return result

    def run(self, name: str, arguments: JSON, function: Callable[[], R], call_id: str | None = None) -> R:
        """The earlier result of this call, or else what `function` returns."""
        key = self._key(name, arguments)
        if held := self._held(key):
            return cast(R, held[0])
        since = self._results.changes
        try:
            result = function()
        finally:
            self._note(name, arguments)
        self._keep(key, arguments, result, call_id, since)
        return result

    async def arun(
        self, name: str, arguments: JSON, function: Callable[[], Awaitable[R]], call_id: str | None = None
    ) -> R:
        """`run` for coroutines. Of equal calls at the same time one runs, and the others wait for its result:
        when it fails or its result may not be held, each runs by itself.
        """
        key = self._key(name, arguments)
        if held := self._held(key):
            return cast(R, held[0])
        mine: Future[None] = Future()
        mine.set_running_or_notify_cancel()  # so that one who stops waiting does not cancel it for all
        first = mine if key is None else self._runs.setdefault(key, mine)
        if first is not mine and first not in _LED.get():
            await asyncio.wrap_future(first)
            if held := self._held(key):
                return cast(R, held[0])
        since, outer = self._results.changes, _LED.set(_LED.get() | {mine})
        try:
            result = await function()
            self._keep(key, arguments, result, call_id, since)
        finally:
            _LED.reset(outer)
            if key is not None and first is mine:
                del self._runs[key]
            mine.set_result(None)
            self._note(name, arguments)
        return result

    def wrap(self, function: Callable[P, R], name: str | None = None) -> Callable[P, R]:
        """The function, run through the cache; `name` is the tool's in the transcript, if it is another.

        The names of its parameters are taken for those of the arguments. Raises ConfigError for a callable
        without a name or a signature.
        """
        tool = name or getattr(function, "__name__", "")
        try:
            made = signature(function)
        except (ValueError, TypeError) as error:
            raise ConfigError(f"the parameters of {function!r} are not known: {error}") from error
        if not tool:
            raise ConfigError(f"{function!r} has no name; give the tool's")

        @wraps(function)
        def cached(*args: P.args, **kwargs: P.kwargs) -> R:
            return self.run(tool, _arguments(made, args, kwargs), lambda: function(*args, **kwargs))

        @wraps(function)
        async def cached_async(*args: P.args, **kwargs: P.kwargs) -> Any:
            call = cast(Callable[P, Coroutine[Any, Any, Any]], function)
            return await self.arun(tool, _arguments(made, args, kwargs), lambda: call(*args, **kwargs))

        waits = iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)
        return cast(Callable[P, R], cached_async) if waits else cached

    def tool(self, function: Callable[P, R]) -> Callable[P, R]:
        """Decorator: `wrap` under the function's own name."""
        return self.wrap(function)

    def observe(self, told: Result | Report) -> None:
        """Evict the results that no longer stand in the request, by what `compact` reports.

        The model that asks for one of them again gets it from the tool.
        """
        cut = (told if isinstance(told, Report) else told.report).cut_calls
        ids, keys = {one.id for one in cut}, {one.key for one in cut}
        nameless = {one.key for one in cut if not one.id}
        self._results.let_go(
            lambda key, one: key in nameless or (one.call_id in ids if one.call_id else key in keys)
        )

    def wrote(self, *paths: str) -> None:
        """Evict what was read from these paths, from below them or from a folder around them; without paths,
        everything. For writes that the cache is not shown: those of the user, of another process.
        """
        self._results.change(tuple(map(place, paths)) or EVERYWHERE)

    def _key(self, name: str, arguments: JSON) -> str | None:
        """The key of a call that may be answered from an earlier result."""
        return call_key(name, arguments) if self._reuses(name) else None

    def _reuses(self, name: str) -> bool:
        return self._tools.fit(name) and not self._never.fit_word(name)

    def _held(self, key: str | None) -> tuple[Any] | None:
        """A copy of the result under a key, alone in a tuple since it may be None."""
        data = None if key is None else self._results.get(key)
        return None if data is None else _load(data)

    def _keep(self, key: str | None, arguments: JSON, result: object, call_id: str | None, since: int) -> None:
        """Hold a result, unless something was changed since its call began."""
        if key is not None:
            data = _dump(result)
            entry = None if data is None else Entry(data, looked_at(arguments), call_id)
            self._results.put(key, entry, since)

    def _note(self, name: str, arguments: JSON) -> None:
        """Let go of what a call may have changed."""
        if not self._reuses(name) and not self._harmless.fit(name):
            self._results.change(changed(name, arguments))


def _dump(result: object) -> bytes | None:
    try:
        return pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
    except Exception:  # whatever an object of the caller's may raise: then it is not held
        return None


def _load(data: bytes) -> tuple[Any] | None:
    try:
        return (pickle.loads(data),)  # noqa: S301 - our own bytes, which never left this process
    except (
        Exception
    ):  # some objects can be written but not read, errors with a constructor of their own among them
        return None


def _arguments(made: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> JSON:
    """The arguments by their names, as a model gives them; those left out stay out."""
    try:
        bound = made.bind(*args, **kwargs).arguments
    except TypeError:  # which the call itself will raise
        return None
    for name, one in made.parameters.items():
        if one.kind is Parameter.VAR_KEYWORD:
            bound.update(bound.pop(name, {}))
    return dict(bound)
