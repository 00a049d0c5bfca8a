"""Is a definition that was given the one that was meant?  Decided where it is proved, or refuted; else to be read.

The definition of the pull request is put behind the submission's text in a namespace of its own, with a theorem that
says that both are equal.  The statement of that theorem is elaborated behind the task's own text, where the definition
is a hole: nothing that a submission writes has a part in what is to be proved.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from unsorry import Problem, Prompt, Sampling, UnsorryError, Verdict
from unsorry.judge import StrictJudge
from unsorry.judge.reasons import Reason, one_line
from unsorry.lean.source import Command, Source, namespace
from unsorry.repos.declarations import outline
from unsorry.repos.tasks import Obligation
from unsorry.scaffolds.agent.trees import PROOFS, Tree

GOLD, LATER, EQUAL = "unsorry_gold", "unsorry_later", "unsorry_equal"
SECONDS = 20.0  # for the search, and for a counterexample
_SCOPES = frozenset(("namespace", "section", "end", "open", "variable", "universe", "set_option", "include", "omit"))


@dataclass(frozen=True, slots=True)
class Sides:
    """`stated` has the holes, `after` the submission, `answer` the pull request; `holes` are free to have any value."""

    judge: StrictJudge
    stated: Tree
    after: Tree
    answer: Tree
    holes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Compared:
    met: Literal["met", "failed", "review"]
    reason: str
    message: str


def compare(sides: Sides, one: Obligation, where: str, *, later: Sequence[str] = (), search: bool = True) -> Compared:
    """`where` is the submission's file; `later` are theorems of the pull request about its definitions."""
    try:
        comparison = _Comparison(sides, one, where)
        verdict = comparison.by_tactics()
        if verdict.accepted:
            return Compared("met", "definition.equal", "proved equal to the definition of the pull request")
        if search and verdict.reason != Reason.STATEMENT_INVALID:
            if comparison.by_search():
                return Compared("met", "definition.equal", "proved equal to the pull request's by search")
            if witness := comparison.refuted():
                return Compared("failed", "definition.differs", f"it is not what the pull request defines: {witness}")
        told = comparison.later(later)
    except UnsorryError as error:
        return Compared("review", "definition.needs_review", f"it cannot be compared: {one_line(str(error))}")
    why = "no proof that it equals the pull request's"
    if verdict.reason == Reason.STATEMENT_INVALID:
        why = f"it cannot be compared ({verdict.message[:200]})"
    return Compared("review", "definition.needs_review", f"{why}; {told}: read it")


