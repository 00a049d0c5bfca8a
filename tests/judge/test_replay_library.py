"""The kernel accepts the whole library from nothing, and the result is remembered for these bytes alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from unsorry import Problem, UnsorryError
from unsorry.judge import StrictJudge, library_check
from unsorry.judge.library import Library
from unsorry.lean.names import Name
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain


def test_the_library_passes_the_kernel(
    embedded: Toolchain, plain: Confinement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_check, "cache_folder", lambda: tmp_path)
    problem = Problem("t", "theorem t : True := by sorry", ("t",))
    with StrictJudge(embedded, plain) as judge:
        before = judge.judge(problem, "theorem t : True := True.intro")
        assert before.certificate is not None and before.certificate["kernels"][0]["library_checked"] is False
        check = judge.check_library()
        assert check.constants > 4000
        assert set(check.axioms) >= {"propext", "Quot.sound", "Classical.choice"}
        assert not [a for a in check.axioms if "native" in a]
    with StrictJudge(embedded, plain) as judge:
        assert judge.check_library() == check
        after = judge.judge(problem, "theorem t : True := True.intro")
        assert after.certificate is not None and after.certificate["kernels"][0]["library_checked"] is True
    (record,) = tmp_path.glob("checked-*.json")
    record.write_text(record.read_text().replace(check.digest, "0" * 64))
    scope = Library(embedded).scope([Name(("Init",))])
    assert library_check.known_check(embedded, scope) is None
    record.write_text("{")
    assert library_check.known_check(embedded, scope) is None


def test_a_missing_module_is_told(embedded: Toolchain, plain: Confinement) -> None:
    with StrictJudge(embedded, plain) as judge, pytest.raises(UnsorryError, match="Nowhere"):
        judge.check_library("Nowhere")


def test_what_constants_of_the_library_rest_on(embedded: Toolchain) -> None:
    scope = Library(embedded).scope([Name(("Init",))])
    assert scope.trail(Name.parse("Nat.add_comm")).axioms == frozenset()
    assert scope.trail(Name.parse("funext")).axioms == {Name.parse("Quot.sound")}
    assert scope.trail(Name.parse("Classical.em")).axioms >= {Name.parse("Classical.choice"), Name.parse("propext")}
    assert scope.trail(Name.parse("sorryAx")).axioms == {Name.parse("sorryAx")}
    assert scope.trail(Name.parse("lcProof")).unsafe
