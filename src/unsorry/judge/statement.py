"""Does a submission prove the statement that was asked?  Compares kernel terms, never text.

The statement was elaborated alone, from text that the judge owns.  For each target the submission must have the same
kind, universe parameters and type, and every constant that those types are built from must be the same in both: by
value for definitions and opaque constants, member by member for inductive families, by type for theorems (proofs of
one proposition are equal).  Constants of the library are the same file for both sides; the submission may not
declare their names again.

A target that is a `def` in the statement is a hole: the submission must define it at the same type, with any value.

Helper constants that Lean names by itself (`match_1`, `_proof_2`) may have other names in the submission: definitions
and theorems whose names differ are compared by value, one partner for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from unsorry.judge.levels import LevelForms
from unsorry.judge.library import Scope
from unsorry.judge.reasons import Reason, Refusal
from unsorry.lean.declarations import ConstructorInfo, Declaration, InductiveInfo, Kind, RecursorInfo
from unsorry.lean.names import Name, in_order
from unsorry.lean.olean import Module
from unsorry.lean.pretty import signature
from unsorry.lean.terms import App, Const, Expr, Lam, Let, Level, Pi, Proj, Sort, children

INIT = Name(("Init",))
HOLES = (Kind.THEOREM, Kind.DEFINITION)  # kinds a target may have
# The kernel computes with these by name, whatever they are declared to be: only the library may declare them.
KERNEL_NAMES = frozenset(
    Name(text.split("."))
    for text in [
        "Nat",
        "Nat.zero",
        "Nat.succ",
        "Nat.add",
        "Nat.sub",
        "Nat.mul",
        "Nat.div",
        "Nat.mod",
        "Nat.gcd",
        "Nat.beq",
        "Nat.ble",
        "Nat.land",
        "Nat.lor",
        "Nat.xor",
        "Nat.shiftLeft",
        "Nat.shiftRight",
        "Nat.pow",
        "Nat.log2",
        "Bool",
        "Bool.true",
        "Bool.false",
        "String",
        "String.mk",
        "String.ofList",
        "Char",
        "Char.ofNat",
        "Char.mk",
        "List",
        "List.nil",
        "List.cons",
        "Quot",
        "Quot.mk",
        "Quot.lift",
        "Quot.ind",
        "Quot.sound",
        "Eq",
        "Eq.refl",
        "Lean.reduceBool",
        "Lean.reduceNat",
        "Lean.ofReduceBool",
        "Lean.ofReduceNat",
        "Lean.trustCompiler",
        "eagerReduce",
        "sorryAx",
        "propext",
        "Classical.choice",
    ]
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A problem's statement as the judge elaborated it."""

    module: Module
    scope: Scope
    targets: tuple[Name, ...]
    texts: tuple[str, ...]  # the targets as the problem names them
    constants: frozenset[Name]  # what the targets' types are built from, of this module

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(str(self.module.declarations[t].kind) for t in self.targets)


def understand(module: Module, scope: Scope, targets: Sequence[str]) -> Statement:
    """Finds the targets in the elaborated statement; raises Refusal (statement.invalid) if it cannot be judged."""
    if not targets:
        raise Refusal(Reason.STATEMENT_INVALID, "the problem names no target: nothing would be checked")
    if INIT not in scope.modules:
        raise Refusal(
            Reason.STATEMENT_INVALID,
            "the problem does not import Init, so that names the kernel knows could mean anything",
        )
    names = tuple(_resolve(text, module) for text in targets)
    if len(set(names)) != len(names):
        raise Refusal(Reason.STATEMENT_INVALID, "the problem names a target twice")
    for name in names:
        kind = module.declarations[name].kind
        if kind not in HOLES:
            raise Refusal(
                Reason.STATEMENT_INVALID,
                f"{name} is declared as {kind}; a target must be a theorem or a def",
                str(name),
            )
    constants: set[Name] = set()
    todo: list[Name] = list(names)
    while todo:
        name = todo.pop()
        declaration = module.declarations.get(name)
        if declaration is None or name in constants:
            continue
        constants.add(name)
        todo.extend(_built_from(declaration, name in names))
    return Statement(module, scope, names, tuple(targets), frozenset(constants))


def _resolve(text: str, module: Module) -> Name:
    """The name of a target: as written, or of the private declaration that is written so."""
    try:
        name = Name.parse(text)
    except ValueError as error:
        raise Refusal(Reason.STATEMENT_INVALID, f"{error}: correct the problem's targets", text) from None
    if name in module.declarations:
        return name
    private = [n for n in module.declarations if n[0] == "_private" and 0 in n and n[n.index(0) + 1 :] == name]
    if len(private) == 1:
        return private[0]
    raise Refusal(Reason.STATEMENT_INVALID, f"the statement declares no {text}: correct the problem's targets", text)


