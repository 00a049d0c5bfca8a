-- Nested structures: anonymous constructors, nested updates, patterns.
structure Address where
  street : String
  number : Nat

structure Person where
  name : String
  age : Nat
  home : Address

def ada : Person := ⟨"Ada", 36, ⟨"Main", 4⟩⟩

def moveNextDoor (p : Person) : Person := { p with home.number := p.home.number + 1 }
def birthday (p : Person) : Person := { p with age := p.age + 1 }

example : (moveNextDoor ada).home.number = 5 := rfl
example : (birthday (moveNextDoor ada)).home.street = "Main" := rfl

theorem independent (p : Person) : birthday (moveNextDoor p) = moveNextDoor (birthday p) := rfl

def isAdult : Person → Bool
  | { age, .. } => age ≥ 18

example : isAdult ada = true := rfl
