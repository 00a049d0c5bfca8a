"""Official toolchains: laid out by elan, used through `lake env` where there is a lakefile."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.toolchain import OVERRIDE, Toolchain, sha256, system_libraries, version_of

LAKEFILES = ("lakefile.toml", "lakefile.lean")


def project_root(directory: Path) -> Path | None:
    """The nearest folder upwards with a `lean-toolchain` or a lakefile."""
    for folder in (directory, *directory.parents):
        if any((folder / name).is_file() for name in ("lean-toolchain", *LAKEFILES)):
            return folder
    return None


def of_project(root: Path) -> Toolchain:
    """The toolchain that a project names, with its search path."""
    name = _toolchain_name(root)
    if name is None:  # a lakefile alone: the default toolchain
        found = shutil.which("lean")
        if found is None:
            raise UnsorryError(
                f"{root} has a lakefile but there is no `lean` on PATH: install elan, "
                f"or set {OVERRIDE}=embedded if the files need only Lean's core"
            )
        base = on_path(found, root)
    else:
        home = elan_home() / "toolchains" / elan_folder(name)
        if not (home / "bin" / "lean").exists():
            raise UnsorryError(
                f"{root / 'lean-toolchain'} asks for {name}, which is not installed: run "
                f"`elan toolchain install {name}`, or set {OVERRIDE}=embedded if the files need only Lean's core"
            )
        base = at(home, kind="elan")
    if not any((root / f).is_file() for f in LAKEFILES):
        return base
    return _with_lake(base, root)


def _toolchain_name(root: Path) -> str | None:
    file = root / "lean-toolchain"
    if not file.is_file():
        return None
    try:
        name = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UnsorryError(f"cannot read {file}: {error}") from None
    if not name or "\n" in name:
        raise UnsorryError(f"{file} must hold one line such as leanprover/lean4:v4.35.0")
    return name


def elan_home() -> Path:
    return Path(os.environ.get("ELAN_HOME") or Path.home() / ".elan")


def elan_folder(name: str) -> str:
    """elan's folder name: `leanprover/lean4:v4.9.0` is `leanprover--lean4---v4.9.0`; a bare version is Lean's own."""
    if "/" not in name and ":" not in name:
        name = f"leanprover/lean4:{name if name.startswith(('v', 'nightly')) else 'v' + name}"
    elif "/" not in name:
        name = f"leanprover/{name}"
    return name.replace("/", "--").replace(":", "---")


def at(home: Path, *, kind: str) -> Toolchain:
    """The toolchain in a folder that holds bin/lean and lib/lean."""
    home = home.resolve()
    lean, library = home / "bin" / "lean", home / "lib" / "lean"
    if not lean.is_file() or not library.is_dir():
        raise UnsorryError(f"{home} is no Lean toolchain: it must hold bin/lean and lib/lean")
    argv = (str(lean),)
    version, line = version_of(argv, {})
    native = next((f for f in (library / "libleanshared.so", home / "lib" / "libleanshared.so") if f.is_file()), None)
    return Toolchain(
        kind=kind,
        lean=argv,
        version=version,
        library=(library,),
        env={"LEAN_BACKTRACE": "0"},
        readable=(*system_libraries(), home),
        native=native,
        digest=sha256(line),
    )


def on_path(lean: str, directory: Path) -> Toolchain:
    """The toolchain behind `lean` on PATH; elan's own `lean` is a proxy, so Lean itself is asked where it lives."""
    try:
        run = subprocess.run(
            [lean, "--print-prefix"],
            cwd=directory,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnsorryError(f"cannot run {lean}: {error}; `unsorry doctor` says what is installed") from None
    prefix = (
        Path(run.stdout.strip()) if run.returncode == 0 and run.stdout.strip() else Path(lean).resolve().parent.parent
    )
    return at(prefix, kind="path")


def _with_lake(base: Toolchain, root: Path) -> Toolchain:
    """Adds the project's search path.  `lake env` evaluates the lakefile: only for projects of the user's own."""
    lake = Path(base.lean[0]).with_name("lake")
    if not lake.is_file():
        raise UnsorryError(f"{root} has a lakefile but {lake} does not exist: reinstall the toolchain with elan")
    try:
        run = subprocess.run(
            [str(lake), "env", "printenv", "LEAN_PATH"],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnsorryError(f"`lake env` failed in {root}: {error}; run `lake build` there first") from None
    if run.returncode != 0:
        said = (run.stderr or run.stdout).strip().splitlines()
        raise UnsorryError(
            f"`lake env` failed in {root}: {said[-1] if said else 'no output'}; run `lake build` there first"
        )
    folders = [Path(p) for p in run.stdout.strip().split(os.pathsep) if p]
    folders = [p if p.is_absolute() else root / p for p in folders]
    library = tuple(dict.fromkeys(p.resolve() for p in (*folders, *base.library)))
    existing = tuple(p for p in library if p.is_dir())
    return Toolchain(
        kind="lake",
        lean=base.lean,
        version=base.version,
        library=library,
        env={**base.env, "LEAN_PATH": os.pathsep.join(map(str, library))},
        readable=(*base.readable, *existing),
        native=base.native,
        digest=base.digest,
    )
