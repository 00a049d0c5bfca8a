def g (n : Nat) : Nat := match n with
  | 0 => 3
  | _ + 1 => 4
def f (n : Nat) : Nat := match n with
  | 0 => 1
  | _ + 1 => 2
theorem g_zero : g 0 = 3 := rfl
theorem target : f 0 = 1 := rfl
