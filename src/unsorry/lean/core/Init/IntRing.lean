prelude
import Init.IntBasics
import Init.NatSimproc
import Init.AC
/-! Ring laws and casts of integers.  Proofs go through differences of naturals: every integer is some `subNatNat m n`. -/
set_option linter.all false
namespace Int
/-! differences of naturals -/
theorem natCast_eq_ofNat (n : Nat) : (n : Int) = ofNat n := rfl
@[simp] theorem ofNat_eq_natCast (n : Nat) : ofNat n = (n : Int) := rfl
theorem subNatNat_shift (m n k : Nat) : subNatNat (m + k) (n + k) = subNatNat m n := by
  unfold subNatNat; rw [Nat.add_sub_add_right, Nat.add_sub_add_right]
theorem subNatNat_ge (m k : Nat) : subNatNat (m + k) m = (k : Int) := by
  have h := subNatNat_shift k 0 m; rw [Nat.zero_add, Nat.add_comm] at h; rw [h]; unfold subNatNat; rw [Nat.zero_sub]; rfl
theorem subNatNat_lt (m k : Nat) : subNatNat m (m + (k + 1)) = negSucc k := by
  have h := subNatNat_shift 0 (k + 1) m; rw [Nat.zero_add, Nat.add_comm (k + 1)] at h; rw [h]; rfl
theorem natCast_eq_sub (n : Nat) : (n : Int) = subNatNat n 0 := by unfold subNatNat; rw [Nat.zero_sub]; rfl
theorem subNatNat_zero (m : Nat) : subNatNat m 0 = ofNat m := (natCast_eq_sub m).symm
theorem subNatNat_self (m : Nat) : subNatNat m m = 0 := subNatNat_ge m 0
theorem negOfNat_eq_sub : (n : Nat) → negOfNat n = subNatNat 0 n | 0 => rfl | _+1 => rfl
/-- compare two naturals, remembering the difference -/
theorem pair_cases {motive : Nat → Nat → Prop} (hp : ∀ m k, motive (m + k) m) (hn : ∀ m k, motive m (m + (k + 1))) (m n : Nat) : motive m n := by
  cases Nat.lt_or_ge m n with
  | inl h => obtain ⟨k, rfl⟩ := Nat.exists_eq_add_of_le h; have := hn m k; rw [Nat.add_comm k 1, ← Nat.add_assoc] at this; exact this
  | inr h => obtain ⟨k, rfl⟩ := Nat.exists_eq_add_of_le h; exact hp n k
theorem exists_pair : (a : Int) → ∃ m n, a = subNatNat m n
  | ofNat m => ⟨m, 0, natCast_eq_sub m⟩
  | negSucc m => ⟨0, m + 1, rfl⟩
theorem sub_eq_of (i j m n : Nat) (h : i + n = m + j) : subNatNat i j = subNatNat m n := by
  rw [← subNatNat_shift i j n, h, Nat.add_comm j, ← subNatNat_shift m n j]
theorem neg_pair (m n : Nat) : -subNatNat m n = subNatNat n m := by
  refine pair_cases (motive := fun m n => -subNatNat m n = subNatNat n m) (fun m k => ?_) (fun m k => ?_) m n
  · rw [subNatNat_ge]; show negOfNat k = _; rw [negOfNat_eq_sub]; exact sub_eq_of _ _ _ _ (by ac_rfl)
  · rw [subNatNat_lt, subNatNat_ge]; rfl
theorem add_pair (a b c d : Nat) : subNatNat a b + subNatNat c d = subNatNat (a + c) (b + d) := by
  refine pair_cases (motive := fun a b => subNatNat a b + subNatNat c d = subNatNat (a + c) (b + d)) (fun b i => ?_) (fun a i => ?_) a b <;>
    refine pair_cases (motive := fun c d => _ + subNatNat c d = subNatNat (_ + c) (_ + d)) (fun d j => ?_) (fun c j => ?_) c d
  · rw [subNatNat_ge, subNatNat_ge]; show ((i + j : Nat) : Int) = _; rw [natCast_eq_sub]; exact sub_eq_of _ _ _ _ (by ac_rfl)
  · rw [subNatNat_ge, subNatNat_lt]; show subNatNat i (j + 1) = _; exact sub_eq_of _ _ _ _ (by ac_rfl)
  · rw [subNatNat_lt, subNatNat_ge]; show subNatNat j (i + 1) = _; exact sub_eq_of _ _ _ _ (by ac_rfl)
  · rw [subNatNat_lt, subNatNat_lt]; show subNatNat 0 (i + j + 1 + 1) = _; exact sub_eq_of _ _ _ _ (by ac_rfl)
theorem sub_pair (a b c d : Nat) : subNatNat a b - subNatNat c d = subNatNat (a + d) (b + c) := by
  show subNatNat a b + -subNatNat c d = _; rw [neg_pair, add_pair]
