"""The translation means what the TIP file says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from translation import Checked

from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain

LIST = "(declare-datatype list (par (a) ((nil) (cons (head a) (tail (list a))))))\n"
NAT = "(declare-datatype Nat ((Z) (S (p Nat))))\n"

SMALL = {
    "match_on_two_arguments": LIST + NAT + """
(define-fun-rec take (par (a) (((x Nat) (y (list a))) (list a)))
  (match x ((Z (_ nil a)) ((S z) (match y ((nil (_ nil a)) ((cons h t) (cons h (take z t)))))))))
(prove (par (a) (forall ((n Nat) (xs (list a))) (= (take n xs) xs))))""",
    "defaults": """
(declare-datatype T ((A) (B) (C) (D)))
(define-fun f ((x T) (y T)) Int
  (match x ((A (match y ((B 1) (_ 2)))) (_ (match y ((A 3) (z (match x ((B 4) (A 5) (w (ite (= w z) 6 7)))))))))))
(prove (forall ((x T) (y T)) (distinct (f x y) 6)))""",
    "default_binds_scrutinee": NAT + """
(define-fun f ((x Nat)) Nat (match x ((Z (S Z)) (y (S y)))))
(prove (forall ((x Nat)) (= (f x) (S x))))""",
    "integers": """
(define-fun f ((x Int) (y Int)) Int (+ (- x 1) (* 2 y) (- y) (div x 3) (mod y 2) (div y (- 2))))
(define-fun g ((x Int)) Int (mod x (- 3)))
(define-fun h ((x Int)) Bool (and (< (- 5 7) x) (<= x 2) (not (= x 1)) (> 3 x) (>= x (- 1))))
(prove (forall ((x Int) (y Int)) (=> (h x) (< (f x y) (g y)))))""",
    "literals_do_not_become_naturals": LIST + """
(declare-datatype pair (par (a b) ((pair2 (fst a) (snd b)))))
(define-fun first (par (a b) (((x (pair a b))) a)) (match x (((pair2 y z) y))))
(define-fun f ((b Bool)) Int (first (pair2 (ite b (- 3 5) (- 1 2)) 7)))
(prove (forall ((b Bool))
  (and (= (- 3 5) (- 0 2)) (< (- 2 3) 0) (= (first (pair2 (- 1 4) b)) (- 0 3)) (= (f true) (- 2)))))""",
    "booleans": """
(define-fun f ((a Bool) (b Bool) (c Bool)) Bool (=> a (xor b c) (and (or a b c) (= a b) (distinct b c))))
(define-fun g ((a Bool) (b Bool)) Int (ite (and a (=> b a (not b))) (ite b 1 2) (ite (= a b) 3 4)))
(prove (forall ((a Bool) (b Bool) (c Bool)) (= (f a b c) (or (not a) (= (g a b) 2)))))""",
    "higher_order": LIST + """
(define-fun-rec map (par (a b) (((f (=> a b)) (x (list a))) (list b)))
  (match x ((nil (_ nil b)) ((cons y xs) (cons (@ f y) (map f xs))))))
(define-fun-rec fold (par (a b) (((f (=> a b b)) (z b) (x (list a))) b))
  (match x ((nil z) ((cons y xs) (@ f y (fold f z xs))))))
(define-fun sums ((x (list Int))) Int (fold (lambda ((a Int) (b Int)) (+ a b)) 0 (map (lambda ((a Int)) (* a 2)) x)))
(define-fun curry ((x (list Int))) Int (fold (lambda ((a Int)) (lambda ((b Int)) (- a b))) 1 x))
(prove (forall ((x (list Int))) (= (sums x) (curry x))))""",
    "mutual": NAT + """
(define-funs-rec ((even ((x Nat)) Bool) (odd ((x Nat)) Bool))
  ((match x ((Z true) ((S y) (odd y)))) (match x ((Z false) ((S y) (even y))))))
(prove (forall ((x Nat)) (distinct (even x) (odd x))))""",
    "nested_datatype": LIST + """
(declare-datatype tree (par (a) ((node (label a) (children (list (tree a)))))))
(define-fun root (par (a) (((t (tree a))) a)) (match t (((node x ts) x))))
(prove (par (a) (forall ((x a) (ts (list (tree a)))) (= (root (node x ts)) x))))""",
    "polymorphic_equality": LIST + """
(define-fun-rec elem (par (a) (((x a) (y (list a))) Bool))
  (match y ((nil false) ((cons z xs) (or (= z x) (elem x xs))))))
(define-fun same (par (a) (((x (list a)) (y (list a))) Bool)) (= x y))
(prove (par (a) (forall ((x a) (xs (list a))) (=> (elem x xs) (not (same xs (_ nil a)))))))""",
    "lets": LIST + """
(define-fun f ((x Int) (y Int)) Int (let ((x y) (y x)) (let ((z (- x y))) (+ z (* z x)))))
(define-fun-rec g ((x (list Int))) Int
  (match x ((nil 0) ((cons y ys) (let ((r (g ys)) (y2 (+ y 1))) (ite (< r y2) (+ r y2) (- r y2)))))))
