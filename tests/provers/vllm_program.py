"""A program `vllm` for tests: its `serve` takes our command line and answers from a real model, through our sampler.

It knows the options of vLLM 0.33 that are used here and no others, and speaks the part of its HTTP interface that is
used: /health, /v1/models, /v1/completions, /v1/load_lora_adapter.  UNSORRY_TEST_VLLM makes it fail: `broken` (ends with
a traceback), `deaf` (never serves), `crash:N` (killed by a signal when request N arrives), `silent` (log-probabilities
are left out), `base` (answers with the base model whatever is asked for), `stuck:N` (a fault of its own at first).
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MODE, _, NUMBER = os.environ.get("UNSORRY_TEST_VLLM", "").partition(":")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("command", choices=["serve"])
    parser.add_argument("model", type=Path)
    for name in ("host", "served-model-name", "dtype", "hf-overrides", "generation-config", "logprobs-mode"):
        parser.add_argument(f"--{name}")
    for name in ("port", "api-server-count", "tensor-parallel-size", "data-parallel-size", "max-model-len", "seed"):
        parser.add_argument(f"--{name}", type=int)
    for name in ("enable-lora", "enable-prefix-caching", "enable-prompt-tokens-details", "disable-uvicorn-access-log"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--gpu-memory-utilization", type=float)
    parser.add_argument("--max-loras", type=int)
    parser.add_argument("--max-lora-rank", type=int, choices=[1, 8, 16, 32, 64, 128, 256, 320, 512])
    parser.add_argument("--lora-modules", nargs="*", type=json.loads, default=[])
    return parser.parse_args()


class Engine:
    """The base and its adapters by name, one request at a time."""

    def __init__(self, options: argparse.Namespace) -> None:
        import torch  # late: what fails before has no need of it

        torch.set_num_threads(1)
        self.options = options
        self.models = {options.served_model_name: self.read()}
        self.lock = threading.Lock()
        self.count = 0
        for module in options.lora_modules:
            self.load(module["name"], module["path"])

    def read(self) -> Any:
        from unsorry.training.model import load_model

        return load_model(self.options.model, dtype=self.options.dtype, fp32_head=bool(self.options.hf_overrides))[0]

    def load(self, name: str, path: str) -> None:
        from unsorry.training.lora import load_adapter, merged

        self.models[name] = merged(load_adapter(self.read(), path, trainable=False)).eval()

    def complete(self, body: dict[str, Any]) -> dict[str, Any]:
        from unsorry.provers.answers import Ask
        from unsorry.provers.decoding import Sampler

        with self.lock:
            self.count += 1
            if MODE == "crash" and self.count == int(NUMBER):
                print("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.", flush=True)
                os.kill(os.getpid(), signal.SIGKILL)
            if MODE == "stuck" and self.count <= int(NUMBER):
                raise RuntimeError("not now")
            name = self.options.served_model_name if MODE == "base" else body["model"]
            ask = Ask(0, 0, (), tuple(body["prompt"]), body["max_tokens"], f"{body['seed']:x}")
            sampler = Sampler(
                self.models[name],
                ends=frozenset(body["stop_token_ids"]),
                temperature=body["temperature"],
                top_p=body["top_p"],
            )
            ((_, drawn),) = sampler.draw([ask])
        found = None if MODE == "silent" else {"token_logprobs": list(drawn.logprobs)}
        choice = {
            "index": 0,
            "text": "",
            "token_ids": list(drawn.ids),
            "prompt_token_ids": body["prompt"],
            "logprobs": found,
            "finish_reason": drawn.finish,
        }
        usage = {"prompt_tokens": len(body["prompt"]), "completion_tokens": len(drawn.ids)}
        return {"model": name, "choices": [choice], "usage": usage}


class Handler(BaseHTTPRequestHandler):
    engine: Engine
    key = os.environ.get("VLLM_API_KEY", "")

    def do_GET(self) -> None:
        if self.path == "/health":
            self.answer(200, {})
        elif self.path == "/v1/models" and self.allowed():
            self.answer(200, {"data": [{"id": name} for name in self.engine.models]})

    def do_POST(self) -> None:
        if not self.allowed():
            return
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            if self.path == "/v1/completions" and body["model"] not in self.engine.models:
                self.answer(404, {"error": {"message": f"The model `{body['model']}` does not exist."}})
            elif self.path == "/v1/completions":
                self.answer(200, self.engine.complete(body))
            elif self.path == "/v1/load_lora_adapter" and os.environ["VLLM_ALLOW_RUNTIME_LORA_UPDATING"] == "1":
                self.engine.load(body["lora_name"], body["lora_path"])
                self.answer(200, {})
            else:
                self.answer(404, {"error": "Not Found"})
        except Exception as error:
            self.answer(500, {"error": {"message": str(error)}})

    def allowed(self) -> bool:
        if self.key and self.headers["Authorization"] != f"Bearer {self.key}":
            self.answer(401, {"error": "Unauthorized"})
            return False
        return True

    def answer(self, code: int, body: Any) -> None:
        data = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


def main() -> None:
    options = arguments()
    # As an engine's workers do: a process in a session of its own, which a signal to our group does not reach.
    helper = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"], start_new_session=True)
    print(f"helper {helper.pid}", flush=True)
    if MODE == "broken":
        raise ValueError("To serve at least one request with this model, 5.6 GiB of KV cache are needed")
    if MODE == "deaf":
        time.sleep(600)
    Handler.engine = Engine(options)
    ThreadingHTTPServer.request_queue_size = 128
    ThreadingHTTPServer((options.host, options.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
