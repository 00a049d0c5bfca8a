def run (s : Bool) (w : List Bool) : Bool := w.foldl xor s
theorem target (s : Bool) (u v : List Bool) : run s (u ++ v) = run (run s u) v := by
  simp [run, List.foldl_append]
