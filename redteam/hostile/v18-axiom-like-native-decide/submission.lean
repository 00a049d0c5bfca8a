axiom target._native.native_decide.ax_1 : ∀ n : Nat, n + 1 = n
theorem target (n : Nat) : n + 1 = n := target._native.native_decide.ax_1 n
