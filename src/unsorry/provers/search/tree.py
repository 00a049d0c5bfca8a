"""The AND/OR graph of goals: a goal is proved by one of its steps, a step by all the goals that it leaves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from unsorry.provers.search.goals import Goal
from unsorry.provers.search.oracle import Lemma, indent
from unsorry.provers.search.syntax import show


@dataclass(frozen=True, slots=True)
class Child:
    """A goal that a step leaves: after `rename_i renamed`, the child's statement applied to `arguments` closes it."""

    node: Node
    arguments: tuple[str, ...]
    renamed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    tactic: str  # "" for none
    children: tuple[Child, ...]
    lemmas: tuple[str, ...] = ()  # names of the lemmas that the tactic uses


@dataclass(eq=False, slots=True)
class Node:
    goal: Goal
    depth: int
    cost: float = 0.0  # of the cheapest way here
    steps: list[Step] = field(default_factory=list)
    parents: list[Node] = field(default_factory=list)
    proof: Step | None = None
    refuted: bool = False
    tried: set[tuple[str, int]] = field(default_factory=set)  # stages done, with the version of the lemma library

    @property
    def dead(self) -> bool:
        return self.refuted

    def alive_below(self, root: Node) -> bool:
        """Could a proof of this goal still serve a proof of `root`?"""
        seen: set[int] = set()
        todo = [self]
        while todo:
            node = todo.pop()
            if (node.proof is not None and node is not self) or node.refuted:
                continue
            if node is root:
                return True
            if id(node) in seen:
                continue
            seen.add(id(node))
            todo += [
                parent
                for parent in node.parents
                if any(
                    any(child.node is node for child in step.children)
                    and not any(child.node.refuted for child in step.children)
                    for step in parent.steps
                )
            ]
        return False


def settle(node: Node) -> None:
    """Propagate a new proof upwards."""
    todo = [node]
    while todo:
        current = todo.pop()
        for parent in current.parents:
            if parent.proof is None:
                for step in parent.steps:
                    if step.children and all(child.node.proof is not None for child in step.children):
                        parent.proof = step
                        todo.append(parent)
                        break


def proof_text(step: Step, names: dict[int, str], inline: dict[int, str]) -> str:
    """The tactic block of a step; children are closed by name, or by their own block where they have one inline."""
    lines = [step.tactic] if step.tactic else []
    for child in step.children:
        block = []
        if child.renamed:
            block.append("rename_i " + " ".join(child.renamed))
        own = inline.get(id(child.node))
        if own is not None:
            block.append(own)
        else:
            block.append(" ".join([f"exact @{names[id(child.node)]}", *child.arguments]))
        body = "\n".join(block)
        lines.append("· " + indent(body).lstrip() if len(step.children) > 1 or step.tactic else body)
    return "\n".join(lines)


def straight(child: Child) -> Child:
    """The child at the end of a chain of goals that are each an instance of the next."""
    step = child.node.proof
    while step is not None and not step.tactic and len(step.children) == 1:
        values = dict(zip(child.node.goal.names, child.arguments, strict=True))
        inner = step.children[0]
        child = Child(inner.node, tuple(instantiate(text, values) for text in inner.arguments), child.renamed)
        step = child.node.proof
    return child


def instantiate(text: str, values: dict[str, str]) -> str:
    """Names in a printed argument replaced, all at once."""
    return _NAME.sub(lambda found: values.get(found.group(0), found.group(0)), text)


_NAME = re.compile(r"(?<![\w.@'✝])[^\W\d][\w'✝]*(?![\w.'✝])")


def extract(root: Node, prefix: str) -> tuple[str, list[Lemma]]:
    """Proof of a proved root, and the auxiliary statements it needs, dependencies first."""
    names: dict[int, str] = {}
    lemmas: list[Lemma] = []

    def visit(node: Node) -> str:
        step = node.proof
        assert step is not None
        step = replace(step, children=tuple(straight(child) for child in step.children))
        node.proof = step
        for child in step.children:
            if id(child.node) not in names:
                names[id(child.node)] = ""
                text = visit(child.node)
                name = f"{prefix}{len(lemmas) + 1}"
                names[id(child.node)] = name
                assert child.node.proof is not None
                uses = child.node.proof.lemmas + tuple(names[id(c.node)] for c in child.node.proof.children)
                lemmas.append(Lemma(name, child.node.goal, text, uses))
        return proof_text(step, names, {})

    return visit(root), lemmas


__all__ = ["Child", "Node", "Step", "extract", "proof_text", "settle", "show"]
