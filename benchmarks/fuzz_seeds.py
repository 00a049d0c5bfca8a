"""The files that fuzzing starts from: small modules made by Lean, kept compressed in tests/fuzz/.

    python -m benchmarks.fuzz_seeds          makes them anew with the embedded Lean

`tests/fuzz/found-*.xz` are inputs that once showed a fault; they are tried by the tests and are seeds too.
"""

from __future__ import annotations

import lzma
import tempfile
from pathlib import Path

from benchmarks.fuzz_check import pack
from unsorry.lean import toolchain
from unsorry.lean.olean_image import PARTS
from unsorry.lean.process import MODULE, run_lean

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "fuzz"
SOURCES = {
    "empty": "prelude\n",
    "axiom": "prelude\naxiom A : Prop\naxiom a : A\n",
    "theorem": "prelude\ntheorem id (P Q : Prop) (p : P) (_ : Q) : P := p\n",
    "universes": "prelude\nuniverse u v w\naxiom F : Sort (max u (imax v w) (w+2)) → Type (max (u+1) v)\n"
    "def G.{a, b} (α : Sort a) (β : α → Sort b) : Sort (imax a b) := (x : α) → β x\n",
    "inductive": "prelude\ninductive N : Type where | z : N | s : N → N\n",
    "family": "prelude\nuniverse u\ninductive E {α : Sort u} : α → α → Prop where | refl (a : α) : E a a\n"
    "theorem symm {α : Sort u} (a b : α) (h : E a b) : E b a := E.rec (motive := fun x _ => E x a) (E.refl a) h\n",
    "mutual": "mutual\ninductive A : Prop where | a : A | b : B → A\n"
    "inductive B : Prop where | c : A → B\nend\n",
    "nested": "inductive L (α : Prop) : Prop where | nil : L α | cons : α → L α → L α\n"
    "inductive T : Prop where | node : L T → T\n",
    "structure": "structure P (α : Type) where\n  a : α\n  b : α\n",
    "projection": "theorem swap (a b : Prop) (h : a ∧ b) : b ∧ a := And.intro h.2 h.1\n",
    "literals": "def big : Nat := 123456789012345678901234567890\ndef text : String := \"naïve ∀\"\ndef small := 7\n",
    "partial": "opaque hidden : Nat\npartial def loop (n : Nat) : Nat := loop (n + 1)\nunsafe def danger : Nat := 0\n",
    "names": "def «odd name».«1».x := 1\ndef α₁ := 2\nprivate def secret := 3\n",
    "let": "theorem t (n : Nat) : (let m := n; have k := m; k) = n := rfl\n",
    "proof": "theorem t (p q : Prop) : p ∧ q → q ∧ p := fun ⟨hp, hq⟩ => ⟨hq, hp⟩\n",
    "cases": "inductive T | a | b\ntheorem t (x : T) : x = .a ∨ x = .b := by cases x <;> simp\n",
    "recursion": "def even : Nat → Bool\n  | 0 => true\n  | n + 1 => !even n\n",
    "quotient": "def q (r : Nat → Nat → Prop) (n : Nat) : Quot r := Quot.mk r n\n"
    "theorem s (r : Nat → Nat → Prop) (h : r 1 2) : q r 1 = q r 2 := Quot.sound h\n",
    "parts": "module\nprelude\npublic axiom A : Prop\naxiom hidden : A\npublic theorem t : A := hidden\n",
}  # fmt: skip


def load() -> dict[str, bytes]:
    """The inputs by their names."""
    return {path.name.removesuffix(".xz"): lzma.decompress(path.read_bytes()) for path in sorted(FOLDER.glob("*.xz"))}


def make() -> None:
    lean = toolchain.embedded()
    FOLDER.mkdir(exist_ok=True)
    for name, source in SOURCES.items():
        with tempfile.TemporaryDirectory() as work:
            run = run_lean(lean, source, work=Path(work), olean=True)
            assert run.ok, (name, run.messages)
            files = [path.read_bytes() for part in PARTS if (path := Path(work) / f"{MODULE}.olean{part}").exists()]
        data = files[0] if len(files) == 1 else pack(*files)
        (FOLDER / f"{name}.xz").write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
        print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    make()
