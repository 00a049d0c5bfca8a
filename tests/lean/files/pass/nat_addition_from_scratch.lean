-- Peano addition defined by hand, with commutativity and associativity by induction.
inductive N where
  | zero
  | succ (n : N)

namespace N

def add (m : N) : N → N
  | zero => m
  | succ n => succ (add m n)

instance : Add N := ⟨add⟩

theorem add_zero (m : N) : m + zero = m := rfl
theorem add_succ (m n : N) : m + succ n = succ (m + n) := rfl

theorem zero_add (n : N) : zero + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [add_succ, ih]

theorem succ_add (m n : N) : succ m + n = succ (m + n) := by
  induction n with
  | zero => rfl
  | succ n ih => rw [add_succ, ih, add_succ]

theorem add_comm (m n : N) : m + n = n + m := by
  induction n with
  | zero => rw [add_zero, zero_add]
  | succ n ih => rw [add_succ, ih, succ_add]

theorem add_assoc (a b c : N) : a + b + c = a + (b + c) := by
  induction c with
  | zero => rfl
  | succ c ih => rw [add_succ, add_succ, add_succ, ih]

end N
