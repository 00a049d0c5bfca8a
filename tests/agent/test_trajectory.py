"""The file of a trajectory: whole lines only, on disks that fill up and after kills, and never anything else's."""

from __future__ import annotations

import ctypes
import json
import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loop_world import WORK, Any_, Script, begin, call, says, told, tools

from unsorry import Turn, UnsorryError
from unsorry.scaffolds.agent import Observation, Submitted
from unsorry.scaffolds.agent.loop import Agent
from unsorry.scaffolds.agent.recorder import Recorder, fork
from unsorry.scaffolds.agent.trajectory import read, replies


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Mounts a disk of that many KiB; called again, the same disk has another size."""
    libc = ctypes.CDLL(None, use_errno=True)
    folder = tmp_path / "disk"

    def mount(size: int) -> Path:
        flags = 32 if folder.exists() else 0  # MS_REMOUNT
        folder.mkdir(exist_ok=True)
        if libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", flags, f"size={size}k".encode()):
            pytest.skip("no file system of a limited size may be mounted here")
        return folder

    yield mount
    libc.umount2(os.fsencode(folder), 2)


def run(path: Path, folder: Path, answers: Any, **options: Any) -> Any:
    with Recorder(path, None if path.exists() else begin(), **options) as recorder:
        model = Script(answers, recorder.trajectory.replies)
        return Agent(model, tools(folder), recorder).run(), model


def test_a_disk_that_fills_up_while_a_model_answers_loses_nothing(tmp_path: Path, small_disk: Any) -> None:
    disk = small_disk(96)
    path, long = disk / "t.jsonl", says("x" * 20_000, call("read"))

    def fills(messages: Any) -> Any:
        with open(disk / "others", "wb", buffering=0) as file:
            while True:
                try:
                    file.write(b"x" * 4096)
                except OSError:
                    return long

    with pytest.raises(UnsorryError) as caught:  # the answer goes where space was set aside, and then there is none
        run(path, tmp_path, [fills, lambda _: pytest.fail("it was asked")], reserve=32 << 10)
    assert str(caught.value).startswith(f"cannot save the trajectory {path}: No space left on device; free some space")
    assert read(path).messages[2]["content"] == "x" * 20_000 and not list(disk.glob(".*"))
    small_disk(4096)
    end, model = run(path, tmp_path, [long, *WORK[1:]], reserve=32 << 10)
    assert isinstance(end, Submitted) and len(model.asked) == len(WORK) - 1


def test_a_full_disk_is_told_before_anything_is_paid(tmp_path: Path, small_disk: Any) -> None:
    disk = small_disk(64)
    path = disk / "t.jsonl"
    with pytest.raises(UnsorryError, match="No space left on device; free some space and resume, all steps"):
        run(path, tmp_path, [lambda _: pytest.fail("it was asked")], reserve=1 << 20)
    assert read(path).replies == 0
    small_disk(4096)
    end, _ = run(path, tmp_path, WORK, reserve=1 << 20)
    assert isinstance(end, Submitted)


def test_a_file_that_may_not_grow_keeps_its_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, hard))
        with pytest.raises(UnsorryError, match="cannot save the trajectory"):
            run(path, tmp_path, [says("x" * 2000, call("read"))] * 9, reserve=0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    kept = read(path)
    assert kept.replies >= 1 and path.read_bytes().endswith(b"\n")
    end, model = run(path, tmp_path, [*[says("x" * 2000, call("read"))] * kept.replies, *WORK[-1:]], reserve=0)
    assert isinstance(end, Submitted) and len(model.asked) == 1


def test_an_interrupt_in_the_middle_of_a_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the disk and the state in memory: what is whole on the disk is taken, the rest is cut off."""
    for after in range(6):
        path = tmp_path / f"{after}.jsonl"
        real, seen = os.pwrite, [0]

        def pwrite(file: int, data: bytes, offset: int, real: Any = real, seen: Any = seen, after: int = after) -> int:
            seen[0] += 1
            if seen[0] == after + 3:
                if after % 2:
                    real(file, data, offset)
                else:
                    real(file, data[: len(data) // 2], offset)
                raise KeyboardInterrupt
            return real(file, data, offset)

        with Recorder(path, begin()) as recorder:
            monkeypatch.setattr(os, "pwrite", pwrite)
            agent = Agent(Script(WORK), tools(tmp_path), recorder)
            agent.run()
            monkeypatch.setattr(os, "pwrite", real)
            assert seen[0] >= after + 3 and recorder.trajectory.replies == 1 + (after >= 3)
            assert told(recorder.trajectory) == told(read(path)) and recorder.trajectory.end is not None
        end, _ = run(path, tmp_path, WORK)
        assert isinstance(end, Submitted)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with Recorder(path, begin()), pytest.raises(UnsorryError, match="in use by another process"):
        Recorder(path)
    with pytest.raises(UnsorryError, match="is there already: resume it"):
        Recorder(path, begin())
    (tmp_path / "empty.jsonl").write_bytes(b'{"format": "unso')  # killed before its first line was whole
    Recorder(tmp_path / "empty.jsonl", begin()).close()
    assert read(tmp_path / "empty.jsonl").replies == 0


@pytest.mark.parametrize(
    ("line", "says_"),
    [
        (b"[]\n", "AttributeError|TypeError"),
        (b"{nonsense\n", "Expecting"),
        (b'{"type":"reply","at":0,"message":{"role":"assistant"}}\n', "KeyError"),
        (b'{"type":"later","at":0}\n', "unknown record 'later'"),
        (
            b'{"type":"observation","at":0,"message":{"role":"tool","tool_call_id":"x","extra":{}}}\n',
            "no call 'x' is open",
        ),
        (b'{"type":"call","at":0,"call":"x"}\n', "no call 'x' is open"),
        (b'{"type":"step","at":NaN}\n{"type":"step","at":"x"}\n', "could not convert"),
        (b"[" * 100_000 + b"\n", "RecursionError"),
        (b'{"type":"__class__","at":0}\n', "unknown record"),
        (b"\xff\xfe\n", "decode"),
    ],
)
def test_a_file_that_is_none_is_one_line(tmp_path: Path, line: bytes, says_: str) -> None:
    path = tmp_path / "t.jsonl"
    Recorder(path, begin()).close()
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(UnsorryError, match=says_) as caught:
        read(path)
    assert "\n" not in str(caught.value) and f"{path}:" in str(caught.value)


def test_other_files(tmp_path: Path) -> None:
    with pytest.raises(UnsorryError, match="cannot read"):
        read(tmp_path / "none.jsonl")
    (tmp_path / "a").write_text("")
    with pytest.raises(UnsorryError, match="is empty"):
        read(tmp_path / "a")
    (tmp_path / "b").write_text('{"format": "unsorry-trajectory-9"}\n')
    with pytest.raises(UnsorryError, match="its format is not unsorry-trajectory-1"):
        read(tmp_path / "b")
    with pytest.raises(UnsorryError, match="Is a directory"):
        read(tmp_path)


def test_any_text_comes_back_as_it_was(tmp_path: Path) -> None:
    odd = "∀ x, \u2028 \x1b[31m \ud83d lone, \ud83d\ude00 pair \0 <script>"
    answers = [says(odd, call("write", "a", text=odd), reasoning_content=odd), says("", call("submit", text=odd))]
    end, _ = run(tmp_path / "t.jsonl", tmp_path, answers)
    found = read(tmp_path / "t.jsonl")
    reply = found.messages[2]
    assert (reply["content"], reply["reasoning_content"], end.text) == (odd, odd, odd)
    assert json.loads(reply["tool_calls"][0]["function"]["arguments"]) == {"text": odd}


def turn(prompt: list[int], completion: list[int]) -> Turn:
    values = tuple(-0.5 * n for n in range(len(completion)))
    return Turn(tuple(prompt), tuple(completion), values, "text", finish="stop", model="weights")


def test_tokens_come_back_as_they_were_and_prompts_are_not_stored_twice(tmp_path: Path) -> None:
    first = turn([1] * 3000, [7, 8, 9])
    second = turn([*first.prompt_ids, *first.completion_ids, 4, 5], [6])
    forked = turn([1, 2], [3])
    answers = [
        says("", call("read"), turn=first), says("", call("read")), says("", call("read"), turn=second),
        says("", call("read"), turn=forked), says("", call("submit", text=""), turn=None),
    ]  # fmt: skip
    path = tmp_path / "t.jsonl"
    run(path, tmp_path, answers)
    found = read(path)
    assert [r.turn for r in replies(found.records)] == [first, None, second, forked, None]
    assert path.read_text().count("1,1,1,1,1,1,1,1,") < 800
    assert found.turn == forked
    holding = [m["extra"]["turn"] for m in found.messages if "turn" in m.get("extra", {})]
    assert holding in ([forked], [])  # the last one alone, as a Turn, for a model that extends its own tokens


def test_a_fork_is_a_run_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    run(path, tmp_path, WORK)
    fork(path, 2, tmp_path / "f.jsonl")
    found = read(tmp_path / "f.jsonl")
    assert (found.steps, found.spent.turns, found.end) == (2, 2, None)
    assert found.header["id"] != read(path).header["id"]


def test_the_watch_sees_what_is_on_the_disk(tmp_path: Path) -> None:
    path, seen = tmp_path / "t.jsonl", []

    def watch(record: Any) -> None:
        assert record in read(path).records
        seen.append(record["type"])

    with Recorder(path, begin(), watch=watch) as recorder:
        box = tools(tmp_path, Any_(lambda _: Observation("ok")))
        Agent(Script([says("", call("do")), says("", call("submit", text=""))]), box, recorder).run()
    assert seen == [
        "start", "tools", "reply", "call", "observation", "step", "reply", "observation", "step", "end",
    ]  # fmt: skip
