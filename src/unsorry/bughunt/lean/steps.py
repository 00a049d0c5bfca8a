"""Proofs step by step along the run of a function: what each operation needs, and what it leaves known."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unsorry.bughunt import ir
from unsorry.bughunt.lean.library import part
from unsorry.bughunt.lean.tactics import arrows
from unsorry.bughunt.lean.translation import Translation

CLOSE = (
    "first | omega | assumption | contradiction | (simp at * <;> omega) | (simp_all; done) | (repeat' split <;> omega)"
)
_FACTORS = (
    (255, 255), (65535, 65535), (2147483648, 4294967295), (4294967295, 2147483648), (4294967295, 4294967295),
    (9223372036854775808, 65535), (9223372036854775808, 18446744073709551615),
)  # fmt: skip
_PRODUCTS = tuple(
    f"refine Result.safe_product {a} {b} (by omega) (by omega) (by omega) (by omega) ?_ ?_" for a, b in _FACTORS
)
_STEPS = (
    "exact trivial", "exact Or.inl rfl", "exact Or.inr rfl", "refine Result.values_of_safe ?_",
    "refine Result.safe_bind ?_", "refine Result.safe_quotient_signed ?_ ?_",
    "refine Result.safe_remainder_signed ?_ ?_", "refine Result.safe_quotient ?_ ?_",
    "refine Result.safe_remainder ?_ ?_", "refine Result.safe_index ?_ ?_",
    "refine Result.safe_check ?_ ?_",
    "refine Result.safe_number ?_", "refine Result.safe_ok ?_", "refine Result.safe_fail ?_",
    "exact Result.safe_div", "refine Result.safe_ite ?_ ?_", "refine Result.safe_dite ?_ ?_", "intro _", "split",
)  # fmt: skip
_INVARIANTS = ("", "bounded", "total", "not all zero", "")  # of a loop's numbers; the last is with products


def library() -> str:
    """The lemmas that these proofs rest on; they come before the theorem."""
    return part("Safe")


def unfolded(translation: Translation) -> list[str]:
    """What of the library and of the crate's constants is taken apart."""
    found = re.findall(r"^@\[(?:reducible, )?simp\] def ([^\s({:]+)", translation.source, re.M)
    return [name for name in found if name != "holds"]


def count() -> int:
    """How many tries there are: one for each invariant that loops may have."""
    return len(_INVARIANTS)


def by_steps(translation: Translation, statement: str, names: Sequence[str], number: int) -> str:
    """The theorem with lemmas about loops before it; "" for a claim of another form, or if `number` adds nothing."""
    begin, errors = _begin(statement)
    loops = [n for n in names if re.search(r"_loop\d*$", n)]
    products = number == len(_INVARIANTS) - 1
    if not begin or (number and not (".mul " in translation.source if products else loops)):
        return ""
    others = [*(n for n in names if n not in loops), *unfolded(translation)]
    target = statement.split()[1]
    lemmas: list[str] = []
    known: list[str] = []
    for loop in reversed(loops):  # inner ones and those of callees first
        made = _lemma(translation, loop, f"{loop}_step_{target}", others, known, errors, _INVARIANTS[number])
        if made is None:
            return ""
        lemmas.append(made[0])
        known.append(made[1])
    head = statement.rstrip().removesuffix("sorry").rstrip()
    simp = f"simp only [{', '.join(others)}]"
    return "\n".join([*lemmas, f"{head}\n  {begin}\n  try {simp}\n{_walk(known, products=products)}"])


def _walk(loops: Sequence[str], indent: str = "  ", *, products: bool = False) -> str:
    """Step after step, then arithmetic; `loops` are lemmas, applied."""
    passed = [f"refine Result.safe_mono ({lemma}) ?_" for lemma in loops]
    steps = " | ".join(f"({s})" for s in (*_STEPS[:4], *passed, *(_PRODUCTS if products else ()), *_STEPS[4:]))
    return f"{indent}repeat' (first | {steps})\n{indent}all_goals {CLOSE}"


