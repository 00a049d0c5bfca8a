namespace A
inductive Nat where | only
end A
open A (Nat) in
theorem target (a b : A.Nat) : a = b := by cases a; cases b; rfl
