def «größer als» (α β : Nat) : Prop := β < α
theorem «Satz 1» (ν : Nat) : «größer als» (ν + 1) ν := by sorry
