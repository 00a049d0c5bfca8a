-- A loop over a numeric range.
-- expect: information 9:0 is "120"
def factorial (n : Nat) : Nat := Id.run do
  let mut r := 1
  for i in [1:n+1] do
    r := r * i
  return r

#eval factorial 5
