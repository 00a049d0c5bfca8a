"""Whether Charon and Aeneas are here, and fit each other: a Charon of another day may be refused, or misread."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

RUST = "nightly-2026-08-18"  # Charon's rust-toolchain
LEAN = "v4.31.0"  # of Aeneas' Lean library, and of Mathlib for it
HOME = "AENEAS_HOME"  # a checkout of Aeneas: charon-pin, backends/lean, bin/aeneas, charon/bin/charon
NIX = "nix run github:aeneasverif/aeneas"


@dataclass(frozen=True, slots=True)
class Check:
    """One condition: `ok` is None where it cannot be told."""

    about: str
    ok: bool | None
    says: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Tools:
    """What was found; empty paths for what was not."""

    charon: str
    aeneas: str
    charon_version: str
    checks: tuple[Check, ...]

    @property
    def missing(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.ok is False)


def find() -> Tools:
    """Look on PATH and in AENEAS_HOME; runs `charon version`, `rustup toolchain list` and `git rev-parse` only."""
    home = Path(os.environ[HOME]) if os.environ.get(HOME) else None
    charon = _program("charon", home and home / "charon/bin/charon")
    aeneas = _program("aeneas", home and home / "bin/aeneas")
    version = _output(charon, "version") if charon else ""
    checks = [
        _present("charon", charon, version),
        _present("aeneas", aeneas, ""),
        _toolchain(),
        *(_pins(home) if home else [Check("aeneas pins", None, f"{HOME} is not set: charon-pin cannot be compared",
                                          f"set {HOME} to the checkout of Aeneas that the program is from")]),
    ]  # fmt: skip
    return Tools(charon, aeneas, version, tuple(checks))


def llbc_check(llbc: Path, charon_version: str) -> Check:
    """Whether a file was written by the Charon that is here."""
    about = "LLBC"
    try:
        with llbc.open("rb") as file:
            head = file.read(4096)  # the version is the first field; the whole may be hundreds of MB
    except OSError as error:
        return Check(about, False, f"cannot read {llbc.name}: {error.strerror or error}")
    found = re.match(rb'\s*\{\s*"charon_version"\s*:\s*"([^"\\]{1,100})"', head)
    if found is None:
        return Check(about, False, f"{llbc.name} does not begin with the version of the Charon that wrote it")
    written = found[1].decode("utf-8", "replace")
    if charon_version and written not in charon_version.split():
        return Check(about, False, f"{llbc.name} is of Charon {written}, here is {charon_version}", "extract it again")
    return Check(about, True, f"of Charon {written}")


def _program(name: str, at_home: Path | None) -> str:
    if at_home is not None and os.access(at_home, os.X_OK) and at_home.is_file():
        return str(at_home)
    return shutil.which(name) or ""


def _present(name: str, program: str, version: str) -> Check:
    if not program:
        return Check(name, False, "not here", f"{NIX}, or a nightly release of Aeneas; set {HOME}")
    return Check(name, True, f"{program}{f', {version}' if version else ''}")


def _toolchain() -> Check:
    if shutil.which("rustup") is None:
        return Check(RUST, None, "rustup is not here: whether Charon has its compiler cannot be told")
    if any(line.startswith(RUST) for line in _output("rustup", "toolchain", "list").splitlines()):
        return Check(RUST, True, "installed")
    components = "rustc-dev,llvm-tools,rust-src"
    return Check(RUST, False, "not installed", f"rustup toolchain install {RUST} -c {components}")


def _pins(home: Path) -> list[Check]:
    """The pin of Charon against the Charon beside it, the Lean of the library against the one known here."""
    out = []
    pin = _pin(_text(home / "charon-pin"))
    if not pin:
        out.append(Check("charon-pin", False, f"{home / 'charon-pin'} names no commit", f"set {HOME} to a checkout"))
    else:
        head = _output("git", "-C", str(home / "charon"), "rev-parse", "HEAD").strip()
        if not head:
            out.append(Check("charon-pin", None, f"wants {pin[:12]}; the Charon here does not tell its commit"))
        elif head != pin:
            fix = f"git -C {home / 'charon'} checkout {pin} && make -C {home} build-dev"
            out.append(Check("charon-pin", False, f"wants {pin[:12]}, here is {head[:12]}", fix))
        else:
            out.append(Check("charon-pin", True, pin[:12]))
    wanted = _text(home / "backends/lean/lean-toolchain").strip()
    if not wanted:
        out.append(Check("Aeneas' Lean library", False, f"{home} has no backends/lean/lean-toolchain"))
    else:
        same = wanted.endswith(LEAN)
        fix = "" if same else f"use an Aeneas whose library is for {LEAN}: program and library must be of one commit"
        out.append(Check("Aeneas' Lean library", same, f"for {wanted}", fix))
    return out


def _pin(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return lines[0] if len(lines) == 1 and re.fullmatch("[0-9a-f]{40}", lines[0]) else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")[:10_000]
    except OSError:
        return ""


def _output(*words: str) -> str:
    """What a program prints, "" if it fails."""
    try:
        run = subprocess.run(words, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout.decode("utf-8", "replace").strip() if run.returncode == 0 else ""
