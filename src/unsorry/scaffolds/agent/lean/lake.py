"""What a Lake project adds: where its packages are compiled, its sources' folders and options, what is up to date.

Nothing is built here, and no code of a copy is run: `lake` is asked in the user's own project, whose lakefile it
evaluates, and only for what is compiled already.  What is not up to date is compiled by build.py, in the sandbox.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.lean.official import LAKEFILES
from unsorry.lean.toolchain import Toolchain

SECONDS = 300.0
_SOURCES = re.compile(r"srcDir\s*:=\s*\"([^\"]*)\"")
_STATE = (*LAKEFILES, "lean-toolchain", "lake-manifest.json")


@dataclass(frozen=True, slots=True)
class Lake:
    """`home`: the user's project, whose `.lake` all its copies share; `note`: what could not be found out."""

    home: Path
    lake: Path | None
    roots: tuple[str, ...]
    options: Mapping[str, str]
    identity: str  # digest of lakefile, manifest and toolchain file
    note: str = ""

    @property
    def compiled(self) -> Path:
        return self.home / ".lake" / "build" / "lib" / "lean"

    def up_to_date(self, modules: Sequence[str]) -> bool:
        """Whether Lake would rebuild none of these modules nor anything below them, in the user's project."""
        if self.lake is None or not modules:
            return False
        targets = [f"+{module}" for module in modules]
        try:
            run = subprocess.run(
                [str(self.lake), "build", "--no-build", *targets],
                cwd=self.home, capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return False
        return run.returncode == 0

    def parts(self, module_path: Path) -> tuple[Path, ...]:
        """The compiled files of a module, `module_path` being its path without suffix; () if there is none."""
        first = self.compiled / module_path.with_name(module_path.name + ".olean")
        if not first.is_file():
            return ()
        more = (first.with_name(first.name + suffix) for suffix in (".server", ".private"))
        return (first, *(part for part in more if part.is_file()))


def of(home: Path, toolchain: Toolchain) -> Lake | None:
    """The Lake project at `home`, None if there is no lakefile."""
    file = next((home / name for name in LAKEFILES if (home / name).is_file()), None)
    if file is None:
        return None
    program = Path(toolchain.lean[0]).with_name("lake")
    lake = program if toolchain.kind != "embedded" and program.is_file() else None
    roots: list[str] = []
    options: dict[str, str] = {}
    note = ""
    try:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".toml":
            roots, options = _read(tomllib.loads(text))
        else:
            roots = _SOURCES.findall(text)
            options, note = _setup(home, lake)
    except (OSError, ValueError) as error:
        raise UnsorryError(f"cannot read {file}: {error}; correct it, `lake build` needs it too") from None
    digest = hashlib.sha256()
    for name in _STATE:
        digest.update(name.encode() + b"\0" + ((home / name).read_bytes() if (home / name).is_file() else b"") + b"\0")
    return Lake(home, lake, tuple(dict.fromkeys([*roots, "."])), options, digest.hexdigest(), note)


def _read(config: Mapping[str, Any]) -> tuple[list[str], dict[str, str]]:
    """Folders of sources and Lean options, of the package and of its libraries."""
    tables = [config, *(t for key in ("lean_lib", "lean_exe") for t in config.get(key, []) if isinstance(t, dict))]
    package = str(config.get("srcDir", "."))
    roots = [(Path(package) / str(t.get("srcDir", "."))).as_posix() for t in tables[1:]] or [package]
    options: dict[str, str] = {}
    for table in tables:
        given = table.get("leanOptions", {})
        options |= _flat(given) if isinstance(given, dict) else {}
    return roots, options


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = str(value).lower() if isinstance(value, bool) else str(value)
    return found


def _setup(home: Path, lake: Path | None) -> tuple[dict[str, str], str]:
    """The options of a `lakefile.lean`, as `lake setup-file` tells them for one of the project's files."""
    unknown = "the options of lakefile.lean are not known and not applied; `lake build` may differ"
    file = next((p for p in sorted(home.rglob("*.lean")) if ".lake" not in p.parts and p.name != "lakefile.lean"), None)
    if lake is None or file is None:
        return {}, unknown
    try:
        run = subprocess.run(
            [str(lake), "setup-file", str(file), "--no-build"],
            cwd=home, capture_output=True, text=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        told = json.loads(run.stdout.strip().splitlines()[-1])
        options = told.get("options", told.get("setupOptions", {}))
        return _flat(options), ""
    except (OSError, subprocess.TimeoutExpired, ValueError, IndexError, AttributeError):
        return {}, unknown
