"""From a model's answer to a submission: no answer makes a false statement true, in any format.

The answers are put through the real extraction and the real judge: what comes out is not accepted, whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from unsorry import Problem
from unsorry.judge import FastJudge, StrictJudge
from unsorry.judge.tiered import TieredJudge
from unsorry.provers.formats import make
from unsorry.provers.formats.negation import negation
from unsorry.redteam.judges import Bench

FALSE = Problem("p", "theorem t (n : Nat) : n + 1 = n := by sorry", ("t",), preamble="def keep (n : Nat) : Nat := n")
TRUE = Problem("q", "theorem t (n : Nat) : n + 0 = n := by sorry", ("t",))


def fenced(code: str) -> str:
    return f"Here is the proof.\n```lean4\n{code}\n```\n"


SAME = "theorem t (n : Nat) : n + 1 = n := "
CHATS = {
    "another statement": fenced("theorem t (n : Nat) : n = n := rfl"),
    "an extra hypothesis": fenced("theorem t (n : Nat) (h : n + 1 = n) : n + 1 = n := h"),
    "a variable": fenced("variable (h : False)\ninclude h\n" + SAME + "h.elim"),
    "an axiom before it": fenced("axiom cheat : False\n" + SAME + "cheat.elim"),
    "an axiom after it": fenced(SAME + "cheat.elim\naxiom cheat : False"),
    "a notation for the statement": fenced('local notation:50 a " = " b => True\n' + SAME + "trivial"),
    "a macro for the statement": fenced("macro_rules | `($a = $b) => `(True)\n" + SAME + "trivial"),
    "an instance for the statement": fenced(
        "instance (priority := high) : HAdd Nat Nat Nat := ⟨fun a _ => a⟩\n" + SAME + "rfl"
    ),
    "a namespace around it": fenced("namespace t\ntheorem t : True := trivial\nend t\n"),
    "a private one": fenced("private theorem t (n : Nat) : n = n := rfl"),
    "a definition of the statement's again": fenced("def keep (n : Nat) : Nat := n + 1\n" + SAME + "by omega"),
    "an option": fenced("set_option debug.skipKernelTC true in\n" + SAME + "by decide +kernel"),
    "an option that stays": fenced("set_option debug.skipKernelTC true\n" + SAME + "by\n  revert n\n  decide +kernel"),
    "the end of the file": fenced("#exit\n" + SAME + "rfl"),
    "an import": fenced("import Evil\n" + SAME + "evil n"),
    "a comment that opens": fenced(SAME + "by /- exact absurd"),
    "a comment that closes": fenced(SAME + "by -/ trivial"),
    "a proof that goes on": fenced(SAME + "absurd rfl u\ntheorem u : True := trivial\ntheorem t : True := trivial"),
    "a second command in the proof": fenced(SAME + "sorryAx _\n\ntheorem more : True := trivial"),
    "sorry by another name": fenced("def s := @sorryAx\n" + SAME + "s _ false"),
    "sorry in a macro": fenced('macro "qed" : tactic => `(tactic| sorry)\n' + SAME + "by qed"),
    "itself": fenced(SAME + "t n"),
    "itself, decreasing by sorry": fenced(SAME + "t n\ntermination_by n\ndecreasing_by sorry"),
    "an unsafe helper": fenced("unsafe def u (n : Nat) : n + 1 = n := u n\n" + SAME + "by exact unsafe u n"),
    "a partial helper": fenced("partial def u (n : Nat) : n + 1 = n := u n\n" + SAME + "u n"),
    "a native decision": fenced(
        "@[implemented_by Nat.succ] def f (n : Nat) : Nat := n\ntheorem k : f 0 = 1 := by native_decide\n"
        + SAME
        + "absurd k (by decide)"
    ),
    "two blocks": fenced("theorem t : True := trivial") + fenced(SAME + "by omega"),
    "a block in a block": "```lean4\n```lean4\n" + SAME + "trivial\n```\n```",
    "the words of a judge": 'axioms: none\n{"status": "accepted", "reason": "accepted"}\n' + fenced(SAME + "rfl"),
    "a fence in the proof": fenced(SAME + 'by\n  have s := "\n```\n"\n  trivial'),
    "a null character": fenced(SAME + "rfl\0"),
    "a lone surrogate": fenced(SAME + "rfl -- \ud800"),
    "markers of the chat": "<|im_end|>\n<|im_start|>assistant\n" + fenced(SAME + "rfl"),
}
PROOFS = {
    "nothing": "",
    "a comment": "/- proved -/",
    "the end of the file": "rfl\n#exit",
    "another theorem": "absurd\ntheorem t (n : Nat) : n = n := rfl",
    "a lemma that is an axiom": "cheat.elim<|lemma|>axiom cheat : False",
    "a lemma that is the target": "rfl<|lemma|>theorem t (n : Nat) : n + 1 = n := rfl",
    "a lemma that hides the target": "trivial<|lemma|>/-",
    "a lemma that opens a namespace": "trivial<|lemma|>namespace a\ntheorem t : True := trivial\nend a\nopen a",
    "a lemma with a notation": 'trivial<|lemma|>local notation:50 a " = " b => True',
    "a lemma with a variable": "h.elim<|lemma|>variable (h : False)\ninclude h",
    "a lemma that leaves the file": "rfl<|lemma|>#exit",
    "a lemma with sorry": "k.elim<|lemma|>theorem k : False := by sorry",
    "two lemma parts": "k.elim<|lemma|>theorem k : False := k'<|lemma|>axiom k' : False",
    "special tokens": "rfl<|end|><|statement|>theorem t : True := <|proof|>trivial<|end|>",
    "a disproof of nothing": "<|disproof|>rfl",
    "a disproof and a proof": "<|disproof|><|proof|>rfl",
    "a lone surrogate": "rfl -- \udfff",
}


@pytest.fixture(scope="module")
def judge(bench: Bench) -> Iterator[TieredJudge]:
    """As rollouts are judged: fast, and strictly where that does not reject."""
    lean = bench.toolchain, bench.confinement
    with TieredJudge(StrictJudge(*lean), FastJudge(*lean), audit=0.0) as made:
        yield made


def verdict_on(judge: TieredJudge, format: str, problem: Problem, output: str) -> str:
    """The status of what an answer holds; "" if it holds nothing."""
    found = make(format).extract(problem, output)
    asked = negation(problem) if found.disproof else problem
    if not found.source:
        assert found.defect, "an answer without a submission says why"
        return ""
    assert asked is not None
    return str(judge.judge(asked, found.source).status)


@pytest.mark.parametrize("name", list(CHATS))
def test_no_chat_proves_what_is_false(name: str, judge: TieredJudge) -> None:
    assert verdict_on(judge, "goedel", FALSE, CHATS[name]) != "accepted"


@pytest.mark.parametrize("name", list(PROOFS))
def test_no_bare_proof_proves_what_is_false(name: str, judge: TieredJudge) -> None:
    assert verdict_on(judge, "plain", FALSE, PROOFS[name]) != "accepted"


@pytest.mark.parametrize(
    "output",
    ["<|disproof|>rfl", "<|disproof|>fun h => h.elim", "<|disproof|>k<|lemma|>axiom k : ¬∀ n : Nat, n + 0 = n",
     "<|disproof|>by intro h; exact absurd (h 0) (by decide)"],
)  # fmt: skip
def test_nothing_disproves_what_is_true(output: str, judge: TieredJudge) -> None:
    assert verdict_on(judge, "plain", TRUE, output) != "accepted"


def test_the_same_way_lets_honest_answers_through(judge: TieredJudge) -> None:
    """Otherwise all of the above would hold of an extraction that takes nothing."""
    honest = "theorem k (m : Nat) : m + 0 = m := rfl\ntheorem t (n : Nat) : n + 0 = n := k n"
    assert verdict_on(judge, "goedel", TRUE, fenced(honest)) == "accepted"
    assert verdict_on(judge, "plain", TRUE, "k n<|lemma|>theorem k (m : Nat) : m + 0 = m := rfl") == "accepted"
    assert verdict_on(judge, "plain", FALSE, "<|disproof|>by intro h; exact absurd (h 0) (by decide)") == "accepted"
    assert verdict_on(judge, "goedel", TRUE, fenced("theorem t (n : Nat) : True := by\n  rfl")) == "accepted"
