namespace Lemmas
theorem two_pos : 0 < 2 := by decide
end Lemmas
export Lemmas (two_pos)
theorem target : ∃ n : Nat, 0 < n := ⟨2, two_pos⟩
