from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.cli.running import PROGRAM, on_terminal, process
from tests.stores.making import decide, original

from trimtab.cli.recall import _data_folder, _settings
from trimtab.config import load
from trimtab.errors import ConfigError
from trimtab.journal import Kind
from trimtab.stores import SqliteStore, default_path

HEAVY = {"typer", "rich", "genai_prices", "toktok", "msgspec", "pydantic", "platformdirs", "asyncio", "inspect"}


@pytest.fixture
def handles(cli: Cli, request_file: Path) -> list[str]:
    """The handles of a compacted request."""
    return re.findall(r"t:[0-9a-f]{16}", cli("compact", str(request_file), "--force").out.decode())


def put(store: Path, data: bytes, kind: Kind, media_type: str = "text/plain") -> str:
    place = SqliteStore(store)
    handle = f"t:{len(data):016x}"
    place.commit(
        "default", [decide(data[:40], original(data, handle, data[:40], kind=kind, media_type=media_type))]
    )
    place.close()
    return handle


def test_all_that_was_cut_comes_back(cli: Cli, request_file: Path, handles: list[str]) -> None:
    texts = {cli("recall", handle).out.decode() for handle in handles}
    assert texts
    strings = re.findall(r'"(part \d line 0(?:[^"\\]|\\.)*)"', request_file.read_text())
    assert texts <= {json.loads(f'"{string}"') for string in strings}


def test_lines_and_pattern(cli: Cli, handles: list[str]) -> None:
    whole = cli("recall", handles[0]).out.splitlines(keepends=True)
    assert cli("recall", handles[0], "--lines", "2-4").out == b"".join(whole[1:4])
    assert cli("recall", "--lines=3", handles[0]).out == whole[2]
    found = cli("recall", handles[0], "--grep", r"line 1\d:", "--lines", "1-12").out
    assert found == b"11:" + whole[10] + b"12:" + whole[11]


def test_a_pattern_without_a_match_is_nothing_found(cli: Cli, handles: list[str]) -> None:
    done = cli("recall", handles[0], "--grep", "nowhere to be seen")
    assert (done.code, done.out) == (1, b"")


@pytest.mark.parametrize(
    "arguments",
    [
        ["t:0000000000000000"],
        ["nonsense"],
        ["\udcff"],
        [""],
        [],
        ["a", "b"],
        ["HANDLE", "--lines", "9-2"],
        ["HANDLE", "--lines", "0"],
        ["HANDLE", "--lines", "100000-"],
        ["HANDLE", "--lines", "1" * 6000],
        ["HANDLE", "--grep", "("],
        ["HANDLE", "--frobnicate"],
        ["HANDLE", "--lines"],
        ["HANDLE", "--lines", "1", "--bytes", "1"],
        ["HANDLE", "--items", "1"],
        ["HANDLE", "--path", "$.a"],
        ["HANDLE", "--bytes", "0-"],
        ["HANDLE", "--grep", "(a)\\1+"],
        ["HANDLE", "--all=yes"],
        ["HANDLE", "--namespace", "another"],
        ["HANDLE", "--store", "none"],
        ["HANDLE", "--store", "memory:"],
        ["HANDLE", "--store", "ftp://x/y"],
        ["HANDLE", "--store", "missing.db"],
    ],
)
def test_what_is_wrong_is_told_in_one_line(cli: Cli, handles: list[str], arguments: list[str]) -> None:
    done = cli("recall", *(handles[0] if one == "HANDLE" else one for one in arguments))
    assert done.code == 2
    assert done.out == b""
    assert done.err.startswith("trimtab: ")
    assert done.err.count("\n") == 1


def test_a_store_that_is_not_there_is_not_made(cli: Cli, tmp_path: Path) -> None:
    cli("recall", "t:0000000000000000", "--store", str(tmp_path / "missing.db"))
    assert not (tmp_path / "missing.db").exists()