theorem mul_pair (a b c d : Nat) : subNatNat a b * subNatNat c d = subNatNat (a * c + b * d) (a * d + b * c) := by
  refine pair_cases (motive := fun a b => subNatNat a b * subNatNat c d = subNatNat (a * c + b * d) (a * d + b * c)) (fun b i => ?_) (fun a i => ?_) a b <;>
    refine pair_cases (motive := fun c d => _ * subNatNat c d = subNatNat (_ * c + _ * d) (_ * d + _ * c)) (fun d j => ?_) (fun c j => ?_) c d
  · rw [subNatNat_ge, subNatNat_ge]; show ((i * j : Nat) : Int) = _; rw [natCast_eq_sub]; refine sub_eq_of _ _ _ _ ?_; simp only [Nat.mul_add, Nat.add_mul, Nat.add_zero, Nat.zero_add]; ac_rfl
  · rw [subNatNat_ge, subNatNat_lt]; show negOfNat (i * (j + 1)) = _; rw [negOfNat_eq_sub]; refine sub_eq_of _ _ _ _ ?_; simp only [Nat.mul_add, Nat.add_mul, Nat.add_zero, Nat.zero_add]; ac_rfl
  · rw [subNatNat_lt, subNatNat_ge]; show negOfNat ((i + 1) * j) = _; rw [negOfNat_eq_sub]; refine sub_eq_of _ _ _ _ ?_; simp only [Nat.mul_add, Nat.add_mul, Nat.add_zero, Nat.zero_add]; ac_rfl
  · rw [subNatNat_lt, subNatNat_lt]; show (((i + 1) * (j + 1) : Nat) : Int) = _; rw [natCast_eq_sub]; refine sub_eq_of _ _ _ _ ?_; simp only [Nat.mul_add, Nat.add_mul, Nat.add_zero, Nat.zero_add]; ac_rfl
theorem nonneg_pair {m n : Nat} : NonNeg (subNatNat m n) ↔ n ≤ m := by
  refine pair_cases (motive := fun m n => NonNeg (subNatNat m n) ↔ n ≤ m) (fun m k => ?_) (fun m k => ?_) m n
  · rw [subNatNat_ge]; exact ⟨fun _ => Nat.le_add_right m k, fun _ => .mk k⟩
  · rw [subNatNat_lt]; exact ⟨(nomatch ·), fun h => absurd (Nat.le_trans (Nat.add_le_add_left (Nat.le_add_left 1 k) m) h) (Nat.not_succ_le_self m)⟩
theorem le_pair {a b c d : Nat} : subNatNat a b ≤ subNatNat c d ↔ a + d ≤ c + b := by
  show NonNeg (_ - _) ↔ _; rw [sub_pair, nonneg_pair, Nat.add_comm d a]
theorem lt_pair {a b c d : Nat} : subNatNat a b < subNatNat c d ↔ a + d < c + b := by
  show subNatNat a b + subNatNat 1 0 ≤ _ ↔ _; rw [add_pair, le_pair, Nat.add_right_comm, Nat.add_zero]; rfl
theorem eq_pair {a b c d : Nat} : subNatNat a b = subNatNat c d ↔ a + d = c + b :=
  ⟨fun h => Nat.le_antisymm (le_pair.1 (h ▸ le_pair.2 (Nat.le_refl _))) (le_pair.1 (h ▸ le_pair.2 (Nat.le_refl _))), sub_eq_of _ _ _ _⟩
theorem zero_eq_sub : (0 : Int) = subNatNat 0 0 := rfl
theorem one_eq_sub : (1 : Int) = subNatNat 1 0 := rfl
/-- `int_pairs a b c` writes each variable as a difference of naturals and turns the goal into one about naturals. -/
syntax "int_pairs" (ppSpace colGt ident)* : tactic
macro_rules
  | `(tactic| int_pairs) => `(tactic| simp only [natCast_eq_sub, zero_eq_sub, one_eq_sub, neg_pair, add_pair, sub_pair, mul_pair, le_pair, lt_pair, eq_pair, Nat.add_zero, Nat.zero_add, Nat.mul_zero, Nat.zero_mul, Nat.mul_one, Nat.one_mul, Nat.mul_add, Nat.add_mul])
  | `(tactic| int_pairs $x $xs*) => `(tactic| (obtain ⟨m, n, h⟩ := exists_pair $x; subst h; int_pairs $xs*))

