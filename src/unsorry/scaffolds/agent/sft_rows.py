"""Trajectories as something to learn from.

Where the model is ours its turns are token-exact: `attempt` hands them to the pipeline, whose rows are the sampled
tokens (training.masks).  `chat_rows` are messages and tools, for any model: what each prompt held, and which answers
to learn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from unsorry import Attempt, Turn, Verdict
from unsorry.scaffolds.agent import Message, plain
from unsorry.scaffolds.agent.trajectory import Trajectory, replies

FORMAT = "unsorry-chat-row-1"
SCAFFOLD = "agent"


def sampled(trajectory: Trajectory, *, faulty: bool = True) -> tuple[Turn, ...]:
    """The token-exact turns, oldest first; replies of other models have none.

    Without `faulty` a turn with a call that could not be read, or whose tool does not exist, has the finish `error`:
    rows that leave out what was cut off leave it out, too.
    """
    wrong = {r["step"] for r in trajectory.records if r["type"] == "observation" and _fault(r["message"])}
    steps = [r["step"] for r in trajectory.records if r["type"] == "reply"]
    found = zip(steps, replies(trajectory.records), strict=True)
    return tuple(
        replace(reply.turn, finish="error") if step in wrong and not faulty else reply.turn
        for step, reply in found
        if reply.turn is not None
    )


def attempt(
    trajectory: Trajectory, *, problem: str, submission: str, verdict: Verdict, seed: int = 0, faulty: bool = True
) -> Attempt:
    """A run as an attempt at a problem; `verdict` is the judge's, on `submission`, and nothing that the run says."""
    models = list(dict.fromkeys(r["model"] for r in trajectory.records if r["type"] == "reply"))
    notes = {
        "trajectory": trajectory.header.get("id", ""),
        "steps": trajectory.steps,
        "end": trajectory.end["kind"] if trajectory.end else "",
        "models": models,
        "compactions": sum(r["type"] == "compaction" for r in trajectory.records),
    }
    prover = models[-1] if models else ""
    turns = sampled(trajectory, faulty=faulty)
    return Attempt(problem, prover, SCAFFOLD, submission, verdict, trajectory.spent.cost(), seed, notes, turns)


def chat_rows(trajectory: Trajectory, *, faulty: bool = False) -> Iterator[dict[str, Any]]:
    """One row for each stretch between compactions: `messages`, `tools`, and in `train` the indices of the answers that
    were given in it.

    Answers with a call that could not be read, or whose tool does not exist, are in `train` only if `faulty`.
    """
    seen = Trajectory(trajectory.header)
    train: list[int] = []
    wrong: set[int] = set()
    part = 0
    for record in trajectory.records:
        if record["type"] in ("compaction", "tools") and train:  # what an answer was shown must stay what it was
            yield _row(trajectory, seen, train, wrong, part, faulty)
            train, part = [], part + 1
        if record["type"] == "compaction":
            wrong = set()
        seen.apply(record)
        if record["type"] == "reply":
            train.append(len(seen.messages) - 1)
        elif record["type"] == "observation" and _fault(record["message"]):
            wrong.add(max(n for n, m in enumerate(seen.messages) if m["role"] == "assistant"))
    if train:
        yield _row(trajectory, seen, train, wrong, part, faulty)


def _row(
    trajectory: Trajectory, seen: Trajectory, train: list[int], wrong: set[int], part: int, faulty: bool
) -> dict[str, Any]:
    messages: list[Message] = plain(seen.messages)
    last = train[-1]
    end = next((n for n in range(last + 1, len(messages)) if messages[n]["role"] != "tool"), len(messages))
    return {
        "format": FORMAT,
        "trajectory": trajectory.header.get("id", ""),
        "part": part,
        "messages": messages[:end],
        "tools": seen.tools,
        "train": [n for n in train if faulty or n not in wrong],
    }


def _fault(message: Message) -> bool:
    data = message.get("extra", {}).get("data")
    return isinstance(data, dict) and data.get("fault") in ("malformed", "unknown_tool", "schema")
