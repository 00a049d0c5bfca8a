-- Definitional equalities: proof irrelevance, eta for functions and structures, unit eta.
example (p : Prop) (a b : p) : a = b := rfl
example (f : Nat → Nat) : (fun x => f x) = f := rfl
example (x : Nat × Nat) : (x.1, x.2) = x := rfl
example (x : { n : Nat // 0 < n }) (h : 0 < x.val) : ⟨x.val, h⟩ = x := rfl
example (f : Unit → Nat) (u : Unit) : f u = f () := rfl
example (n : Nat) (h₁ h₂ : n < 5) : (⟨n, h₁⟩ : Fin 5) = ⟨n, h₂⟩ := rfl
example : (fun (x : Nat) (_ : x = x) => x) = fun x _ => x := rfl
example (xs : List Nat) : xs.map (fun x => x) = xs.map id := rfl
