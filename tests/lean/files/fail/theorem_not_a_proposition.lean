-- A theorem states a proposition; data needs a `def`.
-- expect: error 3:0 contains "type of theorem `answer` is not a proposition"
theorem answer : Nat := 42
