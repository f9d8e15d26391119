"""Whatever comes in: a documented exit code, one message, no traceback."""

from __future__ import annotations

import gc
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.cli.running import PROGRAM, process

from trimtab.cli.exits import FAULT, MEANINGS, guarded, visible

READERS = ["compact", "inspect", "undo", "validate", "explain"]
REQUEST = b'{"messages":[{"role":"user","content":"hi"}]}'

BAD = {
    "empty": b"",
    "blank": b" \n\t ",
    "text": b"hello",
    "binary": bytes(range(256)) * 20,
    "truncated": b'{"messages": [{"role": "user", ',
    "number": b"3",
    "string": b'"messages"',
    "other": b'{"a": 1}',
    "no list": b'{"messages": 3}',
    "no messages": b'{"messages": []}',
    "not objects": b"[1, 2, 3]",
    "deep": b"[" * 100_000,
    "deep inside": b'{"messages":[{"role":"user","content":' + b"[" * 5_000 + b"]" * 5_000 + b"}]}",
    "lines": b"\n".join([REQUEST] * 3),
    "utf-16": REQUEST.decode().encode("utf-16"),
    "gzip": gzip.compress(REQUEST),
}


@pytest.mark.parametrize(
    ("command", "name"),
    [(command, name) for command in READERS for name in BAD if (command, name) != ("inspect", "lines")],
)
def test_bad_input_is_told_in_one_line(cli: Cli, command: str, name: str) -> None:
    Path(f"{name}.json").write_bytes(BAD[name])
    gc.collect()  # else what an earlier test left may be told of at the depth of this one's input
    for done in (cli(command, f"{name}.json"), cli(command, "-", stdin=BAD[name])):
        assert done.code == 2
        assert done.out == b""
        assert done.err.count("\n") == 1
    assert done.err.startswith("trimtab: standard input: ")


@pytest.mark.parametrize(("name", "hint"), [("lines", "JSON Lines"), ("utf-16", "UTF-16"), ("gzip", "gunzip")])
def test_what_the_file_seems_to_be_instead(cli: Cli, name: str, hint: str) -> None:
    assert hint in cli("validate", "-", stdin=BAD[name]).err


@pytest.mark.parametrize("command", READERS)
def test_files_that_cannot_be_read(cli: Cli, command: str, tmp_path: Path) -> None:
    for file in ("missing.json", *([] if command == "inspect" else [str(tmp_path)]), "nul\0byte", "x" * 5000):
        done = cli(command, file)
        assert done.code == 2
        assert done.out == b""
        assert done.err.startswith("trimtab: ")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_of_others(cli: Cli) -> None:
    Path("secret.json").write_bytes(REQUEST)
    Path("secret.json").chmod(0)
    assert "permission denied" in cli("inspect", "secret.json").err


@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize(
    "request_body",
    [REQUEST, b'[{"role":"user","content":"hi"}]', b'{"id":1,"messages":[{"role":"user","content":"\\ud800"}]}'],
)
def test_what_can_be_read_goes_through_unchanged(cli: Cli, prefix: bytes, request_body: bytes) -> None:
    done = cli("compact", "-", stdin=prefix + request_body)
    assert (done.code, done.out) == (0, prefix + request_body)


def test_a_body_of_many_megabytes(cli: Cli) -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "word " * 2_000_000}]}).encode()
    done = cli("compact", "-", stdin=body)
    assert (done.code, done.out) == (0, body)


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["compact", "--frobnicate"],
        ["compact", "a", "b"],
        ["compact", "x.json", "--budget", "many"],
        ["compact", "--example", "--budget", "-3"],
        ["compact", "--example", "--budget", "10", "--target", "20"],
        ["compact", "--example", "--preset", "zigzag"],
        ["compact", "--example", "--store", "ftp://x"],
        ["inspect"],
        ["store", "frobnicate"],
    ],
)
def test_wrong_usage(cli: Cli, arguments: list[str]) -> None:
    done = cli(*arguments)
    assert done.code == 2
    assert done.out == b""
    assert done.err.splitlines()[-1].startswith("trimtab: ")


def test_without_arguments_there_is_help(cli: Cli) -> None:
    done = cli()
    assert "compact" in done.out.decode()
    assert done.err == ""


def test_help_lists_the_exit_codes(cli: Cli) -> None:
    done = cli("--help")
    assert done.code == 0
    for meaning in MEANINGS.values():
        assert meaning in " ".join(done.out.decode().split())


@pytest.mark.parametrize("command", ["log", "store", "compact", "explain", "undo"])
def test_a_store_that_cannot_be_used(cli: Cli, command: str) -> None:
    Path("text.db").write_text("this is not a database" * 100)
    Path("request.json").write_bytes(REQUEST)
    files = [] if command in ("log", "store") else ["request.json"]
    more = ["show"] if command == "store" else []
    done = cli(command, *more, *files, "--store", "text.db")
    assert done.code == 4
    assert done.out == b""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close otherwise there")
@pytest.mark.parametrize("arguments", [["compact", "-"], ["undo", "-"], ["inspect", "-", "--json"]])
def test_a_reader_that_goes_away_is_no_error(arguments: list[str]) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [*PROGRAM, *arguments], input=REQUEST, stdout=theirs, stderr=subprocess.PIPE, check=False
    )
    os.close(theirs)
    assert done.returncode == 141
    assert b"trimtab: " not in done.stderr
    assert b"Error" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["compact", "-"], ["inspect", "-"]])
def test_a_full_disk(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, *arguments], input=REQUEST, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert b"no space left" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes there")
def test_a_pipe_as_output_stays_a_pipe(cli: Cli, tmp_path: Path) -> None:
    os.mkfifo("pipe")
    ours = os.open("pipe", os.O_RDWR)
    assert cli("compact", "-", "-o", "pipe", stdin=REQUEST).code == 0
    assert Path("pipe").is_fifo()
    assert os.read(ours, 1000) == REQUEST
    os.close(ours)


def test_a_fault_of_our_own_is_one_line_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(lambda: 1 // 0) == FAULT
    err = capsys.readouterr().err
    assert err.startswith("trimtab: a fault in trimtab: ZeroDivisionError")
    assert f"{Path(__file__).name}:" in err
    assert err.count("\n") == 1


def test_an_interrupt_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    assert guarded(interrupted) == 130
    assert capsys.readouterr().err == ""


def test_visible_leaves_words_alone_and_shows_the_rest() -> None:
    assert visible("naïve → 日本 \U0001f600\n\tx") == "naïve → 日本 \U0001f600\n\tx"
    assert visible("\x1b[2J\x07\x9b\u202e\ud800\r") == "␛[2J␇\ufffd\ufffd?␍"


def test_version() -> None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        expected = version("trimtab")
    except PackageNotFoundError:
        pytest.skip("trimtab is not installed, only on the path")
    assert process("--version").stdout.decode() == f"trimtab {expected}\n".replace("\n", os.linesep)
