"""The types of expressions, and whether everything inside them is well typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unsorry.judge.second.errors import Beyond, Refused
from unsorry.judge.second.locals import Local, spine
from unsorry.judge.second.room import Room
from unsorry.lean.declarations import ConstructorInfo, InductiveInfo
from unsorry.lean.names import Name
from unsorry.lean.terms import App, BVar, Const, Expr, Lam, Let, Level, NatLit, Pi, Proj, Sort, StrLit

if TYPE_CHECKING:
    from unsorry.judge.second.kernel import Kernel

NAT, STRING = Name(("Nat",)), Name(("String",))


class Types(Room):
    """Infers types in one kernel; remembers them, and what has been checked under which universe parameters."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        self._types: dict[Expr, Expr] = {}
        self._checked: dict[tuple[Name, ...], set[Expr]] = {}

    def infer(self, e: Expr, *, check: bool = True) -> Expr:
        """The type of a closed expression; with `check`, everything inside is checked too."""
        found = self._types.get(e)
        checked = self._checked.setdefault(self.kernel.params, set()) if check else None
        if found is not None and (checked is None or e in checked):
            return found
        self.budget.spend()
        found = self._infer(e, check)
        self._types[e] = found
        if checked is not None:
            checked.add(e)
        return found

    def _infer(self, e: Expr, check: bool) -> Expr:
        if isinstance(e, Local):
            return e.type
        if isinstance(e, Sort):
            if check:
                self.levels.well_formed(e.level, self.kernel.params)
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
        declaration = self.kernel.declaration(e.name)
        if len(e.levels) != len(declaration.level_params):
            raise Refused(f"{e.name} takes {len(declaration.level_params)} universe levels, not {len(e.levels)}")
        if check:
            for level in e.levels:
                self.levels.well_formed(level, self.kernel.params)
        return self.terms.with_levels(declaration.type, declaration.level_params, e.levels)

    def _infer_app(self, e: App, check: bool) -> Expr:
        head, args = spine(e)
        type_ = self.infer(head, check=check)
        done = 0  # arguments before this one are instantiated in `type_`
        for i, arg in enumerate(args):
            if not isinstance(type_, Pi):
                type_ = self.terms.instantiate(type_, args[done:i])
                done = i
                type_ = self.kernel.whnf(type_)
                if not isinstance(type_, Pi):
                    raise Refused("application of something that is no function")
            if check:
                domain = self.terms.instantiate(type_.domain, args[done:i])
                if not self.kernel.equal(self.infer(arg), domain):
                    raise Refused(f"argument {i + 1} of an application of {_name(head)} has another type")
            type_ = type_.body
        return self.terms.instantiate(type_, args[done:])

    def _infer_lam(self, e: Lam, check: bool) -> Expr:
        locals_: list[Local] = []
        body: Expr = e
        while isinstance(body, Lam):
            domain = self.terms.instantiate(body.domain, locals_)
            if check:
                self.kernel.sort_of(domain)
            locals_.append(Local(body.binder, domain))
            body = body.body
        type_ = self.infer(self.terms.instantiate(body, locals_), check=check)
        return self.kernel.pis(locals_, type_)

    def _infer_pi(self, e: Pi, check: bool) -> Expr:
        locals_: list[Local] = []
        sorts: list[Level] = []
        body: Expr = e
        while isinstance(body, Pi):
            domain = self.terms.instantiate(body.domain, locals_)
            sorts.append(self.kernel.sort_of(domain, check=check))
            locals_.append(Local(body.binder, domain))
            body = body.body
        level = self.kernel.sort_of(self.terms.instantiate(body, locals_), check=check)
        for sort in reversed(sorts):
            level = self.arena.imax(sort, level)
        return self.arena.sort(level)

    def _infer_let(self, e: Let, check: bool) -> Expr:
        if check:
            self.kernel.sort_of(e.domain)
            if not self.kernel.equal(self.infer(e.value), e.domain):
                raise Refused("the value of a `let` has another type")
        return self.infer(self.terms.instantiate(e.body, [e.value]), check=check)

    def _infer_proj(self, e: Proj, check: bool) -> Expr:
        head, args = spine(self.kernel.whnf(self.infer(e.expr, check=check)))
        constructor = self.kernel.structure_constructor(head)
        if constructor is None and isinstance(head, Const) and head.name == e.structure:
            family = self.kernel.declaration(head.name).info
            if isinstance(family, InductiveInfo) and len(family.constructors) == 1:
                raise Beyond(f"projection out of {head.name}, a family with indices")
        if constructor is None or not isinstance(head, Const) or head.name != e.structure:
            raise Refused(f"projection {e.structure}.{e.index} of something else")
        info = constructor.info
        assert isinstance(info, ConstructorInfo)
        if e.index >= info.fields or len(args) < info.params:
            raise Refused(f"{e.structure} has no field {e.index}")
        prop = self.kernel.is_proposition(self.infer(e.expr, check=False))
        type_ = self.terms.with_levels(constructor.type, constructor.level_params, head.levels)
        for arg in args[: info.params]:
            type_ = self._body(type_, arg)
        for i in range(e.index):
            here = self.kernel.whnf(type_)
            if prop and isinstance(here, Pi) and here.body.loose and not self.kernel.is_proposition(here.domain):
                raise Refused(f"projection {e.structure}.{e.index} out of a proposition depends on data")
            type_ = self._body(here, self.arena.proj(e.structure, i, e.expr))
        type_ = self.kernel.whnf(type_)
        if not isinstance(type_, Pi):
            raise Refused(f"{e.structure} has no field {e.index}")
        if prop and not self.kernel.is_proposition(type_.domain):
            raise Refused(f"projection {e.structure}.{e.index} takes data out of a proposition")
        return type_.domain

    def _body(self, type_: Expr, arg: Expr) -> Expr:
        type_ = self.kernel.whnf(type_)
        if not isinstance(type_, Pi):
            raise Refused("too many arguments")
        return self.terms.instantiate(type_.body, [arg])


def _name(head: Expr) -> str:
    return str(head.name) if isinstance(head, Const) else "a local function"