(prove (forall ((x Int) (y (list Int))) (let ((z (g y))) (= (f x z) (f z x)))))""",
    "shadowing": LIST + """
(define-fun-rec f ((nil2 Int) (f (list Int))) Int
  (match f ((nil nil2) ((cons x f) (let ((x (+ x nil2))) (match f ((nil x) ((cons x y) (- x nil2)))))))))
(prove (forall ((f2 Int) (x (list Int))) (= (f f2 x) f2)))""",
    "capture": LIST + NAT + """
(define-fun-rec add ((x Nat) (y Nat)) Nat (match x ((Z y) ((S x) (S (add x y))))))
(define-fun-rec zip ((x (list Nat)) (y (list Nat))) (list Nat)
  (match x ((nil y) ((cons y2 x2) (match y ((nil x) ((cons y x) (cons (add y2 y) (zip x2 x)))))))))
(prove (forall ((x (list Nat)) (y (list Nat))) (= (zip x y) (zip y x))))""",
    "names": LIST + """
(define-fun |a b| ((end Int) (fun Int)) Int (- end fun))
(define-fun <=> ((if Bool) (then Bool)) Bool (= if then))
(define-fun-rec ++ (par (a) (((x (list a)) (y (list a))) (list a)))
  (match x ((nil y) ((cons z xs) (cons z (++ xs y))))))
(define-fun append ((x Int)) Int (|a b| 1 x))
(define-fun Nat ((at Int)) Int (+ at 1))
(prove (forall ((by Int) (in (list Int))) (<=> (= (Nat by) (append by)) (= (++ in in) in))))""",
    "not_terminating_below_zero": """
(declare-datatype B ((I) (O)))
(declare-datatype list (par (a) ((nil) (cons (head a) (tail (list a))))))
(define-fun-rec bin ((x Int)) (list B)
  (ite (= x 0) (_ nil B) (ite (= (mod x 2) 0) (cons O (bin (div x 2))) (cons I (bin (div x 2))))))
(prove (forall ((x Int)) (distinct (bin x) (_ nil B))))""",
    "needs_a_measure": LIST + """
(define-fun-rec from ((x Int) (y Int)) (list Int) (ite (> x y) (_ nil Int) (cons x (from (+ 1 x) y))))
(define-fun-rec merge ((x (list Int)) (y (list Int))) (list Int)
  (match x ((nil y) ((cons z x2) (match y ((nil x) ((cons w y2)
    (ite (<= z w) (cons z (merge x2 y)) (cons w (merge x y2))))))))))
(prove (forall ((x Int) (y (list Int))) (= (merge (from 0 x) y) (merge y (from 0 x)))))""",
    "selectors_and_testers": LIST + """
(declare-datatype box ((mk (content Int) (flag Bool))))
(define-fun f ((b box)) Int (ite (flag b) (content b) (- (content b))))
(define-fun g ((x (list Int))) Bool (or ((_ is nil) x) (is-nil x)))
(prove (forall ((b box) (x (list Int))) (=> (g x) (= (f b) 0))))""",
}  # fmt: skip


@pytest.fixture(scope="module")
def session(embedded: Toolchain) -> Iterator[Session]:
    with Session(embedded) as running:
        yield running


@pytest.mark.parametrize("name", SMALL)
def test_functions_and_goals_compute_what_the_file_says(name: str, session: Session) -> None:
    checked = Checked(SMALL[name], f"{name}.smt2", session)
    wrong, count = checked.disagreements()
    assert not wrong
    assert count > 1


def test_the_comparison_can_fail(session: Session) -> None:
    checked = Checked(SMALL["integers"], "wrong.smt2", session)
    checked.program.functions["g"] = (*checked.program.functions["g"][:3], ["mod", "x", "4"])
    wrong, _ = checked.disagreements()
    assert wrong


def _new_functions(files: list[Path], session: Session, limit: int) -> tuple[list[str], int, int]:
    """Compare the functions of many files, each text once."""
    seen: set[str] = set()
    wrong, count, used = [], 0, 0
    for path in files:
        text = path.read_text()
        checked = Checked(text, str(path), session)
        texts = {
            f.lean: d.text
            for i, g in enumerate(checked.theory.functions)
            for f in g
            if (d := checked.rendering.functions(i)) is not None
        }
        known = frozenset(name for name, t in texts.items() if t in seen)
        seen.update(texts.values())
        bad, compared = checked.disagreements(known)
        wrong += [f"{path.name}: {b}" for b in bad]
        count, used = count + compared, used + 1
        if used == limit:
            break
    return wrong, count, used


def test_isaplanner_sample(shared: Path, session: Session) -> None:
    files = sorted((shared / "data/tip/isaplanner").glob("*.smt2"))
    wrong, count, used = _new_functions(files[::7], session, 13)
    assert used == 13
    assert not wrong
    assert count > 100


@pytest.mark.slow
@pytest.mark.parametrize("data", ["isaplanner", "tip2015", "false"])
def test_whole_sets(data: str, shared: Path, session: Session) -> None:
    wrong, count, used = _new_functions(sorted((shared / "data/tip" / data).glob("*.smt2")), session, 1000)
    assert not wrong
    assert count > 3 * used
