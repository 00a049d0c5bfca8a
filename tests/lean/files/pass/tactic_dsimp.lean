-- `dsimp` only uses definitional equations.
structure Pt where
  x : Nat
  y : Nat

def Pt.flip (p : Pt) : Pt := ⟨p.y, p.x⟩

example (p : Pt) : p.flip.x = p.y := by dsimp [Pt.flip]

example (a b : Nat) : (a, b).1 + (fun x => x) b = a + b := by dsimp

example (p : Pt) (h : p.flip.y = 3) : p.x = 3 := by
  dsimp only [Pt.flip] at h
  exact h

example (f : Nat → Nat) (h : (fun n => f n) 3 = 4) : f 3 = 4 := by
  dsimp only at h
  exact h
