"""The cases of a red-team corpus, read from their folders; the format is documented in redteam/README.md."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unsorry import Problem, UnsorryError
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam.build import check

FORMAT = 1
LARGEST = 8 << 20  # bytes of a file that is read as text
MAIN = "Main.lean"  # the submission itself, where it is a folder
MOST_FILES = 64
KINDS = ("hostile", "honest")
NEEDS = ("core", "lean", "mathlib")
VERDICTS = ("accepted", "rejected", "undecided")
FOOLS = ("exit-code", "messages", "print-axioms")
DEFENCES = tuple("TACKMSPHV")
# A corpus may come from anywhere, and these files are made and removed, these variables set: nothing of the user's.
TRAP = re.compile(r"/(tmp|var/tmp|dev/shm)/unsorry-redteam-[A-Za-z0-9._-]+")
VARIABLE = re.compile(r"UNSORRY_REDTEAM_[A-Z0-9_]+")


@dataclass(frozen=True, slots=True)
class Case:
    """One submission with its right verdict; `verdict` and `reason` list all answers that are right.

    An empty `reason` claims none.  `seconds` is the longest elaboration to allow, 0.0 the judge's own limit.  `files`
    are (path, text) of what lies beside the submission where that is a folder; `build` makes a compiled file the case.
    """

    id: str
    kind: str
    targets: tuple[str, ...]
    statement: str
    submission: str
    verdict: tuple[str, ...]
    reason: tuple[str, ...] = ()
    mechanism: str = ""
    needs: str = "core"
    vectors: tuple[int, ...] = ()
    defence: tuple[str, ...] = ()
    fools: tuple[str, ...] = ()
    plant: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    seconds: float = 0.0
    files: tuple[tuple[str, str], ...] = ()
    build: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}/{self.id}"

    @property
    def hostile(self) -> bool:
        return self.kind == "hostile"

    @property
    def problem(self) -> Problem:
        """What is to be proved, as the judge gets it."""
        return Problem(self.id, self.statement, self.targets, origin=f"redteam/{self}", family=self.kind)


def home() -> Path:
    """The corpus of the source checkout that this package runs from; raises UnsorryError where there is none."""
    folder = Path(__file__).resolve().parents[3] / "redteam"
    if not (folder / "README.md").is_file():
        raise UnsorryError(
            "the red team's corpus is not installed with the package: name a folder of cases with --corpus"
        )
    return folder


def load(folder: Path) -> list[Case]:
    """All cases below a folder, in the order of their paths; UnsorryError for one that is damaged, and for none."""
    if not folder.is_dir():
        raise UnsorryError(f"{folder} is no folder: a corpus is a folder of cases, see docs/redteam.md")
    cases = [read(path.parent) for path in sorted(folder.rglob("case.toml"))]
    if not cases:
        raise UnsorryError(f"{folder} holds no case: a case is a folder with case.toml, see docs/redteam.md")
    seen: set[str] = set()
    for case in cases:
        if str(case) in seen:
            raise UnsorryError(f"{folder} holds two cases that are called {case}: rename one")
        seen.add(str(case))
    return cases


def read(folder: Path) -> Case:
    """A case from its folder; raises UnsorryError, one line that names the file and what is wrong with it."""
    file = folder / "case.toml"
    try:
        raw = tomllib.loads(_text(file))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnsorryError(f"{file} is not TOML: {' '.join(str(error).split())}") from None
    form = raw.pop("format", None)
    if type(form) is not int or form != FORMAT:
        raise UnsorryError(f"{file}: format is {form!r}, this version reads {FORMAT}")
    values = {key: _value(file, key, value) for key, value in raw.items()}
    for key in ("kind", "targets"):
        if not values.get(key):
            raise UnsorryError(f"{file}: {key} is missing or empty")
    if values.setdefault("id", folder.name) != folder.name:
        raise UnsorryError(f"{file}: the id is {values['id']!r}, which is not the folder's name")
    if not values.get("verdict"):
        values["verdict"] = ("accepted",) if values["kind"] == "honest" else ("rejected", "undecided")
    if ("accepted" in values["verdict"]) is (values["kind"] == "hostile"):
        raise UnsorryError(f"{file}: a {values['kind']} case whose right verdict is {' or '.join(values['verdict'])}")
    try:
        check(values.get("build", ()))
    except UnsorryError as error:
        raise UnsorryError(f"{file}: {error}") from None
    main, files = folder / "submission.lean", {}
    if (folder / "submission").is_dir():
        if main.exists():
            raise UnsorryError(f"{folder} has both submission.lean and a folder submission: keep one")
        files = _folder(folder / "submission")
        main = folder / "submission" / MAIN
    return Case(
        statement=_text(folder / "statement.lean"), submission=_text(main), files=tuple(files.items()), **values
    )  # line ends belong to the case


def _folder(folder: Path) -> dict[str, str]:
    """The texts in a submission's folder by their paths in it, MAIN excepted."""
    paths = sorted(path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())
    if len(paths) > MOST_FILES:
        raise UnsorryError(f"{folder} holds more than {MOST_FILES} files")
    if odd := next((path for path in paths if path.is_symlink()), None):
        raise UnsorryError(f"{odd} is a link: a case holds plain files")
    return {path.relative_to(folder).as_posix(): _text(path) for path in paths if path != folder / MAIN}


