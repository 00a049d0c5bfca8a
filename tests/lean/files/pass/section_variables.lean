-- Section variables are included where they are used, in order; `omit` and `include` adjust that.
section
variable {α : Type} [DecidableEq α] (x y : α) (xs : List α)

def occurs : Bool := decide (x ∈ xs)

theorem occurs_iff : occurs x xs = true ↔ x ∈ xs := by
  simp [occurs]

variable (h : x = y)

include h in
theorem occurs_congr : occurs x xs = occurs y xs := by rw [h]

omit [DecidableEq α] in
theorem mem_self : x ∈ [x] := List.mem_cons.mpr (.inl rfl)

end

example : occurs 3 [1, 2, 3] = true := rfl
example (a b : Nat) (h : a = b) : occurs a [b] = occurs b [b] := occurs_congr a b [b] h
