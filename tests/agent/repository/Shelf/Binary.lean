import Shelf.Numbers

/-! Binary numerals, the lowest digit outside. -/

namespace Shelf

inductive Bin where
  | zero
  | twice (b : Bin)
  | twiceOne (b : Bin)

namespace Bin

def value : Bin → Nat
  | zero => 0
  | twice b => double b.value
  | twiceOne b => double b.value + 1

def next : Bin → Bin
  | zero => twiceOne zero
  | twice b => twiceOne b
  | twiceOne b => twice b.next

def ofNat : Nat → Bin
  | 0 => zero
  | n + 1 => (ofNat n).next

theorem value_next (b : Bin) : b.next.value = b.value + 1 := by
  sorry

theorem value_ofNat (n : Nat) : (ofNat n).value = n := by
  sorry

end Bin

end Shelf
