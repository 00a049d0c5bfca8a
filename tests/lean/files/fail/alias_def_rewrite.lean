-- With a plain `def` alias `rw` does not see a `List Bool`.
-- expect: error 9:6 contains "Tactic `rewrite` failed"
def T2 := List Bool
def L2 : Nat → T2
  | 0 => ([] : List Bool)
  | n + 1 => (List.cons true (L2 n) : List Bool)

theorem use (n : Nat) (len : ∀ xs : List Bool, xs.length = n) : (L2 n).length = n := by
  rw [len]
