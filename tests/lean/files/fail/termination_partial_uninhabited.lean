-- A partial function must have an inhabited type.
-- expect: error 3:0 contains "failed to compile 'partial' definition `search`, could not prove that the type"
partial def search {α : Type} (p : Nat → Option α) (n : Nat) : α :=
  match p n with
  | some a => a
  | none => search p (n + 1)
