-- Definitions are opened by `unfold`, `rw`, `simp`, `delta`, `change` and `show`.
def sq (n : Nat) : Nat := n * n
def cube (n : Nat) : Nat := sq n * n

example (n : Nat) : cube n = n * n * n := by unfold cube sq; rfl
example (n : Nat) : cube n = n * n * n := by rw [cube, sq]
example (n : Nat) : cube n = n * n * n := by simp only [cube, sq]
example (n : Nat) : cube n = n * n * n := by delta cube sq; rfl
example (n : Nat) : cube n = n * n * n := by
  change n * n * n = _
  rfl
example (n : Nat) (h : sq n = 4) : n * n = 4 := by
  unfold sq at h
  exact h
example (n : Nat) (h : sq n = 4) : n * n = 4 := h
