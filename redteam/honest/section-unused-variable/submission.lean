section
variable (h : False) (n : Nat)
theorem target : n = n := rfl
end
