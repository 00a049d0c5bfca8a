"""Tactic blocks worth trying on a goal, cheap ones first.  Nothing here is believed: Lean decides each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from unsorry.provers.search.goals import Goal, Hypothesis
from unsorry.provers.search.oracle import DEFINITIONS, Lemma
from unsorry.provers.search.rewriting import match
from unsorry.provers.search.syntax import (
    App,
    Bind,
    Const,
    Sort,
    Term,
    Var,
    free,
    fresh,
    show,
    strip_pis,
    substitute,
    subterms,
)
from unsorry.provers.search.theory import Theory

MOST_LEMMAS = 18  # in one simp set


@dataclass(frozen=True, slots=True)
class Tools:
    """What tactics may use: functions of the problem to unfold, lemmas proved so far."""

    theory: Theory
    own: frozenset[str]  # functions that the problem defines
    lemmas: tuple[Lemma, ...] = ()

    def deep(self, goal: Goal) -> bool:
        """Does some function of the goal match on a constructor inside a constructor?"""
        known: set[Term] = {Const(name) for name in self.theory.constructors}
        for name in self.theory.called(goal.constants) & self.own:
            for equation in self.theory.functions[name].equations if name in self.theory.functions else ():
                for argument in equation.arguments:
                    parts = (
                        {part for arg in argument.args for part in subterms(arg)}
                        if isinstance(argument, App)
                        else set()
                    )
                    if isinstance(argument, App) and argument.fn in known and parts & known:
                        return True
        return False

    def simp_set(self, goal: Goal) -> str:
        """The argument list for simp: a mark for the problem's definitions, and the lemmas."""
        return f" [{', '.join([DEFINITIONS, *(lemma.name for lemma in self.lemmas)])}]"


def simpler(tactic: str) -> list[str]:
    """Shorter forms of a block that `finish_by_cases` built, shortest first."""
    parts = tactic.split(" <;> ")
    firm = [part.removeprefix("(try ").removesuffix(")") if part.startswith("(try ") else part for part in parts]
    steps = [i for i, part in enumerate(parts) if part.startswith("(")]
    forms = []
    for kept in range(len(steps)):
        for chosen in combinations(steps, kept):
            for source in (firm, parts):
                forms.append(" <;> ".join(source[i] for i in range(len(parts)) if i not in steps or i in chosen))
    return [form for form in dict.fromkeys(forms) if form and form != tactic]


def finish(simp: str) -> str:
    return f"(try simp_all{simp})"


def finish_by_cases(simp: str) -> str:
    return f"(try simp_all{simp}) <;> (repeat' split) <;> (try simp_all{simp}) <;> (try omega)"


def closers(goal: Goal, tools: Tools) -> list[str]:
    """Steps without induction."""
    simp = tools.simp_set(goal)
    tactics = [f"simp_all{simp}", finish_by_cases(simp), "omega"]
    if not goal.variables:
        tactics.append("decide")
    simple = [
        n
        for n in sorted(goal.constants & tools.own)
        if n in tools.theory.functions and not tools.theory.functions[n].recursive
    ]
    if simple:
        tactics.append(f"(try unfold {' '.join(simple)}) <;> (repeat' split) <;> (try simp_all{simp}) <;> (try omega)")
    if {"HMul.hMul", "HPow.hPow"} & goal.constants:
        tactics.append(ring(goal))
    for h in goal.variables:
        if tools.theory.is_data(h.type) and h.type not in (Const("Nat"), Const("Int")):
            tactics.append(f"cases {h.name} <;> {finish_by_cases(simp)}")
    booleans = [h.name for h in goal.variables if h.type == Const("Bool")]
    if 1 < len(booleans) < 5:
        tactics.append(" <;> ".join([*(f"cases {b}" for b in booleans), finish(simp)]))
    propositions = [h.name for h in goal.context if h.type == Sort("Prop")]
    if 0 < len(propositions) < 5:
        tactics.append(" <;> ".join([*(f"by_cases {p}" for p in propositions), finish(simp)]))
    tactics += ["rfl", "assumption", "contradiction"]
    return tactics


def ring(goal: Goal) -> str:
    """Normal forms of polynomials over Nat or Int, then linear arithmetic over the monomials."""
    name = (
        "Int"
        if Const("Int")
        in {part for term in (goal.conclusion, *(h.type for h in goal.context)) for part in subterms(term)}
        else "Nat"
    )
    laws = ", ".join(f"{name}.{law}" for law in ("mul_add", "add_mul", "mul_comm", "mul_assoc", "mul_left_comm"))
    return f"(try simp only [{laws}] at *) <;> omega"


