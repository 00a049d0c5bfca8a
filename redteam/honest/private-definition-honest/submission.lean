private def half (n : Nat) : Nat := n / 2
private theorem half_le (n : Nat) : half n ≤ n := Nat.div_le_self n 2
theorem target (n : Nat) : ∃ m, m ≤ n ∧ n - m ≤ m + 1 := ⟨half n, half_le n, by unfold half; omega⟩