def _lemma(
    translation: Translation, loop: str, name: str, others: Sequence[str], known: Sequence[str], errors: str,
    invariant: str,
) -> tuple[str, str] | None:  # fmt: skip
    """What holds of a loop's state as it goes, proved by induction; and the lemma applied."""
    head = re.search(rf"^def {re.escape(loop)}((?: [({{][^:]* : .*?[)}}])*?) : (.*)$", translation.source, re.M)
    if head is None:
        return None
    binders, types = head.group(1), arrows(head.group(2))
    captured = re.findall(r"\((\w+) : ", binders)
    state = [f"x{i}" for i in range(len(types) - 1)]
    typed = " ".join(f"({x} : {t})" for x, t in zip(state, types, strict=False))
    body = translation.source[head.end() :].split("\n\n", 1)[0]
    top = _top(body)
    before = _holds(invariant, [x for x, t in zip(state, types, strict=False) if t == "Int"], top)
    results = _numbers(types[-1])
    after = _holds(invariant, results, top)
    if invariant == "not all zero" and results:
        after = f"({after} ∧ {results[0]} ≠ 0)"
    claim = f"({' '.join([loop, *captured, *state])}).safe {errors} (fun r => {after})"
    again = " ".join(["ih", *("_" for _ in state[1:]), "?_"])
    applied = " ".join([name, *("_" for _ in [*captured, *state]), "?_"])
    names = ("zero", "succ n ih") if types[0] == "Nat" else ("nil", "cons x xs ih")
    simp = f"simp only [{', '.join([loop, *others])}]"
    text = (
        f"theorem {name}{binders} : ∀ {typed}, {before} → {claim} := by\n  intro x0\n  induction x0 with\n"
        f"  | {names[0]} =>\n    intros\n    {simp}\n{_walk([], '    ')}\n"
        f"  | {names[1]} =>\n    intros\n    {simp}\n{_walk([again, *known], '    ')}\n"
    )
    return text, applied


def _top(body: str) -> int:
    """The largest number of the smallest type whose arithmetic a loop does."""
    used = {n.lower() for n in re.findall(r"\b([UI](?:8|16|32|64|128|size))\.(?:add|sub|mul|rem|div)\b", body)}
    return min((ir.Scalar(n).max for n in used), default=(1 << 64) - 1)


def _numbers(result: str) -> list[str]:
    """The numbers in a loop's result, as terms over `r`."""
    inner = result.removeprefix("Result ").strip().removeprefix("(").removesuffix(")")
    parts = inner.split(" × ")
    if any(p != "Int" for p in parts):
        return []
    if len(parts) == 1:
        return ["r"]
    last = "r" + ".2" * (len(parts) - 1)
    return [*("r" + ".2" * i + ".1" for i in range(len(parts) - 1)), last]


def _holds(invariant: str, numbers: Sequence[str], top: int) -> str:
    if not invariant or not numbers:
        return "True"
    parts = [f"0 ≤ {n} ∧ {n} ≤ {top}" for n in numbers]
    if invariant == "total":
        parts.append(f"{' + '.join(numbers)} ≤ {top}")
    if invariant == "not all zero":
        parts.append("(" + " ∨ ".join(f"{n} ≠ 0" for n in numbers) + ")")
    return "(" + " ∧ ".join(parts) + ")"


def _begin(statement: str) -> tuple[str, str]:
    """How the proof starts, and which errors it allows."""
    claim = statement.rstrip().removesuffix("sorry").rstrip().removesuffix(":= by").rstrip().rsplit("\n", 1)[-1].strip()
    if claim.endswith(".fails = false"):
        return "refine Result.fails_of_safe ?_", "(fun _ => False)"
    if match := re.match(r"∀ e, .* = fail e → (.*)$", claim):
        return "refine Result.errors_of_safe ?_", f"(fun e => {match[1]})"
    if re.match(r"∀ \w+, .* = ok \w+ → ", claim):
        return "refine Result.values_of_safe ?_", "(fun _ => True)"
    if match := re.match(r"∀ (\w+) (\w+), ", claim):
        one, two = match.groups()
        back = f"revert h2\n  revert {two}\n  revert h1\n  revert {one}"
        return f"intro {one} {two} h1 h2\n  {back}\n  refine Result.values_of_safe ?_", "(fun _ => True)"
    return "", ""


__all__ = ["by_steps", "count", "library", "unfolded"]