def logical(goal: Goal) -> list[str]:
    """Introduction and elimination of connectives; each leaves what it cannot close."""
    tactics: list[str] = []
    head = _head(goal.conclusion)
    if isinstance(goal.conclusion, Bind) or head in ("Not", "Ne"):
        tactics.append("intros")
    if head in ("And", "Iff"):
        tactics.append("constructor")
    if head == "Or":
        tactics += ["left", "right"]
    if head == "Exists":
        tactics += [f"refine ⟨{h.name}, ?_⟩" for h in goal.variables[-4:]]
        tactics += [f"exact ⟨{n}, by decide⟩" for n in range(12)] if not goal.variables else []
        tactics.append("constructor")
    for h in goal.propositions:
        inner = _head(h.type)
        if inner == "Eq" and isinstance(h.type, App) and _removable(h.type.args[1], h.type.args[2], goal):
            tactics.append(f"subst {h.name}")
        if inner in ("And", "Or", "Exists", "Iff"):
            tactics.append(f"cases {h.name}" if inner != "Exists" else f"obtain ⟨w, hw⟩ := {h.name}")
        if inner in ("Not", "Ne") and head != "False":
            tactics.append(f"exfalso\napply {h.name}")
        if isinstance(h.type, Bind):
            tactics.append(f"apply {h.name}")
    tactics += instances(goal)
    if head not in ("False",) and any(_head(h.type) == "Not" for h in goal.propositions):
        tactics.append("exfalso")
    return tactics


def _removable(left: Term, right: Term, goal: Goal) -> bool:
    """Is one side a variable that the other does not mention?"""
    names = {h.name for h in goal.variables}
    return any(
        isinstance(a, Var) and a.name in names and a.name not in free(b) for a, b in ((left, right), (right, left))
    )


def instances(goal: Goal) -> list[str]:
    """Quantified facts at the terms of the goal that their own subterms match: `have key := ih ys`."""
    targets = [part for part in subterms(goal.conclusion) if isinstance(part, App)]
    tactics: dict[str, None] = {}
    for h in goal.propositions:
        binders, body = strip_pis(h.type)
        if not binders or any(name == "_" for name, _, _ in binders):
            continue
        names = [f"?{number}" for number in range(len(binders))]  # bound names may also be names of the context
        body = substitute(body, {name: Var(new) for (name, _, _), new in zip(binders, names, strict=True)})
        for pattern in subterms(body):
            if not isinstance(pattern, App) or not set(names) <= free(pattern) or _head(pattern) == "Eq":
                continue
            for target in targets:
                binding: dict[str, Term] = {name: Var(name) for name in goal.names}
                if match(pattern, target, binding):
                    arguments = " ".join(show(binding[name], True) for name in names)
                    tactics[f"have {fresh('key', goal.names)} := {h.name} {arguments}"] = None
    return list(tactics)[:3]


def inductions(goal: Goal, tools: Tools) -> list[str]:
    """One induction or case analysis, then simplification."""
    simp = tools.simp_set(goal)
    tactics: list[str] = []
    candidates = induction_variables(goal, tools)
    if {"HMul.hMul", "HPow.hPow"} & goal.constants:
        tactics += [f"induction {h.name} <;> (try simp_all{simp}) <;> {ring(goal)}" for h in candidates[:2]]
    for h in candidates:
        others = generalisable(goal, h, tools)
        for generalised in ([], others) if others else ([],):
            step = f"induction {h.name}" + (f" generalizing {' '.join(generalised)}" if generalised else "")
            tactics.append(f"{step} <;> {finish_by_cases(simp)}")
        tactics.append(f"induction {h.name} <;> {finish(simp)}")
    for call in recursive_calls(goal, tools)[:4]:
        tactics.append(f"fun_induction {call} <;> {finish_by_cases(simp)}")
    if tools.deep(goal):
        for h in candidates[:3]:
            tactics += [t for g in _choices(generalisable(goal, h, tools)) if (t := nested(h, g, goal, tools, simp))]
    for h in candidates:
        tactics.append(f"cases {h.name} <;> {finish_by_cases(simp)}")
    return tactics


def _choices(others: list[str]) -> list[list[str]]:
    return [[], others] if others else [[]]


def nested(h: Hypothesis, generalised: list[str], goal: Goal, tools: Tools, simp: str) -> str | None:
    """Induction, then case analysis on what the constructor holds: for functions that look two constructors deep."""
    datatype = tools.theory.is_data(h.type)
    if datatype is None:
        return None
    taken = set(goal.names)
    lines = [f"induction {h.name}" + (f" generalizing {' '.join(generalised)}" if generalised else "") + " with"]
    for constructor in datatype.constructors:
        names: list[str] = []
        for _ in constructor.fields:
            names.append(fresh("x", [*taken, *names]))
        inner = [name for name, recursive in zip(names, constructor.recursive, strict=True) if recursive]
        names += [f"{name}_ih" for name in inner]
        cases = " <;> ".join([*(f"cases {name}" for name in inner[:1]), finish_by_cases(simp)])
        lines.append(f"| {' '.join([constructor.name.rsplit('.', 1)[-1], *names])} => {cases}")
    return "\n".join(lines)


