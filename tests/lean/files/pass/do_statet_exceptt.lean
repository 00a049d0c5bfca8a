-- The library's transformers: StateT over Except, with throw, get, set and modify.
abbrev M := StateT Nat (Except String)

def tick : M Unit := modify (· + 1)

def guarded (limit : Nat) : M Nat := do
  tick
  let n ← get
  if n > limit then throw s!"limit {limit} exceeded"
  return n * 10

example : (guarded 5).run 1 = .ok (20, 2) := rfl
