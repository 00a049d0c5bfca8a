inductive Lam where | var (n : Nat) | app (f a : Lam) | lam (b : Lam)
def lift (f : Nat → Nat) : Nat → Nat
  | 0 => 0
  | n + 1 => f n + 1
def Lam.rename (f : Nat → Nat) : Lam → Lam
  | var n => var (f n)
  | app g a => app (g.rename f) (a.rename f)
  | lam b => lam (b.rename (lift f))
theorem lift_id : lift id = id := funext fun | 0 => rfl | _ + 1 => rfl
theorem target (t : Lam) : t.rename id = t := by
  induction t with
  | var n => rfl
  | app g a ihg iha => rw [Lam.rename, ihg, iha]
  | lam b ih => rw [Lam.rename, lift_id, ih]
