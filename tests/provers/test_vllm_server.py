"""Sampling by a server in a process of its own: a real process, real HTTP, real token ids and log-probabilities."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from served_world import PROBLEMS, install, write_adapter, write_model

from unsorry import Prompt, Sampling, UnsorryError
from unsorry.provers import vllm_served
from unsorry.provers.answers import Ask
from unsorry.provers.decoding import Sampler
from unsorry.provers.formats import make
from unsorry.provers.journal import Journal
from unsorry.provers.vllm import Adapter
from unsorry.provers.vllm_served import ServedProver, read_answer
from unsorry.provers.vllm_server import ServerConfig, VllmServer, serve_arguments, served_rank
from unsorry.training.lora import load_adapter, merged
from unsorry.training.model import load_model

CONFIG = ServerConfig(dtype="float32", max_model_len=128, max_lora_rank=4, ready=120.0)
SAMPLING = Sampling(1.0, 1.0, 24, seed=3)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    install(folder / "bin")
    base = write_model(folder / "base")
    for number in (1, 2):
        write_adapter(folder / f"adapter-{number}", base, number)
    return folder


@pytest.fixture(autouse=True)
def on_path(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{world / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # must not be used for this very machine
    monkeypatch.setattr(vllm_served, "SETTLE", 0.2)


def prover(server: VllmServer, **options: Any) -> ServedProver:
    _, tokenizer = load_model(server.folder)
    return ServedProver(server, tokenizer, make("plain"), **{"training": True, "max_tokens": 24, **options})


def expected(world: Path, adapter: str, asks: list[tuple[tuple[int, ...], str]], ends: frozenset[int]) -> list[Any]:
    """What our own sampler draws for these prompts and keys from the same weights."""
    model, _ = load_model(world / "base")
    policy: Any = merged(load_adapter(model, world / adapter, trainable=False)).eval() if adapter else model
    requests = [Ask(at, 0, (), ids, 24, key) for at, (ids, key) in enumerate(asks)]
    found = dict(Sampler(policy, ends=ends).draw(requests))
    return [found[at] for at in range(len(asks))]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pids: list[int]) -> bool:
    until = time.monotonic() + 60
    while any(map(alive, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(alive, pids))


def family(log: Path) -> list[int]:
    """The process that the program put into a session of its own."""
    (line,) = [line for line in log.read_text().splitlines() if line.startswith("helper ")]
    return [int(line.split()[1])]


def test_base_and_adapters_answer_under_their_names(world: Path, tmp_path: Path) -> None:
    log = tmp_path / "vllm.log"
    with VllmServer(world / "base", CONFIG, log=log, adapter=(world / "adapter-1", "w1")) as server:
        pids = [server.pid, *family(log)]
        asked = prover(server, version="w1")
        assert server.model == "adapter-1-w1"
        seen: dict[str, list[Any]] = {}
        for adapter, version in (("adapter-1", "w1"), ("adapter-2", "w2"), ("adapter-1", "w1")):
            asked.use_adapter(world / adapter, version)  # the second one is loaded while the server runs
            groups = asked.propose([Prompt(p) for p in PROBLEMS], n=2, sampling=SAMPLING)
            turns = [c.turn for group in groups for c in group if c.turn is not None]
            assert len(turns) == 6 and {turn.model for turn in turns} == {version}
            keys = [_key(turn.prompt_ids, sample) for turn, sample in zip(turns, [0, 1] * 3, strict=True)]
            own = expected(world, adapter, list(zip([t.prompt_ids for t in turns], keys, strict=True)), asked.ends)
            assert [turn.completion_ids for turn in turns] == [one.ids for one in own]
            for turn, one in zip(turns, own, strict=True):
                assert turn.logprobs == pytest.approx(one.logprobs, abs=1e-4)
                assert turn.finish == one.finish
            seen.setdefault(version, []).append([turn.completion_ids for turn in turns])
        assert seen["w1"][0] == seen["w1"][1] != seen["w2"][0]
        assert all(map(alive, pids))
    assert gone(pids)


def _key(prompt: tuple[int, ...], sample: int) -> str:
    """The key that the test program makes of a request's seed."""
    from unsorry.provers.journal import key_of

    return f"{int(key_of(SAMPLING.seed, sample, prompt)[:15], 16):x}"


