-- `decide` evaluates a decision procedure in the kernel.
example : 17 * 19 = 323 := by decide
example : ¬(3 ∣ 10) := by decide
example : ∀ b c : Bool, (b || c) = (c || b) := by decide
example : ∀ x : Fin 5, ∃ y : Fin 5, x.val + y.val = 4 := by decide
example : [3, 1, 2].length = 3 ∧ 2 ∈ [3, 1, 2] := by decide
example : (fun n : Nat => n * n) 12 = 144 := by decide

inductive Day where
  | mon | tue | wed | thu | fri | sat | sun
  deriving DecidableEq

open Day

def next : Day → Day
  | mon => tue | tue => wed | wed => thu | thu => fri | fri => sat | sat => sun | sun => mon

theorem next_ne (d : Day) : next d ≠ d := by cases d <;> decide
