def target : { n : Nat // 3 < n } := sorry
