-- With `autoImplicit` off a type variable must be declared.
-- expect: error 5:21 contains "Unknown identifier `α`"
set_option autoImplicit false

def first (xs : List α) : Nat := xs.length
