inductive P where | o | s (n : P)
namespace P
def add (m : P) : P → P
  | o => m
  | s n => s (m.add n)
end P
theorem target (m n : P) : m.add n = n.add m := by sorry
