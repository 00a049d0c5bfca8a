"""Search over what a file, a project or the library declares; signatures are printed by Lean itself."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unsorry import UnsorryError
from unsorry.lean import pretty
from unsorry.scaffolds.agent.lean.answers import Found, Match
from unsorry.scaffolds.agent.lean.facts import readable
from unsorry.scaffolds.agent.lean.index import Entry, Index, ModuleIndex
from unsorry.scaffolds.agent.lean.pattern import names_of, parse_pattern

if TYPE_CHECKING:
    from unsorry.scaffolds.agent.lean.build import Built
    from unsorry.scaffolds.agent.lean.project import LeanProject
    from unsorry.scaffolds.agent.lean.warm import Tree

MAX_QUERY = 1000  # characters
MAX_LIMIT = 200
_OPTIONS = "set_option format.width 100000\nset_option pp.proofs true\nset_option pp.universes false\n"
_UNIVERSES = re.compile(r"\.\{[^}]*\}")


def search(
    project: LeanProject, *, name: str, uses: Sequence[str], conclusion: str, limit: int, path: Path | None,
    timeout: float,
) -> Found:  # fmt: skip
    """See LeanProject.search."""
    if not (name.strip() or uses or conclusion.strip()):
        raise UnsorryError("say what to search for: a part of the name, constants that are used, or a conclusion")
    if len(name) + sum(map(len, uses)) + len(conclusion) > MAX_QUERY:
        raise UnsorryError(f"a search is at most {MAX_QUERY} characters long")
    pattern = parse_pattern(conclusion) if conclusion.strip() else None
    deadline = time.monotonic() + timeout
    tops, built, notes = _reach(project, path, timeout)
    modules: dict[str, ModuleIndex] = {}
    wanted = [names_of(use.strip()) for use in uses]
    with project.warm.tree(built) as tree:
        folders, keys = (tree.path, *project.toolchain.library), {b.unit.module: b.key for b in built}
        index = Index(folders, project.toolchain.version, project.cache, keys)
        missing = index.modules(tops, deadline, modules)
        if missing:
            notes.append(f"{len(missing)} modules were not searched ({missing[0]}, ...): no time left, search again")
        hits = list(index.search(modules, name=name, uses=wanted, pattern=pattern))
        hits.sort(key=lambda e: (e.name.casefold() != name.strip().casefold(), len(e.name), e.name))
        first = hits[: max(1, min(limit, MAX_LIMIT))]
        header = "".join(f"import {top}\n" for top in tops[1:])
        signatures = _signatures(project, header, first, tree, max(5.0, deadline - time.monotonic()))
        matches = tuple(
            Match(
                readable(e.name),
                e.kind,
                signatures.get(e.name) or ": " + pretty.signature(index.declaration(e)),
                e.module,
            )
            for e in first
        )
    for use, names in zip(uses, wanted, strict=True):
        if not any(n in c for m in modules.values() for c in m.constants for n in names):
            notes.append(f"no statement uses a constant called {use}")
    lines = [f"{len(hits)} found" + (f", the first {len(first)}" if len(first) < len(hits) else "")]
    lines += [f"{m.name} {m.signature}   [{m.kind} in {m.module}]" for m in matches] + notes
    return Found(matches, len(hits), tuple(notes), "\n".join(lines))


def _reach(project: LeanProject, path: Path | None, timeout: float) -> tuple[list[str], Sequence[Built], list[str]]:
    """(modules to search with all below them, those of the project compiled, what is left out and why)."""
    modules = project.modules
    if path is not None:
        file, _ = project.file(path)
        wanted = [modules.module_of(file)]
    else:
        wanted = modules.everything()
    notes: list[str] = []
    units: dict[str, None] = {}
    order = []
    for module in wanted:
        try:
            for unit in modules.order([(module, 1)], module):
                if unit.module not in units:
                    units[unit.module] = None
                    order.append(unit)
        except UnsorryError as error:
            notes.append(f"{module} is not searched: {error}")
    built, failed = project.builder.build(order, timeout, project.planner.ready(order), keep_going=True)
    for fault in failed:
        said = fault.reason or next((m.text.splitlines()[0] for m in fault.messages if m.severity == "error"), "")
        notes.append(f"{fault.unit.module}, and what imports it, is not searched: it does not compile: {said}")
    names = [b.unit.module for b in built]
    below = {module for b in built for module in b.unit.own}
    tops = [module for module in names if module not in below]
    return ["Init", *tops], built, notes  # `Init` comes with every file


def _signatures(
    project: LeanProject, header: str, entries: Sequence[Entry], tree: Tree, seconds: float
) -> dict[str, str]:
    """Types as Lean prints them, for those that it prints."""
    visible = [e for e in entries if readable(e.name) == e.name]
    if not visible:
        return {}
    text = header + _OPTIONS + "".join(f"#check {e.name}\n" for e in visible)
    first = text[: text.index("#check")].count("\n") + 1
    run = project.warm.check(text, len(header), tree, seconds)
    found: dict[str, str] = {}
    for message in run.messages:
        at = message.line - first
        if message.severity == "information" and 0 <= at < len(visible):
            name = visible[at].name
            said = " ".join(_UNIVERSES.sub("", message.text, count=1).split())
            found[name] = said.removeprefix(name).strip()
    return found
