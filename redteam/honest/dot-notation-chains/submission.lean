theorem target (xs : List Nat) : (xs |>.map (· + 1) |>.map (· * 2)) = xs.map ((· * 2) ∘ (· + 1)) := by
  rw [List.map_map]
