"""Ways to a score that is not earned: each is worth nothing, and is told why.  And honest work, which is not."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from bench_world import DOUBLE_EQ, EVEN_DOUBLE, NUMBERS, World, ended, git

Files = Mapping[str, str | None]
NUM, USE = "Shelf/Numbers.lean", "Shelf/Use.lean"
SORRY = ":= by\n  sorry"
STATED = "theorem double_eq (n : Nat) : double n = n + n"


def proved(text: str) -> str:
    """The stub's file with both proofs in it."""
    return with_proof(with_proof(text, "theorem double_eq", DOUBLE_EQ), "theorem even_double", EVEN_DOUBLE)


def with_proof(text: str, head: str, whole: str) -> str:
    """A declaration of the stub with another text."""
    start = text.index(head)
    end = text.index("sorry", start) + len("sorry")
    return text[:start] + whole.rstrip() + text[end:]


def cheat(text: str, before: str, proof: str = ":= rfl") -> str:
    """Something before the first obligation that makes its statement easy; the other one is left open."""
    return with_proof(text, "theorem double_eq", f"{before}\n{STATED} {proof}")


def other_file(files: dict[str, str]) -> Files:
    return {NUM: proved(files[NUM]), USE: files[USE].replace("double_two", "double_2")}


def lakefile(files: dict[str, str]) -> Files:
    return {NUM: proved(files[NUM]), "lakefile.toml": files["lakefile.toml"] + "\n[leanOptions]\nautoImplicit = true\n"}


def weak_definition(files: dict[str, str]) -> Files:
    return {NUM: proved(files[NUM]).replace("| 1 => false", "| 1 => true").replace(
        "theorem even_double", "theorem even_one : even 1 = true := rfl\n\ntheorem even_double")}  # fmt: skip


