"""Short proofs by a few tactics, for all properties of a crate in few runs of Lean."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.lean import steps
from unsorry.bughunt.lean.tactics import by_loops, operations
from unsorry.bughunt.lean.translation import Translation
from unsorry.lean.process import Confinement, Limits, run_lean
from unsorry.lean.toolchain import Toolchain

HEARTBEATS = 40_000  # of one property with one tactic; Lean's own limit is 200 000
SECONDS = 10.0  # of one run of Lean; a run that takes longer is divided
SECONDS_EACH = 3.0  # more for each property in it


def tactics(names: Sequence[str]) -> list[str]:
    """Proofs, as what follows `:= by`; `names` are the definitions that the statement needs."""
    unfold = ", ".join(names)
    close = "first | rfl | omega | (simp_all; done) | (simp_all <;> omega)"
    return [
        f"simp [{unfold}]",
        f"intros\n  simp [{unfold}]\n  omega",
        f"intros\n  simp only [{unfold}]\n  repeat' split\n  all_goals {close}",
        f"intros\n  simp_all [{unfold}]\n  all_goals first | omega | (repeat' split) <;> {close}",
    ]


def proofs(
    translation: Translation, candidates: Sequence[Candidate], toolchain: Toolchain, confinement: Confinement, *,
    seconds: float,
) -> list[str]:  # fmt: skip
    """For each candidate its theorem with a proof that Lean has nothing against, or ""."""
    found = [""] * len(candidates)
    left = seconds
    dear = steps.count() - 1  # products of variables: last, for it takes longest
    for kind in [*(k for k in range(_kinds()) if k != dear), dear]:
        bodies = {i: _body(translation, candidates[i], kind) for i, text in enumerate(found) if not text}
        waiting = [[i for i, body in bodies.items() if body]]
        while waiting and left > 0:
            batch = waiting.pop()
            if not batch:
                continue
            head = translation.source + ("" if translation.source.endswith("\n") else "\n") + _library(kind)
            limit = min(left, SECONDS + SECONDS_EACH * len(batch))
            proved, spent = _run(head, [bodies[i] for i in batch], toolchain, confinement, limit)
            left -= spent
            if proved is not None:
                for i, good in zip(batch, proved, strict=True):
                    found[i] = _library(kind) + bodies[i] + "\n" if good else ""
            elif len(batch) > 1:  # one that takes all time or memory must not cost the others theirs
                waiting += [batch[len(batch) // 2 :], batch[: len(batch) // 2]]
    return found


def _run(
    head: str, bodies: Sequence[str], toolchain: Toolchain, confinement: Confinement, seconds: float
) -> tuple[list[bool] | None, float]:
    """Which of the theorems Lean takes, None if the run did not come to an end; the seconds that it took."""
    text = head
    spans = []
    for body in bodies:
        first = text.count("\n") + 1
        text += f"{_limited(body)}\n"
        spans.append((first, text.count("\n")))
    limits = Limits(wall=max(2.0, seconds), cpu=max(2.0, seconds))
    run = run_lean(toolchain, text, limits=limits, confinement=confinement)
    wrong = [m.line for m in run.messages if m.severity == "error" or "sorry" in m.text]
    ended = not run.timed_out and run.completed.returncode in (0, 1)
    if not ended or any(line <= head.count("\n") for line in wrong):
        return None, run.completed.seconds
    return [not any(a <= line <= b for line in wrong) for a, b in spans], run.completed.seconds


def _limited(body: str) -> str:
    """Each theorem with a limit of its own."""
    return re.sub(r"^theorem ", f"set_option maxHeartbeats {HEARTBEATS} in\ntheorem ", body, flags=re.M)


def _kinds() -> int:
    """Tries at each property: step by step, by a few tactics, by induction over loops that cannot fail."""
    return steps.count() + len(tactics(["x"])) + 1


def _library(kind: int) -> str:
    """The lemmas that the tries of a kind need."""
    return steps.library() + "\n" if kind < steps.count() else ""


def _body(translation: Translation, candidate: Candidate, kind: int) -> str:
    """The theorem with a proof to try, "" where the kind is not one for it."""
    statement = candidate.property.lean.rstrip()
    names = [*needed(translation, candidate)[0], *operations(translation)]
    if kind < steps.count():
        return steps.by_steps(translation, statement, names, kind)
    kind -= steps.count()
    head = statement.removesuffix("sorry").rstrip()
    if kind < len(tactics(names)):
        return f"{head}\n  {tactics(names)[kind]}"
    claim = re.search(r"\.fails = false := by\s+sorry\s*$", candidate.property.lean)
    found = by_loops(translation, candidate.function.path, candidate.property.target) if claim else None
    return f"{found[0]}\n{head}\n  {found[1]}" if found is not None else ""


def preamble(translation: Translation, candidate: Candidate) -> str:
    """The translation without the functions that the statement does not need: each judgement reads it again."""
    _, paths = needed(translation, candidate)
    lines = translation.source.split("\n")
    dropped: set[int] = set()
    for function in translation.functions.values():
        if function.path not in paths:
            dropped |= set(range(function.first - 1, function.last + 1))  # the comment above it too
    return "\n".join(line for number, line in enumerate(lines, 1) if number not in dropped)


def needed(translation: Translation, candidate: Candidate) -> tuple[list[str], set[str]]:
    """The Lean names of the functions that the statement needs and of their helpers; their Rust paths."""
    lines = translation.source.split("\n")
    waiting = [candidate.function.path, *filter(None, [candidate.partner])]
    names: dict[str, None] = {}
    by_name = {f.name: f for f in translation.functions.values()}
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        function = translation.functions.get(path)
        if function is None or path in seen:
            continue
        seen.add(path)
        text = "\n".join(lines[function.first - 1 : function.last])
        for match in re.finditer(r"^def ([^\s({:]+)", text, re.M):
            names[match[1]] = None
        for word in set(re.findall(r"[\w.«»]+", text)):
            if word in by_name:
                waiting.append(by_name[word].path)
    return list(names), seen