def test_answers_are_kept_and_not_paid_twice(world: Path, tmp_path: Path) -> None:
    prompts = [Prompt(p) for p in PROBLEMS]
    with Journal(tmp_path / "journal") as journal:
        with VllmServer(world / "base", CONFIG, log=tmp_path / "log") as server:
            asked = prover(server, version="w0", journal=journal)
            first = asked.propose(prompts, n=2, sampling=SAMPLING)
            assert len(journal) == 6
        again = asked.propose(prompts, n=2, sampling=SAMPLING)  # the server is gone
        assert [[c.turn for c in group] for group in again] == [[c.turn for c in group] for group in first]
        with pytest.raises(UnsorryError, match="does not run: it was stopped"):
            asked.propose(prompts, n=3, sampling=SAMPLING)


def test_a_crash_in_the_middle_is_one_line_and_what_was_answered_is_kept(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNSORRY_TEST_VLLM", "crash:4")
    log = tmp_path / "log"
    with Journal(tmp_path / "journal") as journal, VllmServer(world / "base", CONFIG, log=log) as server:
        pids = family(log)
        asked = prover(server, version="w0", journal=journal, concurrency=1)
        with pytest.raises(UnsorryError, match=r"vLLM ended while it was needed .signal 9: .*out of memory") as error:
            asked.propose([Prompt(p) for p in PROBLEMS], n=2, sampling=SAMPLING)
        assert "\n" not in str(error.value) and str(log) in str(error.value)
        assert len(journal) == 3
        assert gone(pids)  # the rest of the server went with it
    monkeypatch.delenv("UNSORRY_TEST_VLLM")
    with Journal(tmp_path / "journal") as journal, VllmServer(world / "base", CONFIG, log=log) as server:
        asked = prover(server, version="w0", journal=journal)
        groups = asked.propose([Prompt(p) for p in PROBLEMS], n=2, sampling=SAMPLING)
        assert len(journal) == 6 and all(c.turn is not None and c.turn.completion_ids for g in groups for c in g)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "ready", "message"),
    [
        ("broken", 60.0, "ended before it served .exit status 1: ValueError: To serve at least one request"),
        ("deaf", 1.5, "did not serve within 1.5 s"),
    ],
)
def test_a_server_that_does_not_come_up(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, ready: float, message: str
) -> None:
    monkeypatch.setenv("UNSORRY_TEST_VLLM", mode)
    config = ServerConfig(dtype="float32", max_model_len=128, ready=ready)
    log = tmp_path / "log"
    with pytest.raises(UnsorryError, match=message) as error, VllmServer(world / "base", config, log=log):
        raise AssertionError("it serves")
    assert "\n" not in str(error.value) and str(log) in str(error.value)
    if mode == "broken":  # of the other one, the program may not have begun yet
        assert gone(family(log))


@pytest.mark.slow
def test_faults_of_single_requests(world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSORRY_TEST_VLLM", "stuck:2")
    with VllmServer(world / "base", CONFIG, log=tmp_path / "log") as server:
        asked = prover(server, concurrency=1)
        groups = asked.propose([Prompt(PROBLEMS[0])], n=1, sampling=SAMPLING)  # the third try
        assert groups[0][0].turn is not None
        server.adapters.current = Adapter("nobody", 9, world, "w9")
        with pytest.raises(UnsorryError, match=r"answered no request in 1 tries .HTTP 404: .*does not exist"):
            asked.propose([Prompt(PROBLEMS[1])], n=1, sampling=SAMPLING)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "message"),
    [("silent", "without token ids and log-probabilities"), ("base", "answered with 'base', not with 'adapter-1-w1'")],
)
def test_answers_that_must_not_be_trained_on(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, message: str
) -> None:
    monkeypatch.setenv("UNSORRY_TEST_VLLM", mode)
    with VllmServer(world / "base", CONFIG, log=tmp_path / "log", adapter=(world / "adapter-1", "w1")) as server:
        with pytest.raises(UnsorryError, match=message):
            prover(server).propose([Prompt(PROBLEMS[0])], n=1, sampling=SAMPLING)
        with pytest.raises(UnsorryError, match="top_p"):
            prover(server).propose([Prompt(PROBLEMS[0])], n=1, sampling=Sampling(1.0, 0.9, 24))


