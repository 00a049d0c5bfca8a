"""Small corpora in folders, and a strict judge in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.judge.sandbox import choose
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam.judges import Bench

HONEST = {
    "format": "1",
    "kind": '"honest"',
    "targets": '["t"]',
}
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a case: `write("id", kind='"hostile"', submission="...")`; values are TOML, None leaves a key out."""

    def case(
        name: str = "case",
        *,
        statement: str = "theorem t : True := by sorry\n",
        submission: str = "theorem t : True := trivial\n",
        **keys: str | None,
    ) -> Path:
        folder = tmp_path / "corpus" / name
        folder.mkdir(parents=True)
        lines = {**HONEST, **keys}
        text = "".join(f"{key} = {value}\n" for key, value in lines.items() if value is not None)
        (folder / "case.toml").write_text(text, encoding="utf-8")
        (folder / "statement.lean").write_text(statement, encoding="utf-8")
        (folder / "submission.lean").write_text(submission, encoding="utf-8")
        return folder

    return case


@pytest.fixture(scope="session")
def bench(embedded: Toolchain) -> Bench:
    return Bench(embedded, sandboxed())


@pytest.fixture(scope="session")
def stack() -> Iterator[ExitStack]:
    with ExitStack() as made:
        yield made


def sandboxed() -> Confinement:
    try:
        return choose("strict")
    except UnsorryError as error:
        pytest.skip(f"no strict sandbox: {error}")
