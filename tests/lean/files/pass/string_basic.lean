-- Strings: literals, append, length, comparison.
-- expect: information 15:0 is "\"Lean 4\""
-- expect: information 16:0 is "11"
example : "a" ++ "b" = "ab" := by decide
example : "" ≠ "x" := by decide
example : "abc".length = 3 := by decide
example (s : String) (h : s = "yes") : s ≠ "no" := by
  subst h
  decide

def greet (name : String) : String := "Hello, " ++ name ++ "!"

example : greet "Ada" = "Hello, Ada!" := by decide

#eval "Lean" ++ " " ++ "4"
#eval "naïve λ→∀!".length + 1
