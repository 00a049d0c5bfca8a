"""Rollouts from a paid endpoint that are killed again and again: what the server was asked for twice.

The server is a real HTTP server on this machine that answers as an OpenAI-compatible one, with proofs and with
nonsense, and keeps a log of requests.  The client is this module, run as a process of its own: rollouts over the
endpoint prover with its journal and the real judge.  A request that is in flight when its client dies may have to be
asked again, since nobody has its answer; an answer that had arrived must not be.
"""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks import interruption_checks as checks
from benchmarks.interruption_processes import kill
from unsorry import Problem, Sampling

CONCURRENCY = 4  # requests of a client at a time: so many answers at most are on their way when it dies
LIMIT = 1800.0  # seconds that one client may take


@dataclass(frozen=True, slots=True)
class Asked:
    """What the processes of a broken run asked for."""

    requests: int
    distinct: int
    in_flight: int  # asked again because a kill came before the answer was on disk
    twice: tuple[str, ...]  # asked again though the answer was there, or could have been


@dataclass(frozen=True, slots=True)
class EndpointSoak:
    """What came of both runs."""

    kills: tuple[int, ...]  # for each the processes that outlived it
    unbroken: int  # requests
    asked: Asked
    attempts: int
    differences: tuple[str, ...]  # shards whose attempts differ
    journalled_twice: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return (
            not (self.asked.twice or self.differences or self.journalled_twice)
            and bool(self.kills)
            and not any(self.kills)
        )


def asked_again(sessions: Sequence[Sequence[str]], kept: Sequence[frozenset[str]]) -> Asked:
    """Which requests were one too many.

    `sessions` are the requests of each process by digest, `kept` the requests whose answers were on disk after each.
    A process asks for one thing at a time in each of its `CONCURRENCY` threads and keeps the answer before the next, so
    no more than that many may be open when it dies, whatever the machine's load.
    """
    twice: list[str] = []
    there: frozenset[str] = frozenset()
    for number, (session, after) in enumerate(zip(sessions, kept, strict=True), 1):
        for body, times in Counter(session).items():
            if body in there or times > 1:
                why = "its answer was on disk" if body in there else "by one process"
                twice.append(f"request {body[:16]} asked {times} times {why}, in process {number}")
        open_ = set(session) - after
        if len(open_) > CONCURRENCY:
            twice.append(f"{len(open_)} answers of process {number} are not on disk; {CONCURRENCY} were open at most")
        there = after
    requests = sum(map(len, sessions))
    distinct = len({body for session in sessions for body in session})
    return Asked(requests, distinct, max(0, requests - distinct - len(twice)), tuple(twice))


def kept(journal: Path) -> frozenset[str]:
    """The requests whose answers are in a journal: the server names each answer after its request."""
    found = set()
    for line in journal.read_bytes().splitlines(keepends=True)[1:] if journal.exists() else ():
        if line.endswith(b"\n"):
            found.add(str(json.loads(line)["value"]["answer"]["id"]))
    return frozenset(found)


class Failed(Exception):
    """The client could not run; its message is one line with the place of its output."""


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # a killed client is what this is about
            super().handle_error(request, address)  # type: ignore[arg-type]