/-! ring laws -/
protected theorem add_comm (a b : Int) : a + b = b + a := by int_pairs a b; ac_rfl
protected theorem add_assoc (a b c : Int) : a + b + c = a + (b + c) := by int_pairs a b c; ac_rfl
protected theorem add_left_comm (a b c : Int) : a + (b + c) = b + (a + c) := by int_pairs a b c; ac_rfl
protected theorem add_right_comm (a b c : Int) : a + b + c = a + c + b := by int_pairs a b c; ac_rfl
@[simp] protected theorem add_zero (a : Int) : a + 0 = a := by int_pairs a
@[simp] protected theorem zero_add (a : Int) : 0 + a = a := by int_pairs a
@[simp] protected theorem neg_neg (a : Int) : - -a = a := by int_pairs a
@[simp] protected theorem neg_zero : -(0 : Int) = 0 := rfl
protected theorem add_right_neg (a : Int) : a + -a = 0 := by int_pairs a; ac_rfl
protected theorem add_left_neg (a : Int) : -a + a = 0 := by int_pairs a; ac_rfl
protected theorem sub_eq_add_neg {a b : Int} : a - b = a + -b := rfl
@[simp] protected theorem sub_self (a : Int) : a - a = 0 := Int.add_right_neg a
@[simp] protected theorem sub_zero (a : Int) : a - 0 = a := Int.add_zero a
@[simp] protected theorem zero_sub (a : Int) : 0 - a = -a := Int.zero_add _
protected theorem neg_add {a b : Int} : -(a + b) = -a + -b := by int_pairs a b
protected theorem neg_sub (a b : Int) : -(a - b) = b - a := by int_pairs a b; ac_rfl
@[simp] protected theorem add_sub_cancel (a b : Int) : a + b - b = a := by int_pairs a b; ac_rfl
@[simp] protected theorem sub_add_cancel (a b : Int) : a - b + b = a := by int_pairs a b; ac_rfl
protected theorem add_sub_cancel_left (a b : Int) : a + b - a = b := by int_pairs a b; ac_rfl
protected theorem add_sub_assoc (a b c : Int) : a + b - c = a + (b - c) := by int_pairs a b c; ac_rfl
protected theorem sub_sub (a b c : Int) : a - b - c = a - (b + c) := by int_pairs a b c; ac_rfl
protected theorem sub_neg (a b : Int) : a - -b = a + b := by int_pairs a b
protected theorem add_sub_add_comm (a b c d : Int) : (a + b) - (c + d) = (a - c) + (b - d) := by int_pairs a b c d; ac_rfl
protected theorem sub_eq_zero {a b : Int} : a - b = 0 ↔ a = b := by int_pairs a b; exact ⟨fun h => h.trans (Nat.add_comm _ _), fun h => h.trans (Nat.add_comm _ _)⟩
protected theorem add_left_cancel {a b c : Int} (h : a + b = a + c) : b = c := by
  rw [← Int.add_sub_cancel_left a b, h, Int.add_sub_cancel_left]
protected theorem add_right_cancel {a b c : Int} (h : a + b = c + b) : a = c := by
  rw [← Int.add_sub_cancel a b, h, Int.add_sub_cancel]
@[simp] protected theorem add_left_cancel_iff {a b c : Int} : a + b = a + c ↔ b = c := ⟨Int.add_left_cancel, congrArg _⟩
@[simp] protected theorem add_right_cancel_iff {a b c : Int} : a + b = c + b ↔ a = c := ⟨Int.add_right_cancel, fun h => h ▸ rfl⟩
@[simp] protected theorem neg_inj {a b : Int} : -a = -b ↔ a = b := ⟨fun h => by rw [← Int.neg_neg a, h, Int.neg_neg], fun h => h ▸ rfl⟩
protected theorem eq_neg_of_add_eq_zero {a b : Int} (h : a + b = 0) : a = -b := by
  rw [← Int.add_sub_cancel a b, h, Int.zero_sub]
protected theorem mul_comm (a b : Int) : a * b = b * a := by int_pairs a b; simp only [Nat.mul_comm]; ac_rfl
protected theorem mul_assoc (a b c : Int) : a * b * c = a * (b * c) := by int_pairs a b c; simp only [Nat.mul_assoc]; ac_rfl
protected theorem mul_left_comm (a b c : Int) : a * (b * c) = b * (a * c) := by rw [← Int.mul_assoc, Int.mul_comm a, Int.mul_assoc]
protected theorem mul_right_comm (a b c : Int) : a * b * c = a * c * b := by rw [Int.mul_assoc, Int.mul_comm b, Int.mul_assoc]
@[simp] protected theorem mul_zero (a : Int) : a * 0 = 0 := by int_pairs a
@[simp] protected theorem zero_mul (a : Int) : 0 * a = 0 := by int_pairs a
@[simp] protected theorem mul_one (a : Int) : a * 1 = a := by int_pairs a
@[simp] protected theorem one_mul (a : Int) : 1 * a = a := by int_pairs a
protected theorem mul_add (a b c : Int) : a * (b + c) = a * b + a * c := by int_pairs a b c; ac_rfl
protected theorem add_mul (a b c : Int) : (a + b) * c = a * c + b * c := by int_pairs a b c; ac_rfl
protected theorem neg_mul (a b : Int) : -a * b = -(a * b) := by int_pairs a b; ac_rfl
protected theorem mul_neg (a b : Int) : a * -b = -(a * b) := by int_pairs a b
attribute [simp] Int.neg_mul Int.mul_neg
protected theorem neg_mul_neg (a b : Int) : -a * -b = a * b := by rw [Int.neg_mul, Int.mul_neg, Int.neg_neg]
protected theorem neg_mul_comm (a b : Int) : -a * b = a * -b := by rw [Int.neg_mul, Int.mul_neg]
protected theorem mul_sub (a b c : Int) : a * (b - c) = a * b - a * c := by int_pairs a b c; ac_rfl
protected theorem sub_mul (a b c : Int) : (a - b) * c = a * c - b * c := by int_pairs a b c; ac_rfl
protected theorem neg_eq_neg_one_mul (a : Int) : -a = -1 * a := by rw [Int.neg_mul, Int.one_mul]
protected theorem two_mul (a : Int) : 2 * a = a + a := by
  have h := Int.add_mul 1 1 a; rw [Int.one_mul] at h; exact h
