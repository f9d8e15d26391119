"""`trimtab recall`: what was cut, to standard output as it was. Imports little on purpose."""

from __future__ import annotations

import os
import sys
from getopt import GetoptError, gnu_getopt

from trimtab.cli.exits import FINDINGS, FINE, UsageError, visible
from trimtab.errors import HandleError
from trimtab.originals import original
from trimtab.selection import medium, select

OPTIONS = ("lines=", "grep=", "store=", "namespace=")
FILE = "trimtab.toml"
LINUX = sys.platform == "linux"


def answer(arguments: list[str]) -> int:
    """Run `trimtab recall` with these arguments."""
    try:
        given, rest = gnu_getopt(arguments, "", OPTIONS)
    except GetoptError as error:
        raise UsageError(f"{error} (see trimtab recall --help)") from error
    if len(rest) != 1:
        raise UsageError(f"expected one HANDLE, got {len(rest)} (see trimtab recall --help)")
    return show(rest[0], **{name[2:]: value for name, value in given})


def show(
    handle: str,
    lines: str | None = None,
    grep: str | None = None,
    store: str | None = None,
    namespace: str | None = None,
) -> int:
    """Write the original, or the part of it that is asked for. Raises HandleError and StoreError."""
    path, space = _settings(store, namespace)
    found = original(path, space, handle)
    if found is None:
        raise HandleError(
            f"{handle[:40]!r}: nothing is stored under this handle in namespace {space!r} of {path};"
            " a handle looks like t:0123456789abcdef and comes back only where it was issued"
        )
    if found.kind == "media":
        return _write_medium(handle, found.media_type, medium(found.data))
    text = select(found.data.decode("utf-8", "surrogatepass"), lines, grep)
    _write(text.encode("utf-8", "surrogatepass"))
    return FINE if text or grep is None else FINDINGS


def _write_medium(handle: str, media_type: str, data: bytes) -> int:
    if sys.stdout.isatty():
        kind = visible(media_type) or "binary data"
        print(f"{kind}, {len(data):,} bytes; to keep it: trimtab recall {handle} > FILE")  # noqa: T201
    else:
        _write(data)
    return FINE


def _write(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _settings(store: str | None, namespace: str | None) -> tuple[str, str]:
    """The file and the namespace that hold here, as `config.load` finds them, which loads too much for this."""
    given = {"store": store, "namespace": namespace}
    known = {name: value for name, value in given.items() if value is not None}
    environ = {name: os.environ[key] for name in given if (key := f"TRIMTAB_{name.upper()}") in os.environ}
    missing = given.keys() - known.keys() - environ.keys()
    settings = {**(_written() if missing else {}), **environ, **known}
    return _path(settings.get("store", "default")), settings.get("namespace", "default")


def _written() -> dict[str, str]:
    """What the file of settings says of the store; what is wrong with it is told by `config.load`."""
    path = os.environ.get("TRIMTAB_CONFIG") or FILE
    if not os.path.exists(path) and path == FILE:  # noqa: PTH110  (pathlib costs a start-up)
        return {}
    import tomllib

    try:
        with open(path, "rb") as file:  # noqa: PTH123
            written = tomllib.load(file)
    except (OSError, ValueError):
        written = {"store": None}
    names = [name for name in ("store", "namespace") if name in written]
    if not all(isinstance(written[name], str) for name in names):
        from trimtab.config import load

        settings = load().settings
        return {"store": settings.store, "namespace": settings.namespace}
    return {name: written[name] for name in names}


def _path(store: str) -> str:
    """The file that a setting names (see `stores.open_store`)."""
    if store in ("none", "memory:", ":memory:"):
        raise UsageError(f"store {store!r} keeps nothing to recall; name the file that compact wrote with --store")
    if store == "default":
        return os.path.join(_data_folder(), "trimtab", "trimtab.db")  # noqa: PTH118
    if "://" in store.removeprefix("sqlite:///"):
        from trimtab.stores import open_store

        open_store(store)
    return os.path.expanduser(store.removeprefix("sqlite:///"))  # noqa: PTH111


def _data_folder() -> str:
    """The user's data folder; on Linux by the XDG rule itself, since platformdirs imports a great deal."""
    if LINUX:
        asked = os.environ.get("XDG_DATA_HOME", "")
        return asked if asked.startswith("/") else os.path.expanduser("~/.local/share")  # noqa: PTH111
    from platformdirs import user_data_dir

    return user_data_dir()
