-- A structure whose elements are applied like functions.
structure Affine where
  slope : Int
  offset : Int

instance : CoeFun Affine (fun _ => Int → Int) := ⟨fun f x => f.slope * x + f.offset⟩

def f : Affine := { slope := 2, offset := 3 }

example : f 5 = 13 := rfl

theorem zero_slope (c x : Int) : (Affine.mk 0 c) x = c := by
  show 0 * x + c = c
  omega
