def Mono (f : Nat → Nat) : Prop := ∀ ⦃a b⦄, a ≤ b → f a ≤ f b
theorem target (f g : Nat → Nat) (hf : Mono f) (hg : Mono g) : Mono fun n => f (g n) := 
  fun a b h => hf (a := g a) (b := g b) (hg h)