class Server:
    """An OpenAI-compatible chat endpoint on a free local port; the answer depends on the request's text alone."""

    def __init__(self, delay: float) -> None:
        self.requests: list[str] = []  # digests, in the order of their coming
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers["Content-Length"]))
                digest = hashlib.sha256(text)
                with outer._lock:
                    outer.requests.append(digest.hexdigest())
                time.sleep(delay * (0.5 + digest.digest()[0] / 256))
                answer = json.dumps(_answer(json.loads(text), digest)).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(answer)))
                    self.end_headers()
                    self.wfile.write(answer)
                except OSError:  # its client was killed; it was worked for all the same
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._http = _Quiet(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def taken(self) -> list[str]:
        """The log since the last call, once requests that a killed client had sent have been read."""
        time.sleep(0.5)
        with self._lock:
            taken, self.requests = self.requests, []
        return taken

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()


def _answer(body: dict[str, object], digest: hashlib._Hash) -> dict[str, object]:
    """A right proof, a wrong one, or no code at all."""
    messages, choice = body["messages"], digest.digest()[1]
    assert isinstance(messages, list)
    code = str(messages[-1]["content"]).partition("```lean4\n")[2].partition("```")[0]
    proof = code.replace("sorry", ("rfl", "exact Nat.succ_ne_zero _", "omega")[choice % 3])
    text = f"Plan.\n\n```lean4\n{proof}\n```" if choice % 4 else "I cannot prove it."
    return {
        "id": digest.hexdigest(),
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": len(code), "completion_tokens": len(text)},
    }


def problems(count: int) -> list[Problem]:
    """Small statements, some of them true by computation."""
    return [
        Problem(f"p{i}", f"theorem p{i} : {i} + {i + 1} = {2 * i + 1 + (i % 3 == 2)} := by sorry\n", (f"p{i}",))
        for i in range(count)
    ]


def soak(
    folder: Path,
    *,
    kills: int,
    seed: int,
    count: int = 24,
    samples: int = 4,
    delay: float = 0.3,
    env: Mapping[str, str] | None = None,
) -> EndpointSoak:
    """Unbroken and broken rollouts below `folder`; kills at random numbers of requests and random times after them.

    `count` problems, `samples` of each; the server takes 0.5 to 1.5 times `delay` seconds for an answer.
    """
    generator = random.Random(seed)
    log = folder / "log.txt"
    with Server(delay) as server, log.open("ab") as output:

        def start(name: str) -> subprocess.Popen[bytes]:
            module = [sys.executable, "-m", "benchmarks.interruption_endpoint"]
            command = [*module, server.url, str(count), str(samples), str(folder / name)]
            return subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True, env=env)

        _until(start("unbroken"), lambda: False, log)
        unbroken = server.taken()
        distinct = len(set(unbroken))
        marks = sorted(generator.uniform(0, 0.98 * distinct) for _ in range(kills))
        sessions: list[list[str]] = []
        after: list[frozenset[str]] = []
        left: list[int] = []
        ended = False
        while not ended:
            before = {body for session in sessions for body in session}
            wanted = marks[len(left)] if len(left) < kills else distinct + 1

            def reached(before: set[str] = before, wanted: float = wanted) -> bool:
                return len(before | set(server.requests)) >= wanted

            process = start("broken")
            ended = _until(process, reached, log)
            if not ended:
                time.sleep(generator.uniform(0, 2 * delay))
                left.append(kill(process))
            sessions.append(server.taken())
            after.append(kept(folder / "broken" / "journal.jsonl"))
    a, b = folder / "unbroken", folder / "broken"
    prints = [{p.name: checks.attempts_digest(p) for p in f.glob("rollouts/*.jsonl")} for f in (a, b)]
    differing = sorted(n for n in prints[0].keys() | prints[1].keys() if prints[0].get(n) != prints[1].get(n))
    twice = [key for key, times in checks.paid(b).items() if times > 1]
    again = asked_again(sessions, after)
    return EndpointSoak(tuple(left), len(unbroken), again, count * samples, tuple(differing), tuple(twice))


def _until(process: subprocess.Popen[bytes], reached: Callable[[], bool], log: Path) -> bool:
    """Whether it ended by itself before the condition held; Failed if it ended badly or takes too long."""
    limit = time.monotonic() + LIMIT
    try:
        while process.poll() is None:
            if reached():
                return False
            if time.monotonic() > limit:
                raise Failed(f"the client did not end in {LIMIT:.0f} s; its output is in {log}")
            time.sleep(0.01)
    except BaseException:
        kill(process)
        raise
    if process.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
        raise Failed(f"the client ended with code {process.returncode}: {lines[-1]} (all of it in {log})")
    return True


def client(url: str, count: int, samples: int, folder: Path) -> None:
    """The process that is killed: rollouts with a journal, judged."""
    from unsorry.judge.tiered import TieredJudge
    from unsorry.pipeline.rollouts import rollouts
    from unsorry.provers.endpoint import EndpointProver, Price
    from unsorry.provers.formats import make
    from unsorry.provers.journal import Journal
    from unsorry.scaffolds.sampled import SampledProof

    chat = make("goedel")
    with Journal(folder / "journal.jsonl") as journal, TieredJudge.make(audit=0.0) as judge:
        prover = EndpointProver(
            url, "counting", chat, price=Price(1.0, 1.0, 2.0), concurrency=CONCURRENCY, journal=journal
        )
        scaffold = SampledProof(chat, Sampling(max_tokens=256))
        rollouts(problems(count), scaffold, prover, judge, n=samples, seed=1, folder=folder / "rollouts", chunk=8)


if __name__ == "__main__":
    client(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
