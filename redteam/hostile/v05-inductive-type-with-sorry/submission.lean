inductive Carrier : Prop where
  | mk (h : (sorryAx Type true : Type) → ∀ n : Nat, n + 1 = n) : Carrier
theorem target (n : Nat) : n + 1 = n :=
  have : Carrier := .mk fun x => sorryAx _ true
  match this with
  | .mk _ => sorryAx _ true
