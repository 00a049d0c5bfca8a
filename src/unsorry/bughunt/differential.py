"""Translated functions against compiled Rust: any difference is a fault of ours.

The crate's root file becomes a program that reads calls as numbers (see wire.py), runs each and writes what it did;
rustc compiles it as `debug` (overflow checked) and as `release` (optimised, overflow wraps).  Only for functions and
types that are visible from the crate's root.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from unsorry import UnsorryError
from unsorry.bughunt import ir, rustc, wire
from unsorry.bughunt.lean.evaluate import Call, evaluate
from unsorry.bughunt.lean.translation import Mode, Translation
from unsorry.bughunt.values import Endless, Outcome, rust_path, rust_type
from unsorry.lean.process import Confinement, Limits

RUNTIME = Path(__file__).with_name("harness") / "wire.rs"
LIMITS = Limits(wall=600.0, cpu=600.0, output=256 << 20)
FLAGS: dict[Mode, list[str]] = {
    "debug": ["-Copt-level=0", "-Coverflow-checks=on", "-Cdebug-assertions=on"],
    "release": ["-Copt-level=3", "-Coverflow-checks=off", "-Cdebug-assertions=off"],
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A call on which Lean and Rust do not agree."""

    call: Call
    mode: Mode
    lean: Outcome
    rust: Outcome


@dataclass(slots=True)
class Comparison:
    """`endless`: calls on which Lean ran out of fuel, so that there is nothing to compare."""

    calls: int = 0
    panics: int = 0
    endless: int = 0
    differences: list[Difference] = field(default_factory=list)


def compare(
    translation: Translation, source: Path, calls: Sequence[Call], *, confinement: Confinement | None = None
) -> Comparison:
    """Run the calls in Lean and in Rust, in the translation's mode; `source` is the crate's root file.

    Raises UnsorryError if either does not compile.
    """
    lean = evaluate(translation, calls, confinement=confinement, limits=LIMITS)
    result = Comparison(calls=len(calls), endless=sum(isinstance(o, Endless) for o in lean))
    ended = [i for i, o in enumerate(lean) if not isinstance(o, Endless)]
    rust = run_rust(translation, source, [calls[i] for i in ended])
    for i, other in zip(ended, rust, strict=True):
        result.panics += not hasattr(other, "value")
        if lean[i] != other:
            result.differences.append(Difference(calls[i], translation.mode, lean[i], other))
    return result