CHILD = """
import sys, time
from pathlib import Path
from unsorry.provers.vllm_server import ServerConfig, VllmServer
config = ServerConfig(dtype="float32", max_model_len=128)
with VllmServer(Path(sys.argv[1]), config, log=Path(sys.argv[2])) as server:
    print(server.pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_parent_leaves_no_server(world: Path, tmp_path: Path, number: int) -> None:
    log = tmp_path / "log"
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(world / "base"), str(log)], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        pids = [int(child.stdout.readline()), *family(log)]
        assert all(map(alive, pids))
        child.send_signal(number)
        child.wait(60)
        assert gone(pids)
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.kill()


def test_a_missing_program_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UnsorryError, match="there is no program 'no-such-vllm': pip install"):
        VllmServer(tmp_path, ServerConfig(program="no-such-vllm"), log=tmp_path / "log")


def test_command_line() -> None:
    plain = serve_arguments(Path("/model"), ServerConfig(), port=8123)
    assert plain[:2] == ["serve", "/model"] and _value(plain, "--host") == "127.0.0.1"
    assert _value(plain, "--port") == "8123" and _value(plain, "--logprobs-mode") == "processed_logprobs"
    assert "--enable-lora" not in plain and "--hf-overrides" not in plain and not any("key" in one for one in plain)
    config = ServerConfig(tensor_parallel=2, data_parallel=2, fp32_head=True, max_lora_rank=40, memory=0.92)
    adapter = Adapter("adapter-1-w,1=x", 1, Path("/a b"), "w,1=x")
    full = serve_arguments(Path("/model"), config, port=1, adapters=(adapter,))
    assert _value(full, "--tensor-parallel-size") == _value(full, "--data-parallel-size") == "2"
    assert _value(full, "--api-server-count") == "1"  # each API process has adapters of its own
    assert _value(full, "--gpu-memory-utilization") == "0.92"
    assert _value(full, "--hf-overrides") == '{"head_dtype": "float32"}'
    assert _value(full, "--max-lora-rank") == "64"
    assert _value(full, "--lora-modules") == '{"name": "adapter-1-w,1=x", "path": "/a b"}'
    assert [served_rank(rank) for rank in (1, 2, 8, 32, 500)] == [1, 8, 8, 32, 512]
    with pytest.raises(UnsorryError, match="rank 512 at most, not 513"):
        served_rank(513)


def _value(arguments: list[str], name: str) -> str:
    return arguments[arguments.index(name) + 1]


def test_read_answer_refuses_what_does_not_fit() -> None:
    ask = Ask(0, 0, (), (5, 6), 9, "key")
    choice = {
        "prompt_token_ids": [5, 6],
        "token_ids": [7, 8],
        "logprobs": {"token_logprobs": [-0.5, -1.0]},
        "finish_reason": "stop",
    }
    good = {"model": "m", "choices": [choice], "usage": {"prompt_tokens_details": {"cached_tokens": 1}}}
    one = read_answer(good, "m", ask)
    assert (one.ids, one.logprobs, one.finish, one.cached) == ((7, 8), (-0.5, -1.0), "stop", 1)
    assert read_answer({**good, "choices": [{**choice, "finish_reason": "abort"}]}, "m", ask).finish == "error"
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"prompt_token_ids": [5]}, "other tokens than it was asked with"),
        ({"token_ids": [7]}, "no log-probability for each token"),
        ({"logprobs": {"token_logprobs": [-0.5, 0.7]}}, "no log-probability for each token"),
        ({"logprobs": {"token_logprobs": [-0.5, None]}}, "without token ids and log-probabilities"),
        ({"token_ids": ["a", "b"]}, "ids that are none"),
    ]
    for change, message in wrong:
        with pytest.raises(UnsorryError, match=message):
            read_answer({**good, "choices": [{**choice, **change}]}, "m", ask)
