"""Normalisation and copies."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry import UnsorryError
from unsorry.problems.corpus import lean_documents, pieces
from unsorry.problems.dedup import DedupConfig, deduplicate, jaccard
from unsorry.problems.normalise import normalise, shingles

PLAIN = "theorem add_swap (x y : Nat) (h : x = y) : y = x := by\n  intro\n  exact h.symm\n"
SAME = {
    "comments": "import Init\n/-- says -/\n" + PLAIN.replace("by\n", "by -- so\n"),
    "nested comment": "/- a /- b -/ c -/" + PLAIN,
    "layout": PLAIN.replace("\n  ", "\n\n      "),
    "name": PLAIN.replace("add_swap", "other.name"),
    "lemma": PLAIN.replace("theorem", "lemma"),
    "binders": "theorem add_swap (a b : Nat) (k : a = b) : b = a := by\n  intro\n  exact k.symm\n",
    "swapped names": "theorem add_swap (y x : Nat) (h : y = x) : x = y := by\n  intro\n  exact h.symm\n",
}


@pytest.mark.parametrize("name", SAME)
def test_what_says_the_same_is_equal(name: str) -> None:
    assert normalise(SAME[name]) == normalise(PLAIN)


@pytest.mark.parametrize(
    "other",
    [
        PLAIN.replace("y = x", "x = y"),
        PLAIN.replace("Nat", "Int"),
        PLAIN.replace("h.symm", "h"),
        PLAIN.replace("(x y : Nat)", "(x y z : Nat)"),
    ],
)
def test_what_says_something_else_is_not(other: str) -> None:
    assert normalise(other) != normalise(PLAIN)


def test_names_in_strings_and_quoted_comment_signs_are_kept() -> None:
    text = 'def s : String := "-- x" ++ "/- y"\n'
    assert normalise(text) == ("def", "s", ":", "String", ":=", '"-- x"', "++", '"/- y"')


def test_bound_names_of_many_kinds() -> None:
    left = "theorem t : ∀ a b : Nat, ∃ c, a + c = b → True := by\n  intro u v\n  have w := u\n  exact fun k => k\n"
    right = "theorem t : ∀ p q : Nat, ∃ r, p + r = q → True := by\n  intro a b\n  have c := a\n  exact fun d => d\n"
    assert normalise(left) == normalise(right)
    assert normalise(left, rename=False) != normalise(right, rename=False)


def test_a_theorem_used_later_keeps_its_identity() -> None:
    left = "theorem one : 1 = 1 := rfl\ntheorem two : 2 = 2 := rfl\ntheorem three : 1 = 1 := one\n"
    renamed = left.replace("one", "uno").replace("two", "due").replace("three", "tre")
    other = left.replace(":= one", ":= two")
    assert normalise(left) == normalise(renamed) != normalise(other)


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_text_is_normalised(text: str) -> None:
    assert isinstance(normalise(text), tuple)


def test_exact_and_near_copies_are_told_with_what_they_copy() -> None:
    rng = random.Random(3)
    words = [f"w{i}" for i in range(300)]
    long = [f"def f : Nat := {' '.join(rng.choice(words) for _ in range(120))}" for _ in range(3)]
    near = long[1].rsplit(" ", 2)[0]
    found = deduplicate([long[0], "", long[1], "-- note\n" + long[0], near, long[2]])
    assert found.kept == (0, 2, 5)
    assert [(c.index, c.of, c.kind) for c in found.copies] == [(1, -1, "empty"), (3, 0, "exact"), (4, 2, "near")]
    assert found.copies[2].similarity == pytest.approx(
        jaccard(shingles(normalise(near), 5), shingles(normalise(long[1]), 5))
    )
    assert (found.count("exact"), found.count("near")) == (1, 1)


@given(st.integers(0, 10_000), st.floats(0.0, 0.4))
@settings(max_examples=25, deadline=None)
def test_near_agrees_with_the_true_similarity(seed: int, changed: float) -> None:
    """MinHash may propose what it likes: what is dropped is at least as similar as the threshold, by the sets."""
    rng = random.Random(seed)
    tokens = [f"w{rng.randrange(40)}" for _ in range(80)]
    other = [f"v{rng.randrange(40)}" if rng.random() < changed else token for token in tokens]
    texts = [f"def f := {' '.join(part)}" for part in (tokens, other)]
    true = jaccard(*(shingles(normalise(text), 5) for text in texts))
    found = deduplicate(texts)
    if true < 0.8:
        assert found.kept == (0, 1)
    elif true > 0.92:  # far enough above that the sketch's error does not matter
        assert found.kept == (0,)


def test_the_estimate_alone_would_drop_what_is_different() -> None:
    """Why the sets decide: among pairs just below the threshold a sketch of 128 values is above it now and then."""
    from datasketch import MinHash

    wrong = 0
    for seed in range(60):
        base = [f"{seed}-{i}" for i in range(100)]
        a, b = base[:89], base[11:]  # |a ∩ b| = 78, |a ∪ b| = 100
        sketches = []
        for part in (a, b):
            sketch = MinHash(num_perm=128, seed=1)
            sketch.update_batch([x.encode() for x in part])
            sketches.append(sketch)
        wrong += sketches[0].jaccard(sketches[1]) >= 0.8
        assert jaccard(frozenset((x,) for x in a), frozenset((x,) for x in b)) == 0.78
    assert wrong > 0


def test_order_decides_who_is_kept_and_nothing_is_random() -> None:
    texts = [f"theorem t{i} : {i % 7} = {i % 7} := rfl" for i in range(50)]
    assert deduplicate(texts) == deduplicate(texts)
    assert deduplicate(texts).kept == tuple(range(7))


@pytest.mark.parametrize("options", [{"similarity": 0.0}, {"similarity": 1.5}, {"shingle": 0}, {"permutations": 2}])
def test_options_that_cannot_be(options: dict[str, float]) -> None:
    with pytest.raises(UnsorryError, match="dedup"):
        DedupConfig(**options)  # type: ignore[arg-type]


def test_sources_are_cut_at_declarations(tmp_path: Path) -> None:
    text = "import A\n\n/-- one -/\ndef a := 1\n\ntheorem b : a = 1 := by\n  rfl\n\n-- long\ndef c := 3\n"
    (tmp_path / "A.lean").write_text(text)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "B.lean").write_text("def d := 4\n")
    assert list(lean_documents(tmp_path)) == [text.removeprefix("import A\n\n"), "def d := 4\n"]
    assert list(pieces(text, 40)) == [
        "/-- one -/\ndef a := 1\n",
        "theorem b : a = 1 := by\n  rfl\n",
        "-- long\ndef c := 3\n",
    ]
    assert next(pieces(text, 30)).startswith("/-- one")
    assert all(len(piece.encode()) <= 30 for piece in pieces(text, 30))
    with pytest.raises(UnsorryError, match="holds no"):
        list(lean_documents(tmp_path / "sub" / "none"))