class _Comparison:
    def __init__(self, sides: Sides, one: Obligation, where: str) -> None:
        self.sides, self.one, self.where = sides, one, where
        self.stated, self.given = sides.stated.flat(one.file).text, sides.after.flat(where).text
        known = {c.name for c in sides.stated.source(one.file).declarations if c.name}
        if sides.stated.blobs.get(one.file) == sides.answer.blobs.get(one.file):
            known = set()  # the answer states itself
        self.gold = sides.answer.source(one.file)
        mine = index_of(self.gold, one)
        if mine is None:
            raise UnsorryError(f"the pull request's {one.file} does not declare {one.name}")
        wanted = {mine} | {
            index for index, c in enumerate(self.gold.commands)
            if c.is_declaration and c.kind not in (*PROOFS, "example") and c.name
            and (c.name in sides.holes or (known and c.name not in known))
        }  # fmt: skip
        self.section = section(self.gold, sorted(_whole(self.gold, wanted)), GOLD)
        self.meant = f"{GOLD}.{one.name}"

    def _holes(self) -> tuple[str, ...]:
        return tuple(sorted(self.sides.holes | {self.one.name}))

    def _judge(self, claim: str, name: str, proof: str, middle: str = "") -> Verdict:
        middle = middle or self.section
        problem = Problem(name, f"{self.stated}\n{middle}\n{claim} := sorry\n", (name,), origin=self.one.file)
        return settled(self.sides.judge, problem, f"{self.given}\n{middle}\n{claim} := {proof}\n", self._holes())

    def by_tactics(self) -> Verdict:
        """The equality of the functions, by what proves most that is true."""
        return self._judge(f"theorem {EQUAL} : @{self.meant} = @{self.one.name}", EQUAL, _tactics(self.meant, self.one))

    def _pointwise(self) -> str:
        """The equality at all arguments, "" where the signature does not show them."""
        command = next((c for c in self.gold.commands if c.name == self.one.name), None)
        found = arguments(self.gold, command) if command is not None else None
        if not found:
            return ""
        binders, names = found
        applied = " ".join(names)
        return f"theorem {EQUAL} {binders} : {self.meant} {applied} = {self.one.name} {applied}"

    def _asked(self) -> Problem | None:
        claim = self._pointwise()
        if not claim:
            return None
        return Problem(EQUAL, f"{claim} := by sorry", (EQUAL,), preamble=f"{self.given}\n{self.section}\n")

    def by_search(self) -> bool:
        """Whether the search prover shows it, judged against the task's own text."""
        from unsorry.provers.search import SearchProver

        asked = self._asked()
        if asked is None:
            return False
        judge = self.sides.judge
        prover = SearchProver(toolchain=judge.toolchain, confinement=judge.confinement)
        found = prover.propose([Prompt(asked)], n=1, sampling=Sampling(timeout=SECONDS))[0]
        claim = self._pointwise()
        for completion in found:
            if completion.text.startswith(asked.preamble):  # the lemmas that it found stand before the theorem
                text = f"{self.stated}\n{self.section}\n{claim} := sorry\n"
                problem = Problem(EQUAL, text, (EQUAL,), origin=self.one.file)
                if settled(judge, problem, completion.text, self._holes()).accepted:
                    return True
        return False

    def refuted(self) -> str:
        """Arguments at which the two differ, "" where none is found."""
        from unsorry.scaffolds.disprove import disprove

        asked = self._asked()
        found = disprove(asked, self.sides.judge, timeout=SECONDS, seed=0) if asked is not None else None
        return found.witness if found is not None else ""

    def later(self, names: Sequence[str]) -> str:
        """How the pull request's own theorems about its definitions fare with the one that was given."""
        mine = [i for i, c in enumerate(self.gold.commands) if c.name in names and c.kind in PROOFS and c.body >= 0]
        held, fails = 0, ""
        for index in mine:
            command = self.gold.commands[index]
            proof = self.gold.text[command.body : command.end].removeprefix(":=")
            opened, closed = around(self.gold, index, LATER)
            claim = self.gold.text[command.start : command.body]
            name = f"{LATER}.{command.name}"
            problem = Problem(name, f"{self.stated}\n{opened}\n{claim} := sorry\n{closed}", (name,))
            text = f"{self.given}\n{opened}\n{claim} := {proof}\n{closed}"
            if settled(self.sides.judge, problem, text, self._holes()).accepted:
                held += 1
            else:
                fails = fails or str(command.name)
        if not mine:
            return "no later theorem is about it"
        told = f"{held} of {len(mine)} theorems of the pull request hold with it"
        return f"{told}, not {fails}" if fails else told


def settled(judge: StrictJudge, problem: Problem, text: str, holes: Collection[str]) -> Verdict:
    """The verdict, with the definitions that are holes of the statement as targets where it is about them."""
    also: tuple[str, ...] = ()
    while True:
        verdict = judge.judge(replace(problem, targets=(*problem.targets, *also)), text)
        free = set(holes) - {*problem.targets, *also}
        if verdict.reason != Reason.DEFINITION_DIFFERS or verdict.target not in free:
            return verdict
        also = (*also, verdict.target)


def index_of(source: Source, one: Obligation) -> int | None:
    """The command that declares an obligation: by name, or a nameless instance by what it states."""
    for declared in outline(source.text.encode("utf-8", "surrogatepass")).declarations:
        if declared.name == one.name or (not declared.name and nameless_statement(one) == declared.text):
            return declared.index
    return None


def nameless_statement(one: Obligation) -> str:
    """An obligation's statement without the name, as a nameless instance has it."""
    words = one.statement.split(" ")
    if len(words) > 1 and one.name and words[1] in (one.name, one.name.rpartition(".")[2]):
        del words[1]
    return " ".join(words)


