-- No extensionality theorem applies to numbers.
-- expect: error 4:2 contains "No applicable extensionality theorem found for type\n  Nat"
theorem t (a b : Nat) (h : a = b) : a = b := by
  ext x