TEXTS: dict[str, tuple[Callable[[dict[str, str]], Files], str]] = {
    "another file": (other_file, "tampered.other_file"),
    "lakefile": (lakefile, "tampered.build_file"),
    "toolchain": (lambda f: {NUM: proved(f[NUM]), "lean-toolchain": "evil\n"}, "tampered.build_file"),
    "manifest": (lambda f: {NUM: proved(f[NUM]), "lake-manifest.json": "{}"}, "tampered.build_file"),
    "second lakefile": (lambda f: {NUM: proved(f[NUM]), "lakefile.lean": "import Lake"}, "tampered.build_file"),
    "compiled file": (lambda f: {NUM: f[NUM], ".lake/build/lib/Shelf/Numbers.olean": "x"}, "tampered.build_file"),
    "deleted dependent": (lambda f: {NUM: proved(f[NUM]), USE: None}, "tampered.deleted"),
    "deleted readme": (lambda f: {NUM: proved(f[NUM]), "README.md": None}, "tampered.deleted"),
    "huge file": (lambda f: {NUM: proved(f[NUM]) + "-- " + "x" * (5 << 20) + "\n"}, "tampered.size"),
    "weak definition": (weak_definition, "library.changed"),
    "weak definition that breaks others": (
        lambda f: {NUM: f[NUM].replace("| n + 1 => double n + 2", "| _ + 1 => 0")}, "library.broken"),
    "theorem removed": (
        lambda f: {NUM: proved(f[NUM]).replace("theorem double_zero : double 0 = 0 := rfl\n", "")}, "library.removed"),
    "theorem opened": (
        lambda f: {NUM: proved(f[NUM]).replace("double 0 = 0 := rfl", "double 0 = 0 := sorry")}, "library.unproved"),
    "axiom": (lambda f: {NUM: cheat(f[NUM], "axiom easy (n : Nat) : double n = n + n\n", ":= easy n")},
              "library.axioms.illegal"),
    "simp axiom": (lambda f: {NUM: cheat(f[NUM], "@[simp] axiom easy (n : Nat) : double n = n + n\n", ":= by simp")},
                   "library.axioms.illegal"),
    "syntax error": (lambda f: {NUM: proved(f[NUM]) + "\ntheorem\n"}, "library.broken"),
    "imports what is not there": (lambda f: {NUM: "import Elsewhere\n" + proved(f[NUM])}, "library.broken"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_the_whole_is_worth_nothing(made: World, tmp_path: Path, name: str) -> None:
    id = made.id(1)
    edit, reason = TEXTS[name]
    found = made.score(id, edit(made.files(id)), tmp_path)
    assert (found.reason, found.fraction, found.strict) == (reason, 0.0, False), found
    assert found.fault and "\n" not in found.verdict().message and not found.verdict().accepted


EVIL = "HAdd Nat Nat Nat := ⟨fun a _ => double a⟩\n"
STATEMENTS: dict[str, tuple[Callable[[str], str], str]] = {
    "another statement": (
        lambda t: with_proof(t, "theorem double_eq", "theorem double_eq (n : Nat) : double n = double n := rfl"),
        "statement.type_differs"),
    "instance": (lambda t: cheat(t, f"instance (priority := 5000) : {EVIL}"), "statement.type_differs"),
    "local instance": (lambda t: cheat(t, f"local instance (priority := 5000) : {EVIL}"), "statement.type_differs"),
    "attribute": (lambda t: cheat(t, f"@[reducible] def evil : {EVIL}\nattribute [instance 5000] evil\n"),
                  "statement.type_differs"),
    "macro": (lambda t: cheat(t, "local macro_rules | `($a + $b) => `(double $a)\n"), "statement.type_differs"),
    "notation": (lambda t: cheat(t, 'local notation (priority := 5000) a:65 " + " b:66 => (fun x _ => double x) a b\n'),
                 "statement.type_differs"),
    "another namespace": (
        lambda t: with_proof(t, "theorem double_eq", f"namespace Cheat\n{STATED} := by sorry\nend Cheat"),
        "statement.missing"),
    "shadowed by open in": (
        lambda t: with_proof(t, "theorem double_eq", "end Shelf\nnamespace Evil\ndef double (n : Nat) := n + n\n"
                             f"end Evil\nopen Evil in\n{STATED.replace('double_eq', '_root_.Shelf.double_eq')} := rfl\n"
                             "namespace Shelf"), "statement.type_differs"),
    "a variable that shadows": (
        lambda t: cheat(t, "").replace("double_eq (n : Nat)", "double_eq (double : Nat → Nat := fun n => n + n) "
                                       "(h : ∀ n, double n = n + n) (n : Nat)").replace("n + n := rfl", "n + n := h n"),
        "statement.type_differs"),
    "proofs left out by an option": (
        lambda t: cheat(t, "set_option debug.byAsSorry true in", ":= by decide"), "axioms.sorry"),
    "silent sorry": (lambda t: cheat(t, "set_option warn.sorry false in", ":= by exact sorry"), "axioms.sorry"),
    "it calls itself": (lambda t: cheat(t, "", ":= by\n  have h : ∀ m, double m = m + m := by sorry\n  exact h n"),
                        "axioms.sorry"),
}  # fmt: skip


@pytest.mark.parametrize("name", STATEMENTS)
def test_no_obligation_is_met(made: World, tmp_path: Path, name: str) -> None:
    id = made.id(1)
    edit, reason = STATEMENTS[name]
    found = made.score(id, {NUM: edit(made.files(id)[NUM])}, tmp_path)
    assert found.fraction == 0 and not found.strict, found
    assert not found.reason, found  # the file compiles, and all else is what it was
    assert found.obligations[0].reason == reason and found.obligations[0].message, found


def test_links_modes_and_paths_through_git(made: World, tmp_path: Path) -> None:
    id = made.id(1)

    def patched(change: Callable[[Path], None]) -> bytes:
        folder = tmp_path / os.urandom(4).hex()
        made.cases.trees.write(made.case(id).stub, folder)
        git(folder, "init", "-q", "-b", "main", ".")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "stub")
        change(folder)
        git(folder, "add", "-A", "-f")
        return git(folder, "diff", "--cached", "--binary", "--full-index", "HEAD")

    def link(folder: Path) -> None:
        (folder / NUM).unlink()
        (folder / NUM).symlink_to("/etc/passwd")

    def new_link(folder: Path) -> None:
        (folder / "Shelf" / "Other.lean").symlink_to("Numbers.lean")

    score = made.scorer.score
    assert score(made.case(id), patched(link)).reason == "tampered.link"
    assert score(made.case(id), patched(new_link)).reason == "tampered.link"
    assert score(made.case(id), patched(lambda f: (f / NUM).chmod(0o755))).reason == "tampered.mode"
    good = made.patch(id, {NUM: proved(made.files(id)[NUM])}, tmp_path)
    through = good.replace(NUM.encode(), b".git/objects/ab/cd")
    assert score(made.case(id), through).reason == "tampered.patch"
    assert score(made.case(id), good.replace(NUM.encode(), b"../" + NUM.encode())).reason == "tampered.patch"
    assert score(made.case(id), b"\xff\xfe no patch").reason == "tampered.patch"


ODD: dict[str, Callable[[str], str | bytes]] = {
    "no UTF-8": lambda t: t.encode() + b"\n-- \xff\xfe\n",
    "NUL": lambda t: t.replace("theorem double_zero", "\0theorem double_zero"),
    "a comment without end": lambda t: t + "/- \n",
    "it imports itself": lambda t: "import Shelf.Numbers\n" + t,
    "it imports what imports it": lambda t: "import Shelf.Use\n" + t,
    "module": lambda t: "module\n" + t,
    "prelude": lambda t: "prelude\n" + t,
    "nothing": lambda t: "",
    "deep": lambda t: t + "theorem deep : " + "(" * 20_000 + "True" + ")" * 20_000 + " := trivial\n",
}


@pytest.mark.parametrize("name", ODD)
def test_files_as_nobody_should_write_them(made: World, tmp_path: Path, name: str) -> None:
    id = made.id(1)
    found = made.score(id, {NUM: ODD[name](proved(made.files(id)[NUM]))}, tmp_path)
    assert found.fraction == 0 and found.reason.startswith(("library.", "undecided.")) and found.fault, found


def test_damaged_patches_are_told_and_score_nothing_that_the_whole_one_does_not(made: World, tmp_path: Path) -> None:
    id, dice = made.id(1), random.Random(7)
    text = made.files(id)[NUM]
    good = made.patch(id, {NUM: with_proof(text, "theorem double_eq", DOUBLE_EQ)}, tmp_path)
    for _ in range(12):
        bad = bytearray(good)
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(bad))
            bad[at : at + dice.randint(0, 3)] = bytes(dice.randrange(256) for _ in range(dice.randint(0, 3)))
        found = made.scorer.score(made.case(id), bytes(bad))
        assert not found.strict and found.fraction in (0.0, 0.5)


