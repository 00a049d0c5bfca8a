import io
from pathlib import Path

import pytest
from rich.console import Console
from tiny_stages import CODE

from unsorry.pipeline import runner
from unsorry.pipeline.recipe import Recipe, load
from unsorry.pipeline.runner import Options, Result, run


class Bench:
    """A folder with a recipe that tests write and run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = folder / "run"
        self.path = folder / "recipe.toml"
        self.console = Console(file=io.StringIO(), width=200)

    def write(self, stages: str, head: str = "") -> Path:
        self.path.write_text(f'format = 1\nname = "bench"\nseed = 5\n{head}\n{stages}')
        return self.path

    def load(self, *sets: str) -> Recipe:
        return load(self.path, sets=sets)

    def run(self, *sets: str, **options: object) -> Result:
        return run(self.load(*sets), Options(out=self.out, **options), console=self.console)

    @property
    def said(self) -> str:
        file = self.console.file
        assert isinstance(file, io.StringIO)
        return file.getvalue()

    def stage_folder(self, name: str) -> Path:
        (found,) = [p for p in (self.out / "stages").glob(f"{name}-*") if "replaced" not in p.name]
        return found


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(runner, "code_digest", lambda: CODE)
    return Bench(tmp_path)
