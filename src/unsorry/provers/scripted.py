"""A prover that answers from a script: the deterministic twin of the others, for tests and for replaying proofs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from unsorry import Completion, Problem, Prompt, Sampling, UnsorryError
from unsorry.lean.source import Hole, parse, replace_hole


class ScriptedProver:
    """Looks answers up by problem id, then by target, then by the last component of the target.

    An answer is a string, put in the place of the first hole of the targets' declarations; or an object with `proof`
    and optionally `before` (text put before the declaration) and `notes`; or an object with `text`, a complete source.
    A list gives several, best first.
    """

    def __init__(self, answers: Mapping[str, Any], id: str = "scripted") -> None:
        self.id = id
        self.answers = answers
        self.asked: list[Problem] = []

    @classmethod
    def from_file(cls, path: Path) -> ScriptedProver:
        """Reads a JSON object; raises UnsorryError if the file holds none."""
        try:
            answers = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
        except ValueError as error:
            raise UnsorryError(f"{path} is not JSON: {error}") from None
        if not isinstance(answers, dict):
            raise UnsorryError(f"{path} must hold one JSON object: proofs by problem id or target")
        return cls(answers)

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        return [self._answer(prompt.problem)[:n] for prompt in prompts]

    def _answer(self, problem: Problem) -> list[Completion]:
        self.asked.append(problem)
        names = (problem.id, *problem.targets, *(target.rpartition(".")[2] for target in problem.targets))
        known: Any = next((self.answers[name] for name in names if name in self.answers), [])
        return [_completion(problem, answer) for answer in (known if isinstance(known, list) else [known])]


def _completion(problem: Problem, answer: Any) -> Completion:
    if isinstance(answer, str):
        answer = {"proof": answer}
    if not isinstance(answer, dict) or not isinstance(answer.get("text", answer.get("proof", "")), str):
        raise UnsorryError(f"the answer for {problem.id} must be a proof, an object with `proof` or `text`, or a list")
    notes = answer.get("notes", {})
    if "text" in answer:
        return Completion(answer["text"], notes=notes)
    if "proof" not in answer:
        return Completion("", notes=notes)
    hole, begin = _hole(problem)
    text = replace_hole(problem.source, hole, answer["proof"])
    before = answer.get("before", "")
    return Completion(text[:begin] + (before.rstrip("\n") + "\n\n" if before else "") + text[begin:], notes=notes)


def _hole(problem: Problem) -> tuple[Hole, int]:
    """The first hole of a target, and where its declaration begins."""
    source = parse(problem.source)
    for hole in source.holes:
        command = source.commands[hole.command]
        if command.name in problem.targets:
            begin = command.start
            if command.in_mutual:
                begin = next(c.start for c in reversed(source.commands[: hole.command]) if c.kind == "mutual")
            return hole, begin
    raise UnsorryError(f"problem {problem.id} has no sorry in its targets: {', '.join(problem.targets)}")