def test_compiled_code_is_no_proof(made: World, tmp_path: Path) -> None:
    id = made.id(3)
    text = with_proof(
        made.files(id)[USE], "theorem double_five", "theorem double_five : double 5 = 10 := by native_decide"
    )
    found = made.score(id, {USE: text}, tmp_path)
    assert found.fraction == 0 and "native" in found.verdict().message + found.verdict().reason, found


def test_a_weak_definition_and_what_is_proved_of_it(made: World, tmp_path: Path) -> None:
    id = made.id(4, "define")
    text = made.files(id)[NUM]
    weak = with_proof(text, "def pick", "def pick (n : Nat) : Nat := 1")
    weak = with_proof(weak, "theorem pick_pos", "theorem pick_pos (n : Nat) : 0 < pick n := Nat.one_pos")
    found = made.score(id, {NUM: weak}, tmp_path)
    assert [(o.met, o.reason) for o in found.obligations] == [("failed", "definition.differs")] * 2, found
    assert found.fraction == 0 and "pick" in found.verdict().message
    wrong = made.score(id, {NUM: with_proof(text, "def pick", "def pick (n : Int) : Int := n + 1")}, tmp_path)
    assert wrong.fraction == 0 and (wrong.reason or wrong.obligations[0].reason == "statement.type_differs")


def test_answers_of_later_history_elsewhere_are_no_answer(made: World, tmp_path: Path) -> None:
    id = made.id(1)
    vendored = {"Shelf/Later.lean": ended(ended(NUMBERS, DOUBLE_EQ), EVEN_DOUBLE), "answer.txt": DOUBLE_EQ}
    found = made.score(id, vendored, tmp_path)  # nothing imports it
    assert found.outcome == "open" and found.fraction == 0
    clash = made.score(id, {**vendored, NUM: "import Shelf.Later\n" + made.files(id)[NUM]}, tmp_path)
    assert clash.fraction == 0 and clash.reason == "library.broken"


def test_honest_work_scores(made: World, tmp_path: Path) -> None:
    id = made.id(1)
    text = made.files(id)[NUM]
    helper = "import Shelf.Help\n" + proved(text)
    lemma = "theorem Help.easy (n : Nat) : n + 0 = n := rfl\n"
    found = made.score(id, {NUM: helper, "Shelf/Help.lean": lemma, "notes.txt": "mine"}, tmp_path)
    assert found.strict and found.outcome == "solved", found
    half = made.score(id, {NUM: with_proof(text, "theorem double_eq", "@[simp] " + DOUBLE_EQ)}, tmp_path)
    assert (half.fraction, half.outcome) == (0.5, "open")
    define = made.id(2, "define")
    other = with_proof(made.files(define)[NUM], "def triple", "def triple (n : Nat) : Nat := 3 * n")
    other = with_proof(other, "theorem triple_eq", "theorem triple_eq (n : Nat) : triple n = 3 * n := rfl")
    alike = made.score(define, {NUM: other}, tmp_path)
    assert [o.reason for o in alike.obligations] == ["definition.equal", "accepted"] and alike.strict, alike


def test_in_mode_open_a_type_is_what_counts(made: World, tmp_path: Path) -> None:
    id = made.id(1, "open")
    text = made.files(id)[NUM]
    assert "double_eq" not in text  # nothing of the pull request is given
    other = ended(text, DOUBLE_EQ.replace("double_eq", "twice_is_the_sum"))
    elsewhere = "import Shelf.Numbers\n\nnamespace Shelf\n\n" + EVEN_DOUBLE + "\nend Shelf\n"
    found = made.score(id, {NUM: other, "Shelf/More.lean": elsewhere}, tmp_path)
    assert found.strict and "as Shelf.twice_is_the_sum" in found.obligations[0].message, found
    weaker = ended(text, "theorem twice_is_the_sum (n : Nat) : double n = double n := rfl\n")
    assert made.score(id, {NUM: weaker}, tmp_path).fraction == 0
    open_one = ended(text, "theorem twice (n : Nat) : double n = n + n := sorry\n")
    assert made.score(id, {NUM: open_one}, tmp_path).fraction == 0
    changed = other.replace("| 1 => false", "| 1 => true")
    assert made.score(id, {NUM: changed}, tmp_path).reason == "library.changed"
