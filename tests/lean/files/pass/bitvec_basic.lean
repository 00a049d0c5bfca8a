-- Bit vectors: literals, arithmetic modulo a power of two, conversion.
example : (255#8 + 1#8) = 0#8 := by decide
example : (0x0f#8).toNat = 15 := rfl
example (x : BitVec 8) : x.toNat < 256 := x.isLt
example (x y : BitVec 4) (h : x.toNat = y.toNat) : x = y := BitVec.eq_of_toNat_eq h
