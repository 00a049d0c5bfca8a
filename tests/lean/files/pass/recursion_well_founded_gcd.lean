-- Euclid's algorithm by well-founded recursion, with its functional induction.
-- expect: information 22:0 is "6"
def euclid (a b : Nat) : Nat :=
  if h : b = 0 then
    a
  else
    have : a % b < b := Nat.mod_lt a (Nat.pos_of_ne_zero h)
    euclid b (a % b)
termination_by b

theorem euclid_zero (a : Nat) : euclid a 0 = a := by simp [euclid]

theorem euclid_dvd (a b : Nat) : euclid a b ∣ a ∧ euclid a b ∣ b := by
  induction a, b using euclid.induct with
  | case1 a =>
    rw [euclid_zero]
    exact ⟨Nat.dvd_refl a, 0, rfl⟩
  | case2 a b h _ ih =>
    rw [euclid, dif_neg h]
    exact ⟨(Nat.dvd_mod_iff ih.1).mp ih.2, ih.1⟩

#eval euclid 48 18
