"""Files of Lean's module system, compiled by the real binary: a small world without a core library, and the core as
modules in a folder laid out as elan lays out a toolchain."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from graphlib import TopologicalSorter
from pathlib import Path

from unsorry.lean import embedded as core
from unsorry.lean import official
from unsorry.lean.toolchain import Toolchain

PARTS = ("", ".server", ".private")

BASE = """module
prelude
public section
universe u
inductive N : Type where
  | zero : N
  | succ : N → N
inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a
@[expose] def two : N := N.succ (N.succ N.zero)
def hidden : N := N.succ (N.succ N.zero)
theorem two_eq : Eq two two := Eq.refl two
axiom wish : Eq two N.zero
theorem wished : Eq N.zero two := Eq.rec (motive := fun x _ => Eq x two) (Eq.refl two) wish
end
private def secret : N := hidden
theorem secret_eq : Eq secret secret := Eq.refl secret
"""
WORLD: dict[str, str] = {
    "Base": BASE,
    "All": "module\nprelude\npublic import Base\nimport all Base\npublic section\n"
    "def three : N := N.succ two\ntheorem three_eq : Eq three (N.succ hidden) := Eq.refl _\n",
    "Left": "module\nprelude\npublic import Base\npublic section\n"
    "theorem twin : Eq two two := Eq.refl two\ndef left : N := two\n",
    "Right": "module\nprelude\npublic import Base\npublic section\n"
    "theorem twin : Eq two two := two_eq\ndef right : N := two\n",
    "Top": "module\nprelude\nmeta import Left\nimport Right\ndef own : N := right\n",
    "Clash": "module\nprelude\npublic import Base\npublic section\ndef left : N := N.zero\n",
}


def world(folder: Path, embedded: Toolchain, sources: Mapping[str, str] = WORLD) -> Toolchain:
    """The modules compiled into `folder`, and a toolchain that has nothing else as its library."""
    toolchain = replace(
        embedded, library=(folder,), lean=(*embedded.lean[:-1], str(folder)), readable=(*embedded.readable, folder)
    )
    for name, text in sources.items():
        source = folder / f"{name}.lean"
        source.write_text(text)
        compile_module(toolchain.lean, folder, source, folder / f"{name}.olean")
    return toolchain


def compile_module(lean: tuple[str, ...], root: Path, source: Path, target: Path) -> None:
    env = {k: v for k, v in os.environ.items() if not k.startswith("LEAN")}
    run = subprocess.run(
        [*lean, "-R", str(root), "-o", str(target), str(source)],
        env=env,
        cwd=root,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert all(target.with_name(target.name + part).is_file() for part in PARTS)


def read_parts(folder: Path, module: str) -> list[bytes]:
    return [(folder / f"{module}.olean{part}").read_bytes() for part in PARTS]


def core_as_modules(folder: Path, embedded: Toolchain) -> None:
    """The core library, each file turned into a module, as the library of a toolchain folder; takes a minute."""
    sources, library = folder / "sources", folder / "lib" / "lean"
    needs: dict[str, set[str]] = {}
    for name, path in core.modules().items():
        source = sources.joinpath(*name.split(".")).with_suffix(".lean")
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(as_module(path.read_text()))
        library.joinpath(*name.split(".")).parent.mkdir(parents=True, exist_ok=True)
        needs[name] = set(core.imports_of(path))
    lean = (*embedded.lean[:-1], str(library))
    order = TopologicalSorter(needs)
    order.prepare()
    running: dict[Future[None], str] = {}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        while order.is_active():
            for name in order.get_ready():
                file = Path(*name.split("."))
                work = (lean, sources, sources / file.with_suffix(".lean"), library / file.with_suffix(".olean"))
                running[pool.submit(compile_module, *work)] = name
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                future.result()
                order.done(running.pop(future))
    assert embedded.native is not None
    (folder / "lib" / "libleanshared.so").symlink_to(embedded.native)
    (folder / "bin").mkdir()
    script = folder / "bin" / "lean"
    script.write_text("#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in lean) + ' "$@"\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def toolchain_at(folder: Path, embedded: Toolchain) -> Toolchain:
    """That toolchain, with what its `lean` needs to run when it is confined."""
    found = official.at(folder, kind="elan")
    shell = (Path("/bin"), Path("/usr/bin"))  # for the script; an official `lean` is a binary
    return replace(found, readable=(*found.readable, *embedded.readable, *shell))


def as_module(text: str) -> str:
    """A core source with a `module` header, everything public and exposed; what runs at compile time is `meta`."""
    head, rest = re.split(r"^prelude\n", text, maxsplit=1, flags=re.MULTILINE)
    imports = re.findall(r"^import (\S+)\n", rest, re.MULTILINE)
    body = re.split(r"^import \S+\n", rest, flags=re.MULTILINE)[-1]
    body = re.sub(r'^(@\[extern "c", [^]\n]*\]) opaque', r"\1 meta opaque", body, flags=re.MULTILINE)
    body = re.sub(r"\] opaque \$\(declId", "] meta opaque $(declId", body)
    made = [head + "module\nprelude\n", *(f"public import {i}\npublic meta import {i}\n" for i in imports)]
    if body.strip():
        made.append("set_option compiler.relaxedMetaCheck true\n@[expose] public section\n" + body)
    return "".join(made)
