theorem target (p : Nat → Prop) (x y : { n // p n }) (h : x.1 = y.1) : x = y := Subtype.ext h
