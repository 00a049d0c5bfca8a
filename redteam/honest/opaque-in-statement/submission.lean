opaque key : Nat := 5
theorem target : key = key := rfl
