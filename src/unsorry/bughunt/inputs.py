"""How inputs of a type are made in Rust: literally, or through the crate's own constructors and methods.

A struct with a private field is never filled in from outside: its invariant is only kept by its own public functions,
so its values are what a constructor and some method calls give.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from unsorry.bughunt import ir
from unsorry.bughunt.values import Shapes, rust_type, substitute

RUNTIME = "crate::unsorry_hunt"
STRING = ir.Adt("String")  # what a `&str` borrows from
MAX_ARRAY = 64
MAX_DEPTH = 6
SIMPLE_BOUNDS = {"Copy", "Clone", "Sized", "Ord", "PartialOrd", "Eq", "PartialEq", "Debug", "Default", "Hash"}


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a property: an owned value named `name`; `sort` puts a vector in order first."""

    name: str
    ty: ir.Type
    mutable: bool = False
    sort: bool = False

    @property
    def rust(self) -> str:
        return owned_text(self.ty)


def owned_text(ty: ir.Type) -> str:
    """Rust's name for an owned type, standard types by full paths."""
    return "String" if ty == STRING else rust_type(ty)


def owned(ty: ir.Type) -> ir.Type | None:
    """The type of the value behind a parameter's type; None where there is none of known size without borrows."""
    match ty:
        case ir.Ref(_, ir.Slice(item)):
            inner = owned(item)
            return ir.Vec(inner) if inner == item else None
        case ir.Ref(_, ir.Str()):
            return STRING
        case ir.Ref(_, target):
            return target if owned(target) == target else None
        case ir.Tuple(items):
            return ty if all(owned(t) == t for t in items) else None
        case ir.Array(item) | ir.Vec(item):
            return ty if owned(item) == item else None
        case ir.Adt(_, args):
            return ty if all(owned(t) == t for t in args) else None
        case ir.Scalar():
            return ty
        case _:
            return None


def argument(name: str, ty: ir.Type, *, again: bool = False) -> str:
    """The text that passes the input `name` for a parameter of type `ty`; `again`: the value is used later."""
    match ty:
        case ir.Ref(mutable, _):
            return f"&mut {name}" if mutable else f"&{name}"
        case ir.Scalar():
            return name
        case _:
            return f"{name}.clone()" if again else name


