-- An existential statement has no data to extract in a definition.
-- expect: error 4:2 contains "can only eliminate into `Prop`"
def witness (h : ∃ n : Nat, 3 < n) : Nat :=
  match h with
  | ⟨n, _⟩ => n