instance : Std.Associative (α := Int) (· + ·) := ⟨Int.add_assoc⟩
instance : Std.Commutative (α := Int) (· + ·) := ⟨Int.add_comm⟩
instance : Std.Associative (α := Int) (· * ·) := ⟨Int.mul_assoc⟩
instance : Std.Commutative (α := Int) (· * ·) := ⟨Int.mul_comm⟩
@[simp] protected theorem pow_zero (b : Int) : b ^ 0 = 1 := rfl
protected theorem pow_succ (b : Int) (e : Nat) : b ^ (e + 1) = b ^ e * b := rfl

/-! casts -/
@[simp] theorem natCast_zero : ((0 : Nat) : Int) = 0 := rfl
@[simp] theorem natCast_one : ((1 : Nat) : Int) = 1 := rfl
theorem natCast_succ (n : Nat) : ((n.succ : Nat) : Int) = (n : Int) + 1 := rfl
@[simp] theorem natCast_add (n m : Nat) : ((n + m : Nat) : Int) = n + m := rfl
@[simp] theorem natCast_mul (n m : Nat) : ((n * m : Nat) : Int) = n * m := rfl
theorem natCast_add_one (n : Nat) : ((n + 1 : Nat) : Int) = n + 1 := rfl
theorem natCast_inj {m n : Nat} : (m : Int) = n ↔ m = n := ⟨ofNat.inj, congrArg _⟩
theorem ofNat_inj {m n : Nat} : (m : Int) = n ↔ m = n := natCast_inj
theorem natCast_le {m n : Nat} : (m : Int) ≤ n ↔ m ≤ n := by int_pairs
theorem natCast_lt {m n : Nat} : (m : Int) < n ↔ m < n := by int_pairs
theorem ofNat_le {m n : Nat} : (m : Int) ≤ n ↔ m ≤ n := natCast_le
theorem ofNat_lt {m n : Nat} : (m : Int) < n ↔ m < n := natCast_lt
theorem natCast_nonneg (n : Nat) : 0 ≤ (n : Int) := natCast_le.2 (Nat.zero_le n)
theorem natCast_sub {m n : Nat} (h : m ≤ n) : ((n - m : Nat) : Int) = n - m := by
  obtain ⟨k, rfl⟩ := Nat.exists_eq_add_of_le h
  rw [Nat.add_sub_cancel_left, natCast_add, Int.add_sub_cancel_left]
theorem ofNat_sub {m n : Nat} (h : m ≤ n) : ((n - m : Nat) : Int) = n - m := natCast_sub h
theorem natCast_pow (b n : Nat) : ((b ^ n : Nat) : Int) = (b : Int) ^ n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [Nat.pow_succ, natCast_mul, ih, Int.pow_succ]
attribute [simp] natCast_inj natCast_le natCast_lt natCast_nonneg natCast_pow
theorem negSucc_eq (n : Nat) : negSucc n = -((n : Int) + 1) := rfl
@[simp] theorem natAbs_natCast (n : Nat) : natAbs (n : Int) = n := rfl
@[simp] theorem toNat_natCast (n : Nat) : toNat (n : Int) = n := rfl
theorem eq_nat_or_neg : (a : Int) → ∃ n : Nat, a = n ∨ a = -(n : Int)
  | ofNat n => ⟨n, .inl rfl⟩
  | negSucc n => ⟨n + 1, .inr rfl⟩
@[simp] theorem natAbs_neg : (a : Int) → natAbs (-a) = natAbs a
  | ofNat 0 => rfl
  | ofNat (_+1) => rfl
  | negSucc _ => rfl
end Int
