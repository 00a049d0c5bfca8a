def Lean.reduceBool (b : Bool) : Bool := b
def t' : Bool := true
@[implemented_by t'] def f' : Bool := false
theorem viaCompiler : Lean.reduceBool f' = true := by decide +kernel
theorem viaLogic : Lean.reduceBool f' = false := rfl
theorem boom : False := by rw [viaLogic] at viaCompiler; exact Bool.noConfusion viaCompiler
theorem target (n : Nat) : n + 1 = n := boom.elim
