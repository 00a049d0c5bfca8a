instance (priority := high) zeroCoe : NatCast Int := ⟨fun _ => 0⟩
theorem target : ((3 : Nat) : Int) = 0 := rfl
