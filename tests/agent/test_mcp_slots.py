"""How many calls run at a time, and that a call nobody waits for keeps its place until it really ends."""

from __future__ import annotations

import asyncio
import threading

import pytest

from unsorry import UnsorryError
from unsorry.scaffolds.agent.mcp.serving import slots
from unsorry.scaffolds.agent.mcp.serving.slots import Call, OutOfTime, Slots

PATIENT = 240.0


def test_calls_run_in_turn_and_too_many_are_refused() -> None:
    async def session() -> None:
        places, go, running = Slots(running=1, waiting=1), threading.Event(), threading.Semaphore(1)

        def work(call: Call) -> str:
            assert running.acquire(blocking=False), "two at a time"
            assert go.wait(PATIENT)
            running.release()
            return "done"

        first, second = (asyncio.create_task(places.run(work, Call(PATIENT))) for _ in range(2))
        await asyncio.sleep(0)
        with pytest.raises(UnsorryError, match="the server is busy: 1 calls run and 1 wait"):
            await places.run(work, Call(PATIENT))
        go.set()
        assert await asyncio.gather(first, second) == ["done", "done"]
        assert await places.run(work, Call(PATIENT)) == "done"

    asyncio.run(session())


def test_a_call_that_is_given_up_knows_it_and_keeps_its_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "GRACE", 0.1)

    async def session() -> None:
        places, go, begun = Slots(running=1, waiting=1), threading.Event(), threading.Event()
        seen: list[float] = []

        def work(call: Call) -> None:
            begun.set()
            assert go.wait(PATIENT)
            seen.append(call.left)

        task = asyncio.create_task(places.run(work, Call(PATIENT)))
        await asyncio.to_thread(begun.wait, PATIENT)
        task.cancel()  # the client cancels
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(OutOfTime):  # no slot became free
            await places.run(lambda call: None, Call(0.1))
        go.set()
        assert await places.run(lambda call: "next", Call(PATIENT)) == "next"
        assert seen == [0.0]

    asyncio.run(session())


def test_a_call_that_takes_too_long_is_out_of_time_and_its_fault_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "GRACE", 0.1)

    async def session() -> None:
        places, go = Slots(running=2), threading.Event()
        with pytest.raises(OutOfTime):
            await places.run(lambda call: go.wait(PATIENT), Call(0.1))
        go.set()

        def fail(call: Call) -> None:
            raise UnsorryError("no such file")

        with pytest.raises(UnsorryError, match="no such file"):
            await places.run(fail, Call(PATIENT))

    asyncio.run(session())
