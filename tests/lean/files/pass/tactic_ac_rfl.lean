-- `ac_rfl` proves equalities up to associativity and commutativity, also of a user operation.
example (a b c d : Nat) : a + b + (c + d) = d + c + (b + a) := by ac_rfl
example (a b c : Nat) : a * (b * c) = c * b * a := by ac_rfl
example (p q r : Prop) : (p ∧ q ∧ r) = (r ∧ q ∧ p) := by ac_rfl
example (a b c : Nat) : max a (max b c) = max (max c a) b := by ac_rfl

def join (a b : Bool) : Bool := a || b

instance : Std.Associative join := ⟨by intro a b c; cases a <;> cases b <;> cases c <;> rfl⟩
instance : Std.Commutative join := ⟨by intro a b; cases a <;> cases b <;> rfl⟩

example (a b c : Bool) : join a (join b c) = join c (join b a) := by ac_rfl
