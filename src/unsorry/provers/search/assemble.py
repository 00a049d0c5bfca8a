"""From a found proof to source text: only the lemmas it needs, statements as a person would write them, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unsorry.provers.search.goals import split_goals
from unsorry.provers.search.oracle import Candidate, Lemma, Oracle, indent, spell
from unsorry.provers.search.statement import Place

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
    proof, uses = lemma.proof, [name for name in lemma.uses if f"{name}" in lemma.proof]
    scope = [other for other in available if other.name in uses]
    if not scope:
        return lemma
    bare = _without(proof, [other.name for other in scope])
    attempts = [bare, *(_without(proof, [other.name]) for other in scope)]
    outcomes = oracle.attempt([Candidate(lemma.goal, text) for text in attempts], scope)
    if outcomes[0].proved:
        return replace(lemma, proof=bare, uses=tuple(n for n in lemma.uses if n not in uses))
    spare = [other.name for other, outcome in zip(scope, outcomes[1:], strict=True) if outcome.proved]
    lean = _without(proof, spare)
    if spare and oracle.attempt([Candidate(lemma.goal, lean)], scope)[0].proved:
        return replace(lemma, proof=lean, uses=tuple(n for n in lemma.uses if n not in spare))
    for name in spare:  # not all can go together: one after the other
        shorter = _without(proof, [name])
        if shorter != proof and oracle.attempt([Candidate(lemma.goal, shorter)], scope)[0].proved:
            proof = shorter
    return replace(lemma, proof=proof, uses=tuple(n for n in lemma.uses if n not in uses or n in proof.split() or f"{n}]" in proof or f"{n}," in proof))


def _without(proof: str, names: Sequence[str]) -> str:
    for name in names:
        proof = proof.replace(f", {name},", ",").replace(f", {name}]", "]")
    return proof


def minimal(root: Lemma, lemmas: Sequence[Lemma], oracle: Oracle) -> tuple[Lemma, list[Lemma]]:
    """Slim the root, then what it still needs, from the last to the first."""
    root = slim(root, lemmas, oracle)
    kept = needed(root.uses, lemmas)
    done: dict[str, Lemma] = {}
    for lemma in reversed(list(kept)):
        if lemma.name in {l.name for l in needed([*root.uses, *(u for d in done.values() for u in d.uses)], kept)}:
            done[lemma.name] = slim(lemma, [other for other in lemmas if other.name != lemma.name], oracle)
    updated = [done.get(lemma.name, lemma) for lemma in kept]
    return root, needed(root.uses, updated)


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


def declarations(lemmas: Sequence[Lemma], headers: Sequence[str], definitions: Sequence[str], local: bool) -> list[str]:
    """The lemmas as source text.  `local`: definitions reach simp by attribute, not by name."""
    texts = []
    if local and definitions:
        texts.append(f"attribute [local simp] {' '.join(definitions)}\n")
    for lemma, header in zip(lemmas, headers, strict=True):
        proof = spell(lemma.proof, () if local else relevant(definitions, lemma))
        texts.append(f"theorem {lemma.name} {header} := by\n{indent(proof)}\n")
    return texts


def relevant(definitions: Sequence[str], lemma: Lemma) -> Sequence[str]:
    return definitions


def sources(place: Place, root: Lemma, renamed: Sequence[str], lemmas: Sequence[Lemma], definitions: Sequence[str],
            oracle: Oracle) -> list[str]:
    """Candidate final sources, the most readable first."""
    pretty = pretty_headers(lemmas, oracle)
    explicit = [lemma.goal.header() for lemma in lemmas]
    opening = f"rename_i {' '.join(renamed)}\n" if renamed else ""
    found: list[str] = []
    for headers in (pretty, explicit):
        for local in (False, True):
            tactics = opening + spell(root.proof, () if local else definitions)
            universes = oracle.universes([lemma.goal for lemma in lemmas])
            texts = declarations(lemmas, headers, definitions, local)
            if local and definitions and not texts:
                texts = [f"attribute [local simp] {' '.join(definitions)}\n"]
            if universes and lemmas:
                texts.insert(0, universes)
            found.append(place.filled(texts, tactics))
    return list(dict.fromkeys(found))
