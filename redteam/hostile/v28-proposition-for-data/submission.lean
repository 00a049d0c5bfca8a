inductive Bit : Prop where
  | o | i
theorem target : Bit.o = Bit.i := rfl