@dataclass
class Inputs:
    """Knows the crate's types: which can be made, and the Rust code that makes them."""

    crate: ir.Crate
    shapes: Shapes = field(init=False)
    _plans: dict[ir.Adt, str | None] = field(default_factory=dict)
    _open: bool = True

    def __post_init__(self) -> None:
        self.shapes = Shapes(self.crate)
        self.functions = [f for f in self.crate.functions if f.signature_known and "unsafe" not in _code(f)]

    def instance(self, function: ir.Function) -> ir.Function | None:
        """The function with `i32` for its type parameters, None if a bound asks for more than standard traits."""
        if not function.signature_known:
            return None
        if any(b.split("::")[-1] not in SIMPLE_BOUNDS for g in function.generics for b in g.bounds):
            return None
        known: dict[str, ir.Type] = {g.name: ir.I32 for g in function.generics}
        if not known:
            return function
        return replace(
            function,
            params=tuple(replace(p, ty=substitute(p.ty, known)) for p in function.params),
            ret=substitute(function.ret, known),
            owner=substitute(function.owner, known) if function.owner is not None else None,
        )

    def of(self, function: ir.Function, ordered: tuple[str, ...] = ()) -> tuple[Input, ...] | None:
        """Inputs for the parameters, or None if one of them cannot be made."""
        found = []
        for param in function.params:
            ty = owned(param.ty)
            if ty is None or not self.makes(ty):
                return None
            name = "this" if param.name == "self" else param.name
            mutable = isinstance(param.ty, ir.Ref) and param.ty.mutable
            sort = param.name in ordered and isinstance(ty, ir.Vec) and isinstance(ty.item, ir.Scalar)
            found.append(Input(name, ty, mutable, sort))
        return tuple(found) if len({i.name for i in found}) == len(found) else None

    def makes(self, ty: ir.Type, depth: int = 0) -> bool:
        """Whether values of the owned type can be made."""
        if depth > MAX_DEPTH:
            return False
        match ty:
            case ir.Scalar():
                return True
            case ir.Tuple(items):
                return len(items) <= 6 and all(self.makes(t, depth + 1) for t in items)
            case ir.Array(item, length):
                return length <= MAX_ARRAY and self.makes(item, depth + 1)
            case ir.Vec(item):
                return self.makes(item, depth + 1)
            case ir.Adt("String" | "Ordering", ()):
                return True
            case ir.Adt("Option" | "Result", args):
                return all(self.makes(t, depth + 1) for t in args)
            case ir.Adt():
                return self.plan(ty, depth + 1) is not None
            case _:
                return False

    def restricted(self, ty: ir.Type) -> str:
        """The docs of a type with public fields inside `ty` that seem to restrict them, "" if none do."""
        from unsorry.bughunt.docs import restricts, sentences

        for adt in adts(ty):
            struct = self.shapes.structs.get(adt.path)
            if struct is not None:
                said = next((s for s in sentences(struct.docs) if restricts(s) or "invariant" in s.lower()), "")
                if said and self.literal(struct):
                    return said
        return ""

    def literal(self, struct: ir.Struct) -> bool:
        """Whether anybody who sees the struct may fill in its fields."""
        return all(f.public for f in struct.fields)

    # ---- code

    def plan(self, ty: ir.Adt, depth: int = 0) -> str | None:
        """The body of `generate` for a struct or enum of the crate, None if there is no way to make one."""
        if ty in self._plans:
            return self._plans[ty]
        self._plans[ty] = None  # a type that needs itself has no plan by itself
        if ty.path in self.shapes.structs:
            struct = self.shapes.structs[ty.path]
            body = self._literal(ty, "", depth) if self.literal(struct) else self._constructed(ty, depth)
        elif ty.path in self.shapes.enums:
            variants = self.shapes.enums[ty.path].variants
            arms = [self._literal(ty, v.name, depth) for v in variants]
            made = [a for a in arms if a is not None]
            choices = " ".join(f"{i if i + 1 < len(made) else '_'} => {{ {arm} }}" for i, arm in enumerate(made))
            complete = made and len(made) == len(arms)
            body = f"match c.below({len(made)}) {{ {choices} }}" if complete else None
        else:
            body = None
        self._plans[ty] = body
        return body

    def _literal(self, ty: ir.Adt, variant: str, depth: int) -> str | None:
        fields = self.shapes.fields(ty, variant)
        if not all(owned(t) == t and self.makes(t, depth) for _, t in fields):
            return None
        head = rust_type(ir.Adt(ty.path)) + (f"::{variant}" if variant else "")
        draws = "".join(_draw(f"v{i}", t) for i, (_, t) in enumerate(fields))
        shape = self.shapes.shape(ty, variant)
        if shape == "unit":
            return f'Some(({head}, "{head}".into()))'
        names = [f"v{i}" for i in range(len(fields))]
        if shape == "tuple":
            value = f"{head}({', '.join(names)})"
            text = f'format!("{head}({", ".join("{}" for _ in names)})"{_arguments(names)})'
        else:
            value = head + " { " + ", ".join(f"{f}: {n}" for (f, _), n in zip(fields, names, strict=True)) + " }"
            inner = ", ".join(f"{f}: {{}}" for f, _ in fields)
            text = f'format!("{head} {{{{ {inner} }}}}"{_arguments(names)})'
        return f"{draws} let text = {text}; Some(({value}, text))"

    def _constructed(self, ty: ir.Adt, depth: int) -> str | None:
        makers = []
        for function in self.functions:
            one = self.instance(function)
            if (
                one is None
                or not (one.public or not self._public(ty))
                or one.owner != ty
                or one.trait not in ("", "Default")
            ):
                continue  # fmt: skip
            takes_self = any(p.name == "self" for p in one.params)
            wrap = {ty: 0, ir.option(ty): 1}.get(one.ret) if isinstance(one.ret, ir.Adt) else None
            if isinstance(one.ret, ir.Adt) and one.ret.path == "Result" and one.ret.args[:1] == (ty,):
                wrap = 2
            if takes_self or wrap is None:
                continue
            drawn = self._call(one, depth)
            if drawn is None:
                continue
            draws, call, text, names = drawn
            unwrap = ["{}", "{}?", "{}.ok()?"][wrap].format(call)
            said = text + ["", ".unwrap()", ".ok().unwrap()"][wrap]
            makers.append(f'{draws} let text = format!("{said}"{_arguments(names)}); ({unwrap}, text)')
        if not makers:
            return None
        steps = []
        for function in self.functions:
            one = self.instance(function)
            if one is None or not one.public or one.trait or one.owner != ty or not one.params:
                continue
            if one.params[0].name != "self" or one.params[0].ty != ir.Ref(True, ty):
                continue
            drawn = self._call(replace(one, params=one.params[1:]), depth)
            if drawn is None:
                continue
            draws, call, text, names = drawn
            inner = call[call.index("(") + 1 : -1] if names else ""
            said = text[text.index("(") :]
            steps.append(
                f"{draws} let _ = value.{one.name}({inner}); "
                f'text.push_str(&format!(" value.{one.name}{said};"{_arguments(names)}));'
            )
        arms = " ".join(f"{i if i + 1 < len(makers) else '_'} => {{ {m} }}" for i, m in enumerate(makers))
        code = f"let (mut value, made): (Self, String) = match c.below({len(makers)}) {{ {arms} }};"
        if not steps:
            return code + " let _ = &mut value; Some((value, made))"
        arms = " ".join(f"{i if i + 1 < len(steps) else '_'} => {{ {s} }}" for i, s in enumerate(steps))
        return (
            code + " let mut text = String::new(); let mut count = 0; while c.more(count) { count += 1; "
            f"match c.below({len(steps)}) {{ {arms} }} }} "
            'let text = if count == 0 { made } else { format!("{{ let mut value = {};{} value }}", made, text) }; '
            "Some((value, text))"
        )

    def _public(self, ty: ir.Adt) -> bool:
        return self.shapes.structs[ty.path].public

    def _call(self, function: ir.Function, depth: int) -> tuple[str, str, str, list[str]] | None:
        """Code that draws the arguments, the call, its text with holes, and the names that fill them."""
        draws, passed, holes, names = [], [], [], []
        for i, param in enumerate(function.params):
            ty = owned(param.ty)
            if ty is None or not self.makes(ty, depth) or (isinstance(param.ty, ir.Ref) and param.ty.mutable):
                return None
            name = f"v{i}"
            draws.append(_draw(name, ty))
            passed.append(argument(name, param.ty))
            holes.append("&{}" if isinstance(param.ty, ir.Ref) else "{}")
            names.append(name)
        path = call_path(function)
        return "".join(draws), f"{path}({', '.join(passed)})", f"{path}({', '.join(holes)})", names

    def code(self, ty: ir.Adt) -> str:
        """The implementation of `Generate` for a struct or enum of the crate."""
        return (
            f"impl {RUNTIME}::Generate for {rust_type(ty)} {{ "
            f"fn generate(c: &mut {RUNTIME}::Choices) -> Option<(Self, String)> {{ "
            "std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || { "
            f"{self.plan(ty)} }})).ok().flatten() }} }}"
        )

    def needed(self, types: list[ir.Type]) -> list[ir.Adt]:
        """The crate's structs and enums that making these types needs, each once."""
        found: dict[ir.Adt, None] = {}
        waiting = [a for t in types for a in adts(t)]
        while waiting:
            adt = waiting.pop()
            if adt in found or (adt.path not in self.shapes.structs and adt.path not in self.shapes.enums):
                continue
            if adt.path in ir.BUILTIN_ENUMS:
                continue
            found[adt] = None
            waiting += [a for t in self._parts(adt) for a in adts(t)]
        return list(found)

    def _parts(self, ty: ir.Adt) -> list[ir.Type]:
        parts: list[ir.Type] = []
        if ty.path in self.shapes.enums:
            parts = [t for v in self.shapes.enums[ty.path].variants for _, t in self.shapes.fields(ty, v.name)]
        elif self.literal(self.shapes.structs[ty.path]):
            parts = [t for _, t in self.shapes.fields(ty, "")]
        else:
            for function in self.functions:
                one = self.instance(function)
                if one is not None and one.owner == ty:
                    parts += [t for p in one.params if (t := owned(p.ty)) is not None and t != ty and self.makes(t)]
        return parts


def adts(ty: ir.Type) -> list[ir.Adt]:
    """All structs and enums inside a type."""
    match ty:
        case ir.Tuple(items):
            return [a for t in items for a in adts(t)]
        case ir.Array(item) | ir.Slice(item) | ir.Vec(item):
            return adts(item)
        case ir.Ref(_, target):
            return adts(target)
        case ir.Adt(_, args):
            return [ty, *(a for t in args for a in adts(t))]
        case _:
            return []


def call_path(function: ir.Function) -> str:
    """The Rust path of a function from inside the crate."""
    if function.path.startswith("<"):
        return "<crate::" + function.path[1:]
    return "crate::" + function.path


def _draw(name: str, ty: ir.Type) -> str:
    text = owned_text(ty)
    return f"let ({name}, t_{name}) = <{text} as {RUNTIME}::Generate>::generate(c)?; "


def _arguments(names: list[str]) -> str:
    return "".join(f", t_{n}" for n in names)


def _code(function: ir.Function) -> str:
    return function.refusal.code if function.refusal is not None else ""
