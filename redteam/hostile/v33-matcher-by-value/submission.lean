def first (motive : Nat → Type) (n : Nat) (h0 : Unit → motive 0) (h1 : (k : Nat) → motive (k + 1)) : motive n :=
  Nat.casesOn (motive := motive) n (h0 ()) h1
def f (n : Nat) : Nat := first (fun _ => Nat) n (fun _ => 1) (fun _ => 1)
theorem target (n : Nat) : f (n + 1) = 1 := rfl
