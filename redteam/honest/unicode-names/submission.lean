def «größer als» (α β : Nat) : Prop := β < α
theorem hilfs_μemma' (ν : Nat) : ν < ν + 1 := Nat.lt_succ_self ν
theorem «Satz 1» (ν : Nat) : «größer als» (ν + 1) ν := hilfs_μemma' ν
