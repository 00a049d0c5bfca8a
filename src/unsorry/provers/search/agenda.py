"""Best-first search over the graph of goals, stage by stage, with Lean as the judge of each step."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, field

from unsorry.provers.search import portfolio
from unsorry.provers.search.evaluate import Evaluator
from unsorry.provers.search.generalisation import variants
from unsorry.provers.search.goals import Goal, prune
from unsorry.provers.search.oracle import Candidate, Lemma, Oracle, Outcome
from unsorry.provers.search.portfolio import Tools
from unsorry.provers.search.testing import test
from unsorry.provers.search.theory import Theory
from unsorry.provers.search.tree import Child, Node, Step, settle

STAGES = ("close", "generalise", "induct", "cases")
STAGE_COST = {"close": 0.0, "induct": 1.0, "generalise": 0.3, "cases": 4.5}
MOST_LEFT = 4  # goals that a step may leave
DEEPEST = 6
TOGETHER = 6  # goals whose cheap tactics are checked in one elaboration


@dataclass
class Agenda:
    """One proof attempt; `lemmas` grows from outside, `version` says by how much."""

    oracle: Oracle
    theory: Theory
    evaluator: Evaluator
    own: frozenset[str]
    seed: int = 0
    lemmas: list[Lemma] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)
    queue: list[tuple[float, int, Node, str]] = field(default_factory=list)
    counter: itertools.count[int] = field(default_factory=itertools.count)
    root: Node | None = None

    def start(self, goal: Goal) -> Node:
        self.root = self.node(goal, 0)
        return self.root

    def node(self, goal: Goal, depth: int, cost: float = 0.0) -> Node:
        """The node of a goal, shared by goals that differ in names only."""
        key = goal.key + "|" + " ".join(goal.names)
        known = self.nodes.get(key)
        if known is not None:
            if cost < known.cost:
                known.cost, known.depth = cost, min(depth, known.depth)
            return known
        node = self.nodes[key] = Node(goal, depth, cost)
        self.theory.learn(self.oracle, goal.constants)
        if depth:
            tested = test(self.evaluator, goal, 150, self.seed)
            node.refuted = tested.witness is not None
        if not node.refuted:
            self.push(node, "close")
        return node

    def push(self, node: Node, stage: str, extra: float = 0.0) -> None:
        burden = self.theory.burden(node.goal.conclusion) + 0.3 * len(node.goal.context)
        cost = node.cost + burden / 8 + STAGE_COST[stage] + extra
        heapq.heappush(self.queue, (cost, next(self.counter), node, stage))

    def reopen(self) -> None:
        """New lemmas: try again where it matters most, the root and what is near it."""
        assert self.root is not None
        self.retry(self.root)
        if self.root.proof is not None:
            return
        for node in self.nodes.values():
            if node.proof is None and not node.refuted and 0 < node.depth <= 2:
                self.push(node, "close")

    def tools(self, goal: Goal) -> Tools:
        return Tools(self.theory, self.own, portfolio.relevant(goal, self.lemmas, self.theory))

    def work(self, amount: float, at_least: int) -> bool:
        """Steps for about this long, but at least so many; False when nothing is left to do."""
        clock = self.oracle.clock
        until = clock.now() + amount
        done = 0
        while self.root is not None and self.root.proof is None and (done < at_least or clock.now() < until):
            if not self.step():
                return False
            done += 1
        return True

    def step(self) -> bool:
        """Work on the best open goals; False when nothing is left to do."""
        assert self.root is not None
        chosen: list[tuple[Node, Tools, list[str]]] = []
        while self.queue and len(chosen) < TOGETHER:
            if chosen and self.queue[0][3] != "close":
                break  # only cheap stages are tried for several goals at once
            _, _, node, stage = heapq.heappop(self.queue)
            tools = self.tools(node.goal)
            mark = (stage, len(tools.lemmas))
            if node.proof is not None or node.refuted or mark in node.tried or not node.alive_below(self.root):
                continue
            node.tried.add(mark)
            following = STAGES.index(stage) + 1
            if following < len(STAGES):
                self.push(node, STAGES[following])
            if stage == "generalise":
                self._generalise(node)
                return True
            chosen.append((node, tools, self._tactics(node, stage, tools)))
            if stage != "close":
                break
        if chosen:
            self._try(chosen)
        return bool(chosen)

    @staticmethod
    def _tactics(node: Node, stage: str, tools: Tools) -> list[str]:
        if stage == "close":
            tactics = portfolio.closers(node.goal, tools) + portfolio.logical(node.goal)
        elif stage == "induct":
            tactics = portfolio.inductions(node.goal, tools)
        else:
            tactics = portfolio.inductions_with_cases(node.goal, tools)
        return list(dict.fromkeys(tactics))

    def retry(self, node: Node) -> None:
        """All that may close a goal with the lemmas there are now, in one batch."""
        tools = self.tools(node.goal)
        if node.proof is None and not node.refuted and ("retry", len(tools.lemmas)) not in node.tried:
            node.tried.add(("retry", len(tools.lemmas)))
            stages = ("close", "induct") if node.depth else ("close", "induct", "cases")
            self._try([(node, tools, [t for stage in stages for t in self._tactics(node, stage, tools)])])

    def _try(self, chosen: list[tuple[Node, Tools, list[str]]]) -> None:
        candidates = [Candidate(node.goal, tactic) for node, _, tactics in chosen for tactic in tactics]
        names = {lemma.name for _, tools, _ in chosen for lemma in tools.lemmas}
        outcomes = iter(self.oracle.attempt(candidates, [lemma for lemma in self.lemmas if lemma.name in names]))
        for node, tools, tactics in chosen:
            self._record(node, tools, tactics, [next(outcomes) for _ in tactics])

    def _record(self, node: Node, tools: Tools, tactics: list[str], outcomes: list[Outcome]) -> None:
        for tactic, outcome in zip(tactics, outcomes, strict=True):
            if outcome.proved and node.proof is None:
                node.proof = Step(tactic, (), portfolio.mentions(tactic, tools.lemmas))
                settle(node)
                return
        ranked = sorted((self._effort(outcome) + 0.5 * i, i) for i, outcome in enumerate(outcomes) if outcome.left)
        shapes: set[str] = set()
        for _, index in ranked:
            shape = " ".join(tactics[index].split()[:2]).replace("cases", "induction")
            if shape in shapes or len(shapes) > 3:
                continue  # one way to go on for each variable is enough
            self._expand(node, tactics[index], outcomes[index], tools, 1.0 + len(shapes))
            shapes.add(shape)
            if node.proof is not None:
                return

    def _effort(self, outcome: Outcome) -> float:
        return sum(8 + self.theory.burden(sub.goal.conclusion) for sub in outcome.left or ())

    def _expand(self, node: Node, tactic: str, outcome: Outcome, tools: Tools, cost: float) -> None:
        left = outcome.left or ()
        if not left or len(left) > MOST_LEFT or node.depth >= DEEPEST:
            return
        children = []
        for sub in left:
            if sub.goal.key == node.goal.key:
                return
            goal = prune(sub.goal, sub.goal.names)  # data that nothing mentions is dropped
            child = self.node(goal, node.depth + 1, node.cost + cost)
            if child.refuted:
                return
            children.append(Child(child, goal.names, sub.renamed))
        self._add(node, Step(tactic, tuple(children), portfolio.mentions(tactic, tools.lemmas)))

    def _generalise(self, node: Node) -> None:
        if node.depth >= DEEPEST:
            return
        for rank, (goal, arguments) in enumerate(variants(node.goal, self.theory, self.evaluator, self.seed)):
            child = self.node(goal, node.depth + 1, node.cost + 0.3 * rank)
            if not child.refuted and child is not node:
                self._add(node, Step("", (Child(child, arguments),)))

    def _add(self, node: Node, step: Step) -> None:
        if any(known.tactic == step.tactic and known.children == step.children for known in node.steps):
            return
        node.steps.append(step)
        for child in step.children:
            child.node.parents.append(node)
        if all(child.node.proof is not None for child in step.children):
            node.proof = step
            settle(node)
