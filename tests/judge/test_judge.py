"""The strict judge, from text to verdict, on small honest and hostile submissions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unsorry import Problem, Status, UnsorryError
from unsorry.judge import Reason, StrictJudge
from unsorry.judge.kernel import KernelLimits
from unsorry.lean.process import Confinement, Limits, Unconfined
from unsorry.lean.toolchain import Toolchain

ADD = Problem("add", "theorem add_swap (a b : Nat) : a + b = b + a := by sorry", ("add_swap",))
TREE = Problem(
    "tree",
    "theorem Tree.size_mirror (t : Tree α) : t.mirror.size = t.size := by sorry",
    ("Tree.size_mirror",),
    preamble="""
inductive Tree (α : Type u) where
  | leaf
  | node (l : Tree α) (x : α) (r : Tree α)
def Tree.mirror : Tree α → Tree α
  | .leaf => .leaf
  | .node l x r => .node r.mirror x l.mirror
def Tree.size : Tree α → Nat
  | .leaf => 0
  | .node l _ r => l.size + r.size + 1""",
)
PROOF = (
    "theorem Tree.size_mirror (t : Tree α) : t.mirror.size = t.size := by\n"
    "  induction t <;> simp_all [Tree.mirror, Tree.size, Nat.add_comm]\n"
)

HONEST = {
    "omega": (ADD, "theorem add_swap (a b : Nat) : a + b = b + a := by omega"),
    "term": (ADD, "theorem add_swap (a b : Nat) : a + b = b + a := Nat.add_comm a b"),
    "renamed binders": (ADD, "theorem add_swap : ∀ (x y : Nat), x + y = y + x := fun x y => Nat.add_comm x y"),
    "implicit binders": (ADD, "theorem add_swap {a b : Nat} : a + b = b + a := Nat.add_comm a b"),
    "lemma before": (
        ADD,
        "theorem helper (n : Nat) : n + 0 = n := rfl\ntheorem add_swap (a b : Nat) : a + b = b + a := by omega",
    ),
    "unsafe elsewhere": (
        ADD,
        "unsafe def u : Nat := u\npartial def p (n : Nat) : Nat := p n\n#eval 1 + 1\n"
        "theorem add_swap (a b : Nat) : a + b = b + a := by omega",
    ),
    "sorry elsewhere": (
        ADD,
        "theorem other : 1 = 2 := sorry\ntheorem add_swap (a b : Nat) : a + b = b + a := by omega",
    ),
    "tree": (TREE, TREE.preamble + "\n" + PROOF),
    "tree with a match first": (
        TREE,
        TREE.preamble + "\ndef early (n : Nat) : Bool := match n with | 0 => true | _ => false\n" + PROOF,
    ),
    "universe renamed": (TREE, TREE.preamble.replace("Type u", "Type w") + "\n" + PROOF),
}


@pytest.mark.parametrize("case", HONEST, ids=lambda c: c.replace(" ", "-"))
def test_an_honest_proof_is_accepted(judge: StrictJudge, case: str) -> None:
    problem, submission = HONEST[case]
    verdict = judge.judge(problem, submission)
    assert verdict.accepted, verdict
    assert verdict.reason == Reason.ACCEPTED
    assert verdict.tier == "strict"
    assert set(verdict.axioms) <= {"propext", "Quot.sound", "Classical.choice"}
    assert {"compile", "read", "compare", "axioms", "kernel", "total"} <= set(verdict.timings)


@pytest.mark.parametrize("case", ["omega", "term", "tree"])
def test_a_full_replay_agrees(full: StrictJudge, case: str) -> None:
    problem, submission = HONEST[case]
    verdict = full.judge(problem, submission)
    assert verdict.accepted, verdict
    assert verdict.certificate is not None and verdict.certificate["kernels"][0]["replay"] == "full"


SKIP = "set_option debug.skipKernelTC true in\ntheorem bad : (1 : Nat) = 2 := by decide +kernel\n"
HOSTILE = {
    "sorry": ("theorem add_swap (a b : Nat) : a + b = b + a := by sorry", Reason.AXIOMS_SORRY),
    "sorry in a lemma": (
        "theorem l (a b : Nat) : a + b = b + a := sorry\ntheorem add_swap (a b : Nat) : a + b = b + a := l a b",
        Reason.AXIOMS_SORRY,
    ),
    "axiom": ("axiom c : False\ntheorem add_swap (a b : Nat) : a + b = b + a := c.elim", Reason.AXIOMS_ILLEGAL),
    "axiom in an opaque value": (
        "axiom c : False\nopaque o : (a b : Nat) → a + b = b + a := c.elim\n"
        "theorem add_swap (a b : Nat) : a + b = b + a := o a b",
        Reason.AXIOMS_ILLEGAL,
    ),
    "axiom with a borrowed name": (
        "axiom X.propext : False\ntheorem add_swap (a b : Nat) : a + b = b + a := X.propext.elim",
        Reason.AXIOMS_ILLEGAL,
    ),
    "native": (
        "def f (n : Nat) : Bool := n == 3\ntheorem n : f 3 = true := by native_decide\n"
        "theorem add_swap (a b : Nat) : a + b = b + a := by have := n; omega",
        Reason.AXIOMS_NATIVE,
    ),
    "kernel off": (
        SKIP + "theorem add_swap (a b : Nat) : a + b = b + a := absurd bad (by decide)",
        Reason.REPLAY_REFUSED,
    ),
    "weaker": ("theorem add_swap (a b : Nat) : a + b = a + b := rfl", Reason.TYPE_DIFFERS),
    "hypothesis": ("theorem add_swap (h : False) (a b : Nat) : a + b = b + a := h.elim", Reason.TYPE_DIFFERS),
    "variable": (
        "variable (h : False)\ninclude h\ntheorem add_swap (a b : Nat) : a + b = b + a := h.elim",
        Reason.TYPE_DIFFERS,
    ),
    "instance": (
        "instance (priority := high) w : HAdd Nat Nat Nat := ⟨fun _ _ => 0⟩\n"
        "theorem add_swap (a b : Nat) : a + b = b + a := rfl",
        Reason.TYPE_DIFFERS,
    ),
    "notation": (
        "macro_rules | `($x = $y) => `(True)\ntheorem add_swap (a b : Nat) : a + b = b + a := trivial",
        Reason.TYPE_DIFFERS,
    ),
    "another Nat": (
        "namespace A\ndef Nat := Unit\nend A\nopen A in\ntheorem add_swap (a b : _root_.Nat) : a = a := rfl",
        Reason.TYPE_DIFFERS,
    ),
    "missing": ("theorem add_swap' (a b : Nat) : a + b = b + a := by omega", Reason.TARGET_MISSING),
    "example": ("example (a b : Nat) : a + b = b + a := by omega", Reason.TARGET_MISSING),
    "exit before": ("#exit\ntheorem add_swap (a b : Nat) : a + b = b + a := by omega", Reason.TARGET_MISSING),
    "def": ("def add_swap (a b : Nat) : a + b = b + a := by omega", Reason.KIND_DIFFERS),
    "axiom as the target": ("axiom add_swap (a b : Nat) : a + b = b + a", Reason.KIND_DIFFERS),
    "more universes": (
        "theorem add_swap.{u} (a b : Nat) : a + b = b + a := (fun (_ : Type u) => by omega) PUnit",
        None,
    ),
    "error": ("theorem add_swap (a b : Nat) : a + b = b + a := by decide", Reason.COMPILE_FAILED),
    "no text": ("", Reason.TARGET_MISSING),
    "no Lean": ("Certainly! Here is the proof:", Reason.COMPILE_FAILED),
    "open comment": ("/- theorem add_swap", Reason.COMPILE_FAILED),
    "surrogate": ("-- \ud800", Reason.SUBMISSION_TEXT),
    "NUL": ("\0", Reason.COMPILE_FAILED),
    "unknown import": (
        "import Elsewhere\ntheorem add_swap (a b : Nat) : a + b = b + a := by omega",
        Reason.COMPILE_FAILED,
    ),
    "import of itself": (
        "import Main\ntheorem add_swap (a b : Nat) : a + b = b + a := by omega",
        Reason.COMPILE_FAILED,
    ),
    "prelude": ("prelude\naxiom Nat : Type\naxiom add_swap : Nat", Reason.IMPORTS_MISSING),
    "kernel name": (
        "def Lean.reduceBool (b : Bool) : Bool := b\ntheorem add_swap (a b : Nat) : a + b = b + a := by omega",
        Reason.NAMES_CLASH,
    ),
}


@pytest.mark.parametrize("case", HOSTILE, ids=lambda c: c.replace(" ", "-"))
def test_a_hostile_submission_is_rejected(judge: StrictJudge, case: str) -> None:
    submission, reason = HOSTILE[case]
    verdict = judge.judge(ADD, submission)
    assert verdict.status is Status.REJECTED, verdict
    assert reason is None or verdict.reason == reason, verdict
    assert verdict.certificate is None
    assert verdict.message and "\n" not in verdict.message


CHANGES = {
    "body of a definition": {".node r.mirror x l.mirror": ".node l.mirror x r.mirror"},
    "equation of a definition": {"l.size + r.size + 1": "l.size + r.size"},
    "constructor": {
        "  | node (l": "  | extra\n  | node (l",
        "| .leaf => .leaf": "| .leaf => .leaf\n  | .extra => .leaf",
        "| .leaf => 0": "| .leaf => 0\n  | .extra => 0",
    },
}


@pytest.mark.parametrize("case", CHANGES, ids=lambda c: c.replace(" ", "-"))
def test_a_changed_definition_is_found(judge: StrictJudge, case: str) -> None:
    preamble = TREE.preamble
    for before, after in CHANGES[case].items():
        assert before in preamble
        preamble = preamble.replace(before, after)
    verdict = judge.judge(TREE, preamble + "\n" + PROOF)
    assert (verdict.status, verdict.reason) == (Status.REJECTED, Reason.DEFINITION_DIFFERS), verdict


def test_a_hang_is_undecided(embedded: Toolchain, plain: Confinement) -> None:
    with StrictJudge(embedded, plain, limits=Limits(wall=5.0)) as judge:
        slow = (
            "set_option maxRecDepth 1000000\nset_option maxHeartbeats 0\n"
            "theorem x : (List.range 100000000).length = 0 := by decide\n"
        )
        verdict = judge.judge(ADD, slow)
    assert verdict.status is not Status.ACCEPTED
    assert verdict.reason in (Reason.COMPILE_TIMEOUT, Reason.COMPILE_FAILED, Reason.COMPILE_RESOURCES)


def test_a_kernel_that_runs_out_of_time_decides_nothing(embedded: Toolchain, plain: Confinement) -> None:
    """The elaborator is told not to check; the term makes the kernel count."""
    count = Problem(
        "count",
        "theorem t : (fun n => Nat.rec (motive := fun _ => Bool) true (fun _ b => !(!b)) n) "
        "1000000000 = true := by sorry",
        ("t",),
    )
    text = "set_option debug.skipKernelTC true in\n" + count.statement.replace("by sorry", "Eq.refl true")
    with StrictJudge(embedded, plain, kernel_limits=KernelLimits(wall=2, cpu=2), limits=Limits(wall=20.0)) as judge:
        verdict = judge.judge(count, text)
    assert verdict.status is not Status.ACCEPTED, verdict


def test_definition_holes_are_filled_at_their_type(judge: StrictJudge) -> None:
    problem = Problem(
        "hole",
        "def half : Nat → Nat := sorry\ntheorem half_double (n : Nat) : half (n + n) = n := by sorry",
        ("half", "half_double"),
    )
    good = (
        "def half (n : Nat) : Nat := n / 2\ntheorem half_double (n : Nat) : half (n + n) = n := by unfold half; omega"
    )
    verdict = judge.judge(problem, good)
    assert verdict.accepted, verdict
    assert verdict.certificate is not None
    assert verdict.certificate["problem"]["targets"] == {"half": "def", "half_double": "theorem"}
    other = good.replace("def half (n : Nat) : Nat", "def half (n : Int) : Int")
    assert not judge.judge(problem, other).accepted
    wrong = (
        "axiom c : False\ndef half (n : Nat) : Nat := c.elim\n"
        "theorem half_double (n : Nat) : half (n + n) = n := c.elim"
    )
    assert judge.judge(problem, wrong).reason in (Reason.AXIOMS_ILLEGAL, Reason.COMPILE_FAILED)


@pytest.mark.parametrize(
    "problem",
    [
        replace(ADD, targets=()),
        replace(ADD, targets=("nothing",)),
        replace(ADD, targets=("add_swap", "add_swap")),
        replace(ADD, targets=("a..b",)),
        replace(ADD, statement="theorem add_swap : nonsense := sorry"),
        replace(ADD, header="prelude", statement="axiom add_swap : Prop"),
        replace(ADD, header="import Nowhere"),
        replace(ADD, statement="axiom add_swap : True"),
        replace(ADD, preamble="def Lean.reduceBool (b : Bool) : Bool := b"),
    ],
    ids=[
        "no-target",
        "unknown-target",
        "target-twice",
        "no-name",
        "no-lean",
        "prelude",
        "unknown-import",
        "axiom",
        "kernel-name",
    ],
)
def test_a_problem_that_cannot_be_judged_is_undecided(judge: StrictJudge, problem: Problem) -> None:
    verdict = judge.judge(problem, HONEST["omega"][1])
    assert (verdict.status, verdict.reason) == (Status.UNDECIDED, Reason.STATEMENT_INVALID), verdict


def test_many_are_judged_in_order(judge: StrictJudge) -> None:
    texts = [HONEST["term"][1], HOSTILE["sorry"][0], HONEST["omega"][1], HOSTILE["missing"][0]]
    taken: list[int] = []

    def items() -> object:
        for i, text in enumerate(texts * 4):
            taken.append(i)
            yield ADD, text

    verdicts = judge.judge_many(items())  # type: ignore[arg-type]
    first = next(verdicts)
    assert first.accepted and len(taken) <= 2 * judge.workers + 1
    rest = [v.reason for v in verdicts]
    expected = [Reason.ACCEPTED, Reason.AXIOMS_SORRY, Reason.ACCEPTED, Reason.TARGET_MISSING] * 4
    assert [first.reason, *rest] == expected


def test_a_fault_of_the_judge_never_accepts(embedded: Toolchain) -> None:
    class Broken(Unconfined):
        def run(self, *_: object, **__: object) -> None:  # type: ignore[override]
            raise OSError("no more processes")

    with StrictJudge(embedded, Broken()) as judge:  # type: ignore[arg-type]
        verdict = judge.judge(ADD, HONEST["term"][1])
    assert (verdict.status, verdict.reason) == (Status.UNDECIDED, Reason.INTERNAL)


def test_the_judge_goes_on_after_its_kernel_was_closed(judge: StrictJudge) -> None:
    assert judge.judge(*HONEST["term"]).accepted
    judge.close()
    assert judge.judge(*HONEST["term"]).accepted


def test_a_killed_kernel_process_is_replaced(embedded: Toolchain, plain: Confinement) -> None:
    with StrictJudge(embedded, plain) as judge:
        assert judge.judge(*HONEST["term"]).accepted
        (kernel,) = judge._kernels.values()
        assert kernel._process is not None
        kernel._process.kill()
        kernel._process.wait()
        verdict = judge.judge(*HONEST["term"])
        again = judge.judge(*HONEST["term"])
    assert verdict.status is not Status.REJECTED
    assert again.accepted


def test_an_unusable_toolchain_is_told(embedded: Toolchain, plain: Confinement) -> None:
    with StrictJudge(replace(embedded, native=None), plain) as judge:
        verdict = judge.judge(*HONEST["term"])
    assert (verdict.status, verdict.reason) == (Status.UNDECIDED, Reason.INTERNAL)
    assert "doctor" in verdict.message


def test_errors_of_the_user_are_no_verdicts(embedded: Toolchain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unsorry.judge.sandbox.choose", lambda mode: (_ for _ in ()).throw(UnsorryError("no sandbox")))
    with pytest.raises(UnsorryError, match="no sandbox"):
        StrictJudge(embedded)
