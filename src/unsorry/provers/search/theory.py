"""What the problem is about: the datatypes and functions that goals mention, read from Lean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from unsorry.provers.search.goals import is_type
from unsorry.provers.search.oracle import Oracle
from unsorry.provers.search.syntax import App, Bind, Const, ParseFailure, Sort, Term, Var, constants, parse, strip_pis

MOST_EQUATIONS = 12
MOST_CONSTANTS = 120


@dataclass(frozen=True, slots=True)
class Constructor:
    name: str
    fields: tuple[Term, ...]  # types of the fields; parameters occur as Var
    recursive: tuple[bool, ...]  # is the field of the type being defined?


@dataclass(frozen=True, slots=True)
class Datatype:
    name: str
    parameters: tuple[str, ...]
    constructors: tuple[Constructor, ...]

    @property
    def recursive(self) -> bool:
        return any(any(c.recursive) for c in self.constructors)


@dataclass(frozen=True, slots=True)
class Equation:
    """`lhs = rhs` for the patterns `arguments` of the function."""

    arguments: tuple[Term, ...]
    rhs: Term


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    type: Term
    equations: tuple[Equation, ...]
    matched: tuple[int, ...]  # argument positions that some equation takes apart
    shrinking: tuple[int, ...]  # positions that get smaller in recursive calls
    changing: tuple[int, ...]  # positions that change otherwise in recursive calls: accumulators
    recursive: bool

    @property
    def arity(self) -> int:
        return len(strip_pis(self.type)[0])


@dataclass
class Theory:
    """Everything known so far; `learn` asks Lean for what is missing."""

    datatypes: dict[str, Datatype] = field(default_factory=dict)
    constructors: dict[str, tuple[Datatype, int]] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    types: dict[str, Term] = field(default_factory=dict)  # the type of each known constant
    asked: set[str] = field(default_factory=set)

    def learn(self, oracle: Oracle, names: Iterable[str]) -> None:
        """Read the named constants and all they are defined by."""
        todo = self._missing(set(names))
        while todo and len(self.asked) < MOST_CONSTANTS:
            self.asked.update(todo)
            commands: list[str] = []
            for name in todo:
                commands += [f"#check @{name}", f"#check @{name}.rec"]
                if not _opaque(name):
                    commands += [f"#check @{name}.eq_{i}" for i in range(1, MOST_EQUATIONS + 1)]
            answers = iter(oracle.ask(commands))
            found: set[str] = set()
            for name in todo:
                own, recursor = next(answers), next(answers)
                equations = [] if _opaque(name) else [next(answers) for _ in range(MOST_EQUATIONS)]
                found |= self._enter(name, own, recursor, [e for e in equations if e is not None])
            todo = self._missing(found)

    def _missing(self, names: set[str]) -> list[str]:
        """What is not asked for yet, with what the evaluator needs for it."""
        return sorted((names | {other for name in names for other in BEHIND.get(name, ())}) - self.asked)

    def forget_unknown(self) -> None:
        """Ask again for what Lean did not know."""
        self.asked &= set(self.types)

    def _enter(self, name: str, own: str | None, recursor: str | None, equations: list[str]) -> set[str]:
        try:
            type_ = parse(_after_colon(own or ""))
        except ParseFailure:
            return set()
        self.types[name] = type_
        found = set(constants(type_))
        try:
            if recursor is not None and is_type(type_):
                found |= self._datatype(name, parse(_after_colon(recursor)))
            elif equations:
                found |= self._function(name, type_, [parse(_after_colon(text)) for text in equations])
        except ParseFailure:
            pass
        return found

    def _datatype(self, name: str, recursor: Term) -> set[str]:
        binders, _ = strip_pis(recursor)
        parameters: list[str] = []
        constructors: list[Constructor] = []
        for binder, type_, _ in binders:
            _, target = strip_pis(type_)
            if binder == "motive" or binder.startswith("motive_"):
                continue
            if isinstance(target, App) and isinstance(target.fn, Var) and target.fn.name.startswith("motive"):
                built = target.args[-1]
                head = built.fn if isinstance(built, App) else built
                if not isinstance(head, Const):
                    continue
                fields = []
                for _, field_type, _ in strip_pis(type_)[0]:
                    _, goal = strip_pis(field_type)
                    if not (isinstance(goal, App) and isinstance(goal.fn, Var) and goal.fn.name.startswith("motive")):
                        fields.append(field_type)
                recursive = tuple(name in constants(f) for f in fields)
                constructors.append(Constructor(head.name, tuple(fields), recursive))
            elif not constructors and is_type(type_):
                parameters.append(binder)
        own = [c for c in constructors if not c.name.startswith("motive")]
        datatype = Datatype(name, tuple(parameters), tuple(own))
        self.datatypes[name] = datatype
        for index, constructor in enumerate(own):
            self.constructors[constructor.name] = (datatype, index)
        return {c.name for c in own}.union(*(constants(f) for c in own for f in c.fields))

    def _function(self, name: str, type_: Term, statements: list[Term]) -> set[str]:
        equations: list[Equation] = []
        found: set[str] = set()
        for statement in statements:
            _, target = strip_pis(statement)
            if not (isinstance(target, App) and target.fn == Const("Eq") and len(target.args) == 3):
                continue
            _, left, right = target.args
            arguments = left.args if isinstance(left, App) else ()
            if (left.fn if isinstance(left, App) else left) != Const(name):
                continue
            equations.append(Equation(arguments, right))
            found |= constants(target)
        matched, shrinking, changing, recursive = _recursion(name, equations)
        self.functions[name] = Function(name, type_, tuple(equations), matched, shrinking, changing, recursive)
        return found

    def called(self, names: Iterable[str]) -> set[str]:
        """The named constants and all that their equations lead to."""
        todo, seen = list(names), set[str]()
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                function = self.functions.get(name)
                if function is not None:
                    for equation in function.equations:
                        todo += constants(equation.rhs)
        return seen

    def unfoldable(self, names: Iterable[str]) -> tuple[str, ...]:
        """Of the named functions, those whose equations simp can use without end being in doubt."""
        return tuple(
            sorted(n for n in names if (f := self.functions.get(n)) and f.equations and (f.matched or not f.recursive))
        )

    def burden(self, term: Term) -> int:
        """Size of a term without types and instances: what a person would read."""
        if isinstance(term, App):
            erased = self.erased(term.fn.name) if isinstance(term.fn, Const) else ()
            kept = [arg for i, arg in enumerate(term.args) if i >= len(erased) or not erased[i]]
            if isinstance(term.fn, Const) and term.fn.name == "ite":
                kept = [term.args[1], *term.args[3:]]
            return 1 + sum(self.burden(arg) for arg in kept)
        if isinstance(term, Bind):
            return self.burden(term.body) + (self.burden(term.type) if term.name == "_" else 0)
        return 1

    def is_data(self, type_: Term) -> Datatype | None:
        """The datatype that `type_` is an instance of."""
        head = type_.fn if isinstance(type_, App) else type_
        return self.datatypes.get(head.name) if isinstance(head, Const) else None

    def erased(self, name: str) -> tuple[bool, ...]:
        """For each argument of a constant: is it a type or an instance (no data)?"""
        type_ = self.types.get(name)
        if type_ is None:
            return ()
        return tuple(
            info == "[" or is_type(binder) or isinstance(binder, Sort) for _, binder, info in strip_pis(type_)[0]
        )


def _opaque(name: str) -> bool:
    """Constants whose equations do not matter: the evaluator knows them, or they are instances and their parts."""
    last = name.rsplit(".", 1)[-1]
    return (
        name in KNOWN
        or last.startswith("inst")
        or last in ("casesOn", "noConfusion", "noConfusionType", "rec", "recOn")
    )


BEHIND = {
    "HAppend.hAppend": ("List.append", "List"),
    "Append.append": ("List.append", "List"),
    "Membership.mem": ("List",),
    "HAdd.hAdd": ("Nat",),
    "OfNat.ofNat": ("Nat",),
}  # what the evaluator needs for them
KNOWN = frozenset(
    (
        "Eq",
        "Ne",
        "And",
        "Or",
        "Not",
        "Iff",
        "True",
        "False",
        "ite",
        "dite",
        "OfNat.ofNat",
        "HAdd.hAdd",
        "HSub.hSub",
        "HMul.hMul",
        "HDiv.hDiv",
        "HMod.hMod",
        "HAppend.hAppend",
        "Nat",
        "Bool",
        "List",
        "Unit",
        "Prod",
        "Option",
        "Decidable",
        "Decidable.decide",
        "DecidableEq",
        "Bool.decEq",
        "Eq.ndrec",
        "LE.le",
        "LT.lt",
        "BEq.beq",
        "Nat.add",
        "Nat.sub",
        "Nat.mul",
        "Nat.decEq",
        "Nat.decLt",
        "Nat.decLe",
        "Bool.and",
        "Bool.or",
        "Bool.not",
    )
)


def _after_colon(text: str) -> str:
    return text.split(" : ", 1)[1] if " : " in text else ""


def _recursion(name: str, equations: list[Equation]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], bool]:
    matched: set[int] = set()
    shrinking: set[int] = set()
    changing: set[int] = set()
    recursive = False
    for equation in equations:
        matched |= {i for i, arg in enumerate(equation.arguments) if not isinstance(arg, (Var, Sort)) and _head(arg)}
        for call in _calls(name, equation.rhs):
            recursive = True
            for i, (before, after) in enumerate(zip(equation.arguments, call.args, strict=False)):
                if before == after:
                    continue
                if _inside(after, before):
                    shrinking.add(i)
                else:
                    changing.add(i)
    return tuple(sorted(matched)), tuple(sorted(shrinking)), tuple(sorted(changing)), recursive


def _head(term: Term) -> bool:
    head = term.fn if isinstance(term, App) else term
    return isinstance(head, Const) and "." in head.name


def _calls(name: str, term: Term) -> Iterable[App]:
    if isinstance(term, App):
        if term.fn == Const(name):
            yield term
        for arg in (term.fn, *term.args):
            yield from _calls(name, arg)
    elif isinstance(term, Bind):
        yield from _calls(name, term.body)


def _inside(small: Term, large: Term) -> bool:
    return isinstance(large, App) and any(small == arg or _inside(small, arg) for arg in large.args)
