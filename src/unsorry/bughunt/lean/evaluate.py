"""Run translated functions on values, with Lean: many calls in one file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from unsorry import UnsorryError
from unsorry.bughunt import ir, wire
from unsorry.bughunt.lean import library
from unsorry.bughunt.lean.names import component, field
from unsorry.bughunt.lean.translate import translate
from unsorry.bughunt.lean.translation import LeanFunction, Translation
from unsorry.bughunt.values import Endless, Outcome, Value, substitute
from unsorry.lean import toolchain as toolchains
from unsorry.lean.process import Confinement, Limits, run_lean
from unsorry.lean.toolchain import Toolchain

BATCH = 5_000  # calls of one `#eval`
BOUND = 10_000  # turns of one loop over a range
DEFAULT = Limits(wall=240.0, cpu=60.0, output=64 << 20)  # a busy machine changes no outcome
LEAST = 15.0  # seconds of processor for a part of a file that did not end


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the function with this Rust path; `types` are for its type parameters (default: all `u8`)."""

    function: str
    args: tuple[Value, ...]
    types: tuple[ir.Type, ...] = ()


def evaluate(
    translation: Translation,
    calls: Sequence[Call],
    *,
    fuel: int = 20_000,
    toolchain: Toolchain | None = None,
    confinement: Confinement | None = None,
    limits: Limits = DEFAULT,
) -> list[Outcome]:
    """What each call does; `Endless` for those that run out of fuel, time or memory.

    `limits` are for one file of at most 20 batches.  Raises UnsorryError for calls that do not fit the functions and if
    Lean does not take the translation.
    """
    if not calls:
        return []
    bounded = translate(translation.crate, mode=translation.mode, bound=BOUND, without=_left_out(translation))
    runner = _Runner(bounded, fuel, toolchain or toolchains.find(), confinement, limits)
    outcomes: list[Outcome] = []
    for start in range(0, len(calls), 20 * BATCH):
        outcomes += runner.run(calls[start : start + 20 * BATCH])
    return outcomes


def _left_out(translation: Translation) -> frozenset[str]:
    return frozenset(r.path for r in translation.refused if r.code == "lean")


