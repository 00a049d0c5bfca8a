#!/usr/bin/env python3
"""hazards.py [LIBRARY [SHARED_LIBRARY]]: where the core library and the compiled code of the binary could disagree.

LIBRARY holds compiled core modules (default: the one in the user's cache).  Three findings are reported:
- a module named like one of upstream's: its auxiliary definitions would bind to upstream's code;
- a definition with a borrowed parameter whose native twin owns its arguments: it would be freed twice;
- an `extern` definition that nothing in the binary implements.
With `--twins` every definition that has a native twin is listed.  Exit code 1 when there is a finding.
"""

from __future__ import annotations

import sys
from pathlib import Path

from compiled import Compiled, compiled, mangle, native_symbols


def upstream_modules(library: Path, symbols: frozenset[str]) -> list[str]:
    """Core modules for which the binary has an initialiser, that is, which exist upstream."""
    names = [".".join(p.relative_to(library).with_suffix("").parts) for p in sorted(library.glob("*/**/*.olean"))]
    return [name for name in names if "initialize_" + mangle(name)[2:] in symbols]


def twins(library: Path, symbols: frozenset[str]) -> list[Compiled]:
    """Definitions that the binary has under the same name."""
    return [c for c in compiled(library) if not c.extern and mangle(c.name) in symbols]


def freed_twice(library: Path, symbols: frozenset[str]) -> list[Compiled]:
    """Twins that borrow a parameter where native code without a `___boxed` version consumes all of them."""
    return [c for c in twins(library, symbols) if any(c.borrowed) and mangle(c.name) + "___boxed" not in symbols]


def unbound(library: Path, symbols: frozenset[str]) -> list[Compiled]:
    """`extern` definitions that nothing in the binary implements: evaluating one ends the process."""
    return [c for c in compiled(library) if c.extern and not {mangle(c.name), mangle(c.name) + "___boxed"} & symbols]


def main(argv: list[str]) -> int:
    arguments = [a for a in argv if not a.startswith("-")]
    if len(arguments) < 2:
        from unsorry.lean import toolchain

        embedded = toolchain.embedded()
        if embedded.native is None:
            sys.exit("hazards.py: the embedded toolchain names no shared library; give both paths")
        arguments = [*arguments, *[str(p) for p in (embedded.library[0], embedded.native)][len(arguments) :]]
    library, symbols = Path(arguments[0]), native_symbols(Path(arguments[1]))
    findings = [f"module {m} has an upstream name" for m in upstream_modules(library, symbols)]
    findings += [f"{c.module}: {c.name} borrows, its native twin consumes" for c in freed_twice(library, symbols)]
    findings += [f"{c.module}: {c.name} is extern and not in the binary" for c in unbound(library, symbols)]
    if "--twins" in argv:
        print(*(f"{c.module} {c.name}" for c in twins(library, symbols)), sep="\n")
    print(*findings, f"{len(findings)} findings", sep="\n")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
