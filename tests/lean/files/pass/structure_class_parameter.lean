-- A structure whose type of a field depends on an earlier field.
structure Matrix (α : Type) where
  rows : Nat
  cols : Nat
  entry : Fin rows → Fin cols → α

def transpose {α : Type} (m : Matrix α) : Matrix α where
  rows := m.cols
  cols := m.rows
  entry i j := m.entry j i

theorem transpose_transpose {α : Type} (m : Matrix α) : transpose (transpose m) = m := rfl

def identity (n : Nat) : Matrix Nat := { rows := n, cols := n, entry := fun i j => if i = j then 1 else 0 }

theorem transpose_identity (n : Nat) : transpose (identity n) = identity n := by
  simp [transpose, identity, eq_comm]
