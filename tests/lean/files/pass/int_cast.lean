-- Natural numbers as integers: the coercion is a homomorphism and is found by the elaborator.
example (n : Nat) : Int := n
example (m n : Nat) : ((m + n : Nat) : Int) = m + n := rfl
example (m n : Nat) : ((m * n : Nat) : Int) = ↑m * ↑n := Int.natCast_mul m n
example (n : Nat) : 0 ≤ (n : Int) := by omega
example (m n : Nat) (h : m ≤ n) : (m : Int) ≤ n := Int.ofNat_le.mpr h
example (m n : Nat) (h : n ≤ m) : ((m - n : Nat) : Int) = m - n := by omega
example (z : Int) (h : 0 ≤ z) : ∃ n : Nat, z = n := ⟨z.toNat, by omega⟩

def diff (m n : Nat) : Int := m - n

theorem diff_self (n : Nat) : diff n n = 0 := by
  simp only [diff]
  omega
