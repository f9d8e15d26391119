"""Where originals and decisions are kept, and how a setting names such a place."""

from __future__ import annotations

import os
import re
from pathlib import Path

from trimtab.errors import ConfigError
from trimtab.stores.base import Store
from trimtab.stores.none import NoStore
from trimtab.stores.sqlite.connection import MEMORY
from trimtab.stores.sqlite.store import SqliteStore

__all__ = ["NoStore", "SqliteStore", "Store", "default_path", "open_store"]

DEFAULT, NOTHING = "default", "none"
SUPPORTED = '"default", "none", a path, "sqlite:///path", "memory:", None, or an object with the methods of Store'


def default_path() -> Path:
    """`trimtab.db` in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("trimtab", appauthor=False) / "trimtab.db"


def open_store(spec: str | os.PathLike[str] | Store | None) -> Store:
    """The store that a setting names.

    "default" is the file in the user's data folder; None or "none" keeps nothing, "memory:" keeps until the
    process ends; a path or "sqlite:///path" is an
    SQLite file (as in other tools, an absolute path then has four slashes); a store is itself.
    ConfigError for anything else, StoreError when the file cannot be used.
    """
    if spec is None or spec == NOTHING:
        return NoStore()
    if spec == DEFAULT:
        return SqliteStore(str(default_path()))
    if isinstance(spec, (str, os.PathLike)):
        return SqliteStore(_path(os.fspath(spec)))
    missing = sorted(name for name in _members() if not hasattr(spec, name))
    if missing:
        raise ConfigError(f"store: {type(spec).__name__} lacks {', '.join(missing)}; supported: {SUPPORTED}")
    return spec


def _path(spec: str) -> str:
    if spec in ("memory:", MEMORY):
        return MEMORY
    path = spec.removeprefix("sqlite:///")
    if not path or re.match(r"[a-z][a-z0-9+.-]*://", path, re.IGNORECASE):
        raise ConfigError(f"store: {spec!r} is not supported; supported: {SUPPORTED}")
    try:
        return str(Path(path).expanduser())
    except RuntimeError as error:
        raise ConfigError(f"store: {spec!r}: {error}") from error


def _members() -> set[str]:
    return {"keeps", *(name for name in vars(Store) if not name.startswith("_"))}
