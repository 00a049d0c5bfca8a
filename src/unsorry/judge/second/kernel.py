"""Types and definitional equality of Lean's logic, after its published rules (Carneiro, The Type Theory of Lean, 2019).

Beta, delta by height, zeta, iota, projections, quotients; proof irrelevance, eta for functions and structures, unit
types; natural numbers as literals.  A fact that needs something else is `Beyond`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unsorry.judge.second.errors import Beyond, Budget, Refused
from unsorry.judge.second.levels import Levels
from unsorry.judge.second.locals import Local, Terms, spine
from unsorry.judge.second.naturals import Naturals
from unsorry.lean.terms import (
    App,
    Arena,
    BVar,
    Const,
    ConstructorInfo,
    Declaration,
    Expr,
    InductiveInfo,
    Kind,
    Lam,
    Let,
    Level,
    Name,
    NatLit,
    Pi,
    Proj,
    RecursorInfo,
    Sort,
    StrLit,
)

NAT, STRING = Name(("Nat",)), Name(("String",))
QUOT_LIFT, QUOT_IND, QUOT_MK = Name(("Quot", "lift")), Name(("Quot", "ind")), Name(("Quot", "mk"))


class Kernel:
    """Checks expressions against an environment of declarations that it is given."""

    def __init__(self, arena: Arena, find: Callable[[Name], Declaration | None], budget: Budget) -> None:
        self.arena = arena
        self.find = find
        self.budget = budget
        self.levels = Levels(arena, budget)
        self.terms = Terms(arena, self.levels, budget)
        self.naturals = Naturals(self)
        self.params: tuple[Name, ...] = ()  # universe parameters in scope
        self._types: dict[Expr, Expr] = {}
        self._checked: set[Expr] = set()
        self._cores: dict[Expr, Expr] = {}
        self._normals: dict[Expr, Expr] = {}
        self._equal: set[tuple[Expr, Expr]] = set()
        self._unequal: set[tuple[Expr, Expr]] = set()

    def declaration(self, name: Name) -> Declaration:
        found = self.find(name)
        if found is None:
            raise Refused(f"unknown constant {name}")
        return found

    # --- types -------------------------------------------------------------------------------------------------------

    def infer(self, e: Expr, *, check: bool = True) -> Expr:
        """The type of a closed expression; with `check`, everything inside is checked too."""
        found = self._types.get(e)
        if found is not None and (not check or e in self._checked):
            return found
        self.budget.spend()
        found = self._infer(e, check)
        self._types[e] = found
        if check:
            self._checked.add(e)
        return found

    def _infer(self, e: Expr, check: bool) -> Expr:
        if isinstance(e, Local):
            return e.type
        if isinstance(e, Sort):
            if check:
                self.levels.well_formed(e.level, self.params)
            return self.arena.sort(self.arena.succ(e.level))
        if isinstance(e, Const):
            return self._infer_const(e, check)
        if isinstance(e, App):
            return self._infer_app(e, check)
        if isinstance(e, Lam):
            return self._infer_lam(e, check)
        if isinstance(e, Pi):
            return self._infer_pi(e, check)
        if isinstance(e, Let):
            return self._infer_let(e, check)
        if isinstance(e, Proj):
            return self._infer_proj(e, check)
        if isinstance(e, NatLit):
            return self.arena.const(NAT, ())
        if isinstance(e, StrLit):
            return self.arena.const(STRING, ())
        if isinstance(e, BVar):
            raise Refused("loose bound variable")
        raise Beyond(f"expression {type(e).__name__}")

    def _infer_const(self, e: Const, check: bool) -> Expr:
        declaration = self.declaration(e.name)
        if len(e.levels) != len(declaration.level_params):
            raise Refused(f"{e.name} takes {len(declaration.level_params)} universe levels, not {len(e.levels)}")
        if check:
            for level in e.levels:
                self.levels.well_formed(level, self.params)
        return self.terms.with_levels(declaration.type, declaration.level_params, e.levels)

    def _infer_app(self, e: App, check: bool) -> Expr:
        head, args = spine(e)
        type_ = self.infer(head, check=check)
        done = 0  # arguments before this one are instantiated in `type_`
        for i, arg in enumerate(args):
            if not isinstance(type_, Pi):
                type_ = self.terms.instantiate(type_, args[done:i])
                done = i
                type_ = self.whnf(type_)
                if not isinstance(type_, Pi):
                    raise Refused("application of something that is no function")
            if check:
                domain = self.terms.instantiate(type_.domain, args[done:i])
                if not self.equal(self.infer(arg), domain):
                    raise Refused(f"argument {i + 1} of an application of {_name(head)} has another type")
            type_ = type_.body
        return self.terms.instantiate(type_, args[done:])

    def _infer_lam(self, e: Lam, check: bool) -> Expr:
        locals_: list[Local] = []
        body: Expr = e
        while isinstance(body, Lam):
            domain = self.terms.instantiate(body.domain, locals_)
            if check:
                self.sort_of(domain)
            locals_.append(Local(body.binder, domain))
            body = body.body
        type_ = self.infer(self.terms.instantiate(body, locals_), check=check)
        return self.pis(locals_, type_)

    def pis(self, locals_: Sequence[Local], body: Expr) -> Expr:
        """The function type over the locals."""
        body = self.terms.abstract(body, locals_)
        for i in range(len(locals_) - 1, -1, -1):
            body = self.arena.pi(locals_[i].binder, self.terms.abstract(locals_[i].type, locals_[:i]), body)
        return body

    def _infer_pi(self, e: Pi, check: bool) -> Expr:
        locals_: list[Local] = []
        sorts: list[Level] = []
        body: Expr = e
        while isinstance(body, Pi):
            domain = self.terms.instantiate(body.domain, locals_)
            sorts.append(self.sort_of(domain, check=check))
            locals_.append(Local(body.binder, domain))
            body = body.body
        level = self.sort_of(self.terms.instantiate(body, locals_), check=check)
        for sort in reversed(sorts):
            level = self.arena.imax(sort, level)
        return self.arena.sort(level)

    def _infer_let(self, e: Let, check: bool) -> Expr:
        if check:
            self.sort_of(e.domain)
            if not self.equal(self.infer(e.value), e.domain):
                raise Refused("the value of a `let` has another type")
        return self.infer(self.terms.instantiate(e.body, [e.value]), check=check)

    def _infer_proj(self, e: Proj, check: bool) -> Expr:
        head, args = spine(self.whnf(self.infer(e.expr, check=check)))
        constructor = self.structure_constructor(head)
        if constructor is None or not isinstance(head, Const) or head.name != e.structure:
            raise Refused(f"projection {e.structure}.{e.index} of something else")
        info = constructor.info
        assert isinstance(info, ConstructorInfo)
        if e.index >= info.fields or len(args) < info.params:
            raise Refused(f"{e.structure} has no field {e.index}")
        prop = self.is_prop(self.infer(e.expr, check=False))
        type_ = self.terms.with_levels(constructor.type, constructor.level_params, head.levels)
        for arg in args[: info.params]:
            type_ = self._body(type_, arg)
        for i in range(e.index):
            here = self.whnf(type_)
            if prop and isinstance(here, Pi) and here.body.loose and not self.is_proof_type(here.domain):
                raise Refused(f"projection {e.structure}.{e.index} out of a proposition depends on data")
            type_ = self._body(here, self.arena.proj(e.structure, i, e.expr))
        type_ = self.whnf(type_)
        if not isinstance(type_, Pi):
            raise Refused(f"{e.structure} has no field {e.index}")
        if prop and not self.is_proof_type(type_.domain):
            raise Refused(f"projection {e.structure}.{e.index} takes data out of a proposition")
        return type_.domain

    def _body(self, type_: Expr, arg: Expr) -> Expr:
        type_ = self.whnf(type_)
        if not isinstance(type_, Pi):
            raise Refused("too many arguments")
        return self.terms.instantiate(type_.body, [arg])

    def sort_of(self, type_: Expr, *, check: bool = True) -> Level:
        """The universe of a type."""
        sort = self.whnf(self.infer(type_, check=check))
        if not isinstance(sort, Sort):
            raise Refused("a type was expected")
        return sort.level

    def is_proof_type(self, type_: Expr) -> bool:
        """Whether `type_` is a proposition."""
        sort = self.whnf(self.infer(type_, check=False))
        return isinstance(sort, Sort) and self.levels.is_zero(sort.level)

    def is_prop(self, type_: Expr) -> bool:
        return self.is_proof_type(type_)

    def structure_constructor(self, head: Expr) -> Declaration | None:
        """The constructor, if `head` is a type with one constructor, no indices and no recursion."""
        if not isinstance(head, Const):
            return None
        declaration = self.find(head.name)
        if declaration is None or not isinstance(declaration.info, InductiveInfo):
            return None
        info = declaration.info
        if len(info.constructors) != 1 or info.indices:
            return None
        return self.find(info.constructors[0])

    # --- reduction ---------------------------------------------------------------------------------------------------

    def core(self, e: Expr) -> Expr:
        """Weak head normal form without unfolding definitions."""
        if isinstance(e, Lam | Pi | Sort | NatLit | StrLit | Const):
            return e
        found = self._cores.get(e)
        if found is None:
            found = self._cores[e] = self._core(e)
        return found

    def _core(self, e: Expr) -> Expr:
        while True:
            self.budget.spend()
            if isinstance(e, Let):
                e = self.terms.instantiate(e.body, [e.value])
                continue
            if isinstance(e, Local) and e.value is not None:
                e = e.value
                continue
            if isinstance(e, Proj):
                reduced = self._project(e)
                if reduced is None:
                    return e
                e = reduced
                continue
            if not isinstance(e, App):
                return e
            head, args = spine(e)
            new = self.core(head) if isinstance(head, Let | Proj | Local) else head
            if isinstance(new, Lam):
                e = self.beta(new, args)
                continue
            if new is not head:
                e = self.apply(new, args)
                continue
            reduced = self._iota(head, args) if isinstance(head, Const) else None
            if reduced is None:
                return e
            e = reduced

    def beta(self, f: Expr, args: Sequence[Expr]) -> Expr:
        count = 0
        while isinstance(f, Lam) and count < len(args):
            f = f.body
            count += 1
        return self.apply(self.terms.instantiate(f, args[:count]), args[count:])

    def apply(self, f: Expr, args: Sequence[Expr]) -> Expr:
        for arg in args:
            f = self.arena.app(f, arg)
        return f

    def _project(self, e: Proj) -> Expr | None:
        value = self.whnf(e.expr)
        if isinstance(value, StrLit):
            raise Beyond("projection of a string literal")
        head, args = spine(value)
        if isinstance(head, Const):
            declaration = self.declaration(head.name)
            if isinstance(declaration.info, ConstructorInfo) and len(args) > declaration.info.params + e.index:
                return args[declaration.info.params + e.index]
        return None

    def _iota(self, head: Const, args: list[Expr]) -> Expr | None:
        declaration = self.declaration(head.name)
        if isinstance(declaration.info, RecursorInfo):
            return self._recursor(declaration, declaration.info, head, args)
        if declaration.kind is Kind.QUOT:
            return self._quotient(head.name, args)
        return None

    def _recursor(self, declaration: Declaration, info: RecursorInfo, head: Const, args: list[Expr]) -> Expr | None:
        position = info.params + info.motives + info.minors + info.indices
        if len(args) <= position:
            return None
        major = args[position]
        if info.k:
            major = self._k_major(info, head, args, major) or major
        major = self.whnf(major)
        if isinstance(major, NatLit):
            major = self.naturals.constructor_form(major)
        elif isinstance(major, StrLit):
            raise Beyond("recursion on a string literal")
        con, fields = spine(major)
        rule = next((r for r in info.rules if isinstance(con, Const) and r.constructor == con.name), None)
        if rule is None:
            expanded = self._structure_eta(info, major)
            if expanded is None:
                return None
            con, fields = spine(expanded)
            rule = info.rules[0]
        if len(fields) < rule.fields:
            return None
        rhs = self.terms.with_levels(rule.rhs, declaration.level_params, head.levels)
        given = [
            *args[: info.params + info.motives + info.minors],
            *fields[len(fields) - rule.fields :],
            *args[position + 1 :],
        ]
        return self.beta(rhs, given)

    def _k_major(self, info: RecursorInfo, head: Const, args: list[Expr], major: Expr) -> Expr | None:
        """For an inductive proposition with one constructor without fields: the constructor, if the types agree."""
        type_ = self.whnf(self.infer(major, check=False))
        family, given = spine(type_)
        if not isinstance(family, Const) or family.name not in info.all:
            return None
        inductive = self.declaration(family.name)
        assert isinstance(inductive.info, InductiveInfo)
        made = self.apply(self.arena.const(inductive.info.constructors[0], family.levels), given[: info.params])
        if not self.equal(self.infer(made, check=False), type_):
            return None
        return made

    def _structure_eta(self, info: RecursorInfo, major: Expr) -> Expr | None:
        """`s` as `mk s.1 s.2 ...` where its type is a structure and not a proposition."""
        if len(info.rules) != 1 or len(info.all) != 1:
            return None
        type_ = self.whnf(self.infer(major, check=False))
        head, args = spine(type_)
        constructor = self.structure_constructor(head)
        if constructor is None or not isinstance(head, Const) or head.name != info.all[0]:
            return None
        inductive = self.declaration(head.name)
        assert isinstance(inductive.info, InductiveInfo) and isinstance(constructor.info, ConstructorInfo)
        if inductive.info.recursive or self.is_prop(type_):
            return None
        made = self.apply(self.arena.const(constructor.name, head.levels), args[: constructor.info.params])
        fields = [self.arena.proj(head.name, i, major) for i in range(constructor.info.fields)]
        return self.apply(made, fields)

    def _quotient(self, name: Name, args: list[Expr]) -> Expr | None:
        # Quot.lift {α r β} f h q and Quot.ind {α r β} h q, at a `Quot.mk r a`
        position, function = {QUOT_LIFT: (5, 3), QUOT_IND: (4, 3)}.get(name, (0, 0))
        if not position or len(args) <= position:
            return None
        head, given = spine(self.whnf(args[position]))
        if not isinstance(head, Const) or head.name != QUOT_MK or len(given) != 3:
            return None
        return self.apply(self.arena.app(args[function], given[2]), args[position + 1 :])

    def unfold(self, e: Expr) -> Expr | None:
        """One step of delta at the head."""
        head, args = spine(e)
        if not isinstance(head, Const):
            return None
        declaration = self.declaration(head.name)
        if declaration.kind not in (Kind.DEFINITION, Kind.THEOREM) or declaration.value is None:
            return None
        if len(head.levels) != len(declaration.level_params):
            raise Refused(f"{head.name} has another number of universe levels")
        value = self.terms.with_levels(declaration.value, declaration.level_params, head.levels)
        return self.beta(value, args)

    def whnf(self, e: Expr) -> Expr:
        """Weak head normal form."""
        found = self._normals.get(e)
        if found is not None:
            return found
        start = e
        while True:
            e = self.core(e)
            literal = self.naturals.reduce(e)
            if literal is not None:
                e = literal
                break
            unfolded = self.unfold(e)
            if unfolded is None:
                break
            e = unfolded
        self._normals[start] = e
        return e

    # --- definitional equality ---------------------------------------------------------------------------------------

    def equal(self, a: Expr, b: Expr) -> bool:
        """Whether two well-typed expressions are definitionally equal."""
        if a is b:
            return True
        self.budget.spend()
        quick = self._quick(a, b)
        if quick is not None:
            return quick
        if (a, b) in self._equal:
            return True
        if (a, b) in self._unequal:
            return False
        result = self._equal_slow(a, b)
        (self._equal if result else self._unequal).add((a, b))
        return result

    def _quick(self, a: Expr, b: Expr) -> bool | None:
        if isinstance(a, Sort) and isinstance(b, Sort):
            return self.levels.equal(a.level, b.level)
        if isinstance(a, NatLit) and isinstance(b, NatLit):
            return a.value == b.value
        if isinstance(a, StrLit) and isinstance(b, StrLit):
            return a.value == b.value
        if (isinstance(a, Lam) and isinstance(b, Lam)) or (isinstance(a, Pi) and isinstance(b, Pi)):
            return self._binders(a, b)
        return None

    def _binders(self, a: Lam | Pi, b: Lam | Pi) -> bool:
        kind = type(a)
        locals_: list[Local] = []
        x: Expr = a
        y: Expr = b
        while isinstance(x, Lam | Pi) and isinstance(y, Lam | Pi) and type(x) is kind and type(y) is kind:
            domain = self.terms.instantiate(x.domain, locals_)
            if x.domain is not y.domain and not self.equal(domain, self.terms.instantiate(y.domain, locals_)):
                return False
            locals_.append(Local(x.binder, domain))
            x, y = x.body, y.body
        return self.equal(self.terms.instantiate(x, locals_), self.terms.instantiate(y, locals_))

    def _equal_slow(self, a: Expr, b: Expr) -> bool:
        a1, b1 = self.core(a), self.core(b)
        if a1 is not a or b1 is not b:
            if a1 is b1:
                return True
            quick = self._quick(a1, b1)
            if quick is not None:
                return quick
        a, b = a1, b1
        if self._irrelevant(a, b):
            return True
        a, b, decided = self._lazy_delta(a, b)
        if decided is not None:
            return decided
        return self._structural(a, b)

    def _irrelevant(self, a: Expr, b: Expr) -> bool:
        """Two proofs of the same proposition."""
        type_ = self.infer(a, check=False)
        return self.is_proof_type(type_) and self.equal(type_, self.infer(b, check=False))

    def _lazy_delta(self, a: Expr, b: Expr) -> tuple[Expr, Expr, bool | None]:
        """Unfold the higher of the two heads until they meet, or neither unfolds."""
        while True:
            self.budget.spend()
            decided = self.naturals.equal(a, b)
            if decided is not None:
                return a, b, decided
            x, y = self._height(a), self._height(b)
            if x is None and y is None:
                return a, b, None
            if x is not None and x == y and self._same_head(a, b):
                return a, b, True
            if y is None or (x is not None and x >= y):
                if x == y:  # both
                    b = self.core(self.naturals.reduce(b) or self.unfold(b) or b)
                a = self.core(self.naturals.reduce(a) or self.unfold(a) or a)
            else:
                b = self.core(self.naturals.reduce(b) or self.unfold(b) or b)
            if a is b:
                return a, b, True
            quick = self._quick(a, b)
            if quick is not None:
                return a, b, quick

    def _height(self, e: Expr) -> float | None:
        head, _ = spine(e)
        if not isinstance(head, Const):
            return None
        declaration = self.declaration(head.name)
        if declaration.value is None or declaration.kind not in (Kind.DEFINITION, Kind.THEOREM):
            return None
        hint = declaration.hint
        if declaration.kind is Kind.THEOREM or hint == "opaque":
            return -1.0
        return float("inf") if hint == "abbrev" else float(hint)

    def _same_head(self, a: Expr, b: Expr) -> bool:
        """f x.. and f y.. with equal arguments, tried before f is unfolded."""
        f, xs = spine(a)
        g, ys = spine(b)
        return (
            isinstance(f, Const)
            and isinstance(g, Const)
            and f.name == g.name
            and len(xs) == len(ys)
            and bool(xs)
            and self._same_levels(f, g)
            and self._all_equal(xs, ys)
        )

    def _same_levels(self, f: Const, g: Const) -> bool:
        return len(f.levels) == len(g.levels) and all(map(self.levels.equal, f.levels, g.levels))

    def _all_equal(self, xs: list[Expr], ys: list[Expr]) -> bool:
        return len(xs) == len(ys) and all(map(self.equal, xs, ys))

    def _structural(self, a: Expr, b: Expr) -> bool:
        f, xs = spine(a)
        g, ys = spine(b)
        if isinstance(f, Const) and isinstance(g, Const) and f.name == g.name and self._same_levels(f, g):
            if self._all_equal(xs, ys):
                return True
        elif (f is g and xs and self._all_equal(xs, ys)) or (
            isinstance(f, Proj)
            and isinstance(g, Proj)
            and f.index == g.index
            and f.structure == g.structure
            and self.equal(f.expr, g.expr)
            and self._all_equal(xs, ys)
        ):
            return True
        return (
            self._function_eta(a, b)
            or self._function_eta(b, a)
            or self._structure_equal(a, b)
            or self._structure_equal(b, a)
            or self._unit(a, b)
        )

    def _function_eta(self, a: Expr, b: Expr) -> bool:
        if not isinstance(a, Lam) or isinstance(b, Lam):
            return False
        type_ = self.whnf(self.infer(b, check=False))
        if not isinstance(type_, Pi):
            return False
        return self.equal(a, self.arena.lam(type_.binder, type_.domain, self.arena.app(b, self.arena.bvar(0))))

    def _structure_equal(self, a: Expr, b: Expr) -> bool:
        """b is `mk ..` and a has its projections as fields."""
        head, args = spine(b)
        if not isinstance(head, Const):
            return False
        constructor = self.declaration(head.name)
        info = constructor.info
        if not isinstance(info, ConstructorInfo) or len(args) != info.params + info.fields or not info.fields:
            return False
        inductive = self.declaration(info.inductive)
        assert isinstance(inductive.info, InductiveInfo)
        if len(inductive.info.constructors) != 1 or inductive.info.indices or inductive.info.recursive:
            return False
        if not self.equal(self.infer(a, check=False), self.infer(b, check=False)):
            return False
        return all(self.equal(self.arena.proj(info.inductive, i, a), args[info.params + i]) for i in range(info.fields))

    def _unit(self, a: Expr, b: Expr) -> bool:
        """Two values of a structure without fields."""
        type_ = self.whnf(self.infer(a, check=False))
        constructor = self.structure_constructor(spine(type_)[0])
        if constructor is None or not isinstance(constructor.info, ConstructorInfo) or constructor.info.fields:
            return False
        return self.equal(type_, self.infer(b, check=False))


def _name(head: Expr) -> str:
    return str(head.name) if isinstance(head, Const) else "a local function"
