/-! How a result can come about, step by step: what holds of its value, and what of its error. -/
namespace Rust
namespace Result
variable {α β : Type}

/-- An error satisfies `Q`, a value `P`; nothing is said of a run out of fuel. -/
def safe (Q : Error → Prop) (P : α → Prop) (r : Result α) : Prop :=
  match r with
  | .ok a => P a
  | .fail e => Q e
  | .div => True

theorem fails_of_safe {r : Result α} (h : r.safe (fun _ => False) (fun _ => True)) : r.fails = false := by
  cases r with
  | ok a => rfl
  | fail e => exact h.elim
  | div => rfl

theorem errors_of_safe {r : Result α} {Q : Error → Prop} (h : r.safe Q (fun _ => True)) : ∀ e, r = fail e → Q e := by
  intro e he; subst he; exact h

theorem values_of_safe {r : Result α} {P : α → Prop} (h : r.safe (fun _ => True) P) : ∀ a, r = ok a → P a := by
  intro a ha; subst ha; exact h

theorem safe_mono {r : Result α} {Q : Error → Prop} {P P' : α → Prop} (h : r.safe Q P') (k : ∀ a, P' a → P a) :
    r.safe Q P := by
  cases r with
  | ok a => exact k a h
  | fail e => exact h
  | div => exact trivial

theorem safe_bind {r : Result α} {f : α → Result β} {Q : Error → Prop} {P : β → Prop}
    (h : r.safe Q (fun a => (f a).safe Q P)) : (r >>= f).safe Q P := by
  cases r with
  | ok a => exact h
  | fail e => exact h
  | div => exact trivial

theorem safe_ok {a : α} {Q : Error → Prop} {P : α → Prop} (h : P a) : (ok a).safe Q P := h

/-- The value gets a name, so that terms do not grow. -/
theorem safe_number {a : Int} {Q : Error → Prop} {P : Int → Prop} (h : ∀ x, x = a → P x) : (ok a).safe Q P := h a rfl

theorem safe_fail {e : Error} {Q : Error → Prop} {P : α → Prop} (h : Q e) : (fail e : Result α).safe Q P := h

theorem safe_div {Q : Error → Prop} {P : α → Prop} : (div : Result α).safe Q P := trivial

theorem safe_ite {c : Prop} [Decidable c] {x y : Result α} {Q : Error → Prop} {P : α → Prop}
    (hx : c → x.safe Q P) (hy : ¬ c → y.safe Q P) : (if c then x else y).safe Q P := by
  by_cases h : c
  · rw [if_pos h]; exact hx h
  · rw [if_neg h]; exact hy h

theorem safe_check {lo hi v : Int} {e : Error} {Q : Error → Prop} {P : Int → Prop}
    (h : ∀ x, x = v → ¬ (lo ≤ x ∧ x ≤ hi) → Q e) (k : ∀ x, x = v → lo ≤ x → x ≤ hi → P x) :
    (if lo ≤ v ∧ v ≤ hi then ok v else fail e).safe Q P :=
  safe_ite (fun c => k v rfl c.1 c.2) (h v rfl)

theorem safe_dite {c : Prop} [Decidable c] {x : c → Result α} {y : ¬ c → Result α} {Q : Error → Prop} {P : α → Prop}
    (hx : (h : c) → (x h).safe Q P) (hy : (h : ¬ c) → (y h).safe Q P) : (dite c x y).safe Q P := by
  by_cases h : c
  · rw [dif_pos h]; exact hx h
  · rw [dif_neg h]; exact hy h

theorem safe_index {xs : List α} {n : Nat} {e : Error} {Q : Error → Prop} {P : α → Prop}
    (k : n < xs.length → ∀ x, x ∈ xs → P x) (h : ¬ n < xs.length → Q e) :
    (if h : n < xs.length then ok (xs[n]'h) else fail e).safe Q P :=
  safe_dite (fun c => k c _ (List.getElem_mem c)) h

theorem quotient_nonneg {a b : Int} (ha : 0 ≤ a) (hb : 0 < b) : 0 ≤ a / b := by
  have whole := Int.mul_ediv_add_emod a b
  have rest := Int.emod_lt_of_pos a hb
  by_cases h : 0 ≤ a / b
  · exact h
  · have product := Int.mul_nonneg (show 0 ≤ b by omega) (show 0 ≤ -(a / b) - 1 by omega)
    simp only [Int.mul_sub, Int.mul_neg, Int.mul_one] at product
    omega

theorem safe_quotient {a b : Int} {e : Error} {Q : Error → Prop} {P : Int → Prop} (h : b = 0 → Q e)
    (k : b ≠ 0 → (0 ≤ a → 0 < b → 0 ≤ a / b ∧ a / b ≤ a ∧ (2 ≤ b → 2 * (a / b) ≤ a)) → P (a / b)) :
    (if b = 0 then fail e else ok (a / b)).safe Q P := by
  apply safe_ite h
  intro hb
  apply k hb
  intro ha pos
  have whole := Int.mul_ediv_add_emod a b
  have rest := Int.emod_nonneg a hb
  have nonneg : 0 ≤ a / b := quotient_nonneg ha pos
  have one := Int.mul_le_mul_of_nonneg_right (show 1 ≤ b by omega) nonneg
  refine ⟨nonneg, by omega, fun two => ?_⟩
  have more := Int.mul_le_mul_of_nonneg_right two nonneg
  omega

theorem safe_remainder {a b : Int} {e : Error} {Q : Error → Prop} {P : Int → Prop} (h : b = 0 → Q e)
    (k : b ≠ 0 → (0 < b → 0 ≤ a % b ∧ a % b < b ∧ (0 ≤ a → a % b ≤ a)) → P (a % b)) :
    (if b = 0 then fail e else ok (a % b)).safe Q P := by
  apply safe_ite h
  intro hb
  apply k hb
  intro pos
  refine ⟨Int.emod_nonneg a hb, Int.emod_lt_of_pos a pos, fun ha => ?_⟩
  have whole := Int.mul_ediv_add_emod a b
  have nonneg : 0 ≤ a / b := quotient_nonneg ha pos
  have product := Int.mul_nonneg (show 0 ≤ b by omega) nonneg
  omega

/-- Of division that rounds toward zero. -/
theorem toward_zero {a b : Int} (pos : 0 < b) :
    (0 ≤ a → 0 ≤ a / b ∧ a / b ≤ a ∧ 0 ≤ a % b ∧ a % b < b) ∧
      (a ≤ 0 → 0 ≤ -a / b ∧ -a / b ≤ -a ∧ 0 ≤ -a % b ∧ -a % b < b) := by
  have whole : ∀ c : Int, 0 ≤ c → 0 ≤ c / b ∧ c / b ≤ c ∧ 0 ≤ c % b ∧ c % b < b := by
    intro c hc
    have whole := Int.mul_ediv_add_emod c b
    have rest := Int.emod_nonneg c (show b ≠ 0 by omega)
    have nonneg := quotient_nonneg hc pos
    have one := Int.mul_le_mul_of_nonneg_right (show 1 ≤ b by omega) nonneg
    exact ⟨nonneg, by omega, rest, Int.emod_lt_of_pos c pos⟩
  exact ⟨whole a, fun h => whole (-a) (by omega)⟩

theorem safe_quotient_signed {a b lo hi : Int} {e e' : Error} {Q : Error → Prop} {P : Int → Prop} (h : b = 0 → Q e)
    (k : b ≠ 0 → (0 < b → (0 ≤ a → 0 ≤ a / b ∧ a / b ≤ a ∧ 0 ≤ a % b ∧ a % b < b) ∧
        (a ≤ 0 → 0 ≤ -a / b ∧ -a / b ≤ -a ∧ 0 ≤ -a % b ∧ -a % b < b)) →
      (if lo ≤ (if 0 ≤ a then a / b else -(-a / b)) ∧ (if 0 ≤ a then a / b else -(-a / b)) ≤ hi
        then ok (if 0 ≤ a then a / b else -(-a / b)) else fail e').safe Q P) :
    (if b = 0 then fail e
      else if lo ≤ (if 0 ≤ a then a / b else -(-a / b)) ∧ (if 0 ≤ a then a / b else -(-a / b)) ≤ hi
        then ok (if 0 ≤ a then a / b else -(-a / b)) else fail e').safe Q P :=
  safe_ite h (fun hb => k hb toward_zero)

theorem safe_remainder_signed {a b hi : Int} {r : Result α} {e e' : Error} {Q : Error → Prop} {P : α → Prop}
    (h : b = 0 → Q e)
    (k : b ≠ 0 → (0 < b → (0 ≤ a → 0 ≤ a / b ∧ a / b ≤ a ∧ 0 ≤ a % b ∧ a % b < b) ∧
        (a ≤ 0 → 0 ≤ -a / b ∧ -a / b ≤ -a ∧ 0 ≤ -a % b ∧ -a % b < b)) →
      (if (if 0 ≤ a then a / b else -(-a / b)) ≤ hi then r else fail e').safe Q P) :
    (if b = 0 then fail e else if (if 0 ≤ a then a / b else -(-a / b)) ≤ hi then r else fail e').safe Q P :=
  safe_ite h (fun hb => k hb toward_zero)

theorem mul_bounds {a b A B : Int} (ha : -A ≤ a) (ha' : a ≤ A) (hb : -B ≤ b) (hb' : b ≤ B) :
    -(A * B) ≤ a * b ∧ a * b ≤ A * B := by
  have one := Int.mul_nonneg (show 0 ≤ A - a by omega) (show 0 ≤ B + b by omega)
  have two := Int.mul_nonneg (show 0 ≤ A + a by omega) (show 0 ≤ B - b by omega)
  have three := Int.mul_nonneg (show 0 ≤ A - a by omega) (show 0 ≤ B - b by omega)
  have four := Int.mul_nonneg (show 0 ≤ A + a by omega) (show 0 ≤ B + b by omega)
  simp only [Int.sub_mul, Int.add_mul, Int.mul_sub, Int.mul_add] at one two three four
  omega

theorem safe_product {a b lo hi : Int} {e : Error} {Q : Error → Prop} {P : Int → Prop} (A B : Int)
    (ha : -A ≤ a) (ha' : a ≤ A) (hb : -B ≤ b) (hb' : b ≤ B)
    (h : ∀ x, x = a * b → -(A * B) ≤ x → x ≤ A * B → ¬ (lo ≤ x ∧ x ≤ hi) → Q e)
    (k : ∀ x, x = a * b → -(A * B) ≤ x → x ≤ A * B → lo ≤ x → x ≤ hi → P x) :
    (if lo ≤ a * b ∧ a * b ≤ hi then ok (a * b) else fail e).safe Q P :=
  have within := mul_bounds ha ha' hb hb'
  safe_ite (fun c => k _ rfl within.1 within.2 c.1 c.2) (h _ rfl within.1 within.2)

end Result
end Rust
