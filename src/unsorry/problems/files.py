"""Lean files with sorries as problems: one for each theorem that has a hole in its proof."""

from __future__ import annotations

from pathlib import Path

from unsorry import Problem, UnsorryError
from unsorry.lean import source
from unsorry.lean.source import Command, Source

_PROVABLE = ("theorem", "lemma")


def read(path: Path, root: Path | None = None) -> list[Problem]:
    """The problems of a Lean file; ids are `file:name`, with the path relative to `root`.  None is an error."""
    parsed = _parse(path)
    label = path.relative_to(root).as_posix() if root is not None else path.name
    problems = []
    skipped: list[str] = []
    for index, command in enumerate(parsed.commands):
        holes = [h for h in parsed.holes if h.command == index]
        if not holes:
            continue
        line = parsed.lines.line(holes[0].start)
        if command.kind not in _PROVABLE or not command.name:
            skipped.append(f"line {line} ({command.kind})")
        elif any(h.in_signature for h in holes):
            skipped.append(f"line {line} (inside a statement)")
        elif command.body < 0 or not parsed.text.startswith(":=", command.body):
            skipped.append(f"line {line} (a proof that is not written with `:=`)")
        else:
            problems.append(_problem(parsed, command, label))
    if not problems:
        where = f"; holes that are no theorem's proof: {', '.join(skipped[:5])}" if skipped else ""
        raise UnsorryError(f"{path} holds no theorem with a sorry{where}")
    return problems


def _parse(path: Path) -> Source:
    text = source.read_file(path)
    try:
        return source.parse(text)
    except UnsorryError as error:
        raise UnsorryError(f"{path}: {error}") from None


def _problem(parsed: Source, command: Command, label: str) -> Problem:
    """The proof is cut at `:=`; what follows the declaration is left out, as nothing before can depend on it."""
    text = parsed.text
    end = parsed.header.end
    opened = "\nmutual" if command.in_mutual else ""
    if opened:
        raise UnsorryError(f"{label}: theorem {command.name} in a mutual block; such problems are not covered")
    return Problem(
        id=f"{label}:{command.name}",
        statement=f"{text[command.start : command.body].rstrip()} := by sorry",
        targets=(command.name,),
        header=text[:end].strip(),
        preamble=text[end : command.start].strip("\n"),
        origin=label,
        family=label,
    )
