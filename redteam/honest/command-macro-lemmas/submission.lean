macro "simple " n:declId " : " t:term : command => `(theorem $n:declId : $t := by decide)
simple one_lt : 1 < 2
simple two_lt : 2 < 3
theorem target : 1 < 2 ∧ 2 < 3 := ⟨one_lt, two_lt⟩
