inductive P where | o | s (n : P)
namespace P
def add (m : P) : P → P
  | o => m
  | s n => s (m.add n)
theorem o_add (n : P) : o.add n = n := by induction n with
  | o => rfl
  | s n ih => rw [add, ih]
theorem s_add (m n : P) : m.s.add n = (m.add n).s := by induction n with
  | o => rfl
  | s n ih => rw [add, ih, add]
end P
theorem target (m n : P) : m.add n = n.add m := by
  induction n with
  | o => exact (P.o_add m).symm
  | s n ih => rw [P.add, P.s_add, ih]
