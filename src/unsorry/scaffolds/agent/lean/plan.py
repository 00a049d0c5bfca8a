"""A text with everything that it imports compiled, or what stands in the way."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean import source
from unsorry.scaffolds.agent.lean import report
from unsorry.scaffolds.agent.lean.answers import Checked
from unsorry.scaffolds.agent.lean.build import Builder, Built
from unsorry.scaffolds.agent.lean.lake import Lake
from unsorry.scaffolds.agent.lean.modules import Header, ImportFault, Modules, Unit


@dataclass(frozen=True, slots=True)
class Plan:
    """A text with its imports compiled; `fault` is what stands in the way."""

    text: str
    cut: int  # where its header ends
    plain: bool
    header: Header | None = None
    built: tuple[Built, ...] = ()
    fault: Checked | None = None

    @property
    def imported(self) -> dict[str, tuple[str, ...]]:
        return {name: axioms for b in self.built for name, axioms in b.facts.tainted.items()}


class Planner:
    """Makes plans for one copy of a project; the builder is that of all copies."""

    def __init__(self, modules: Modules, builder: Builder, lake: Lake | None) -> None:
        self.modules, self.builder, self.lake = modules, builder, lake

    def plan(self, text: str, who: str, module: str, timeout: float) -> Plan:
        """Compiles what a text imports.  `module` is the text's own name, for imports that come back to it."""
        try:
            text.encode()
        except UnicodeEncodeError:
            return Plan(text, 0, False, fault=report.wrong(who, "it holds lone surrogates, which are no Unicode"))
        header = self.modules.header(text, hashlib.sha256(text.encode()).hexdigest())
        cut = text.find("\n", header.end) + 1 if header.end else 0
        try:
            units = self.modules.order(header.imports, who, module)
        except UnsorryError as error:
            line = str(error) if isinstance(error, ImportFault) else f"an import of {who} cannot be read: {error}"
            return Plan(text, cut, header.plain, header, fault=report.wrong(who, line))
        built, failed = self.builder.build(units, timeout, self.ready(units))
        if failed:
            fault = report.import_fails(who, failed[0], self.modules.name)
            return Plan(text, cut, header.plain, header, tuple(built), fault)
        return Plan(text, cut, header.plain, header, tuple(built))

    def ready(self, units: Sequence[Unit]) -> dict[str, tuple[Path, ...]]:
        """Compiled files of the user's own project for modules that the copy has not changed, if Lake has them all."""
        if self.lake is None or self.builder.holds(units) or not self.lake.compiled.is_dir():
            return {}
        same: dict[str, Unit] = {}
        for unit in units:
            original = self.lake.home / unit.path.relative_to(self.modules.root)
            unchanged = original.is_file() and hashlib.sha256(original.read_bytes()).hexdigest() == unit.digest
            if unchanged and all(module in same for module in unit.own):
                same[unit.module] = unit
        tops = [m for m in same if not any(m in unit.own for unit in same.values())]
        if not self.lake.up_to_date(tops):
            return {}
        return {module: self.lake.parts(Path(*source.split_name(module))) for module in same}

    def changed(self, built: Sequence[Built]) -> str:
        """A file among these that is not what it was, "" if there is none."""
        for b in built:
            try:
                if self.modules.read(b.unit.module, b.unit.path).digest == b.unit.digest:
                    continue
            except UnsorryError:
                pass
            return self.modules.name(b.unit.path)
        return ""
