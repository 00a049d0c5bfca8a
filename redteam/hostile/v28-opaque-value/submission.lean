opaque key : Nat := 6
theorem target : key = key := rfl
