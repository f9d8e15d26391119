"""The library as the options ask for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from trimtab.compactor import Compactor
from trimtab.config import Settings, load
from trimtab.stores import default_path, open_store
from trimtab.stores.base import Store


def settings_for(store: str | None = None, namespace: str | None = None) -> Settings:
    """The settings that hold. Raises ConfigError."""
    return load({"store": store, "namespace": namespace}).settings


def set_here() -> dict[str, Any]:
    """The settings of environment and file as plain JSON, without the defaults. Raises ConfigError."""
    held = load()
    values: dict[str, Any] = msgspec.to_builtins(held.settings)
    return {name: value for name, value in values.items() if held.origins[name] != "default"}


def store_path(settings: Settings) -> str:
    """The place that the setting `store` means, for people."""
    return str(default_path()) if settings.store == "default" else settings.store


def store_for(settings: Settings, *, reads: bool = False) -> Store:
    """The store of the settings; one that is only read is not made. Raises ConfigError and StoreError."""
    path = store_path(settings)
    missing = reads and "://" not in path and path != "memory:" and not Path(path).expanduser().exists()
    return open_store(None if missing else path)


def compactor_for(
    *,
    model: str | None = None,
    preset: str | None = None,
    budget: int | None = None,
    target: int | None = None,
    facts: Sequence[str] = (),
    pins: Sequence[str] = (),
    store: str | None = None,
    namespace: str | None = None,
    reads: bool = False,
) -> Compactor:
    """A compactor with these settings over those of environment and file. Raises ConfigError and StoreError."""
    given = {"model": model, "preset": preset, "budget": budget, "target": target, "store": store}
    given |= {"namespace": namespace}
    held = load(given)
    settings = held.settings
    chosen = {
        name: value for name, value in msgspec.structs.asdict(settings).items() if held.origins[name] != "default"
    }
    return Compactor(
        settings.model,
        preset=settings.preset,
        budget=settings.budget,
        target=settings.target,
        facts=(*settings.facts, *facts),
        pins=(*settings.pins, *pins),
        store=store_for(settings, reads=reads),
        config=chosen,
    )
