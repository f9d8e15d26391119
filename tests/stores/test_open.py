from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.stores.making import decide, original

from trimtab.errors import ConfigError, StoreError
from trimtab.stores import NoStore, SqliteStore, Store, default_path, open_store


def keeps_in(store: Store, file: Path) -> bool:
    """Whether what is committed stands in this very file."""
    store.commit("ns", [decide(b"b", original(b"data", "t:1"))])
    store.close()
    again = SqliteStore(file)
    found = again.artifact("ns", "t:1")
    again.close()
    return found is not None and found.data == b"data"


def test_none_keeps_nothing() -> None:
    assert isinstance(open_store(None), NoStore)


@pytest.mark.parametrize("spec", ["memory:", ":memory:"])
def test_memory_leaves_no_file(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store(spec)
    store.commit("ns", [decide(b"b", original(b"data", "t:1"))])
    assert store.keeps
    assert store.artifact("ns", "t:1")
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_a_path_or_an_sqlite_url_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert keeps_in(open_store(tmp_path / "a.db"), tmp_path / "a.db")
    assert keeps_in(open_store(str(tmp_path / "b.db")), tmp_path / "b.db")
    assert keeps_in(open_store("c.db"), tmp_path / "c.db")
    assert keeps_in(open_store(f"sqlite:///{tmp_path / 'd.db'}"), tmp_path / "d.db")
    assert keeps_in(open_store("sqlite:///e.db"), tmp_path / "e.db")
    assert keeps_in(open_store("~/f.db"), tmp_path / "f.db")


def test_STORE_11_a_relative_path_means_the_same_after_a_change_of_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    store = open_store("a.db")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert keeps_in(store, tmp_path / "a.db")


def test_a_store_is_itself() -> None:
    mine = NoStore()
    assert open_store(mine) is mine


@pytest.mark.parametrize(
    "spec", ["postgresql://host/db", "redis://x", "sqlite://x", "SQLITE4://x", "", "sqlite:///"]
)
def test_what_is_not_supported_is_told_with_what_is(spec: str) -> None:
    with pytest.raises(ConfigError, match="memory:"):
        open_store(spec)


def test_an_object_that_is_no_store_is_told_what_it_lacks() -> None:
    class Half:
        keeps = True

        def close(self) -> None: ...

    with pytest.raises(ConfigError, match=r"Half lacks alike, artifact, artifacts, commit, conversations"):
        open_store(Half())  # type: ignore[arg-type]


def test_an_impossible_file_name_is_a_store_error() -> None:
    with pytest.raises(StoreError):
        open_store("a\0b")


def test_the_default_is_in_the_users_data_folder() -> None:
    assert default_path().name == "trimtab.db"
    assert default_path().parent.name == "trimtab"
    assert Path.home() in default_path().parents


def test_opening_a_store_loads_little() -> None:
    code = "from trimtab.stores import open_store; open_store('memory:').close()"
    code += "; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"platformdirs", "typer", "rich", "genai_prices", "toktok", "asyncio", "http", "pydantic"}
    assert not heavy & set(done.stdout.split())
