-- Finite types: literals wrap around, values are bounded, case analysis is decidable.
example : (7 : Fin 5) = 2 := rfl
example (i : Fin 10) : i.val < 10 := i.isLt
example (i j : Fin n) (h : i.val = j.val) : i = j := Fin.ext h
example : ∀ i : Fin 4, i.val * i.val ≤ 9 := by decide
example (i : Fin 3) : i = 0 ∨ i = 1 ∨ i = 2 := by
  match i with
  | 0 => exact Or.inl rfl
  | 1 => exact Or.inr (Or.inl rfl)
  | 2 => exact Or.inr (Or.inr rfl)

def rotate (i : Fin 7) : Fin 7 := i + 1
example : rotate 6 = 0 := rfl

theorem no_fin_zero (i : Fin 0) : False := i.elim0

def lookup (xs : List α) (i : Fin xs.length) : α := xs[i]
example : lookup ['a', 'b', 'c'] ⟨1, by decide⟩ = 'b' := rfl
