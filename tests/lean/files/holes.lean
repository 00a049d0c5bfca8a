/-! Every place a sorry can stand in.  Lean accepts this file, with warnings only. -/

namespace Outer.Inner

/-- A sorry in a doc comment. -/
theorem conj : 1 = 1 ∧ 2 = 2 := by
  constructor
  · sorry -- sorry
  · have h : 2 = 2 := by sorry
    have h' : 3 = 3 := sorry
    exact h

protected theorem byCases (n : Nat) : n = n := by
  cases n with
  | zero => sorry
  | succ k => /- sorry -/ admit

theorem recursion : (n : Nat) → n = n
  | 0 => sorry
  | _ + 1 => by
    show _ = _
    sorry

end Inner

section Named
variable (p q : Prop)

private theorem hidden : p → p := fun h => sorry

theorem _root_.atRoot : p → p ∧ p := by
  intro h
  refine ⟨?_, ?_⟩ <;> sorry

theorem alternatives (h : p ∨ q) : q ∨ p := by
  rcases h with h | h
  case inl => sorry
  next => exact (sorry)

theorem firsts : p → p := by
  first
  | sorry
  | (try sorry); sorry

theorem matching (n : Nat) : n = n := by
  match n with
  | 0 => sorry
  | k + 1 =>
    have : k = k := match k with
      | 0 => sorry
      | _ => by sorry
    sorry

theorem termConditional (n : Nat) : n = n := if _h : n = 0 then sorry else by sorry

theorem calculated (a b : Nat) (h : a = b) : b = a :=
  calc
    b = a := sorry
    _ = a := by sorry

theorem calculating (a b : Nat) (h : a = b) : b = a := by
  calc b = a := by
        sorry
    _ = a := sorry

theorem suffice : p → p := by
  intro h
  suffices k : p by sorry
  exact show p from sorry

theorem braces : p → p := by { intro h; sorry }

theorem grouped : p → p := by
  intro h
  (sorry)

theorem looped : p ∧ q → q := by
  intro h
  all_goals sorry

theorem lets : let x := 1; x = 1 := by
  intro x
  obtain ⟨y, hy⟩ : ∃ y : Nat, y = y := sorry
  sorry

end Named

mutual
theorem even : True := sorry
theorem odd : True := by sorry
end

set_option maxRecDepth 1000 in
open Nat in
@[simp] theorem prefixed : True := by
  set_option maxRecDepth 1000 in
  sorry

theorem «with space».«dot.in» : True := sorry

def chars : List Char := ['a', '\'', '"']

theorem primes' (x' : Nat) : x' = x' := sorry

theorem strings : "sorry" = "so\"rry" → r#"so"rry"# = "a" → True := sorry

macro "later" : tactic => `(tactic| sorry)

instance : Inhabited (1 = 1) := ⟨sorry⟩

example : True := sorry

example : True := by
  sorry

end Outer
