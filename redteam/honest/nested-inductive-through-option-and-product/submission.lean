inductive Json where
  | null
  | num (n : Nat)
  | arr (items : List Json)
  | obj (fields : List (String × Json))
  | opt (x : Option Json)
def Json.tag : Json → Nat
  | null => 0
  | num _ => 1
  | arr _ => 2
  | obj _ => 3
  | opt _ => 4
theorem target (j : Json) (h : j.tag = 1) : ∃ n, j = .num n := by
  cases j <;> simp [Json.tag] at h
  exact ⟨_, rfl⟩
