"""A real judge over the real embedded Lean, in the best sandbox that the host gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from unsorry import UnsorryError
from unsorry.judge import StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain
from unsorry.provers.scripted import ScriptedProver
from unsorry.scaffolds.fill import Document, Filler, Outcome, Settings, open_document, select


@pytest.fixture(scope="session")
def confinement() -> Confinement:
    try:
        return choose("strict")
    except UnsorryError:
        return choose("limits")


@pytest.fixture(scope="session")
def judge(embedded: Toolchain, confinement: Confinement) -> Iterator[StrictJudge]:
    with StrictJudge(embedded, confinement, workers=1) as strict:
        yield strict


class Filled:
    """A file, filled by a script."""

    def __init__(self, document: Document, filler: Filler, outcomes: list[Outcome], prover: ScriptedProver) -> None:
        self.document, self.filler, self.outcomes, self.prover = document, filler, outcomes, prover

    @property
    def text(self) -> str:
        return self.document.patched(self.filler.edits).decode()

    @property
    def reasons(self) -> list[tuple[int, str, str]]:
        """(line, verdict, reason) of every hole, in the order of the file."""
        found = sorted(self.outcomes, key=lambda o: o.hole.start)
        return [(o.hole.line, str(o.status), str(o.reason)) for o in found]


@pytest.fixture
def fill(tmp_path: Path, embedded: Toolchain, confinement: Confinement, judge: StrictJudge) -> Callable[..., Filled]:
    def run(text: str | bytes, answers: dict[str, Any], name: str = "", line: int = 0, **settings: Any) -> Filled:
        path = tmp_path / "File.lean"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        document, prover = open_document(path), ScriptedProver(answers)
        filler = Filler(document, prover, judge, embedded, confinement, Settings(**{"disprove": False, **settings}))
        return Filled(document, filler, list(filler.fill(select(document, name, line))), prover)

    return run
