"""Answers that were paid for are never paid again: resumed, replayed, killed."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from models_world import ASKED, PRICE, TOOLS, continued, model
from openai_server import Handler, Said, hang, serving, status

from unsorry.provers.journal import Journal
from unsorry.scaffolds.agent import ModelFailed
from unsorry.scaffolds.agent.models.endpoint import EndpointModel


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(params=[False, True], ids=["whole", "stream"])
def stream(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "paid.jsonl") as made:
        yield made


def test_nothing_is_paid_twice(journal: Journal, stream: bool) -> None:
    said = Said("A.", [("read", {"path": "A"})], reasoning="r")
    with serving([status(500), said], default=Said("B.")) as server:
        first = model(server, journal=journal, stream=stream, price=PRICE).reply(ASKED, TOOLS)
        again = model(server, journal=journal, stream=stream, price=PRICE)
        assert again.reply(ASKED, TOOLS) == first and len(server.requests) == 2
        history = continued(ASKED, first, "x")
        second = again.reply(history, TOOLS)
        assert len(server.requests) == 3 and second.message["content"] == "B."
        replayed = model(server, journal=journal, stream=not stream)
        assert replayed.reply(ASKED, TOOLS).message == first.message
        assert replayed.reply(history, TOOLS).message == second.message and len(server.requests) == 3
        assert again.reply(ASKED, TOOLS).message["content"] == "B."  # asked a second time by one run: another request
        model(server, journal=journal, stream=stream, attempt=1).reply(ASKED, TOOLS)
        assert len(server.requests) == 5


def test_a_failure_is_not_kept(journal: Journal) -> None:
    with serving([status(400, "no")]) as server:
        asker = model(server, journal=journal)
        with pytest.raises(ModelFailed):
            asker.reply(ASKED, TOOLS)
        assert len(journal) == 0 and asker.reply(ASKED, TOOLS).message["content"] == "ok"
        assert model(server, journal=journal).reply(ASKED, TOOLS).message["content"] == "ok"
        assert len(server.requests) == 2


def test_killed_in_the_middle_no_answer_is_lost(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from unsorry.provers.journal import Journal
from unsorry.scaffolds.agent.models.endpoint import EndpointModel
model = EndpointModel(sys.argv[1], "m", journal=Journal(Path(sys.argv[2])))
for number in range(4):
    model.reply([{"role": "user", "content": str(number)}], ())
"""
    reached = threading.Event()

    def last(handler: Handler, body: dict[str, Any]) -> None:
        reached.set()
        hang(handler, body)

    with serving([Said("0"), Said("1"), Said("2"), last], default=Said("3")) as server:
        running = subprocess.Popen([sys.executable, "-c", program, server.url, str(tmp_path / "j")])
        try:
            assert reached.wait(120)
        finally:
            running.kill()
            running.wait()
        with Journal(tmp_path / "j") as journal:
            asker = EndpointModel(server.url, "m", journal=journal)
            said = [asker.reply([{"role": "user", "content": str(n)}], ()).message["content"] for n in range(4)]
        assert said == ["0", "1", "2", "3"] and len(server.requests) == 5