def inductions_with_cases(goal: Goal, tools: Tools) -> list[str]:
    """Induction on one variable, case analysis on one or two others."""
    simp = tools.simp_set(goal)
    tactics: list[str] = []
    candidates = induction_variables(goal, tools)
    data = [h for h in goal.variables if tools.theory.is_data(h.type)]
    for h in candidates[:4]:
        others = generalisable(goal, h, tools)
        splittable = [v.name for v in data if v.name in others]
        for count in (1, 2):
            for chosen in combinations(splittable, count):
                cases = " <;> ".join(f"cases {name}" for name in chosen)
                step = f"induction {h.name} generalizing {' '.join(others)} <;> {cases}"
                tactics.append(f"{step} <;> {finish_by_cases(simp)}")
    for a, b in combinations([v.name for v in data], 2):
        tactics.append(f"cases {a} <;> cases {b} <;> {finish_by_cases(simp)}")
    return tactics[:24]


def induction_variables(goal: Goal, tools: Tools) -> list[Hypothesis]:
    """Data of recursive datatypes, those that functions take apart first."""
    scores: dict[str, int] = {}
    for term in (goal.conclusion, *(h.type for h in goal.propositions)):
        for part in subterms(term):
            if isinstance(part, App) and isinstance(part.fn, Const):
                function = tools.theory.functions.get(part.fn.name)
                matched = function.matched if function else ()
                for i, arg in enumerate(part.args):
                    if isinstance(arg, Var):
                        scores[arg.name] = scores.get(arg.name, 0) + (3 if i in matched else 0) + 1
    found = []
    for h in goal.variables:
        datatype = tools.theory.is_data(h.type)
        if datatype is not None and datatype.recursive and h.name in scores:
            found.append(h)
    found = sorted(found, key=lambda h: -scores.get(h.name, 0))[:5]
    main = [h for h in found if scores[h.name] >= 4]  # taken apart by some function at the surface
    return main or found


def generalisable(goal: Goal, variable: Hypothesis, tools: Tools) -> list[str]:
    """Other data that may vary in the induction hypothesis: what is no function and does not occur in the type."""
    fixed = free(variable.type)
    dependent = {h.name for h in goal.context if variable.name in free(h.type)}
    return [
        h.name
        for h in goal.variables
        if h.name != variable.name
        and h.name not in fixed
        and h.name not in dependent
        and not isinstance(h.type, Bind)
        and tools.theory.is_data(h.type)
    ]


def recursive_calls(goal: Goal, tools: Tools) -> list[str]:
    """Applications of recursive functions to distinct variables, ready for `fun_induction`."""
    found: dict[str, None] = {}
    for term in (goal.conclusion, *(h.type for h in goal.propositions)):
        for part in subterms(term):
            if not (isinstance(part, App) and isinstance(part.fn, Const) and part.fn.name in tools.own):
                continue
            function = tools.theory.functions.get(part.fn.name)
            if function is None or not function.recursive or len(part.args) != function.arity:
                continue
            erased = tools.theory.erased(part.fn.name)
            shown: list[Term] = [arg for arg, gone in zip(part.args, erased, strict=True) if not gone]
            key = [arg for i, arg in enumerate(part.args) if i in function.matched]
            if (
                all(isinstance(arg, Var) for arg in key)
                and len(set(key)) == len(key)
                and all(isinstance(a, Var) for a in shown)
            ):
                found[" ".join([part.fn.name, *(a.name for a in shown if isinstance(a, Var))])] = None
    return list(found)


def _head(term: Term) -> str:
    head = term.fn if isinstance(term, App) else term
    return head.name if isinstance(head, Const) else ""


def mentions(tactic: str, lemmas: Iterable[Lemma]) -> tuple[str, ...]:
    """Lemmas that a tactic names."""
    words = set(
        tactic.replace(",", " ").replace("[", " ").replace("]", " ").replace(")", " ").replace("@", " ").split()
    )
    return tuple(lemma.name for lemma in lemmas if lemma.name in words)


def relevant(goal: Goal, lemmas: Sequence[Lemma], theory: Theory) -> tuple[Lemma, ...]:
    """Lemmas all of whose functions are the goal's, or those that its functions are defined by."""
    seen = theory.called(goal.constants) | set(theory.constructors)
    fitting = [
        lemma for lemma in lemmas if all(name in seen or name not in theory.functions for name in lemma.goal.constants)
    ]
    best = {id(lemma) for lemma in sorted(fitting, key=lambda lemma: lemma.rank)[:MOST_LEMMAS]}
    return tuple(lemma for lemma in fitting if id(lemma) in best)
