"""From a found proof to source text: only the lemmas it needs, statements as a person would write them, checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from unsorry.provers.search.goals import split_goals
from unsorry.provers.search.oracle import Candidate, Lemma, Oracle, indent, spell
from unsorry.provers.search.portfolio import simpler
from unsorry.provers.search.statement import Place
from unsorry.provers.search.theory import Theory

PRETTY = """\
set_option pp.explicit false
set_option pp.notation true
set_option pp.fullNames false
set_option pp.match true
set_option pp.fieldNotation true
set_option pp.coercions true
set_option pp.funBinderTypes true
"""


def needed(uses: Sequence[str], lemmas: Sequence[Lemma]) -> list[Lemma]:
    """The lemmas that a proof uses, and those that they use, in order."""
    known = {lemma.name: lemma for lemma in lemmas}
    wanted: set[str] = set()
    todo = list(uses)
    while todo:
        name = todo.pop()
        if name in known and name not in wanted:
            wanted.add(name)
            todo += known[name].uses
    return [lemma for lemma in lemmas if lemma.name in wanted]


def slim(lemma: Lemma, available: Sequence[Lemma], oracle: Oracle) -> Lemma:
    """The lemma with a proof that names no lemma it can do without."""
    scope = [other for other in available if named(other.name, lemma.proof)]
    names = [other.name for other in scope if without(lemma.proof, [other.name]) != lemma.proof]
    proof = lemma.proof
    if names:
        attempts = [without(proof, names), *(without(proof, [name]) for name in names)]
        outcomes = oracle.attempt([Candidate(lemma.goal, text) for text in attempts], scope)
        spare = [name for name, outcome in zip(names, outcomes[1:], strict=True) if outcome.proved]
        if outcomes[0].proved:
            proof = attempts[0]
        elif spare and oracle.attempt([Candidate(lemma.goal, without(proof, spare))], scope)[0].proved:
            proof = without(proof, spare)
        else:  # not all can go together: one after the other
            for name in spare:
                shorter = without(proof, [name])
                if oracle.attempt([Candidate(lemma.goal, shorter)], scope)[0].proved:
                    proof = shorter
    return replace(lemma, proof=proof, uses=tuple(other.name for other in scope if named(other.name, proof)))


def named(name: str, proof: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", proof) is not None


def tidy(lemma: Lemma, available: Sequence[Lemma], oracle: Oracle) -> Lemma:
    """The lemma with the shortest of the simpler forms of its proof that still works."""
    if "\n" in lemma.proof or (" <;> " not in lemma.proof and not lemma.proof.startswith("(try")):
        return lemma
    forms = simpler(lemma.proof)
    scope = [other for other in available if other.name in lemma.uses]
    outcomes = oracle.attempt([Candidate(lemma.goal, form) for form in forms], scope)
    return next(
        (replace(lemma, proof=form) for form, outcome in zip(forms, outcomes, strict=True) if outcome.proved), lemma
    )


def without(proof: str, names: Sequence[str]) -> str:
    for name in names:
        proof = proof.replace(f", {name},", ",").replace(f", {name}]", "]")
    return proof


def minimal(root: Lemma, lemmas: Sequence[Lemma], oracle: Oracle) -> tuple[Lemma, list[Lemma]]:
    """Slim the root, then what it still needs, from the last to the first."""
    root = slim(root, lemmas, oracle)
    kept = needed(root.uses, lemmas)
    done: dict[str, Lemma] = {}
    for lemma in reversed(list(kept)):
        if lemma.name in {
            known.name for known in needed([*root.uses, *(u for d in done.values() for u in d.uses)], kept)
        }:
            done[lemma.name] = slim(lemma, [other for other in lemmas if other.name != lemma.name], oracle)
    updated = needed(root.uses, [done.get(lemma.name, lemma) for lemma in kept])
    return tidy(root, updated, oracle), [tidy(lemma, updated, oracle) for lemma in updated]


def pretty_headers(lemmas: Sequence[Lemma], oracle: Oracle) -> list[str]:
    """Statements in the notation that Lean prints by default; the explicit form where that fails."""
    headers = [lemma.goal.header() for lemma in lemmas]
    body = [oracle.universes([lemma.goal for lemma in lemmas]), PRETTY]
    line = sum(part.count("\n") for part in body)
    for header in headers:
        body.append(f"example {header} := by trace_state; sorry\n")
    messages, _ = oracle.run("".join(body))
    pretty = list(headers)
    for message in messages:
        place = message.line - line - 1
        if message.severity == "information" and 0 <= place < len(lemmas) and "⊢ " in message.text:
            text = _header(split_goals(message.text)[0], lemmas[place])
            pretty[place] = text or pretty[place]
    return pretty


def _header(state: str, lemma: Lemma) -> str | None:
    """A printed goal as the binders and conclusion of a theorem."""
    parts: list[str] = []
    for raw in state.split("\n"):
        if raw.startswith(" ") and parts:
            parts[-1] += " " + raw.strip()
        elif raw.strip():
            parts.append(raw.strip())
    if not parts or not parts[-1].startswith("⊢ ") or "✝" in state or "sorry" in state:
        return None
    types = {h.name for h in lemma.goal.types}
    binders = []
    for part in parts[:-1]:
        names, _, type_ = part.partition(" : ")
        if ":=" in part:
            return None
        if all(name in types for name in names.split()):
            binders.append(f"{{{names} : {type_}}}")
        elif names.startswith("inst"):
            binders.append(f"[{names} : {type_}]")
        else:
            binders.append(f"({names} : {type_})")
    return " ".join([*binders, ":", parts[-1][2:]])


def declarations(
    lemmas: Sequence[Lemma], headers: Sequence[str], definitions: Sequence[str], local: bool, theory: Theory
) -> list[str]:
    """The lemmas as source text.  `local`: definitions reach simp by attribute, not by name."""
    texts = []
    if local and definitions:
        texts.append(f"attribute [local simp] {' '.join(definitions)}\n")
    for lemma, header in zip(lemmas, headers, strict=True):
        proof = spell(lemma.proof, () if local else relevant(definitions, lemma, theory))
        texts.append(f"theorem {lemma.name} {header} := by\n{indent(proof)}\n")
    return texts


def relevant(definitions: Sequence[str], lemma: Lemma, theory: Theory) -> list[str]:
    """Of the functions that simp may unfold, those that the goal leads to."""
    called = theory.called(lemma.goal.constants)
    return [name for name in definitions if name in called]


def sources(
    place: Place, root: Lemma, renamed: Sequence[str], lemmas: Sequence[Lemma], theory: Theory, oracle: Oracle
) -> list[str]:
    """Candidate final sources, the most readable first."""
    definitions = oracle.unfolding
    pretty = pretty_headers(lemmas, oracle)
    explicit = [lemma.goal.header() for lemma in lemmas]
    opening = f"rename_i {' '.join(renamed)}\n" if renamed else ""
    found: list[str] = []
    for headers in (pretty, explicit):
        for local in (False, True):
            tactics = opening + spell(root.proof, () if local else relevant(definitions, root, theory))
            texts = declarations(lemmas, headers, definitions, local, theory)
            universes = oracle.universes([lemma.goal for lemma in lemmas])
            if universes and lemmas:
                texts.insert(0, universes)
            found.append(place.filled(texts, tactics))
    return list(dict.fromkeys(found))
