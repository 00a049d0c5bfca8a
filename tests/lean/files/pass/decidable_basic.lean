-- Decidable propositions: instances, `if`, `decide`.
instance decidableImp {p q : Prop} [Decidable p] [Decidable q] : Decidable (p ∧ ¬q) :=
  inferInstance

def isPrime (n : Nat) : Prop := 2 ≤ n ∧ ∀ d, d < n → 2 ≤ d → ¬d ∣ n

instance : DecidablePred isPrime := fun n =>
  inferInstanceAs (Decidable (2 ≤ n ∧ ∀ d, d < n → 2 ≤ d → ¬d ∣ n))

example : isPrime 13 := by decide
example : ¬isPrime 15 := by decide

def classify (p : Prop) [Decidable p] : String := if p then "yes" else "no"

example : classify (3 < 5) = "yes" := rfl

theorem by_decidability (p : Prop) [Decidable p] (h : ¬¬p) : p := Decidable.byContradiction h

def decideEq : (a b : Bool) → Decidable (a = b)
  | true, true | false, false => isTrue rfl
  | true, false | false, true => isFalse nofun
