"""Random Rust functions of the hunter's subset: well typed, they end, and they panic now and then."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

INTS = ("u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize")
UNSIGNED = tuple(t for t in INTS if t[0] == "u")
BINARY = ("wrapping_add", "wrapping_sub", "wrapping_mul", "saturating_add", "saturating_sub", "saturating_mul", "min", "max")
RISKY = ("rem_euclid", "div_euclid")
SHIFTING = ("wrapping_shl", "wrapping_shr", "rotate_left", "rotate_right", "saturating_pow", "wrapping_pow", "pow")
COUNTING = ("count_ones", "leading_zeros", "trailing_zeros", "count_zeros")
CHECKED = ("checked_add", "checked_sub", "checked_mul", "checked_div", "checked_rem")

PRELUDE = """#![allow(warnings)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node { pub key: u16, pub weight: i32, pub on: bool }
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tree { Leaf, One(u8), Two { left: i16, right: u32 } }
pub const K: u32 = 3 * 7 + (1 << 4);
"""
FIELDS = {"Node": (("key", "u16"), ("weight", "i32"), ("on", "bool"))}


@dataclass
class Scope:
    """What is in sight: names by type, and which of them may be assigned to."""

    names: dict[str, list[str]] = field(default_factory=dict)
    mutable: set[str] = field(default_factory=set)
    loops: int = 0

    def child(self) -> Scope:
        return Scope({t: list(n) for t, n in self.names.items()}, set(self.mutable), self.loops)

    def add(self, name: str, ty: str, mutable: bool = False) -> None:
        self.names.setdefault(ty, []).append(name)
        if mutable:
            self.mutable.add(name)


class Programs:
    """Makes one crate after the other from a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311
        self.count = 0
        self.functions: list[tuple[str, list[str], str]] = []

    def crate(self, functions: int) -> str:
        """The text of a crate's root file."""
        self.functions = []
        return PRELUDE + "\n".join(self.function(i) for i in range(functions))

    def pick(self, *items: str) -> str:
        return self.chance.choice(items)

    def some(self, odds: float) -> bool:
        return self.chance.random() < odds

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def int_type(self) -> str:
        return self.pick("u8", "i8", "u32", "i32", "usize", *INTS)

    def value_type(self) -> str:
        kind = self.chance.random()
        if kind < 0.6:
            return self.int_type()
        if kind < 0.7:
            return "bool"
        if kind < 0.8:
            return f"Option<{self.int_type()}>"
        if kind < 0.87:
            return f"({self.int_type()}, {self.int_type()})"
        if kind < 0.92:
            return f"[{self.int_type()}; 4]"
        return self.pick("Node", "Tree")

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
        return "".join("    " * indent + s + "\n" for _ in range(self.chance.randrange(1, 4)) for s in self.statement(scope, depth))

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
            return [f"{self.pick('assert', 'debug_assert')}!({self.expr('bool', scope, 1)} || {self.expr('bool', scope, 1)});"]
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
            lines = [f"let mut {name} = 0u8;", f"while {name} < 9 && {self.expr('bool', scope, 1)} {{", f"    {name} += 1;"]
            return [*lines, *self.inner(inside, depth - 1), "}"]
        found, ty = self.name(), self.int_type()
        lines = [f"let mut {name} = 0u8;", f"let {found}: {ty} = loop {{", f"    {name} += 1;"]
        lines += [f"    if {name} > 5 || {self.expr('bool', scope, 1)} {{ break {self.expr(ty, scope, 1)}; }}"]
        inside.loops = 0
        lines += [*self.inner(inside, depth - 1), "};"]
        scope.add(found, ty)
        return lines

    # ---- expressions

    def expr(self, ty: str, scope: Scope, depth: int) -> str:
        names = scope.names.get(ty, [])
        if names and self.some(0.35 if depth else 0.7):
            return self.chance.choice(names)
        if depth and self.some(0.08):
            return f"(if {self.expr('bool', scope, depth - 1)} {{ {self.expr(ty, scope, depth - 1)} }} else {{ {self.expr(ty, scope, depth - 1)} }})"
        if depth and self.some(0.08):
            fitting = [f for f in self.functions if f[2] == ty and not any(t.startswith("&") for t in f[1])]
            if fitting:
                name, types, _ = self.chance.choice(fitting)
                return f"{name}({', '.join(self.expr(t, scope, 0) for t in types)})"
        if ty in INTS:
            others = [n for t in INTS for n in scope.names.get(t, [])]
            if others and self.some(0.3 if depth else 0.7):
                return f"({self.chance.choice(others)} as {ty})"
            return self.integer(ty, scope, depth)
        if ty == "bool":
            return self.boolean(scope, depth)
        if ty.startswith("Option<"):
            return self.option(ty[7:-1], scope, depth)
        if ty.startswith("("):
            a, b = ty[1:-1].split(", ")
            return f"({self.expr(a, scope, depth and depth - 1)}, {self.expr(b, scope, depth and depth - 1)})"
        if ty.startswith("["):
            item = ty[1:].split(";")[0]
            if self.some(0.3):
                return f"[{self.expr(item, scope, 0)}; 4]"
            return f"[{', '.join(self.expr(item, scope, 0) for _ in range(4))}]"
        if ty == "Node":
            parts = ", ".join(f"{n}: {self.expr(t, scope, depth and depth - 1)}" for n, t in FIELDS["Node"])
            return f"Node {{ {parts} }}"
        assert ty == "Tree", ty
        return self.pick(
            "Tree::Leaf", f"Tree::One({self.expr('u8', scope, 0)})",
            f"Tree::Two {{ left: {self.expr('i16', scope, 0)}, right: {self.expr('u32', scope, 0)} }}",
        )  # fmt: skip

    def literal(self, ty: str) -> str:
        value = self.chance.choice([0, 1, 2, 3, self.chance.randrange(20), self.chance.randrange(128)])
        if self.some(0.1):
            return f"{ty}::{self.pick('MAX', 'MIN')}"
        return f"(-{value}{ty})" if ty[0] == "i" and self.some(0.25) else f"{value}{ty}"

    def integer(self, ty: str, scope: Scope, depth: int) -> str:
        if depth == 0:
            return self.literal(ty)
        sub = lambda t: self.expr(t, scope, depth - 1)  # noqa: E731
        kind = self.chance.random()
        if kind < 0.15:
            return self.literal(ty)
        if kind < 0.45:
            return f"({sub(ty)} {self.pick('+', '-', '*', '/', '%', '&', '|', '^', '+', '-')} {sub(ty)})"
        if kind < 0.52:
            amount = self.pick(str(self.chance.randrange(8)), f"({sub('u32')} % 9)")
            return f"({sub(ty)} {self.pick('<<', '>>')} {amount})"
        if kind < 0.62:
            return f"({sub(ty)} {self.pick('/', '%', '&')} {self.pick('2', '3', '7', '10', '16')})"
        if kind < 0.72:
            return f"({sub(self.int_type())} as {ty})"
        if kind < 0.8:
            return f"{sub(ty)}.{self.pick(*BINARY)}({sub(ty)})"
        if kind < 0.83:
            return f"{sub(ty)}.{self.pick(*RISKY)}({sub(ty)})"
        if kind < 0.87:
            return f"{sub(ty)}.{self.pick(*SHIFTING)}({sub('u32')} % 40)"
        if kind < 0.9:
            return f"{sub(f'Option<{ty}>')}.unwrap_or({sub(ty)})"
        if kind < 0.92 and ty == "u32":
            return f"{sub(self.int_type())}.{self.pick(*COUNTING)}()"
        if kind < 0.95:
            return f"(!{sub(ty)})" if ty[0] == "u" or self.some(0.3) else f"(-{sub(ty)})"
        holders = [(n, t) for t, names in scope.names.items() for n in names if t.startswith("[" + ty + ";")]
        if holders:
            return f"{self.chance.choice(holders)[0]}[{sub('usize')} % 4]"
        for t in (f"&[{ty}]", f"&mut [{ty}]"):
            for name in scope.names.get(t, []):
                return f"{name}[{sub('usize')}]" if self.some(0.5) else f"{name}.first().copied().unwrap_or(0)"
        if ty == "usize":
            for t in ("&[u8]", "&[i32]", "&mut [u16]"):
                for name in scope.names.get(t, []):
                    return f"{name}.len()"
        return f"(b2 as {ty})".replace("b2", sub("bool"))

    def boolean(self, scope: Scope, depth: int) -> str:
        if depth == 0:
            return self.pick("true", "false")
        kind = self.chance.random()
        sub = lambda t: self.expr(t, scope, depth - 1)  # noqa: E731
        op = self.pick("<", "<=", ">", ">=", "==", "!=")
        if kind < 0.6:
            ty = self.int_type()
            return f"({sub(ty)} {op} {sub(ty)})"
        if kind < 0.75:
            return f"({sub('bool')} {self.pick('&&', '||', '^', '&')} {sub('bool')})"
        if kind < 0.82:
            return f"(!{sub('bool')})"
        if kind < 0.9:
            return f"{sub(f'Option<{self.int_type()}>')}.{self.pick('is_some', 'is_none')}()"
        ty = self.pick("Option<u8>", "(i8, u32)", "[u8; 4]")
        a, b = self.name(), self.name()
        return f"({{ let {a}: {ty} = {sub(ty)}; let {b}: {ty} = {sub(ty)}; {a} {op} {b} }})"

    def option(self, item: str, scope: Scope, depth: int) -> str:
        if depth == 0:
            return self.pick("None", f"Some({self.literal(item)})") if self.some(0.5) else f"Some({self.literal(item)})"
        sub = lambda t: self.expr(t, scope, depth - 1)  # noqa: E731
        if self.some(0.3):
            return f"Some({sub(item)})"
        if self.ret.startswith("Option<") and self.some(0.15):
            return f"Some({sub(f'Option<{item}>')}?)"
        return f"{sub(item)}.{self.pick(*CHECKED)}({sub(item)})"
