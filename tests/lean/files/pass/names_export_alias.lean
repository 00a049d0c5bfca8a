-- `export`, `open ... (names)`, `_root_`, and a namespace named like a type.
namespace Basic
def one : Nat := 1
def two : Nat := 2
end Basic

export Basic (one)

example : one = 1 := rfl

namespace Nat
theorem one_eq : _root_.Basic.one = Nat.succ 0 := rfl
def thrice (n : Nat) : Nat := 3 * n
end Nat

example : (4).thrice = 12 := rfl
example (n : Nat) : n.thrice = n + n + n := by
  unfold Nat.thrice
  omega

def _root_.Basic.three : Nat := 3
example : Basic.three = 3 := rfl
