def classify (n : Nat) : Bool := match n % 3 with
  | 0 => true
  | _ => false
theorem target (n : Nat) (h : classify n = true) : n % 3 = 0 := by
  unfold classify at h
  match k : n % 3, h with
  | 0, _ => rfl
