def Pre (xs ys : List α) : Prop := ∃ zs, ys = xs ++ zs
theorem target {xs ys zs : List α} : Pre xs ys → Pre ys zs → Pre xs zs := by sorry
