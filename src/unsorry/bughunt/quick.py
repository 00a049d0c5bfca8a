"""Short proofs by a few tactics, for all properties of a crate in few runs of Lean."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.lean.tactics import by_loops, operations
from unsorry.bughunt.lean.translation import Translation
from unsorry.lean.process import Confinement, Limits, run_lean
from unsorry.lean.toolchain import Toolchain

HEARTBEATS = 40_000  # of one property with one tactic; Lean's own limit is 200 000


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
    count = len(tactics(["x"])) + 1  # the last: by induction over loops
    spent = 0.0
    for kind in range(count):
        left = [i for i, text in enumerate(found) if not text and _fits(translation, candidates[i], kind)]
        if spent > seconds:
            break
        if not left:
            continue
        bodies = [_with(translation, candidates[i], kind) for i in left]
        base = translation.source + ("" if translation.source.endswith("\n") else "\n")
        text = base
        spans = []
        for body in bodies:
            first = text.count("\n") + 1
            text += f"set_option maxHeartbeats {HEARTBEATS} in\n{body}\n"
            spans.append((first, text.count("\n")))
        limits = Limits(wall=max(5.0, seconds - spent), cpu=max(5.0, seconds - spent))
        run = run_lean(toolchain, text, limits=limits, confinement=confinement)
        spent += run.completed.seconds
        if run.timed_out or run.completed.returncode not in (0, 1):
            continue
        wrong = [m.line for m in run.messages if m.severity == "error" or "sorry" in m.text]
        if any(line <= base.count("\n") for line in wrong):
            return found
        for i, body, (first, last) in zip(left, bodies, spans, strict=True):
            if not any(first <= line <= last for line in wrong):
                found[i] = body + "\n"
    return found


def _with(translation: Translation, candidate: Candidate, kind: int) -> str:
    statement = candidate.property.lean.rstrip()
    head = statement.removesuffix("sorry").rstrip()
    names = [*needed(translation, candidate)[0], *operations(translation)]
    if kind < len(tactics(names)):
        return f"{head}\n  {tactics(names)[kind]}"
    found = by_loops(translation, candidate.function.path, candidate.property.target)
    assert found is not None  # `_fits` has asked
    return f"{found[0]}\n{head}\n  {found[1]}"


def _fits(translation: Translation, candidate: Candidate, kind: int) -> bool:
    """Whether the tactic is one for this statement."""
    if kind < len(tactics(["x"])):
        return True
    claim = re.search(r"\.fails = false := by\s+sorry\s*$", candidate.property.lean)
    return claim is not None and by_loops(translation, candidate.function.path, "x") is not None


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
