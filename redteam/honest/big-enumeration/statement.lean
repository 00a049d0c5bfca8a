inductive C where
  | c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7 | c8 | c9 | d0 | d1 | d2 | d3 | d4 | d5 | d6 | d7 | d8 | d9
  | e0 | e1 | e2 | e3 | e4 | e5 | e6 | e7 | e8 | e9 | f0 | f1 | f2 | f3 | f4 | f5 | f6 | f7 | f8 | f9
def C.low : C → Bool
  | c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7 | c8 | c9 => true
  | _ => false
def C.flip : C → C
  | c0 => d0 | d0 => c0 | c => c
theorem target (c : C) : c.flip.flip = c := by sorry