def _built_from(declaration: Declaration, is_target: bool) -> Iterable[Name]:
    """What the meaning of a constant depends on: not the proof of a theorem, not the value of a target."""
    if is_target or declaration.kind is Kind.THEOREM:
        return Declaration(
            declaration.kind, declaration.name, declaration.level_params, declaration.type
        ).dependencies()
    return declaration.dependencies()


def check_imports(statement: Statement, module: Module) -> None:
    """The submission imports what the statement imports, and only modules in its reach; raises Refusal."""
    asked = {i.module for i in statement.module.imports}
    found = {i.module for i in module.imports}
    for name in in_order(asked - found):
        raise Refusal(Reason.IMPORTS_MISSING, f"the submission does not import {name}, as the statement does")
    for name in in_order(found.difference(statement.scope.modules)):
        raise Refusal(Reason.IMPORTS_ILLEGAL, f"the submission imports {name}, which the problem does not")


def check_names(module: Module, *scopes: Scope) -> None:
    """The submission declares no name of an imported module, and none that the kernel knows by name; raises Refusal."""
    for name in module.declarations:
        for scope in scopes:
            if name in scope:
                raise Refusal(Reason.NAMES_CLASH, f"{name} belongs to module {scope.module_of(name)}", str(name))
        if name in KERNEL_NAMES:
            raise Refusal(Reason.NAMES_CLASH, f"the kernel gives {name} a meaning of its own", str(name))


def compare(statement: Statement, module: Module) -> None:
    """Raises Refusal at the first difference between the statement and what the submission declares."""
    comparison = _Comparison(statement, module.declarations)
    for name in statement.targets:
        comparison.target(name)
    comparison.finish()


def same_constants(statement: Statement, module: Module, names: Iterable[Name]) -> None:
    """Raises Refusal unless these constants mean the same in the statement and in the submission."""
    comparison = _Comparison(statement, module.declarations)
    for name in names:
        if not comparison.enqueue(name, name):
            raise Refusal(Reason.DEFINITION_DIFFERS, f"{name} is something else in the submission", str(name))
    comparison.finish()


