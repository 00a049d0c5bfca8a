"""Proofs that a translated function never fails, by induction over its loops."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unsorry.bughunt.lean.translation import Translation

CLOSE = "first | rfl | contradiction | omega | (simp_all; done) | (simp_all <;> omega)"


_UNFOLDED = (
    "Slice.index", "Slice.update", "Slice.range", "Slice.rangeInclusive", "Slice.from", "Slice.splice", "Slice.get",
    "Slice.get_range", "Slice.split_at", "Slice.swap", "Slice.fill", "Slice.copy_from", "Slice.rotate_left",
    "Slice.rotate_right", "Vec.insert", "Vec.remove",
)  # fmt: skip


def operations(translation: Translation) -> list[str]:
    """Operations on lists that the translation uses and that unfold to conditions on lengths."""
    defined = set(re.findall(r"^(?:@\[[\w, ]+\] )?def ([\w.]+)", translation.source, re.M))
    return [name for name in _UNFOLDED if name in defined]


def definitions(translation: Translation, path: str) -> list[str]:
    """Lean names of the function, of its loops, and of all that it calls."""
    lines = translation.source.split("\n")
    by_name = {f.name: f for f in translation.functions.values()}
    names: dict[str, None] = {}
    waiting, seen = [path], {path}
    while waiting:
        function = translation.functions.get(waiting.pop())
        if function is None:
            continue
        text = "\n".join(lines[function.first - 1 : function.last])
        names.update(dict.fromkeys(re.findall(r"^def ([^\s({:]+)", text, re.M)))
        for word in set(re.findall(r"[\w.]+", text)) & by_name.keys():
            if by_name[word].path not in seen:
                seen.add(by_name[word].path)
                waiting.append(by_name[word].path)
    return list(names)


def by_loops(translation: Translation, path: str, suffix: str) -> tuple[str, str] | None:
    """A try for `(f …).fails = false`: theorems that the loops never fail, and what follows `:= by`.

    None for a function without loops.  `suffix` makes the theorems' names distinct.
    """
    names = definitions(translation, path)
    loops = [n for n in names if re.search(r"_loop\d*$", n)]
    if not loops:
        return None
    others = [*(n for n in names if n not in loops), *operations(translation)]
    lemmas: list[str] = []
    known: list[str] = []
    for loop in reversed(loops):  # inner ones and those of callees first
        lemma = _lemma(translation, loop, f"{loop}_safe_{suffix}", others, known)
        if lemma:
            lemmas.append(lemma)
            known.append(f"{loop}_safe_{suffix}")
    return "\n".join(lemmas), f"intros\n  simp only [{', '.join(others)}]\n{_walk(known)}"


def _walk(known: Sequence[str]) -> str:
    """Through binds and branches; loops that are safe are passed."""
    loops = "".join(f" | (apply {name})" for name in known)
    step = f"(first | rfl{loops} | (apply Result.bind_safe) | (intro _) | split)"
    return f"  repeat' {step}\n  all_goals {CLOSE}"


def _lemma(translation: Translation, loop: str, name: str, others: Sequence[str], known: Sequence[str]) -> str:
    """That a loop never fails, whatever its state."""
    head = re.search(rf"^def {re.escape(loop)}((?: [({{][^:]* : .*?[)}}])*?) : (.*)$", translation.source, re.M)
    if head is None:
        return ""
    binders, types = head.group(1), arrows(head.group(2))
    captured = re.findall(r"\((\w+) : ", binders)
    state = [f"x{i}" for i in range(len(types) - 1)]
    typed = " ".join(f"({x} : {t})" for x, t in zip(state, types, strict=False))
    call = " ".join([loop, *captured, *state])
    unfold = ", ".join([loop, *others])
    loops = "".join(f" | (apply {name})" for name in known)
    step = f"(first | rfl | (apply ih){loops} | (apply Result.bind_safe) | (intro _) | split)"
    case = f"intros\n    simp only [{unfold}]\n    repeat' {step}\n    all_goals {CLOSE}"
    names = ("zero", "succ n ih") if types[0] == "Nat" else ("nil", "cons x xs ih")
    return (
        f"theorem {name}{binders} : ∀ {typed}, ({call}).fails = false := by\n  intro x0\n  induction x0 with\n"
        f"  | {names[0]} => intros; rfl\n  | {names[1]} =>\n    {case}\n"
    )


def arrows(text: str) -> list[str]:
    """The parts of `A → B → C`."""
    parts, depth, now = [], 0, ""
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if char == "→" and depth == 0:
            parts.append(now.strip())
            now = ""
        else:
            now += char
    return [*parts, now.strip()]


__all__ = ["arrows", "by_loops", "definitions", "operations"]
