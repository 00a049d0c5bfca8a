-- A Boolean stands where a proposition is expected.
def isEven : Nat → Bool
  | 0 => true
  | n + 1 => !isEven n

def halve (n : Nat) : Option Nat := if isEven n then some (n / 2) else none

theorem halve_odd (n : Nat) (h : ¬isEven n) : halve n = none := if_neg h

theorem even_add_two (n : Nat) (h : isEven n) : isEven (n + 2) := by
  simp [isEven, h]

theorem keep (p : Nat → Bool) (xs : List Nat) : ∀ x ∈ xs.filter p, p x := by
  intro x hx
  exact (List.mem_filter.mp hx).2

example : isEven 10 := rfl
example : isEven 10 = true := by decide