def test_a_file_that_is_no_store(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database" * 100)
    assert cli("recall", "t:0000000000000000", "--store", "text.db").code == 4


def test_text_comes_as_it_was_with_nothing_added(store: Path) -> None:
    data = "no line end, \x1b[31mcolour, \ud800 half a pair, \u2028 \r\n".encode("utf-8", "surrogatepass")
    done = process("recall", put(store, data, Kind.TEXT))
    assert (done.returncode, done.stdout, done.stderr) == (0, data, b"")


LARGE = "".join(f"line {number} of a large original\n" for number in range(1, 3001)).encode()


def test_of_a_large_original_the_outline_comes_first(store: Path) -> None:
    done = process("recall", put(store, LARGE, Kind.TEXT))
    shown = done.stdout.decode()
    assert done.returncode == 0
    assert shown.startswith("outline of 3,000 lines, 88,893 bytes, about 25,398 tokens (text)\n1: line 1 of")
    assert shown.endswith("3000: line 3000 of a large original\n")
    assert len(shown) < 1000
    (told,) = done.stderr.decode().splitlines()
    assert told.startswith("trimtab: this is the outline")
    assert "--lines 1-1370" in told
    assert "--all" in told


def test_a_large_part_comes_in_pages_that_name_the_next(store: Path) -> None:
    handle, seen, asked = put(store, LARGE, Kind.TEXT), b"", ["--lines", "1-"]
    while asked:
        done = process("recall", handle, *asked)
        seen += done.stdout
        assert len(done.stdout) <= 40_000
        named = re.search(r"next: (--\w+) (\S+);", done.stderr.decode())
        asked = [*named.groups()] if named else []
    assert seen == LARGE


def test_all_of_it_comes_at_once_when_asked_for_or_into_a_file(store: Path, tmp_path: Path) -> None:
    handle = put(store, LARGE, Kind.TEXT)
    done = process("recall", handle, "--all")
    assert (done.stdout, done.stderr) == (LARGE, b"")
    with (tmp_path / "kept").open("wb") as file:
        subprocess.run([*PROGRAM, "recall", handle], stdout=file, check=True)
    assert (tmp_path / "kept").read_bytes() == LARGE


def test_values_of_json_come_as_they_stand(cli: Cli, store: Path) -> None:
    text = '{"rows": [{"n": 1.10}, {"n": 12345678901234567890, "n":   [1,\t2]}], "text": "a\\nb\\n"}'
    handle = put(store, text.encode(), Kind.TEXT)
    assert cli("recall", handle, "--path", "$.rows[*].n").out == b"1.10\n[1,\t2]"
    assert (
        cli("recall", handle, "--path", "rows", "--items", "2-").out
        == b'{"n": 12345678901234567890, "n":   [1,\t2]}'
    )
    assert cli("recall", handle, "--path", "$.text", "--lines", "2").out == b"b\n"
    assert cli("recall", handle, "--bytes=1-7").out == b'{"rows"'


def test_another_result_of_the_same_call_is_told_of(store: Path) -> None:
    place = SqliteStore(store)
    for number, data in enumerate((b"first", b"second"), 1):
        name = b"%d" % number
        place.commit("default", [decide(name, original(data, f"t:{number:016x}", name, label="read a.py"))])
    place.close()
    done = process("recall", "t:0000000000000001")
    assert done.stdout == b"first"
    assert (
        done.stderr.decode() == "trimtab: at another time the same call gave another result: t:0000000000000002\n"
    )


def test_a_medium_comes_as_its_bytes(cli: Cli, store: Path) -> None:
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    part = {"type": "image", "source": {"media_type": "image/png", "data": b64encode(picture).decode()}}
    handle = put(store, json.dumps(part).encode(), Kind.MEDIA, "image/png")
    assert cli("recall", handle).out == picture
    assert cli("recall", handle, "--bytes", "2-4").out == b"PNG"
    assert cli("recall", handle, "--lines", "1").code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_medium_on_a_terminal_says_what_it_is(store: Path) -> None:
    data = json.dumps({"url": "data:image/png;base64," + b64encode(bytes(300)).decode()}).encode()
    code, seen = on_terminal("recall", put(store, data, Kind.MEDIA, "image/\x1b[31mpng"))
    assert code == 0
    assert seen == f"image/␛[31mpng, 300 bytes; to keep it: trimtab recall t:{len(data):016x} > FILE\n"


def test_nothing_heavy_is_imported(handles: list[str]) -> None:
    code = "import sys\nfrom trimtab.cli import run\nrun(sys.argv[1:])\nprint(*sys.modules, file=sys.stderr)"
    line = [sys.executable, "-c", code, "recall", handles[0], "--grep", "line"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    modules = set(done.stderr.split())
    assert "line 1" in done.stdout
    assert not HEAVY & {name.split(".")[0] for name in modules}
    assert not {name for name in modules if name.startswith(("trimtab.wires", "trimtab.stores", "trimtab.config"))}


def test_help_comes_from_typer(cli: Cli) -> None:
    done = cli("recall", "--help")
    assert done.code == 0
    for option in ("--lines", "--items", "--bytes", "--path", "--grep", "--all", "--store", "--namespace"):
        assert option in done.out.decode()


@pytest.mark.parametrize(
    "asked", [["--path", "$.a"], ["--items", "1"], ["--bytes", "1-3"], ["--lines", "1", "--all"]]
)
def test_nothing_heavy_is_imported_for_a_part(store: Path, asked: list[str]) -> None:
    handle = put(store, b'{"a": [1]}' if asked[0] == "--path" else b"[1, 2]", Kind.TEXT)
    code = "import sys\nfrom trimtab.cli import run\nrun(sys.argv[1:])\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, "recall", handle, *asked], capture_output=True, text=True, check=True
    )
    assert done.stdout
    assert not HEAVY & {name.split(".")[0] for name in done.stderr.split()}


@pytest.mark.parametrize("file", [None, "", 'store = "of file"\nbudget = 7', 'namespace = "of file"'])
@pytest.mark.parametrize("environ", [{}, {"STORE": "~/of environ"}, {"NAMESPACE": "of environ", "STORE": "x"}])
@pytest.mark.parametrize("given", [{}, {"store": "sqlite:///of argument"}, {"namespace": "of argument"}])
def test_settings_are_those_of_config(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    file: str | None,
    environ: dict[str, str],
    given: dict[str, str],
) -> None:
    monkeypatch.delenv("TRIMTAB_STORE")
    for name, value in environ.items():
        monkeypatch.setenv(f"TRIMTAB_{name}", value)
    if file is not None:
        (tmp_path / "other.toml").write_text(file)
        monkeypatch.setenv("TRIMTAB_CONFIG", "other.toml")
    settings = load(given).settings
    path = str(default_path() if settings.store == "default" else Path(settings.store.removeprefix("sqlite:///")))
    expected = (str(Path(path).expanduser()), settings.namespace)
    assert _settings(given.get("store"), given.get("namespace")) == expected


@pytest.mark.parametrize("file", ["store = 3", "store = ", "unknown = 1\nstore = []"])
def test_a_bad_file_of_settings_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str) -> None:
    monkeypatch.delenv("TRIMTAB_STORE")
    (tmp_path / "trimtab.toml").write_text(file)
    with pytest.raises(ConfigError, match=r"trimtab\.toml"):
        _settings(None, None)


@pytest.mark.parametrize("folder", [None, "", "relative", "/absolute/folder"])
def test_the_default_file_is_that_of_the_store(monkeypatch: pytest.MonkeyPatch, folder: str | None) -> None:
    if folder is not None:
        monkeypatch.setenv("XDG_DATA_HOME", folder)
    assert Path(_data_folder(), "trimtab", "trimtab.db") == default_path()
