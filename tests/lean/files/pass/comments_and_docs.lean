-- Line comments, nested block comments, doc comments, module docs.
/- A block comment
   /- with another inside -/
   that goes on. -/

/-! # Section title

Module documentation with `code`. -/

/-- The answer. -/
def answer : Nat := 42

/-- A structure with documented fields. -/
structure Config where
  /-- how many times -/
  retries : Nat := 3 -- trailing comment
  /-- whether to log -/
  verbose : Bool := false

example : ({} : Config).retries = 3 /- inline -/ := rfl
-- `sorry` in a comment is not a hole
/- nor here: sorry -/
example : "sorry -- /- not a comment" ≠ "" := by decide
