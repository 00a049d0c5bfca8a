theorem target (n : Nat) : n + 0 = n := inner n
where
  inner (m : Nat) : m + 0 = m := rfl
