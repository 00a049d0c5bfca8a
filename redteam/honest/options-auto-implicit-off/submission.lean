set_option autoImplicit false
theorem target {α : Type} (x : α) (xs : List α) : x ∈ x :: xs := List.mem_cons_self