class _Comparison:
    def __init__(self, statement: Statement, theirs: Mapping[Name, Declaration]) -> None:
        self.ours = statement.module.declarations
        self.theirs = theirs
        self.targets = frozenset(statement.targets)
        self.partner: dict[Name, Name] = {name: name for name in statement.targets}
        self.todo: list[tuple[Name, Name]] = []
        self.forms: dict[tuple[Name, ...], LevelForms] = {}
        self.seen: set[Expr] = set()  # expressions identical on both sides whose constants are on the list

    def target(self, name: Name) -> None:
        ours, theirs = self.ours[name], self.theirs.get(name)
        if theirs is None:
            raise Refusal(Reason.TARGET_MISSING, f"the submission does not declare {name}", str(name))
        if theirs.kind is not ours.kind:
            raise Refusal(
                Reason.KIND_DIFFERS,
                f"{name} is a {ours.kind} in the statement, a {theirs.kind} in the submission",
                str(name),
            )
        if len(theirs.level_params) != len(ours.level_params):
            raise Refusal(
                Reason.UNIVERSES_DIFFER,
                f"{name} has {len(ours.level_params)} universe parameters in the statement, "
                f"{len(theirs.level_params)} in the submission",
                str(name),
            )
        if not self.same(ours, theirs, ours.type, theirs.type):
            asked, found = signature(ours), signature(theirs)
            what = f"`{asked}` is asked, `{found}` is declared"
            if asked == found:
                what = f"`{asked}` is asked, and what is declared only looks like it"
            raise Refusal(Reason.TYPE_DIFFERS, f"{name} has another type: {what}", str(name))

    def finish(self) -> None:
        while self.todo:
            ours, theirs = self.todo.pop()
            self.constant(self.ours[ours], self.theirs.get(theirs))

    def constant(self, ours: Declaration, theirs: Declaration | None) -> None:
        name = ours.name
        if theirs is None:
            raise Refusal(
                Reason.DEFINITION_DIFFERS,
                f"the statement uses {name}, which the submission does not declare",
                str(name),
            )
        difference = self.difference(ours, theirs)
        if difference and ours.name != theirs.name:
            raise Refusal(
                Reason.TYPE_DIFFERS, f"the statement uses {name} where the submission uses {theirs.name}", str(name)
            )
        if difference:
            raise Refusal(
                Reason.DEFINITION_DIFFERS,
                f"the statement uses {name}, which has another {difference} in the submission",
                str(name),
            )

    def difference(self, ours: Declaration, theirs: Declaration) -> str:
        """What distinguishes two constants, "" if nothing."""
        if (ours.kind, ours.safety, ours.quot) != (theirs.kind, theirs.safety, theirs.quot):
            return "kind"
        if len(ours.level_params) != len(theirs.level_params):
            return "number of universe parameters"
        if not self.same(ours, theirs, ours.type, theirs.type):
            return "type"
        if ours.kind in (Kind.DEFINITION, Kind.OPAQUE):
            assert ours.value is not None and theirs.value is not None
            if not self.same(ours, theirs, ours.value, theirs.value):
                return "value"
        if ours.info is not None and not self.same_info(ours, theirs):
            return "structure"
        return ""

    def same_info(self, ours: Declaration, theirs: Declaration) -> bool:
        left, right = ours.info, theirs.info
        if isinstance(left, InductiveInfo | ConstructorInfo):
            if left != right:
                return False
            for name in ours.relatives():
                self.enqueue(name, name)
            return True
        assert isinstance(left, RecursorInfo)
        if not isinstance(right, RecursorInfo) or len(left.rules) != len(right.rules):
            return False
        if (left.all, left.params, left.indices, left.motives, left.minors, left.k) != (
            right.all,
            right.params,
            right.indices,
            right.motives,
            right.minors,
            right.k,
        ):
            return False
        for name in left.all:
            self.enqueue(name, name)
        return all(
            (a.constructor, a.fields) == (b.constructor, b.fields) and self.same(ours, theirs, a.rhs, b.rhs)
            for a, b in zip(left.rules, right.rules, strict=True)
        )

    def enqueue(self, ours: Name, theirs: Name) -> bool:
        """Puts a pair of constants on the list; False if they cannot be partners."""
        if ours not in self.ours:
            return ours == theirs and theirs not in self.theirs  # the library's
        known = self.partner.get(ours)
        if known is not None:
            return known == theirs
        if ours != theirs and not self.renamed(ours, theirs):
            return False
        self.partner[ours] = theirs
        self.todo.append((ours, theirs))
        return True

    def renamed(self, ours: Name, theirs: Name) -> bool:
        """May a constant have another name in the submission?  Equal values make definitions equal."""
        kinds = {self.ours[ours].kind, self.theirs[theirs].kind if theirs in self.theirs else Kind.AXIOM}
        return len(kinds) == 1 and kinds <= {Kind.DEFINITION, Kind.THEOREM} and theirs not in self.targets

    def same(self, ours: Declaration, theirs: Declaration, left: Expr, right: Expr) -> bool:
        """Equality of two terms up to partners; universe parameters correspond by position."""
        if ours.level_params == theirs.level_params:
            return self.walk(left, right, None, self.seen)
        return self.walk(left, right, (self.level_forms(ours), self.level_forms(theirs)), None)

    def level_forms(self, declaration: Declaration) -> LevelForms:
        return self.forms.setdefault(declaration.level_params, LevelForms(declaration.level_params))

    def walk(
        self, left: Expr, right: Expr, forms: tuple[LevelForms, LevelForms] | None, identical: set[Expr] | None
    ) -> bool:
        """With `forms`, levels are compared by them; else they must be identical, and shared parts can be skipped."""
        done: set[tuple[Expr, Expr]] = set()
        todo = [(left, right)]
        while todo:
            pair = todo.pop()
            a, b = pair
            if pair in done or (identical is not None and a is b and a in identical):
                continue
            if type(a) is not type(b):
                return False
            if identical is not None and a is b:
                identical.add(a)
            else:
                done.add(pair)
            if isinstance(a, Const):
                assert isinstance(b, Const)
                if not same_levels(a.levels, b.levels, forms) or not self.enqueue(a.name, b.name):
                    return False
            elif isinstance(a, Proj):
                assert isinstance(b, Proj)
                if a.index != b.index or a.structure != b.structure or not self.enqueue(a.structure, b.structure):
                    return False
            elif isinstance(a, Sort):
                assert isinstance(b, Sort)
                if not same_levels((a.level,), (b.level,), forms):
                    return False
            elif not isinstance(a, App | Lam | Pi | Let) and a is not b:
                return False  # variables and literals are hash-consed
            todo.extend(zip(children(a), children(b), strict=True))
        return True


def same_levels(left: Sequence[Level], right: Sequence[Level], forms: tuple[LevelForms, LevelForms] | None) -> bool:
    """Equality of universe arguments."""
    if len(left) != len(right):
        return False
    if forms is None:
        return all(a is b for a, b in zip(left, right, strict=True))
    ours, theirs = forms
    return all(ours.form(a) == theirs.form(b) for a, b in zip(left, right, strict=True))