def _whole(source: Source, wanted: Collection[int]) -> Iterator[int]:
    """With all of a mutual block where one of it is wanted."""
    for block in _blocks(source):
        if block & set(wanted):
            yield from block
    yield from wanted


def _blocks(source: Source) -> Iterator[set[int]]:
    """The commands of each mutual block, its `mutual` and its `end` among them."""
    block: set[int] = set()
    for index, command in enumerate(source.commands):
        inside = bool(command.scopes) and command.scopes[-1].kind == "mutual"
        if command.kind == "mutual":
            block = {index}
        elif inside:
            block.add(index)
            if command.kind == "end":
                yield block
                block = set()


def section(gold: Source, wanted: Sequence[int], space: str) -> str:
    """Commands of a file in a namespace of their own, in the scopes that they stand in; the file's names resolve."""
    opened, closing = around(gold, max(wanted), space, wanted)
    return f"{opened}\n{closing}"


def around(gold: Source, last: int, space: str, wanted: Collection[int] = ()) -> tuple[str, str]:
    """(the scopes of a command opened, with the wanted commands up to it; what closes them)."""
    parts = [f"namespace {space}"]
    inside = set().union(*_blocks(gold))
    for index, command in enumerate(gold.commands[: last + 1]):
        text = gold.text[command.start : command.end]
        if command.kind in _SCOPES and index not in inside:
            parts.append(text)
            if command.kind == "namespace":
                parts.append(f"open _root_.{namespace(gold.commands[index + 1].scopes)}")
        elif index in wanted:
            parts.append(text)
    open_scopes = [s for s in gold.commands[last].scopes if s.kind != "mutual"]
    ends = [f"end {scope.name}".rstrip() for scope in reversed(open_scopes)]
    return "\n".join(parts), "\n".join([*ends, f"end {space}"]) + "\n"


def arguments(gold: Source, command: Command) -> tuple[str, list[str]] | None:
    """(binders, names of the explicit arguments) of a definition, as far as its text shows them."""
    text = gold.text[command.name_at : command.body if command.body >= 0 else command.end]
    text = re.sub(r"^\S+", "", text).strip()
    binders, names = [], []
    while text[:1] in ("(", "{", "["):
        end = _closing(text)
        group = text[:end]
        binders.append(group)
        if group[0] == "(":
            names += group[1:].partition(":")[0].split()
        text = text[end:].strip()
    if not text.startswith(":"):
        return None
    for number, part in enumerate(list(_arrows(text[1:]))[:-1]):
        if not part or (part[0] in "({[" and ":" in part):
            return None
        names.append(f"a{number}")
        binders.append(f"(a{number} : {part})")
    return (" ".join(binders), names) if names else None


def _closing(text: str) -> int:
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return at + 1
    return len(text)


def _arrows(text: str) -> Iterator[str]:
    depth, part = 0, ""
    for char in text.replace("->", "→"):
        depth += (char in "([{") - (char in ")]}")
        if char == "→" and depth == 0:
            yield part.strip()
            part = ""
        else:
            part += char
    yield part.strip()


def _tactics(meant: str, one: Obligation) -> str:
    lemmas = f"[{meant}, {one.name}]"
    tries = ["rfl"]
    for names in ("a", "a b", "a b c"):
        tries.append(f"(funext {names}; rfl)")
        tries.append(f"(funext {names}; simp {lemmas})")
        for name in names.split():
            tries.append(f"(funext {names}; induction {name} <;> simp_all {lemmas})")
            tries.append(f"(funext {names}; cases {name} <;> simp_all {lemmas})")
            tries.append(f"(funext {names}; induction {name} <;> simp_all {lemmas} <;> omega)")
        tries.append(f"(funext {names}; simp only {lemmas}; omega)")
        tries.append(f"(funext {names}; unfold {meant} {one.name}; omega)")
    return "by\n  first\n" + "\n".join(f"  | ({one_try}; done)" for one_try in tries)  # what leaves goals is no proof
