"""Random Rust expressions over what is in scope, well typed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

INTS = ("u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize")
UNSIGNED = tuple(t for t in INTS if t[0] == "u")
BINARY = (
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "saturating_add",
    "saturating_sub",
    "saturating_mul",
    "min",
    "max",
)
RISKY = ("rem_euclid", "div_euclid")
SHIFTING = ("wrapping_shl", "wrapping_shr", "rotate_left", "rotate_right", "saturating_pow", "wrapping_pow", "pow")
COUNTING = ("count_ones", "leading_zeros", "trailing_zeros", "count_zeros")
CHECKED = ("checked_add", "checked_sub", "checked_mul", "checked_div", "checked_rem")

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


class Expressions:
    """Makes expressions of a type; `ret` is the type of the function around them."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.count = 0
        self.ret = ""
        self.functions: list[tuple[str, list[str], str]] = []

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

    def expr(self, ty: str, scope: Scope, depth: int) -> str:
        names = scope.names.get(ty, [])
        if names and self.some(0.35 if depth else 0.7):
            return self.chance.choice(names)
        if depth and self.some(0.08):
            condition, then, other = (self.expr(t, scope, depth - 1) for t in ("bool", ty, ty))
            return f"(if {condition} {{ {then} }} else {{ {other} }})"
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
            item = ty[1:].split(";", 1)[0]
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

        def sub(t: str) -> str:
            return self.expr(t, scope, depth - 1)

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

        def sub(t: str) -> str:
            return self.expr(t, scope, depth - 1)

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
            return (
                self.pick(f"{{ let none: Option<{item}> = None; none }}", f"Some({self.literal(item)})")
                if self.some(0.5)
                else f"Some({self.literal(item)})"
            )

        def sub(t: str) -> str:
            return self.expr(t, scope, depth - 1)

        if self.some(0.3):
            return f"Some({sub(item)})"
        if self.ret.startswith("Option<") and self.some(0.15):
            return f"Some({sub(f'Option<{item}>')}?)"
        return f"{sub(item)}.{self.pick(*CHECKED)}({sub(item)})"
