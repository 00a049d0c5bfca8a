inductive Bit : Type where
  | o | i
theorem target : Bit.o = Bit.i := by sorry
