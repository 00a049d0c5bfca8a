theorem target (f : (Nat → Prop) → Nat → Prop) (mono : ∀ s t, (∀ x, s x → t x) → ∀ x, f s x → f t x) :
    let μ := fun x => ∀ s, (∀ y, f s y → s y) → s x
    ∀ x, f μ x → μ x := by
  intro μ x hx s hs
  exact hs x (mono μ s (fun y hy => hy s hs) x hx)
