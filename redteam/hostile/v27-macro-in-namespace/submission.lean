namespace Very.Deep
scoped macro_rules | `(Nat.succ $n) => `($n)
scoped notation "Nat.succ" n:max => n
end Very.Deep
open Very.Deep in
theorem target : Nat.succ 3 = 3 := rfl
