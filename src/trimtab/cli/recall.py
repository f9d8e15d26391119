"""`trimtab recall`: what was cut, to standard output as it was. Imports little on purpose."""

from __future__ import annotations

import os
import stat
import sys
from getopt import GetoptError, gnu_getopt

from trimtab.cli.exits import FINDINGS, FINE, UsageError, complain, visible
from trimtab.errors import HandleError
from trimtab.originals import original
from trimtab.selection import PAGE, medium, of_medium, select

OPTIONS = ("lines=", "items=", "bytes=", "path=", "grep=", "all", "store=", "namespace=")
FILE = "trimtab.toml"
LINUX = sys.platform == "linux"
MOST_OTHERS = 3
"""Other results of the same call that are told of, the newest ones."""


def answer(arguments: list[str]) -> int:
    """Run `trimtab recall` with these arguments."""
    try:
        given, rest = gnu_getopt(arguments, "", OPTIONS)
    except GetoptError as error:
        raise UsageError(f"{error} (see trimtab recall --help)") from error
    if len(rest) != 1:
        raise UsageError(f"expected one HANDLE, got {len(rest)} (see trimtab recall --help)")
    asked: dict[str, str | None] = {option[2:]: value for option, value in given}
    whole = asked.pop("all", None) is not None
    return show(rest[0], asked, asked.pop("store", None), asked.pop("namespace", None), whole=whole)


def show(
    handle: str,
    asked: dict[str, str | None],
    store: str | None = None,
    namespace: str | None = None,
    *,
    whole: bool = False,
) -> int:
    """Write the original, or what is asked of it (see `selection.select`). Raises HandleError and StoreError."""
    path, space = _settings(store, namespace)
    found = original(path, space, handle)
    if found is None:
        raise HandleError(
            f"{handle[:40]!r}: nothing is stored under this handle in namespace {space!r} of {path};"
            " a handle looks like t:0123456789abcdef and comes back only where it was issued"
        )
    wanted = {option: value for option, value in asked.items() if value is not None}
    if found.kind == "media":
        return _write_medium(handle, found.media_type, of_medium(medium(found.data), found.media_type, wanted))
    text = found.data.decode("utf-8", "surrogatepass")
    bounded = not whole and not _is_kept()
    if bounded and not wanted and len(text) > PAGE:
        code = _write_outline(text)
    else:
        code = _write_text(text, wanted, PAGE if bounded else None)
    if found.alike:
        others = ", ".join(found.alike[-MOST_OTHERS:])
        complain(f"at another time the same call gave another result: {others}")
    return code


def _write_text(text: str, wanted: dict[str, str], page: int | None) -> int:
    selected = select(text, page=page, **wanted)
    _write(selected.text.encode("utf-8", "surrogatepass"))
    for unit, rest in selected.rest.items():
        of = "" if "grep" in wanted else f" of about {selected.tokens:,} tokens"
        complain(f"this is a part{of}; next: --{unit} {rest}; whole: --all")
    return FINE if selected.text or "grep" not in wanted else FINDINGS


def _write_outline(text: str) -> int:
    from trimtab.recall import outline

    _write(outline(text).encode("utf-8", "surrogatepass"))
    for unit, rest in select(text, page=PAGE).rest.items():
        first = f"--{unit} 1-{int(rest.partition('-')[0]) - 1}"
        complain(
            f"this is the outline, since the whole is large; read on with {first}, --grep, --path; whole: --all"
        )
    return FINE


def _is_kept() -> bool:
    """Whether what is written goes to a file and not before anyone's eyes."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return False


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
