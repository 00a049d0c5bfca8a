-- Options in hypotheses: injectivity of `some`, `isSome`, pattern matching.
theorem some_inj' {α : Type} {a b : α} (h : some a = some b) : a = b := by
  injection h

theorem not_none_some {α : Type} {a : α} : (none : Option α) ≠ some a := by
  intro h
  cases h

theorem isSome_iff {α : Type} (x : Option α) : x.isSome = true ↔ ∃ a, x = some a := by
  cases x with
  | none => simp
  | some a => simp

def orElse {α : Type} : Option α → Option α → Option α
  | some a, _ => some a
  | none, y => y

theorem orElse_assoc {α : Type} (x y z : Option α) : orElse (orElse x y) z = orElse x (orElse y z) := by
  cases x <;> rfl

example : (some 3 <|> none) = some 3 := rfl