class _Runner:
    def __init__(
        self, translation: Translation, fuel: int, toolchain: Toolchain, confinement: Confinement | None, limits: Limits
    ) -> None:
        self.translation, self.fuel = translation, fuel
        self.toolchain, self.confinement, self.limits = toolchain, confinement, limits
        self.keys: dict[tuple[str, tuple[ir.Type, ...]], int] = {}

    def run(self, calls: Sequence[Call], seconds: float | None = None) -> list[Outcome]:
        """The outcomes; a file that does not end is cut in two, down to the call that is to blame."""
        self.keys = {}
        lines = [self._line(c) for c in calls]
        text = self._program(lines)
        limits = self.limits if seconds is None else replace(self.limits, wall=4 * seconds, cpu=seconds)
        done = run_lean(self.toolchain, text, limits=limits, confinement=self.confinement)
        if done.errors and not done.timed_out:
            where = done.errors[0]
            stopped = re.search("stack overflow|heartbeats|memory|interrupted", where.text, re.I)
            if stopped is None:
                said = " ".join(where.text.split())[:300]
                raise UnsorryError(f"Lean does not run the translation: line {where.line}: {said}")
        elif not done.timed_out and done.completed.returncode == 0:
            said = "".join(m.text for m in done.messages if m.severity == "information")
            rows = [[int(x) for x in row.split()] for row in re.sub(r"[^-0-9; ]", "", said).split(";")[:-1]]
            if len(rows) == len(calls):
                return [self._outcome(c, row) for c, row in zip(calls, rows, strict=True)]
            raise UnsorryError(f"Lean gave {len(rows)} answers to {len(calls)} calls")
        if len(calls) == 1:
            return [Endless()]
        half = len(calls) // 2
        less = max(LEAST, limits.cpu / 2)
        return self.run(calls[:half], less) + self.run(calls[half:], less)

    def _types(self, call: Call, function: LeanFunction) -> tuple[ir.Type, ...]:
        return call.types or (ir.U8,) * len(function.generics)

    def _function(self, call: Call) -> LeanFunction:
        function = self.translation.functions.get(call.function)
        if function is None:
            raise UnsorryError(f"{call.function} has no translation to evaluate")
        if len(call.args) != len(function.params):
            raise UnsorryError(f"{call.function} takes {len(function.params)} arguments, not {len(call.args)}")
        return function

    def _known(self, call: Call, function: LeanFunction) -> dict[str, ir.Type]:
        source = self.translation.crate.function(call.function)
        assert source is not None
        types = self._types(call, function)
        return {g.name: t for g, t in zip(source.generics, types, strict=True)}

    def _line(self, call: Call) -> str:
        function = self._function(call)
        key = self.keys.setdefault((call.function, self._types(call, function)), len(self.keys))
        known = self._known(call, function)
        numbers = [key]
        for arg, param in zip(call.args, function.params, strict=True):
            numbers += wire.encode(arg, substitute(param.ty, known), self.translation.shapes)
        return " ".join(map(str, numbers)) + ";"

    def _outcome(self, call: Call, row: list[int]) -> Outcome:
        function = self._function(call)
        known = self._known(call, function)
        changed = [substitute(t, known) for t in function.changed]
        return wire.decode_outcome(row, substitute(function.ret, known), changed, self.translation.shapes)

    def _program(self, lines: Sequence[str]) -> str:
        parts = ["set_option maxHeartbeats 0", "set_option maxRecDepth 100000", self.translation.source]
        parts += [library.part("Wire"), *_instances(self.translation)]
        arms = []
        for (path, types), key in self.keys.items():
            arms.append(f"  | {key} => {self._arm(self.translation.functions[path], types)}")
        parts.append("def evaluateCall (key : Nat) (t0 : List Int) : List Int :=\n  match key with")
        parts[-1] += "\n" + "\n".join([*arms, "  | _ => [3]"])
        parts.append(
            "def evaluateLine (line : List Int) : List Int :=\n  match line with\n"
            "  | key :: rest => evaluateCall key.toNat rest\n  | [] => [3]"
        )
        for start in range(0, len(lines), BATCH):
            parts.append(f'#eval Rust.Wire.all evaluateLine "{"".join(lines[start : start + BATCH])}"')
        return "\n\n".join(parts) + "\n"

    def _arm(self, function: LeanFunction, types: tuple[ir.Type, ...]) -> str:
        unit = [f"({g} := {_lean_type(t, self.translation)})" for g, t in zip(function.generics, types, strict=True)]
        fuel = [str(self.fuel)] if function.fuel else []
        names = [f"a{i}" for i in range(len(function.params))]
        known = dict(zip(function.generics, (_lean_type(t, self.translation) for t in types), strict=True))
        text = f"Wire.out ({' '.join([function.name, *unit, *fuel, *names])})"
        for i in reversed(range(len(names))):
            ty = function.params[i].lean_type
            for generic, lean in known.items():
                ty = re.sub(rf"\b{generic}\b", lean, ty)
            text = (
                f"(match (Wire.get t{i} : Option (({ty}) × List Int)) with "
                f"| none => [3] | some (a{i}, t{i + 1}) => {text})"
            )
        return text


def _lean_type(ty: ir.Type, translation: Translation) -> str:
    from unsorry.bughunt.lean.unit import Unit

    return f"({Unit(translation.crate, translation.mode, None).type(ty)})"


def _instances(translation: Translation) -> list[str]:
    """`Wire` for the structs and enums that the source declares."""
    found = []
    for match in re.finditer(r"^(structure|inductive) (\S+)(.*) where$", translation.source, re.M):
        path = translation.types.get(match.group(2))
        if path is None:
            continue
        name, parameters = match.group(2), re.findall(r"\((\w+) : Type\)", match.group(3))
        implicit = "".join(f" {{{p} : Type}} [Wire {p}]" for p in parameters)
        ty = " ".join([name, *parameters])
        if match.group(1) == "structure":
            variants = [("mk", [field(f.name) for f in translation.shapes.structs[path].fields])]
        else:
            variants = [
                (component(v.name), [field(f.name) for f in v.fields]) for v in translation.shapes.enums[path].variants
            ]
        found.append(_instance(ty, implicit, variants, match.group(1) == "structure"))
    return found


def _instance(ty: str, implicit: str, variants: list[tuple[str, list[str]]], single: bool) -> str:
    put, get = [], []
    for number, (name, fields) in enumerate(variants):
        xs = [f"x{i}" for i in range(len(fields))]
        body = "ts"
        for x in reversed(xs):
            body = f"(Wire.put {x} {body})"
        put.append(f"    | {' '.join(['.' + name, *xs])} => {body if single else f'{number} :: {body}'}")
        text = f"some ({' '.join(['.' + name, *xs])}, ts)"
        for x in reversed(xs):
            text = f"(match Wire.get ts with | none => none | some ({x}, ts) => {text})"
        get.append(text if single else f"if t = {number} then {text} else")
    reading = get[0] if single else "match ts with\n    | [] => none\n    | t :: ts => " + " ".join([*get, "none"])
    return (
        f"instance{implicit} : Wire ({ty}) where\n  put a ts := match a with\n"
        + "\n".join(put)
        + f"\n  get ts := {reading}"
    )
