"""A repository of merged pull requests of every kind, made by the real git: always the same commits, byte for byte."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org", "LC_ALL": "C",
}  # fmt: skip
DAY = 86_400
BEGIN = 1_700_000_000  # seconds: the first commit


class History:
    """A repository that grows by one merged pull request a day."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder, self.day = folder, 0
        self.git("init", "-q", "-b", "main", ".")
        self.git("config", "core.autocrlf", "false")

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        stamp = f"{BEGIN + self.day * DAY} +0000"
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, input=stdin, capture_output=True, check=False,
            env={**ENVIRONMENT, "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "replace").strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """None removes a file."""
        for name, text in files.items():
            path = self.folder / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.folder / name
        text = path.read_bytes().decode()
        assert text.count(old) == 1, (name, old)
        path.write_bytes(text.replace(old, new).encode())

    def commit(self, message: str, files: Mapping[str, str | bytes | None] | None = None) -> str:
        """One commit on the branch, as a squash merge makes it; its id."""
        self.day += 1
        self.write(files or {})
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-F", "-", stdin=message.encode())
        return self.git("rev-parse", "HEAD")

    def merge(self, message: str, *branches: Mapping[str, str | bytes | None]) -> str:
        """A merge commit, of as many branches as are given."""
        names = []
        for number, files in enumerate(branches):
            names.append(f"b{self.day}-{number}")
            self.git("checkout", "-q", "-b", names[-1], "main")
            self.commit(f"work {number}", files)
            self.git("checkout", "-q", "main")
        self.day += 1
        self.git("merge", "-q", "--no-ff", "-m", message, *names)
        return self.git("rev-parse", "HEAD")


LAKEFILE = 'name = "town"\ndefaultTargets = ["Town"]\n\n[[lean_lib]]\nname = "Town"\n'
BASE = """def double (n : Nat) : Nat := n + n

theorem double_zero : double 0 = 0 := rfl

theorem double_add (m n : Nat) : double (m + n) = double m + double n := by
  unfold double
  omega
"""
OPEN = """import Town.Base

theorem first_goal (n : Nat) : double n = 2 * n := by
  sorry

theorem second_goal (n : Nat) : 0 + n = n := sorry
"""
CLASSES = """class Sized (α : Type) where
  size : α → Nat

instance : Sized Nat where
  size n := n

instance sizedList {α : Type} : Sized (List α) := ⟨List.length⟩

theorem size_nat (n : Nat) : Sized.size n = n := rfl
"""
COLOURS = """inductive Colour where
  | red
  | green

theorem colour_cases (c : Colour) : c = .red ∨ c = .green := by
  cases c
  · exact Or.inl rfl
  · exact Or.inr rfl
"""
MUTUAL = """mutual
def isEven : Nat → Bool
  | 0 => true
  | n + 1 => isOdd n
def isOdd : Nat → Bool
  | 0 => false
  | n + 1 => isEven n
end

mutual
theorem even_or_odd : ∀ n, isEven n = true ∨ isOdd n = true
  | 0 => Or.inl rfl
  | n + 1 => (odd_or_even n).imp id id
theorem odd_or_even : ∀ n, isOdd n = true ∨ isEven n = true
  | 0 => Or.inr rfl
  | n + 1 => (even_or_odd n).imp id id
end
"""
SCOPES = """namespace Town

section
variable (n : Nat)

private theorem helper : n + 0 = n := rfl

theorem inside : 0 + n = n := by
  have := helper n
  omega

end

namespace Inner
theorem deep : helper 1 = helper 1 := rfl
end Inner

theorem _root_.at_the_top : True := trivial

end Town
"""
VARIABLES = """variable (n : Nat)

theorem about_n : n = n := rfl
"""
LATER = """import Town.Base

/-- Twice twice. -/
def quad (n : Nat) : Nat := double (double n)

/-- Untyped, so that it cannot be asked for. -/
def five := 5

theorem quad_eq (n : Nat) : quad n = 4 * n := by
  unfold quad double
  omega

theorem unrelated : 1 + 1 = 2 := rfl
"""


def make(folder: Path) -> History:
    """The whole history; the pull requests' numbers are those that the tests speak of."""
    h = History(folder)
    h.commit("Begin", {
        "lean-toolchain": "leanprover/lean4:v4.34.1\n", "lakefile.toml": LAKEFILE, "lake-manifest.json": "{}\n",
        "Town.lean": "import Town.Base\nimport Town.Open\n", "Town/Base.lean": BASE, "Town/Open.lean": OPEN,
        "README.md": "Town\n",
    })  # fmt: skip
    h.edit("Town/Open.lean", "  sorry", "  unfold double\n  omega")
    h.commit("feat: the first goal (#1)\n\nFills a sorry.")
    h.merge(
        "Merge pull request #2 from someone/new-lemma\n\nA new lemma\n\nWith a body.",
        {"Town/Two.lean": "import Town.Base\n\ntheorem double_one : double 1 = 2 := rfl\n"},
    )
    h.edit("lean-toolchain", "v4.34.1", "v4.35.0")
    h.edit("Town/Base.lean", "  unfold double\n  omega", "  simp only [double]\n  omega")
    h.commit("chore: bump to v4.35.0 (#3)")
    h.commit("chore: update the manifest (#4)", {"lake-manifest.json": '{"version": "1.1.0"}\n'})
    h.write({"Town/Later.lean": LATER})
    h.commit("feat: quad (#5)")
    h.commit(
        "Merge #6\n\n6: feat: three r=reviewer a=someone\n\nFrom a bot.",
        {"Town/Three.lean": "theorem three : 1 + 2 = 3 := rfl\n"},
    )
    for name in ("Base", "Open", "Two", "Later"):  # a rename, with all its uses
        path = h.folder / "Town" / f"{name}.lean"
        path.write_text(path.read_text().replace("double", "twice"))
    h.commit("refactor: double is twice (#7)")
    h.edit("Town/Later.lean", "  unfold quad twice\n  omega", "  simp only [quad, twice]; omega")
    h.commit("chore: golf (#8)")
    h.edit("Town/Three.lean", "1 + 2 = 3 := rfl", "∀ n : Nat, n + 3 = 3 + n := fun n => Nat.add_comm n 3")
    restated = h.commit("feat: a stronger three (#9)")
    h.git("revert", "--no-commit", restated)
    h.commit(f'Revert "feat: a stronger three (#9)" (#10)\n\nThis reverts commit {restated}.')
    h.commit("feat: classes (#11)", {"Town/Classes.lean": CLASSES})
    h.commit("feat: colours (#12)", {"Town/Colours.lean": COLOURS})
    h.write({
        "Town/Colours.lean": COLOURS.replace("  | green\n", "  | green\n  | blue\n")
        .replace("c = .red ∨ c = .green", "c = .red ∨ c = .green ∨ c = .blue")
        .replace("exact Or.inr rfl", "exact Or.inr (Or.inl rfl)\n  · exact Or.inr (Or.inr rfl)")
    })  # fmt: skip
    h.commit("feat: blue (#13)")
    h.commit("feat: even and odd (#14)", {"Town/Parity.lean": MUTUAL})
    h.commit("feat: scopes (#15)", {"Town/Scopes.lean": SCOPES})
    h.commit("feat: about n (#16)", {"Town/Variables.lean": VARIABLES})
    h.edit("Town/Variables.lean", "(n : Nat)", "(n : Int)")
    h.commit("feat: about any integer (#17)")
    h.commit("feat: Größe (#18)", {"Town/Größe/Über uns.lean": "theorem größer (n : Nat) : n < n + 1 := by omega\n"})
    h.commit("feat: with a picture (#19)", {
        "picture.bin": bytes(range(256)) * 9, "Town/Seen.lean": "theorem seen : True := trivial\n",
    })  # fmt: skip
    h.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendor/lib")
    h.day += 1
    h.write({"Town/Vendored.lean": "theorem vendored : True := trivial\n"})
    h.git("add", "Town/Vendored.lean")
    h.git("commit", "-q", "-m", "feat: a submodule (#20)")
    (h.folder / "vendor" / "lib").mkdir(parents=True)
    h.commit("chore: nothing (#21)")
    h.commit(
        "feat: Windows (#22)", {"Town/Windows.lean": "def w : Nat := 1\r\n\r\ntheorem w_one : w = 1 := by\r\n  rfl\r\n"}
    )
    h.write({"Town/Windows.lean": "def w : Nat := 1\r\n\r\ntheorem w_one : w = 1 := by\r\n  rfl\r\n\r\n"
             "/-- Häßlich. -/\r\ntheorem w_two : w + 1 = 2 := by\r\n  have h := w_one\r\n  omega\r\n"})  # fmt: skip
    h.commit("feat: more of it (#23)")
    three = (h.folder / "Town/Three.lean").read_text()
    h.commit("refactor: a file moves (#24)", {"Town/Three.lean": None, "Town/Four.lean": three})
    h.commit("chore: a file goes (#25)", {"Town/Four.lean": None})
    h.commit("docs: say more (#26)", {"README.md": "Town, and more\n"})
    h.write({"Town/Goals.lean": "theorem goal_a (n : Nat) : n + 0 = n := by\n  sorry\n\n"
             "theorem goal_b : ∀ n : Nat, 0 + n = n := sorry\n"})  # fmt: skip
    h.commit("feat: goals to come (#27)")
    h.edit("Town/Goals.lean", "∀ n : Nat, 0 + n = n := sorry",
           "∀ n : Nat, 0 + n = n\n  | 0 => rfl\n  | n + 1 => congrArg (· + 1) (goal_b n)")  # fmt: skip
    h.commit("feat: one of the goals (#28)")
    h.merge(
        "Merge pull request #29 from someone/octopus\n\nfeat: three branches at once",
        {"Town/Left.lean": "theorem left : True := trivial\n"},
        {"Town/Middle.lean": "theorem middle : True := trivial\n"},
        {"Town/Right.lean": "theorem right : True := trivial\n"},
    )
    h.edit("lakefile.toml", 'name = "town"', 'name = "city"')
    h.edit("Town/Two.lean", ":= rfl", ":= by rfl")
    h.commit("chore: another name (#30)")
    h.commit("pushed by hand", {"Town/Hand.lean": "theorem hand : True := trivial\n"})
    h.write({"Town/Bytes.lean": b"-- \xff\ntheorem bytes : True := trivial\n"})
    h.commit("feat: no text (#31)")
    return h
