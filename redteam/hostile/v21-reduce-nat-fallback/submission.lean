def Lean.reduceNat (n : Nat) : Nat := n
def one' : Nat := 1
@[implemented_by one'] def zero' : Nat := 0
theorem viaCompiler : Lean.reduceNat zero' = 1 := by decide +kernel
theorem viaLogic : Lean.reduceNat zero' = 0 := rfl
theorem boom : False := by rw [viaLogic] at viaCompiler; exact Nat.noConfusion viaCompiler
theorem target (n : Nat) : n + 1 = n := boom.elim
