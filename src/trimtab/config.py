"""Settings and where each came from: arguments over environment over `trimtab.toml` over defaults."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from trimtab.errors import ConfigError
from trimtab.prices import Override

FILE = "trimtab.toml"
PREFIX = "TRIMTAB_"
DEFAULT_STORE = "default"


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every setting there is. Token figures are tokens as the provider counts them.

    `store`: "default" (a file in the user's data folder), a path, "memory:" or "none".
    `window` overrides the price data; `window_share` of it triggers a fold, as do `budget` tokens and
    `max_results` results since the last fold. `protect_results` and `protect_turns` are the newest
    ones a fold leaves whole; `pins` and `facts` are texts (or `re:` patterns) that stay. `presets` holds the
    settings of presets by their names, `models` what is known better of models, by theirs (`prices.Override`).
    """

    model: str | None = None
    preset: str = "default"
    store: str = DEFAULT_STORE
    namespace: str = "default"
    budget: int | None = None
    target: int | None = None
    window: int | None = None
    window_share: float = 0.75
    max_results: int | None = None
    protect_results: int = 3
    protect_turns: int = 0
    pins: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    presets: dict[str, dict[str, Any]] = {}
    models: dict[str, Override] = {}


class Config(Struct, frozen=True):
    """The settings that hold, and the origin of each: argument, environment, a file's path, or default."""

    settings: Settings
    origins: dict[str, str]


def load(
    arguments: Mapping[str, Any] | None = None,
    file: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Config:
    """The settings that hold here. `file` is a TOML file, or settings given in code, which count as arguments.

    Without it `trimtab.toml` of the working folder, or the file TRIMTAB_CONFIG names, is read where there is one.

    Raises ConfigError naming the setting, where it came from and what was expected.
    """
    environ = os.environ if environ is None else environ
    in_code = file if isinstance(file, Mapping) else {}
    layers = [
        _file(None if isinstance(file, Mapping) else file, environ),
        ("environment", {name: environ[key] for name in _NAMES if (key := PREFIX + name.upper()) in environ}),
        ("argument", in_code),
        ("argument", {name: value for name, value in (arguments or {}).items() if value is not None}),
    ]
    values: dict[str, Any] = {}
    origins = dict.fromkeys(_NAMES, "default")
    for origin, layer in layers:
        for name, value in layer.items():
            values[name] = _value(name, value, origin)
            origins[name] = origin
    settings = Settings(**values)
    _sound(settings)
    return Config(settings, origins)


_NAMES = tuple(field.name for field in msgspec.structs.fields(Settings))
_TYPES = {field.name: field.type for field in msgspec.structs.fields(Settings)}


def _file(file: str | os.PathLike[str] | None, environ: Mapping[str, str]) -> tuple[str, Mapping[str, Any]]:
    asked = file or environ.get(PREFIX + "CONFIG")
    path = Path(asked or FILE)
    try:
        return str(path), tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if asked:
            raise ConfigError(f"{path}: there is no such file") from None
        return str(path), {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error


def _value(name: str, value: Any, origin: str) -> Any:
    if name not in _TYPES:
        raise ConfigError(f"{origin}: there is no setting {name!r}; there are {', '.join(_NAMES)}")
    if origin == "environment" and name in ("pins", "facts"):
        value = [line for line in value.splitlines() if line]
    if origin == "environment" and name in ("presets", "models"):
        value = _tables(name, value)
    try:
        return msgspec.convert(value, _TYPES[name], strict=origin != "environment")
    except msgspec.ValidationError as error:
        raise ConfigError(f"{origin}: {name} = {value!r}: {error}") from error


def _tables(name: str, text: str) -> Any:
    """Settings of presets, or of models, as an environment variable can hold them: TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        example = "clear-tool-uses = {trigger = 60000, keep = 2}"
        raise ConfigError(f"environment: {name} = {text!r}: {error}; expected TOML such as {example!r}") from error


def _sound(settings: Settings) -> None:
    """Values that fit their types and still make no sense."""
    for name in ("budget", "target", "window", "max_results"):
        value = getattr(settings, name)
        if value is not None and value <= 0:
            raise ConfigError(f"{name} = {value}: expected a number above 0")
    if not 0 < settings.window_share <= 1:
        raise ConfigError(f"window_share = {settings.window_share}: expected a share above 0, up to 1")
    if settings.budget is not None and settings.target is not None and settings.target > settings.budget:
        raise ConfigError(f"target = {settings.target}: expected at most the budget of {settings.budget}")
    if min(settings.protect_results, settings.protect_turns) < 0:
        raise ConfigError("protect_results and protect_turns: expected 0 or more")