def run_rust(translation: Translation, source: Path, calls: Sequence[Call]) -> list[Outcome]:
    """What the calls do in Rust, compiled for the translation's mode."""
    keys: dict[str, int] = {}
    lines = []
    for call in calls:
        function = translation.functions[call.function]
        numbers = [keys.setdefault(call.function, len(keys))]
        for arg, param in zip(call.args, function.params, strict=True):
            numbers += wire.encode(arg, param.ty, translation.shapes)
        lines.append(" ".join(map(str, numbers)))
    program = "\n".join([source.read_text(encoding="utf-8"), harness(translation, list(keys))])
    with tempfile.TemporaryDirectory(prefix="unsorry-") as name:
        folder = Path(name)
        for other in sorted(source.parent.rglob("*.rs")):
            target = folder / other.relative_to(source.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(other.read_bytes())
        (folder / source.name).write_text(program, encoding="utf-8")
        compiler = [str(rustc.find().rustc), "--edition=2021", "--cap-lints=allow", *FLAGS[translation.mode]]
        made = subprocess.run(
            [*compiler, source.name, "-o", "main"], cwd=folder, capture_output=True, text=True, check=False
        )
        if made.returncode != 0:
            raise UnsorryError(f"rustc does not compile the harness: {made.stderr.strip()[:1000]}")
        ran = subprocess.run(
            [str(folder / "main")], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False,
            timeout=600,
        )  # fmt: skip
    rows = [[int(x) for x in line.split()] for line in ran.stdout.splitlines()]
    if ran.returncode != 0 or len(rows) != len(calls):
        raise UnsorryError(f"the Rust harness ended with {ran.returncode} after {len(rows)} of {len(calls)} calls")
    found = []
    for call, row in zip(calls, rows, strict=True):
        function = translation.functions[call.function]
        found.append(wire.decode_outcome(row, function.ret, function.changed, translation.shapes))
    return found


def harness(translation: Translation, paths: Sequence[str]) -> str:
    """Rust text that follows the crate's root: numbers for its types, and a `main` that makes the calls."""
    parts = [RUNTIME.read_text(encoding="utf-8")]
    parts += [_impl(translation, path) for path in translation.types.values()]
    arms = [f"            {key} => {_arm(translation, path)}" for key, path in enumerate(paths)]
    parts.append(
        "fn main() {\n    wire_harness::main(|key, it, out| {\n"
        "        use wire_harness::{Get, Put};\n        match key {\n"
        + "\n".join(arms) + "\n            _ => panic!(),\n        }\n    })\n}\n"
    )  # fmt: skip
    return "\n".join(parts)


def _arm(translation: Translation, path: str) -> str:
    function = translation.crate.function(path)
    assert function is not None
    reads, args, back = [], [], []
    for i, param in enumerate(function.params):
        ty = param.ty
        plain = ty.target if isinstance(ty, ir.Ref) else ty
        held = ir.Vec(plain.item) if isinstance(plain, ir.Slice) else plain
        reads.append(f"let mut a{i} = <{rust_type(held)} as Get>::get(it);")
        cut = "[..]" if isinstance(plain, ir.Slice) else ""
        if isinstance(ty, ir.Ref):
            args.append(f"&{'mut ' if ty.mutable else ''}a{i}{cut}")
            back += [f"Put::put(&a{i}, out);"] * ty.mutable
        else:
            args.append(f"a{i}")
    name = f"<crate::{path[1:]}" if path.startswith("<") else f"crate::{path}"
    return (
        f'{{ {" ".join(reads)} *out = String::from("0 "); let r = {name}({", ".join(args)}); Put::put(&r, out); '
        f"{' '.join(back)} }}"
    )


def _impl(translation: Translation, path: str) -> str:
    shapes = translation.shapes
    if path in shapes.structs:
        struct = shapes.structs[path]
        generics, variants = struct.generics, [("", [f.name for f in struct.fields])]
    else:
        enum = shapes.enums[path]
        generics, variants = enum.generics, [(v.name, [f.name for f in v.fields]) for v in enum.variants]
    names = [g.name for g in generics]
    ty = rust_path(path) + (f"<{', '.join(names)}>" if names else "")
    put, get = [], []
    for number, (variant, fields) in enumerate(variants):
        head = rust_path(path) + (f"::{variant}" if variant else "")
        pattern = f"{head} {{ {', '.join(f'{f}: x{i}' for i, f in enumerate(fields))} }}"
        tag = f"{number}i32.put(out); " if variant else ""
        put.append(f"{pattern} => {{ {tag}{' '.join(f'Put::put(x{i}, out);' for i in range(len(fields)))} }}")
        get.append((number, f"{head} {{ {', '.join(f'{f}: wire_harness::Get::get(it)' for f in fields)} }}"))
    reading = (
        get[0][1] if not variants[0][0]
        else "match i32::get(it) { " + ", ".join([*(f"{n} => {t}" for n, t in get), "_ => panic!()"]) + " }"
    )  # fmt: skip

    def bounds(trait: str) -> str:
        return f"<{', '.join(f'{n}: wire_harness::{trait}' for n in names)}>" if names else ""

    return (
        f"impl{bounds('Put')} wire_harness::Put for {ty} {{\n    fn put(&self, out: &mut String) {{\n"
        f"        use wire_harness::Put;\n        match self {{ {' '.join(put)} }}\n    }}\n}}\n"
        f"impl{bounds('Get')} wire_harness::Get for {ty} {{\n"
        "    fn get(it: &mut std::str::SplitWhitespace) -> Self {\n"
        f"        use wire_harness::Get;\n        {reading}\n    }}\n}}\n"
    )
