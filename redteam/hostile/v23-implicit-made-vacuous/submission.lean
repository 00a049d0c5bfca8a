universe u
variable (ε : PEmpty.{u})
include ε
theorem target (n : Nat) : n + 1 = n := nomatch ε
