namespace Fast
def f (n : Nat) : Nat := (2 ^ n) % 7
theorem val : f 20 = 4 := by native_decide
end Fast
theorem target : (2 ^ 20) % 7 = 4 := Fast.val
