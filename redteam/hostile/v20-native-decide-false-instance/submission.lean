@[noinline] def lie (p : Prop) : Bool := true
unsafe def lieImpl (p : Prop) : Bool := true
@[implemented_by lieImpl] def verdict (n : Nat) : Bool := n == 2
instance (priority := high) lucky : Decidable ((1 : Nat) = 2) :=
  if h : verdict 1 = true then .isTrue (absurd h (by decide)) else .isFalse (by decide)
theorem target : (1 : Nat) = 2 := by native_decide
