-- A state monad written by hand, used through `do`, with a proof about a program.
def St (σ α : Type) := σ → α × σ

instance {σ : Type} : Monad (St σ) where
  pure a := fun s => (a, s)
  bind m f := fun s => let (a, s') := m s; f a s'

def get' {σ : Type} : St σ σ := fun s => (s, s)
def set' {σ : Type} (s : σ) : St σ Unit := fun _ => ((), s)

def fresh : St Nat Nat := do
  let n ← get'
  set' (n + 1)
  return n

def three : St Nat (List Nat) := do
  let a ← fresh
  let b ← fresh
  let c ← fresh
  return [a, b, c]

example : three 10 = ([10, 11, 12], 13) := rfl

theorem fresh_increases (s : Nat) : s < (fresh s).2 := Nat.lt_succ_self s
