declare_syntax_cat sum
syntax num : sum
syntax sum " plus " num : sum
syntax "[sum|" sum "]" : term
macro_rules
  | `([sum| $n:num]) => `($n)
  | `([sum| $s:sum plus $n:num]) => `([sum| $s] + $n)
theorem target : 1 + 2 + 3 = 6 := show [sum| 1 plus 2 plus 3] = 6 from rfl