def runnable(cases: Iterable[Case], toolchain: Toolchain) -> list[Case]:
    """The cases whose needs a toolchain meets."""
    met = {"core"} if toolchain.kind == "embedded" else {"core", "lean"}
    if any((folder / "Mathlib.olean").is_file() for folder in toolchain.library):
        met.add("mathlib")
    return [case for case in cases if case.needs in met]


_CHOICES = {"kind": KINDS, "needs": NEEDS, "fools": FOOLS, "verdict": VERDICTS, "defence": DEFENCES}
_STRINGS = ("id", "kind", "mechanism", "needs")
_LISTS = ("targets", "verdict", "reason", "defence", "fools", "plant", "markers", "environment", "build")
_PATTERNS = {"plant": TRAP, "markers": TRAP, "environment": VARIABLE}


def _value(file: Path, key: str, value: object) -> Any:
    """The value of a key of case.toml as `Case` holds it."""
    if key in _STRINGS:
        if not isinstance(value, str):
            raise UnsorryError(f"{file}: {key} must be a string")
        found: Any = value
        parts = [value]
    elif key in _LISTS:
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise UnsorryError(f"{file}: {key} must be a list of strings")
        found, parts = tuple(value), value
    elif key == "vectors":
        if not isinstance(value, list) or not all(type(part) is int for part in value):
            raise UnsorryError(f"{file}: vectors must be a list of whole numbers")
        return tuple(value)
    elif key == "seconds":
        if type(value) not in (int, float) or not 0 <= value <= 3600:  # type: ignore[operator]
            raise UnsorryError(f"{file}: seconds must be a number from 0 to 3600")
        return float(value)  # type: ignore[arg-type]
    else:
        raise UnsorryError(f"{file}: the format has no key {key!r}")
    if choices := _CHOICES.get(key):
        wrong = next((part for part in parts if part not in choices), None)
        if wrong is not None:
            raise UnsorryError(f"{file}: {key} has {wrong!r}, allowed are {', '.join(choices)}")
    if pattern := _PATTERNS.get(key):
        wrong = next((part for part in parts if not pattern.fullmatch(part)), None)
        if wrong is not None:
            raise UnsorryError(f"{file}: {key} has {wrong!r}, which a case may not touch; see docs/redteam.md")
    return found


def _text(file: Path) -> str:
    try:
        if not file.is_file():  # no pipe or device is opened
            raise UnsorryError(f"{file} is missing")
        if file.stat().st_size > LARGEST:
            raise UnsorryError(f"{file} is larger than {LARGEST >> 20} MiB")
        return file.read_bytes().decode()
    except OSError as error:
        raise UnsorryError(f"cannot read {file}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise UnsorryError(f"{file} is not UTF-8: byte {error.start}") from None
