"""Random and hand-made Rust functions, translated to Lean and compiled by rustc, on random inputs.

.venv/bin/python -m benchmarks.hunt_differential 100000 [--seed 0] [--functions 40] [--calls 4000]

Half of the calls go to the crate with every construct, half to random crates; each in debug and in release.  Prints a
line for each crate and mode, and a summary; the exit code is 1 if there was a difference: then a fault is ours.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.rust_programs import Programs
from unsorry import UnsorryError
from unsorry.bughunt.differential import Comparison, compare
from unsorry.bughunt.lean import Call, Mode, translate
from unsorry.bughunt.rust import read_crate
from unsorry.bughunt.samples import sample

CONSTRUCTS = Path(__file__).parent.parent / "tests" / "bughunt" / "lean" / "constructs"
MODES: tuple[Mode, ...] = ("debug", "release")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calls", type=int, help="in total")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--functions", type=int, default=40, help="in a random crate")
    parser.add_argument("--each", type=int, default=4000, help="calls of a random crate, in a mode")
    options = parser.parse_args()
    start = time.monotonic()
    total = Comparison()
    refused: Counter[str] = Counter()
    functions = run(CONSTRUCTS, options.calls // 4, options.seed, total, refused)
    number = 0
    while total.calls < options.calls:
        text = Programs(options.seed * 1_000_003 + number).crate(options.functions)
        with tempfile.TemporaryDirectory(prefix="unsorry-") as name:
            folder = Path(name)
            write_crate(folder, text)
            functions += run(folder, options.each, options.seed + number, total, refused)
        number += 1
    print(
        f"{total.calls} calls, {functions} functions, {number} random crates, {sum(refused.values())} refused, "
        f"{total.panics} panics, {total.endless} out of fuel, {len(total.differences)} differences, "
        f"{time.monotonic() - start:.0f} s"
    )
    for code, count in refused.most_common():
        print(f"  refused {count} times: {code}")
    return 1 if total.differences else 0


def write_crate(folder: Path, text: str) -> None:
    """A crate of one file."""
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text('[package]\nname = "generated"\nversion = "0.1.0"\nedition = "2021"\n')
    (folder / "src" / "lib.rs").write_text(text, encoding="utf-8")


def run(folder: Path, count: int, seed: int, total: Comparison, refused: Counter[str]) -> int:
    """Compare `count` calls of the crate's functions in each mode; gives how many functions there were."""
    chance = random.Random(seed)
    crate = read_crate(folder)
    functions = []
    for mode in MODES:
        translation = translate(crate, mode=mode)
        functions = [f for f in translation.functions.values() if not f.generics]
        if mode == "debug":
            refused.update(f"{r.code}: {r.message}" for r in translation.refused)
        if not functions:
            continue
        calls = []
        for _ in range(count):
            function = chance.choice(functions)
            calls.append(Call(function.path, tuple(sample(p.ty, translation.shapes, chance) for p in function.params)))
        start = time.monotonic()
        try:
            found = compare(translation, folder / "src" / "lib.rs", calls)
        except UnsorryError as error:
            kept = Path(tempfile.mkdtemp(prefix="unsorry-kept-")) / "lib.rs"
            kept.write_text((folder / "src" / "lib.rs").read_text())
            raise UnsorryError(f"{error} (crate kept in {kept}, {mode})") from None
        total.calls += found.calls
        total.panics += found.panics
        total.endless += found.endless
        total.differences += found.differences
        print(
            f"{crate.name} {mode}: {len(functions)} functions, {found.calls} calls, {found.panics} panics, "
            f"{found.endless} out of fuel, {len(found.differences)} differences, {time.monotonic() - start:.1f} s",
            flush=True,
        )
        shown: set[str] = set()
        for one in found.differences:
            if one.call.function not in shown:
                shown.add(one.call.function)
                print(f"  {one.call.function}{one.call.args}: Lean {one.lean}, Rust {one.rust}")
    return len(functions)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UnsorryError as error:
        print(f"hunt_differential: {error}", file=sys.stderr)
        sys.exit(2)
