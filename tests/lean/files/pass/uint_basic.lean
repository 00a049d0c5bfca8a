-- Machine integers wrap around.
-- expect: information 3:0 is "4"
#eval (250 : UInt8) + 10
example : (3 : UInt32).toNat = 3 := rfl
