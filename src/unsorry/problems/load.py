"""`load(path)`: problems from whatever the path is."""

from __future__ import annotations

from pathlib import Path

from unsorry import Problem, UnsorryError
from unsorry.problems import files, jsonl


def load(path: Path) -> list[Problem]:
    """Problems of a .jsonl file, of a .lean file's sorries, or of all such files below a folder, sorted by name."""
    path = Path(path)
    if path.is_dir():
        found = sorted(
            p
            for p in path.rglob("*")
            if p.suffix in (".jsonl", ".lean")
            and p.is_file()
            and not any(part.startswith(".") for part in p.relative_to(path).parts)
        )
        if not found:
            raise UnsorryError(f"{path} holds no .jsonl or .lean file")
        return [problem for file in found for problem in _one(file, path)]
    if not path.exists():
        raise UnsorryError(f"{path} does not exist")
    return _one(path, path.parent)


def _one(path: Path, root: Path) -> list[Problem]:
    if path.suffix == ".jsonl":
        return jsonl.read(path)
    if path.suffix == ".lean":
        return files.read(path, root)
    if path.suffix == ".smt2":
        raise UnsorryError(f"{path} is a TIP file: translate it first with `unsorry import tip {path} -o SET.jsonl`")
    raise UnsorryError(f"{path}: expected a .jsonl or .lean file, or a folder of them")
