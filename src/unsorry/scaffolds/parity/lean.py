"""What a Lean file declares, from its compiled form: types, constructors, functions, theorems, what they rest on."""

from __future__ import annotations

from dataclasses import dataclass

from unsorry import UnsorryError
from unsorry.lean import olean
from unsorry.lean.declarations import ConstructorInfo, Declaration, InductiveInfo, Kind
from unsorry.lean.names import Name
from unsorry.lean.pretty import show
from unsorry.lean.process import Confinement, Limits, run_lean
from unsorry.lean.source import parse
from unsorry.lean.terms import Arena, BVar, Expr, Pi, Sort
from unsorry.lean.toolchain import Toolchain
from unsorry.lean.traversal import rebuild
from unsorry.scaffolds.parity.rocq import Binder


@dataclass(frozen=True, slots=True)
class LeanFile:
    """A compiled file: its text, and its declarations by name."""

    text: str
    declarations: dict[Name, Declaration]
    arena: Arena
    open_theorems: frozenset[str]  # theorems with a sorry in the text

    def find(self, name: str) -> Declaration | None:
        """By full name, or by the last part where that is unique."""
        wanted = Name.parse(name)
        if wanted in self.declarations:
            return self.declarations[wanted]
        same = [d for n, d in self.declarations.items() if n and n[-1] == wanted[-1] and d.kind is not Kind.RECURSOR]
        return same[0] if len(same) == 1 else None

    def constructors(self, inductive: Declaration) -> list[Declaration]:
        assert isinstance(inductive.info, InductiveInfo)
        return [self.declarations[name] for name in inductive.info.constructors]

    def telescope(self, declaration: Declaration) -> tuple[list[Binder], str]:
        """Binders with types as text, and the result; a constructor's without the parameters of its type."""
        skip = declaration.info.params if isinstance(declaration.info, ConstructorInfo) else 0
        e = declaration.type
        binders: list[Binder] = []
        names: list[str] = []
        while isinstance(e, Pi):
            named = str(e.binder) if e.binder else ""
            binders.append(Binder(named, show(_named(self.arena, e.domain, names))))
            names.append(named)
            e = e.body
        return binders[skip:], show(_named(self.arena, e, names))

    def unfolded(self, type_: str) -> str:
        """A type's name with the file's own names for types opened: `ident` is `String`."""
        for _ in range(10):
            found = self.declarations.get(Name.parse(type_)) if type_.replace(".", "").isidentifier() else None
            if found is None or found.value is None or not isinstance(found.type, Sort):
                break
            type_ = show(found.value)
        return type_

    def proved(self, declaration: Declaration) -> bool:
        """Whether no `sorry` is below it; what is accepted is the judge's to say."""
        seen: set[Name] = set()
        todo = [declaration.name]
        while todo:
            name = todo.pop()
            if str(name) == "sorryAx":
                return False
            known = self.declarations.get(name)
            if known is not None and name not in seen:
                todo.extend(known.dependencies())
            seen.add(name)
        return True


def _named(arena: Arena, e: Expr, names: list[str]) -> Expr:
    """The term with the variables that it takes from outside written as constants of their names."""

    def constant(variable: BVar, depth: int) -> Expr:
        return arena.const(Name((names[depth - variable.index - 1] or "_",)), ())

    return rebuild(arena, e, constant) or e


def compile_lean(toolchain: Toolchain, text: str, confinement: Confinement, limits: Limits | None = None) -> LeanFile:
    """Raises UnsorryError with Lean's first error where the file does not compile."""
    run = run_lean(toolchain, text, olean=True, confinement=confinement, limits=limits or Limits())
    if run.timed_out:
        raise UnsorryError("Lean did not finish the translation in time: raise the time-out")
    if run.errors or run.olean is None:
        first = run.errors[0] if run.errors else None
        said = f"line {first.line}: {first.text.strip().splitlines()[0]}" if first else "Lean left no compiled file"
        raise UnsorryError(f"the translation does not compile: {said}")
    module = olean.read(run.olean, version=toolchain.version)
    source = parse(text)
    holes = frozenset(source.commands[hole.command].name for hole in source.holes)
    return LeanFile(text, module.declarations, module.arena, holes)
