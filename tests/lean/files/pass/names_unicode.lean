-- Unicode identifiers, subscripts, primes and escaped names.
def «a name with spaces» : Nat := 3
def «if» : Nat := 4
def α₁ : Nat := 1
def x' : Nat := 2
def ℕ_like : Type := Nat
def «2+2» : Nat := 5

theorem «2+2 is five» : «2+2» = 5 := rfl

example : «a name with spaces» + «if» + α₁ + x' = 10 := rfl

namespace «my space»
def inside : Nat := 7
end «my space»

example : «my space».inside = 7 := rfl

structure Οδός where
  μηκος : Nat

example (δ : Οδός) : δ.μηκος = δ.1 := rfl
