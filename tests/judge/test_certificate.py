"""Certificates: what they hold, and that a change of any part is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from unsorry import Problem, UnsorryError
from unsorry.canonical import json_digest
from unsorry.judge import StrictJudge, certificate
from unsorry.judge.differences import differences
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain

PROBLEM = Problem("add", "theorem add_swap (a b : Nat) : a + b = b + a := by sorry", ("add_swap",))
PROOF = "theorem add_swap (a b : Nat) : a + b = b + a := by omega"


@pytest.fixture(scope="module")
def made(judge: StrictJudge) -> dict[str, Any]:
    verdict = judge.judge(PROBLEM, PROOF)
    assert verdict.accepted and verdict.certificate is not None
    return dict(verdict.certificate)


def test_it_says_what_was_judged_and_how(made: dict[str, Any], judge: StrictJudge) -> None:
    assert made["format"] == certificate.FORMAT
    assert made["problem"]["targets"] == {"add_swap": "theorem"}
    assert made["toolchain"]["version"] == judge.toolchain.version
    assert made["toolchain"]["digest"] == judge.toolchain.digest
    (kernel,) = made["kernels"]
    assert (kernel["name"], kernel["version"], kernel["replay"]) == ("lean", judge.toolchain.version, "incremental")
    assert isinstance(kernel["library_checked"], bool)
    assert made["axioms"] == sorted(made["axioms"])
    assert made["confinement"]["name"] == "none"
    assert made["submission"]["checked"] >= 1
    assert made["warnings"] == []


def test_it_survives_json(made: dict[str, Any]) -> None:
    certificate.verify(json.loads(json.dumps(made)), PROBLEM, PROOF)


def test_judging_again_gives_the_same_digests(made: dict[str, Any], judge: StrictJudge) -> None:
    again = judge.judge(PROBLEM, PROOF).certificate
    assert again is not None
    assert again["problem"] == made["problem"]
    assert again["submission"]["declarations"] == made["submission"]["declarations"]
    assert again["submission"]["source"] == made["submission"]["source"]


def test_other_texts_do_not_fit(made: dict[str, Any]) -> None:
    with pytest.raises(UnsorryError, match="submission"):
        certificate.verify(made, PROBLEM, PROOF + " ")
    with pytest.raises(UnsorryError, match="problem's source"):
        certificate.verify(made, replace(PROBLEM, preamble="-- x"), PROOF)
    with pytest.raises(UnsorryError, match=r"source|targets"):
        certificate.verify(made, replace(PROBLEM, targets=("other",)), PROOF)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from leaves(value[index], (*path, index))
    else:
        yield path


def test_every_change_is_found(made: dict[str, Any]) -> None:
    paths = list(leaves(made))
    assert len(paths) > 12
    for path in paths:
        changed = copy.deepcopy(made)
        place = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = "changed" if place[path[-1]] != "changed" else "again"
        with pytest.raises(UnsorryError):
            certificate.verify(changed, PROBLEM, PROOF)


@pytest.mark.parametrize("bad", [{}, {"format": 1}, {"format": 99}, {"format": 1, "digest": "", "problem": 3}])
def test_what_is_no_certificate_is_told_in_one_line(bad: dict[str, Any]) -> None:
    with pytest.raises(UnsorryError) as caught:
        certificate.verify(bad, PROBLEM, PROOF)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("field", "said"), [("kernels", "no kernel"), ("targets", "no target")])
def test_one_that_names_nothing_certifies_nothing(made: dict[str, Any], field: str, said: str) -> None:
    empty = {**made, "kernels": []} if field == "kernels" else {**made, "problem": {**made["problem"], "targets": {}}}
    empty["digest"] = json_digest({key: value for key, value in empty.items() if key != "digest"})
    with pytest.raises(UnsorryError, match=said):
        certificate.intact(empty)


@pytest.mark.parametrize("name", ["library_checked", "A.library_checked", "x\nkernels[0].library_checked"])
def test_the_kind_of_a_target_counts_whatever_it_is_called(made: dict[str, Any], name: str) -> None:
    theorem, definition = (
        {**made, "problem": {**made["problem"], "targets": {name: kind}}} for kind in ("theorem", "def")
    )
    (found,) = differences(theorem, definition)
    assert found.counts and "theorem" in str(found)
    kernel = {**made["kernels"][0], "library_checked": not made["kernels"][0]["library_checked"]}
    assert [d.counts for d in differences(made, {**made, "kernels": [kernel], "judge": "another"})] == [False, False]


def test_an_old_kernel_is_marked(embedded: Toolchain, plain: Confinement) -> None:
    old = certificate.make(
        PROBLEM, PROOF, toolchain=replace(embedded, version="4.33.0"), confinement=plain, statement="", targets={},
        declarations="", checked=0, axioms=(), replay="full", olean=b"",
    )  # fmt: skip
    assert old["warnings"] == ["kernel known unsound against metaprograms"]


def test_rejected_submissions_get_none(judge: StrictJudge) -> None:
    assert judge.judge(PROBLEM, PROBLEM.source).certificate is None
