-- `omega`: linear arithmetic over Nat and Int, with divisions, disjunctions and contradictions.
example (a b c : Nat) (h₁ : a < b) (h₂ : b < c) : a + 1 < c := by omega
example (a b : Nat) (h : a + b = 10) (h' : a = b + 2) : a = 6 := by omega
example (n : Nat) (h : n % 4 = 3) : n % 2 = 1 := by omega
example (a b : Int) (h : 2 * a + 1 = 2 * b) : False := by omega
example (a b : Nat) : a - b ≤ a := by omega
example (a b : Nat) (h : ¬a ≤ b) : b < a := by omega
example (x y : Int) (h : x < y ∨ y < x) : x ≠ y := by omega
example (n : Nat) (h : n ≠ 0) : n / 2 < n := by omega
example (a b c : Nat) (h : a = b ∧ b ≤ c) : a ≤ c := by omega
example (i n : Nat) (h : i < n) : n - 1 - i < n := by omega

theorem three_and_five (n : Nat) (h : 8 ≤ n) : ∃ a b, n = 3 * a + 5 * b := by
  induction n using Nat.strongRecOn with
  | ind n ih =>
    if h₁ : n < 11 then
      rcases (by omega : n = 8 ∨ n = 9 ∨ n = 10) with rfl | rfl | rfl
      · exact ⟨1, 1, rfl⟩
      · exact ⟨3, 0, rfl⟩
      · exact ⟨0, 2, rfl⟩
    else
      obtain ⟨a, b, hab⟩ := ih (n - 3) (by omega) (by omega)
      exact ⟨a + 1, b, by omega⟩
