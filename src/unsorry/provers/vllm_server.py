"""`vllm serve` in a process of its own: started, waited for, given adapters, and stopped as a whole.

Sampling and training share the cards by turns: while one runs, the other's processes are gone, and with them all their
memory.  Options and paths are those of vLLM 0.33.  vLLM may live in an environment of its own (its torch is not ours):
only its program is needed here, and the answers come through HTTP (see vllm_served.py).
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from unsorry import UnsorryError
from unsorry.provers.guarded import Guarded
from unsorry.provers.openai_api import one_line
from unsorry.provers.vllm import Adapter, Adapters, EngineConfig

BASE = "base"  # the name under which the model without adapter is served
RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)  # that vLLM has kernels for; the largest it takes is one of these
POLL = 0.25  # seconds between two looks whether it is ready
LOAD = 300.0  # seconds to load an adapter
HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class ServerConfig(EngineConfig):
    """The engine, and how many copies of it one server has."""

    data_parallel: int = 1
    program: str = "vllm"  # a name on PATH, or a path into another environment
    ready: float = 1800.0  # seconds until it must serve: weights read, kernels compiled, graphs captured


def serve_arguments(folder: Path, config: ServerConfig, *, port: int, adapters: tuple[Adapter, ...] = ()) -> list[str]:
    """The command line behind the program's name.

    `processed_logprobs` are those of the distribution that was sampled from, temperature included.  One API process,
    however many engines: each such process has adapters of its own, and a loaded one would reach one of them.
    """
    arguments = [
        "serve", str(folder),
        "--host", HOST,
        "--port", str(port),
        "--served-model-name", BASE,
        "--api-server-count", "1",
        "--tensor-parallel-size", str(config.tensor_parallel),
        "--data-parallel-size", str(config.data_parallel),
        "--max-model-len", str(config.max_model_len),
        "--dtype", config.dtype,
        "--gpu-memory-utilization", f"{config.memory:g}",
        "--seed", str(config.seed),
        "--logprobs-mode", "processed_logprobs",
        "--generation-config", "vllm",  # no sampling settings from the model's folder
        "--enable-prefix-caching",
        "--enable-prompt-tokens-details",
        "--disable-uvicorn-access-log",
    ]  # fmt: skip
    if config.fp32_head:
        arguments += ["--hf-overrides", json.dumps({"head_dtype": "float32"})]
    if config.max_lora_rank:
        arguments += ["--enable-lora", "--max-loras", "1", "--max-lora-rank", str(served_rank(config.max_lora_rank))]
        if adapters:
            modules = [json.dumps({"name": adapter.name, "path": str(adapter.path)}) for adapter in adapters]
            arguments += ["--lora-modules", *modules]
    return arguments


def served_rank(rank: int) -> int:
    """The smallest rank that vLLM can be started with and that holds adapters of `rank`."""
    for known in RANKS:
        if known >= rank:
            return known
    raise UnsorryError(f"vLLM serves adapters of rank {RANKS[-1]} at most, not {rank}")


def adapter_rank(folder: Path) -> int:
    """The rank that an adapter's folder names; what is wrong with the folder is told when it is loaded."""
    try:
        return int(json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))["r"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnsorryError(f"{folder} holds no LoRA adapter that can be read: {type(error).__name__}") from None


class VllmServer:
    """A running server; a context manager, in whose block it answers.

    `adapter` is a folder and the version of its weights, loaded at the start.  Raises UnsorryError where the program is
    missing, ends before it serves, or does not serve in time; its output is in `log` in each case.
    """

    def __init__(
        self, folder: Path, config: ServerConfig, *, log: Path, adapter: tuple[Path, str] | None = None
    ) -> None:
        program = shutil.which(str(Path(config.program).expanduser()))
        if program is None:
            raise UnsorryError(
                f"there is no program {config.program!r}: pip install 'unsorry[vllm]' in an environment of its own, on "
                "a machine with a GPU, and put its `vllm` on PATH or name it under [resources]"
            )
        # Nothing is reset: prefix blocks are kept by name and path of their adapter, and both are never used again.
        self.adapters = Adapters(lambda: True, max_rank=config.max_lora_rank)
        first = (self.adapters.use(*adapter),) if adapter is not None else ()
        self.folder, self.config, self.log = folder, config, log
        self._loaded = {one.name for one in first}
        self._key = secrets.token_urlsafe(32)  # in the environment: arguments are everybody's to read
        port = _free_port()
        self.url = f"http://{HOST}:{port}"
        self._command = [program, *serve_arguments(folder, config, port=port, adapters=first)]
        self._process: Guarded | None = None

    def __enter__(self) -> Self:
        environment = {
            **os.environ,
            "VLLM_API_KEY": self._key,
            "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1" if self.config.max_lora_rank else "0",
            "VLLM_NO_USAGE_STATS": "1",
            "HF_HUB_OFFLINE": "1",
        }
        self._process = Guarded(self._command, log=self.log, env=environment, grace=20.0)
        try:
            self._wait()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End it; when this returns, its processes are gone and the cards are free."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    @property
    def model(self) -> str:
        """The name to ask for: of the adapter in use, or of the base."""
        return self.adapters.current.name if self.adapters.current is not None else BASE

    @property
    def headers(self) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {self._key}"}

    @property
    def pid(self) -> int:
        """Of the guard above all its processes."""
        assert self._process is not None
        return self._process.pid

    def use_adapter(self, folder: Path, version: str) -> None:
        """Have the adapter in `folder` answer from now on; it is loaded unless it was before."""
        before = self.adapters.current
        adapter = self.adapters.use(folder, version)
        if adapter.name in self._loaded:
            return
        try:
            self._load(adapter)
        except UnsorryError:
            self.adapters.current = before
            raise
        self._loaded.add(adapter.name)

    def check(self) -> None:
        """Raises UnsorryError if the server has ended."""
        if self._process is None:
            raise UnsorryError(f"the vLLM server for {self.folder} does not run: it was stopped or not started")
        code = self._process.poll()
        if code is not None:
            raise UnsorryError(f"vLLM ended while it was needed ({self._end(code)}); its log is {self.log}")

    def fault(self, what: str) -> UnsorryError:
        """An error about this server, in one line; of its end, if it has ended."""
        try:
            self.check()
        except UnsorryError as error:
            return error
        return UnsorryError(f"vLLM {what}; its log is {self.log}")

    def _wait(self) -> None:
        """Until it serves what it was started with."""
        assert self._process is not None
        until = time.monotonic() + self.config.ready
        wanted = {BASE, *self._loaded}
        with self._client(timeout=5.0) as client:
            while True:
                code = self._process.poll()
                if code is not None:
                    raise UnsorryError(f"vLLM ended before it served ({self._end(code)}); its log is {self.log}")
                if wanted <= _served(client):
                    return
                if time.monotonic() > until:
                    raise UnsorryError(
                        f"vLLM did not serve within {self.config.ready:g} s (it last said: {self._process.reason()}); "
                        f"its log is {self.log}"
                    )
                time.sleep(POLL)

    def _load(self, adapter: Adapter) -> None:
        body = {"lora_name": adapter.name, "lora_path": str(adapter.path)}
        try:
            with self._client(timeout=LOAD) as client:
                answer = client.post("/v1/load_lora_adapter", json=body)
        except httpx.HTTPError as error:
            raise self.fault(f"did not load {adapter.path}: {one_line(error) or type(error).__name__}") from None
        if answer.status_code != 200:
            raise self.fault(f"did not load {adapter.path} (HTTP {answer.status_code}: {one_line(answer.text)})")

    def _client(self, timeout: float) -> httpx.Client:
        # Not by a proxy that the environment names: this is the same machine.
        return httpx.Client(base_url=self.url, headers=dict(self.headers), timeout=timeout, trust_env=False)

    def _end(self, code: int) -> str:
        assert self._process is not None
        how = f"signal {code - 128}" if code > 128 else f"exit status {code}"
        return f"{how}: {self._process.reason()}"


def _served(client: httpx.Client) -> set[str]:
    """The names that are served; none where nothing, or another program, answers."""
    try:
        answer = client.get("/v1/models")
        found: Any = answer.json() if answer.status_code == 200 else {}
        return {str(one["id"]) for one in found["data"]}
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return set()


def _free_port() -> int:
    """A port that is free now.  Should another take it first, the server ends at once and says so."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
