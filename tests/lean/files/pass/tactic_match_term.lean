-- `match` in terms and tactics, with motives, multiple discriminants and `nomatch`.
theorem or_map {p q r s : Prop} (h : p ∨ q) (f : p → r) (g : q → s) : r ∨ s :=
  match h with
  | .inl hp => .inl (f hp)
  | .inr hq => .inr (g hq)

theorem lt_three (n : Nat) (h : n < 3) : n = 0 ∨ n = 1 ∨ n = 2 := by
  match n, h with
  | 0, _ => exact .inl rfl
  | 1, _ => exact .inr (.inl rfl)
  | 2, _ => exact .inr (.inr rfl)

theorem no_lt_zero {n : Nat} (h : n < 0) : False := nomatch h

def both (a b : Option Nat) : Nat :=
  match a, b with
  | some x, some y => x + y
  | some x, none | none, some x => x
  | none, none => 0

theorem both_comm (a b : Option Nat) : both a b = both b a := by
  match a, b with
  | some x, some y => exact Nat.add_comm x y
  | some _, none | none, some _ => rfl
  | none, none => rfl

def evenHalf (n : Nat) : Nat :=
  match h : n % 2 with
  | 0 => have : n % 2 = 0 := h; n / 2
  | _ => 0
