"""Random Rust functions of the hunter's subset: well typed, they end, and they panic now and then."""

from __future__ import annotations

import random

from benchmarks.rust_expressions import FIELDS, INTS, Expressions, Scope

PRELUDE = """#![allow(warnings)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node { pub key: u16, pub weight: i32, pub on: bool }
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tree { Leaf, One(u8), Two { left: i16, right: u32 } }
pub const K: u32 = 3 * 7 + (1 << 4);
"""


class Programs(Expressions):
    """Makes one crate after the other from a seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed))

    def crate(self, functions: int) -> str:
        """The text of a crate's root file."""
        self.functions = []
        return PRELUDE + "\n".join(self.function(i) for i in range(functions))

    def function(self, number: int) -> str:
        scope = Scope()
        params, types = [], []
        for i in range(self.chance.randrange(1, 4)):
            ty = self.value_type() if self.some(0.8) else self.pick("&[u8]", "&[i32]", "&mut [u16]", "&mut u32")
            types.append(ty)
            mutable = self.some(0.3) and not ty.startswith("&")
            params.append(f"{'mut ' if mutable else ''}p{i}: {ty}")
            scope.add(f"p{i}", ty, mutable)
        ret = self.value_type()
        self.ret = ret
        body = self.block(scope, 3, indent=1)
        result = self.expr(ret, scope, 2)
        name = f"f{number}"
        self.functions.append((name, types, ret))
        return f"pub fn {name}({', '.join(params)}) -> {ret} {{\n{body}    {result}\n}}\n"

    # ---- statements

    def block(self, scope: Scope, depth: int, indent: int) -> str:
        return "".join(
            "    " * indent + s + "\n" for _ in range(self.chance.randrange(1, 4)) for s in self.statement(scope, depth)
        )

    def statement(self, scope: Scope, depth: int) -> list[str]:
        kind = self.chance.random()
        if kind < 0.3 or depth == 0:
            ty, name = self.value_type(), self.name()
            mutable = self.some(0.6)
            line = f"let {'mut ' if mutable else ''}{name}: {ty} = {self.expr(ty, scope, 2)};"
            scope.add(name, ty, mutable)
            return [line]
        if kind < 0.55:
            return self.assignment(scope)
        if kind < 0.72:
            return self.conditional(scope, depth)
        if kind < 0.82:
            return self.match(scope, depth)
        if kind < 0.9:
            return self.loop(scope, depth)
        if kind < 0.93:
            return [f"if {self.expr('bool', scope, 1)} {{ return {self.expr(self.ret, scope, 1)}; }}"]
        if kind < 0.95:
            return [
                f"{self.pick('assert', 'debug_assert')}!({' || '.join(self.expr('bool', scope, 1) for _ in 'ab')});"
            ]
        if scope.loops and self.some(0.6):
            return [f"if {self.expr('bool', scope, 1)} {{ {self.pick('break', 'continue')}; }}"]
        return self.lending(scope)

    def lending(self, scope: Scope) -> list[str]:
        for name in scope.names.get("&mut [u16]", []):
            what = self.pick("swap", "reverse", "fill", "iter", "index", "sort")
            i, j = (self.expr("usize", scope, 1) for _ in range(2))
            value = self.expr("u16", scope, 1)
            return [{
                "swap": f"if {name}.len() > 1 {{ {name}.swap({i} % {name}.len(), 1); }}",
                "reverse": f"{name}.reverse();",
                "fill": f"{name}.fill({value});",
                "iter": f"for x in {name}.iter_mut() {{ *x = x.wrapping_add({value}); }}",
                "index": f"if {name}.len() > 0 {{ let at = {j} % {name}.len(); {name}[at] = {value}; }}",
                "sort": f"{name}.sort();",
            }[what]]  # fmt: skip
        return self.assignment(scope)

    def assignment(self, scope: Scope) -> list[str]:
        places = [(n, t) for t, names in scope.names.items() for n in names if n in scope.mutable]
        places += [(f"*{n}", "u32") for n in scope.names.get("&mut u32", [])]
        if not places:
            return []
        name, ty = self.chance.choice(places)
        if ty == "Node" and self.some(0.7):
            part, ty = self.chance.choice(FIELDS["Node"])
            name = f"{name}.{part}"
        elif ty.startswith("(") and self.some(0.7):
            at = self.chance.randrange(2)
            name, ty = f"{name}.{at}", ty[1:-1].split(", ")[at]
        elif ty.startswith("[") and self.some(0.8):
            name, ty = f"{name}[{self.expr('usize', scope, 1)} % {self.pick('4', '4', '5')}]", ty[1:].split(";")[0]
        if ty in INTS and self.some(0.6):
            op = self.pick("+", "-", "*", "/", "%", "&", "|", "^", "+", "-")
            return [f"{name} {op}= {self.expr(ty, scope, 1)};"]
        return [f"{name} = {self.expr(ty, scope, 2)};"]

    def conditional(self, scope: Scope, depth: int) -> list[str]:
        lines = [f"if {self.expr('bool', scope, 2)} {{", *self.inner(scope.child(), depth - 1)]
        if self.some(0.3):
            lines += [f"}} else if {self.expr('bool', scope, 1)} {{", *self.inner(scope.child(), depth - 1)]
        if self.some(0.6):
            lines += ["} else {", *self.inner(scope.child(), depth - 1)]
        return [*lines, "}"]

    def inner(self, scope: Scope, depth: int) -> list[str]:
        return ["    " + s for _ in range(self.chance.randrange(1, 3)) for s in self.statement(scope, max(depth, 0))]

    def match(self, scope: Scope, depth: int) -> list[str]:
        kind = self.chance.random()
        if kind < 0.4:
            ty = self.int_type()
            lines = [f"match {self.expr(ty, scope, 1)} {{"]
            heads = [str(self.chance.randrange(9)), f"{self.chance.randrange(4)}..={self.chance.randrange(4, 99)}"]
            if self.some(0.5):
                heads.append(f"{self.chance.randrange(9)} | {self.chance.randrange(9, 30)}")
            for head in heads:
                lines += [f"    {head} => {{", *self.inner(scope.child(), depth - 1), "    }"]
            name = self.name()
            other = scope.child()
            other.add(name, ty)
            lines += [f"    {name} if {self.expr('bool', other, 1)} => {{", *self.inner(other, depth - 1), "    }"]
        elif kind < 0.7:
            ty = self.int_type()
            lines = [f"match {self.expr(f'Option<{ty}>', scope, 1)} {{"]
            name = self.name()
            some = scope.child()
            some.add(name, ty)
            lines += [f"    Some({name}) => {{", *self.inner(some, depth - 1), "    }"]
        else:
            lines = [f"match ({self.expr('Tree', scope, 1)}) {{"]
            a, b, c = self.name(), self.name(), self.name()
            one, two = scope.child(), scope.child()
            one.add(a, "u8")
            two.add(b, "i16")
            two.add(c, "u32")
            lines += [f"    Tree::One({a}) => {{", *self.inner(one, depth - 1), "    }"]
            lines += [f"    Tree::Two {{ left: {b}, right: {c} }} => {{", *self.inner(two, depth - 1), "    }"]
        return [*lines, "    _ => {", *self.inner(scope.child(), depth - 1), "    }", "}"]

    def loop(self, scope: Scope, depth: int) -> list[str]:
        inside = scope.child()
        inside.loops += 1
        kind = self.chance.random()
        name = self.name()
        if kind < 0.5:
            ty = self.pick("u8", "i32", "usize", "u64", "i8")
            low, high = self.chance.randrange(4), f"({self.expr(ty, scope, 1)} % 7)"
            dots = self.pick("..", "..=")
            inside.add(name, ty)
            source = f"{low}{dots}{high}"
            if self.some(0.2):
                source = f"({source}){self.pick('.rev()', '.step_by(2)', '.skip(1)', '.take(3)')}"
            return [f"for {name} in {source} {{", *self.inner(inside, depth - 1), "}"]
        slices = [(n, t) for t in ("&[u8]", "&[i32]") for n in scope.names.get(t, [])]
        if kind < 0.75 and slices:
            xs, ty = self.chance.choice(slices)
            item = ty[2:-1]
            inside.add(name, item)
            head = self.pick(f"&{name} in {xs}", f"&{name} in {xs}.iter()", f"&{name} in {xs}.iter().rev()")
            if self.some(0.3):
                at = self.name()
                inside.add(at, "usize")
                head = f"({at}, &{name}) in {xs}.iter().enumerate()"
            return [f"for {head} {{", *self.inner(inside, depth - 1), "}"]
        if kind < 0.9:
            inside.loops = scope.loops + 1
            lines = [
                f"let mut {name} = 0u8;",
                f"while {name} < 9 && {self.expr('bool', scope, 1)} {{",
                f"    {name} += 1;",
            ]
            return [*lines, *self.inner(inside, depth - 1), "}"]
        found, ty = self.name(), self.int_type()
        lines = [f"let mut {name} = 0u8;", f"let {found}: {ty} = loop {{", f"    {name} += 1;"]
        lines += [f"    if {name} > 5 || {self.expr('bool', scope, 1)} {{ break {self.expr(ty, scope, 1)}; }}"]
        inside.loops = 0
        lines += [*self.inner(inside, depth - 1), "};"]
        scope.add(found, ty)
        return lines
