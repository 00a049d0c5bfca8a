theorem unused1 : True := True.intro
def b : Nat := 2
theorem unused2 : b = 2 := rfl
def a : Nat := 1
theorem target : a + b = 3 := rfl
theorem unused3 : a = 1 := rfl
