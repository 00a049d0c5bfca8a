namespace Hidden
theorem target (n : Nat) : n + 0 = n := rfl
end Hidden
export Hidden (target)
#check target
