"""The loop: what is kept, how runs end, and that one which stopped anywhere ends as one which did not."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from loop_world import WORK, Any_, Script, begin, call, lost, says, told, tools

from unsorry import UnsorryError
from unsorry.scaffolds.agent import EnvironmentLost, Interrupted, ModelFailed, Observation, Stalled, Submitted
from unsorry.scaffolds.agent.loop import Agent
from unsorry.scaffolds.agent.recorder import Recorder, fork
from unsorry.scaffolds.agent.trajectory import Trajectory, read


def work(folder: Path, model: Script | None = None, **options: Any) -> tuple[Any, Trajectory]:
    """A run from the beginning, or from where the file in the folder stops."""
    path = folder / "t.jsonl"
    with Recorder(path, None if path.exists() else begin()) as recorder:
        model = model or Script(WORK, recorder.trajectory.replies)
        end = Agent(model, tools(folder), recorder, **options).run()
        return end, recorder.trajectory


def test_a_run_to_its_end(tmp_path: Path) -> None:
    model = Script(WORK)
    end, trajectory = work(tmp_path, model)
    assert isinstance(end, Submitted) and end.text == "three lines"
    assert (tmp_path / "work.txt").read_text() == "one\ntwo\nthree\n"  # nothing after the submission
    roles = "".join(message["role"][0] for message in trajectory.messages)
    assert roles == "su" + "at" + "att" + "au" + "at" + "att" + "at" + "att"
    by_id = {m["tool_call_id"]: m for m in trajectory.messages if m["role"] == "tool"}
    assert "could not be read (cut off)" in by_id["d"]["content"] and '{"text": "thr' in by_id["d"]["content"]
    assert "Did you mean read?" in by_id["f"]["content"]
    assert by_id["g"]["content"] == "one\ntwo\nthree\n"
    assert by_id["i"]["extra"]["data"] == {"fault": "not_run"}
    assert "called no tool" in model.asked[3][-1]["content"]
    assert all("extra" not in message for message in model.asked[-1])
    sent = model.asked[-1][9]["tool_calls"][0]["function"]
    assert sent == {"name": "write", "arguments": "{}"}  # the history is JSON whatever the model wrote
    assert model.asked[-1][9]["reasoning_content"] == "hm"
    assert (trajectory.spent.turns, trajectory.spent.price, trajectory.steps) == (7, 0.07, 7)
    assert trajectory.spent.tokens.prompt == 700 and trajectory.spent.tokens.cached == 280


def test_the_file_is_the_run(tmp_path: Path) -> None:
    _, trajectory = work(tmp_path)
    again = read(tmp_path / "t.jsonl")
    assert (again.messages, again.spent, again.steps) == (trajectory.messages, trajectory.spent, trajectory.steps)
    assert not list(tmp_path.glob(".*"))  # nothing is left beside it


def test_a_run_cut_after_any_record_ends_as_the_whole_one(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    _, whole = work(tmp_path / "whole")
    lines = (tmp_path / "whole" / "t.jsonl").read_bytes().splitlines(keepends=True)
    half_done = 0
    for cut in range(1, len(lines)):
        folder = tmp_path / str(cut)
        folder.mkdir()
        kept = lines[:cut]
        (folder / "t.jsonl").write_bytes(b"".join(kept) + lines[cut][: len(lines[cut]) // 2])  # and a torn one
        before = read(folder / "t.jsonl")
        done = [m["tool_call_id"] for m in before.messages if m["role"] == "tool"]
        texts = {"b": "one", "c": "two", "e": "three"}
        (folder / "work.txt").write_text("".join(texts[i] + "\n" for i in [*done, *before.begun] if i in texts))
        end, again = work(folder)
        assert isinstance(end, Submitted)
        if not before.begun:
            assert told(again) == told(whole)
        else:
            half_done += 1
            (call_id,) = before.begun
            found = next(m for m in again.messages if m.get("tool_call_id") == call_id)
            assert found["extra"]["status"] == "unknown" and "Look before you repeat" in found["content"]
        assert (folder / "work.txt").read_text() == "one\ntwo\nthree\n"  # nothing was done twice
    assert half_done == 3


def test_resumed_from_any_step_of_a_finished_run(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    _, whole = work(tmp_path / "whole")
    source = tmp_path / "whole" / "t.jsonl"
    data = source.read_bytes()
    for step in range(whole.steps):
        folder = tmp_path / str(step)
        fork(source, step, folder / "t.jsonl")
        before = read(folder / "t.jsonl")
        assert before.steps == step and before.header["parent"] == {"id": whole.header["id"], "step": step}
        written = sum(
            m["role"] == "tool" and m["name"] == "write" and m["extra"]["status"] == "ok" for m in before.messages
        )
        (folder / "work.txt").write_text("".join(["one\n", "two\n", "three\n"][:written]))
        end, again = work(folder)
        assert isinstance(end, Submitted) and told(again) == told(whole)
    assert source.read_bytes() == data
    with pytest.raises(UnsorryError, match="there is no step 9: this trajectory has 7 whole steps"):
        fork(source, 9, tmp_path / "more.jsonl")
    with pytest.raises(UnsorryError, match=r"is there already: resume it"):
        fork(source, 1, source)


@pytest.mark.parametrize("at", range(len(WORK)))
def test_interrupted_while_the_model_thinks(tmp_path: Path, at: int) -> None:
    answers: list[Any] = list(WORK)
    answers[at] = KeyboardInterrupt()
    end, first = work(tmp_path, Script(answers))
    assert isinstance(end, Interrupted) and first.records[-1]["kind"] == "interrupted" and first.replies == at
    end, second = work(tmp_path)
    assert isinstance(end, Submitted) and second.spent.turns == len(WORK)
    assert (tmp_path / "work.txt").read_text() == "one\ntwo\nthree\n"


def test_interrupted_in_a_tool(tmp_path: Path) -> None:
    seen: list[str] = []

    def does(arguments: Any) -> Observation:
        seen.append("called")
        raise KeyboardInterrupt

    path = tmp_path / "t.jsonl"
    answers = [says("", call("do", "x"), call("write", "y", text="z")), says("", call("submit", text="ok"))]
    with Recorder(path, begin()) as recorder:
        box = tools(tmp_path, Any_(does))
        assert isinstance(Agent(Script(answers), box, recorder).run(), Interrupted)
    with Recorder(path) as recorder:
        assert isinstance(Agent(Script(answers, 1), box, recorder).run(), Submitted)
        statuses = [m["extra"]["status"] for m in recorder.trajectory.messages if m["role"] == "tool"]
    assert seen == ["called"] and statuses == ["unknown", "ok", "ok"]


def _child(folder: str, records: int) -> None:
    """Dies by SIGKILL as soon as so many records are on disk, wherever the run is then."""
    seen = [0]

    def watch(record: Any) -> None:
        seen[0] += 1
        if seen[0] == records:
            os.kill(os.getpid(), signal.SIGKILL)

    path = Path(folder) / "t.jsonl"
    with Recorder(path, None if path.exists() else begin(), watch=watch) as recorder:
        Agent(Script(WORK, recorder.trajectory.replies), tools(Path(folder)), recorder).run()


def test_killed_again_and_again(tmp_path: Path) -> None:
    kills = 0
    while True:
        child = multiprocessing.get_context("fork").Process(target=_child, args=(str(tmp_path), 5))
        child.start()
        child.join()
        if child.exitcode == 0:
            break
        assert child.exitcode == -signal.SIGKILL
        kills += 1
    found = read(tmp_path / "t.jsonl")
    assert kills >= 5 and found.end is not None and found.end["kind"] == "submitted"
    assert found.spent.turns == len(WORK)  # no answer was paid twice
    written = (tmp_path / "work.txt").read_text().split()
    assert written == [text for text in ("one", "two", "three") if text in written]  # nothing was done twice
    statuses = {m["tool_call_id"]: m["extra"]["status"] for m in found.messages if m["role"] == "tool"}
    for text, name in (("one", "b"), ("two", "c"), ("three", "e")):
        assert statuses[name] == "ok" if text in written else statuses[name] == "unknown"


def test_a_lost_environment_ends_the_run_before_another_call_is_paid(tmp_path: Path) -> None:
    model = Script([says("", call("do")), says("", call("submit", text="never"))])
    path = tmp_path / "t.jsonl"
    with Recorder(path, begin()) as recorder:
        end = Agent(model, tools(tmp_path, Any_(lost)), recorder).run()
    assert isinstance(end, EnvironmentLost) and end.message.startswith("the sandbox is gone") and len(model.asked) == 1
    with Recorder(path) as recorder:  # with a new environment it goes on; the call is not made again
        box = tools(tmp_path, Any_(lambda _: Observation("again")))
        assert isinstance(Agent(Script(model.answers, 1), box, recorder).run(), Submitted)
        first = next(m for m in recorder.trajectory.messages if m["role"] == "tool")
        assert first["extra"]["status"] == "unknown"


def test_a_server_that_fails_at_the_first_tool_result(tmp_path: Path) -> None:
    """Some chat templates lack an argument in their tool branch: HTTP 500.  What was paid is kept."""
    answers = [WORK[0], ModelFailed("the endpoint answered 500: template error; resume to try again")]
    end, first = work(tmp_path, Script(answers))
    assert isinstance(end, ModelFailed) and end.resumable and first.spent.turns == 1
    assert first.records[-1]["message"].startswith("the endpoint answered 500")
    end, second = work(tmp_path, Script(WORK, 1, id="other"))
    assert isinstance(end, Submitted)
    assert [r["model"] for r in second.records if r["type"] == "start"] == ["script", "other"]


def test_a_model_that_breaks_is_one_line(tmp_path: Path) -> None:
    end, _ = work(tmp_path, Script([KeyError("choices\nmore")]))
    assert isinstance(end, ModelFailed) and "\n" not in end.message and "KeyError" in end.message


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('<tool_call>{"name": "write", "arguments": {"text": "x"}}</tool_call>', "as text; nothing was run"),
        ('```json\n{"name": "write", "arguments": {"text": "x"}}\n```', "as text; nothing was run"),
        ("Now:\nwrite({text: 'x'})", "as text; nothing was run"),
        ("All done, I think.", "call `submit`"),
    ],
)
def test_silence_is_answered_and_then_ends_the_run(tmp_path: Path, text: str, hint: str) -> None:
    model = Script([says(text)] * 9)
    end, _ = work(tmp_path, model)
    assert isinstance(end, Stalled) and "4 times" in end.message and "tool-call parser" in end.message
    assert len(model.asked) == 4 and all(hint in asked[-1]["content"] for asked in model.asked[1:])
    with Recorder(tmp_path / "t.jsonl") as recorder:  # the user knows more
        agent = Agent(Script(WORK), tools(tmp_path), recorder)
        agent.say("Use the tools.")
        assert isinstance(agent.run(), Submitted)


def test_an_answer_that_was_cut_off_is_told_so(tmp_path: Path) -> None:
    model = Script([says("Let me think about", extra={"finish": "length"}), *WORK])
    work(tmp_path, model)
    assert "cut off at its length limit" in model.asked[1][-1]["content"]


def test_a_user_answers_silence(tmp_path: Path) -> None:
    heard: list[str] = []
    answers = iter(["go on", None])

    def ask(text: str) -> str | None:
        heard.append(text)
        return next(answers)

    end, trajectory = work(tmp_path, Script([says("Which file?"), says("And then?")]), ask=ask)
    assert isinstance(end, Interrupted) and heard == ["Which file?", "And then?"]
    assert [m["extra"]["from"] for m in trajectory.messages if m["role"] == "user"] == ["user", "user"]


def test_a_submitted_run_is_over_until_the_user_says_more(tmp_path: Path) -> None:
    work(tmp_path)
    with pytest.raises(UnsorryError, match="has ended, its result was submitted"):
        work(tmp_path)
    with Recorder(tmp_path / "t.jsonl") as recorder:
        agent = Agent(Script([says("", call("submit", text="more"))]), tools(tmp_path), recorder)
        agent.say("One more thing.")
        end = agent.run()
    assert isinstance(end, Submitted) and end.text == "more"


def test_calls_get_names_of_their_own(tmp_path: Path) -> None:
    twice = says("", call("read", "x"), call("read", "x"), call("read", ""))
    _, trajectory = work(tmp_path, Script([twice, says("", call("submit", "x", text=""))]))
    asked = [c["id"] for m in trajectory.messages for c in m.get("tool_calls", ())]
    answered = [m["tool_call_id"] for m in trajectory.messages if m["role"] == "tool"]
    assert asked == answered == ["x", "c00010001", "c00010002", "c00020000"]


def test_changing_tools_are_recorded(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    box = tools(tmp_path)

    def grow(arguments: Any) -> Observation:
        box.register(Any_(lambda _: Observation("x"), "late"))
        return Observation("there is a new tool")

    box.register(Any_(grow))
    with Recorder(path, begin()) as recorder:
        Agent(Script([says("", call("do")), says("", call("submit", text=""))]), box, recorder).run()
    found = [[t["function"]["name"] for t in r["tools"]] for r in read(path).records if r["type"] == "tools"]
    assert found == [["write", "read", "submit", "do"], ["write", "read", "submit", "do", "late"]]


def test_snapshots_stand_with_calls_that_may_have_changed_something(tmp_path: Path) -> None:
    class World:
        def snapshot(self) -> Any:
            file = tmp_path / "work.txt"
            return {"lines": len(file.read_text().splitlines()) if file.exists() else 0}

    _, trajectory = work(tmp_path, world=World())
    kept = [r.get("snapshot") for r in trajectory.records if r["type"] == "observation"]
    assert kept[:3] == [None, {"lines": 1}, {"lines": 2}] and trajectory.snapshot == {"lines": 3}


def test_a_snapshot_that_fails_ends_the_run_with_the_answer_kept(tmp_path: Path) -> None:
    class World:
        def snapshot(self) -> Any:
            raise UnsorryError("the copy of the repository is gone")

    end, trajectory = work(tmp_path, world=World())
    assert isinstance(end, EnvironmentLost) and end.message == "the copy of the repository is gone"
    assert list(trajectory.open) == ["c"] and not trajectory.begun and trajectory.messages[-1]["tool_call_id"] == "b"
