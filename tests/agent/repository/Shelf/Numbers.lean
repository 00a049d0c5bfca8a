/-! Functions on natural numbers by recursion. -/

namespace Shelf

def double : Nat → Nat
  | 0 => 0
  | n + 1 => double n + 2

/-- 1 + 2 + ... + n -/
def triangle : Nat → Nat
  | 0 => 0
  | n + 1 => triangle n + (n + 1)

def even : Nat → Bool
  | 0 => true
  | n + 1 => !even n

def pow2 : Nat → Nat
  | 0 => 1
  | n + 1 => double (pow2 n)

theorem double_eq (n : Nat) : double n = n + n := by
  sorry

theorem even_double (n : Nat) : even (double n) = true := by
  sorry

theorem pow2_pos (n : Nat) : 0 < pow2 n := by
  sorry

theorem triangle_closed (n : Nat) : 2 * triangle n = n * (n + 1) := by
  sorry

end Shelf
