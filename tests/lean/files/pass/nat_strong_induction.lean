-- Strong induction: every number from two on has a least divisor that is at least two.
theorem exists_irreducible_divisor (n : Nat) (h : 2 ≤ n) :
    ∃ d, 2 ≤ d ∧ d ∣ n ∧ ∀ e, 2 ≤ e → e ∣ d → e = d := by
  induction n using Nat.strongRecOn with
  | ind n ih =>
    by_cases hp : ∃ e, 2 ≤ e ∧ e < n ∧ e ∣ n
    · obtain ⟨e, he, hlt, hdvd⟩ := hp
      obtain ⟨d, hd, hde, hmin⟩ := ih e hlt he
      exact ⟨d, hd, Nat.dvd_trans hde hdvd, hmin⟩
    · refine ⟨n, h, Nat.dvd_refl n, fun e he hen => ?_⟩
      have hle : e ≤ n := Nat.le_of_dvd (by omega) hen
      by_cases heq : e = n
      · exact heq
      · exact absurd ⟨e, he, by omega, hen⟩ hp
