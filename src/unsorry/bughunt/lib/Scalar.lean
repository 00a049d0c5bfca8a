/-! The operations of one integer type.  A template: T is its name, LO, HI its bounds, BITS its width, MOD is 2^BITS;
only what a translation uses is instantiated.  Values are integers; that they are in bounds is a hypothesis, `T.In`. -/

@[reducible] def T.In (a : Int) : Prop := LO ≤ a ∧ a ≤ HI

@[simp] def T.valid (a : Int) : Bool := decide (LO ≤ a ∧ a ≤ HI)

/-- The bits of a value, as a natural number. -/
def T.bits (a : Int) : Nat := (a % MOD).toNat

@[simp] def T.add (a b : Int) : Result Int := check LO HI (a + b)

@[simp] def T.sub (a b : Int) : Result Int := check LO HI (a - b)

@[simp] def T.mul (a b : Int) : Result Int := check LO HI (a * b)

@[simp] def T.neg (a : Int) : Result Int := check LO HI (-a)

@[simp] def T.abs (a : Int) : Result Int := check LO HI (iabs a)

@[simp] def T.pow (a n : Int) : Result Int := check LO HI (ipow a n)

@[simp] def T.wrapping_add (a b : Int) : Int := T.wrap (a + b)

@[simp] def T.wrapping_sub (a b : Int) : Int := T.wrap (a - b)

@[simp] def T.wrapping_mul (a b : Int) : Int := T.wrap (a * b)

@[simp] def T.wrapping_neg (a : Int) : Int := T.wrap (-a)

@[simp] def T.wrapping_abs (a : Int) : Int := T.wrap (iabs a)

@[simp] def T.wrapping_pow (a n : Int) : Int := T.wrap (powMod MOD 32 (a % MOD) n 1)

@[simp] def T.wrapping_div (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (T.wrap (tquot a b))

@[simp] def T.wrapping_rem (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (trem a b)

@[simp] def T.wrapping_shl (a s : Int) : Int := T.wrap (a * 2 ^ (s % BITS).toNat)

@[simp] def T.wrapping_shr (a s : Int) : Int := a / 2 ^ (s % BITS).toNat

@[simp] def T.checked_add (a b : Int) : Option Int := checkOption LO HI (a + b)

@[simp] def T.checked_sub (a b : Int) : Option Int := checkOption LO HI (a - b)

@[simp] def T.checked_mul (a b : Int) : Option Int := checkOption LO HI (a * b)

@[simp] def T.checked_neg (a : Int) : Option Int := checkOption LO HI (-a)

@[simp] def T.checked_abs (a : Int) : Option Int := checkOption LO HI (iabs a)

@[simp] def T.checked_pow (a n : Int) : Option Int := checkOption LO HI (ipow a n)

@[simp] def T.checked_div (a b : Int) : Option Int := if b = 0 then none else checkOption LO HI (tquot a b)

@[simp] def T.checked_rem (a b : Int) : Option Int :=
  if b = 0 then none else if tquot a b ≤ HI then some (trem a b) else none

@[simp] def T.checked_div_euclid (a b : Int) : Option Int := if b = 0 then none else checkOption LO HI (a / b)

@[simp] def T.checked_rem_euclid (a b : Int) : Option Int :=
  if b = 0 then none else if tquot a b ≤ HI then some (a % b) else none

@[simp] def T.checked_shl (a s : Int) : Option Int := if s < BITS then some (T.wrapping_shl a s) else none

@[simp] def T.checked_shr (a s : Int) : Option Int := if s < BITS then some (T.wrapping_shr a s) else none

@[simp] def T.saturating_add (a b : Int) : Int := clampTo LO HI (a + b)

@[simp] def T.saturating_sub (a b : Int) : Int := clampTo LO HI (a - b)

@[simp] def T.saturating_mul (a b : Int) : Int := clampTo LO HI (a * b)

@[simp] def T.saturating_neg (a : Int) : Int := clampTo LO HI (-a)

@[simp] def T.saturating_abs (a : Int) : Int := clampTo LO HI (iabs a)

@[simp] def T.saturating_pow (a n : Int) : Int := clampTo LO HI (ipow a n)

@[simp] def T.overflowing_add (a b : Int) : Int × Bool := (T.wrap (a + b), outside LO HI (a + b))

@[simp] def T.overflowing_sub (a b : Int) : Int × Bool := (T.wrap (a - b), outside LO HI (a - b))

@[simp] def T.overflowing_mul (a b : Int) : Int × Bool := (T.wrap (a * b), outside LO HI (a * b))

@[simp] def T.overflowing_neg (a : Int) : Int × Bool := (T.wrap (-a), outside LO HI (-a))

/-- Rounds toward zero. -/
@[simp] def T.div (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else check LO HI (tquot a b)

@[simp] def T.rem (a b : Int) : Result Int :=
  if b = 0 then fail .divisionByZero else if tquot a b ≤ HI then ok (trem a b) else fail .integerOverflow

@[simp] def T.div_euclid (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else check LO HI (a / b)

@[simp] def T.rem_euclid (a b : Int) : Result Int :=
  if b = 0 then fail .divisionByZero else if tquot a b ≤ HI then ok (a % b) else fail .integerOverflow

@[simp] def T.shl (a s : Int) : Result Int :=
  if 0 ≤ s ∧ s < BITS then ok (T.wrap (a * 2 ^ s.toNat)) else fail .integerOverflow

@[simp] def T.shr (a s : Int) : Result Int := if 0 ≤ s ∧ s < BITS then ok (a / 2 ^ s.toNat) else fail .integerOverflow

def T.and (a b : Int) : Int := T.wrap (T.bits a &&& T.bits b : Nat)

def T.or (a b : Int) : Int := T.wrap (T.bits a ||| T.bits b : Nat)

def T.xor (a b : Int) : Int := T.wrap (T.bits a ^^^ T.bits b : Nat)

@[simp] def T.abs_diff (a b : Int) : Int := iabs (a - b)

@[simp] def T.wrapping_div_euclid (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (T.wrap (a / b))

@[simp] def T.wrapping_rem_euclid (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (a % b)

@[simp] def T.saturating_div (a b : Int) : Result Int :=
  if b = 0 then fail .divisionByZero else ok (clampTo LO HI (tquot a b))

@[simp] def T.overflowing_shl (a s : Int) : Int × Bool := (T.wrapping_shl a s, decide (BITS ≤ s))

@[simp] def T.overflowing_shr (a s : Int) : Int × Bool := (T.wrapping_shr a s, decide (BITS ≤ s))

@[simp] def T.overflowing_pow (a n : Int) : Int × Bool := (T.wrapping_pow a n, outside LO HI (ipow a n))

@[simp] def T.checked_add_signed (a b : Int) : Option Int := checkOption LO HI (a + b)

@[simp] def T.checked_add_unsigned (a b : Int) : Option Int := checkOption LO HI (a + b)

@[simp] def T.checked_sub_unsigned (a b : Int) : Option Int := checkOption LO HI (a - b)

@[simp] def T.wrapping_add_signed (a b : Int) : Int := T.wrap (a + b)

@[simp] def T.saturating_add_signed (a b : Int) : Int := clampTo LO HI (a + b)

@[simp] def T.try_from (a : Int) : core.result.Result Int Unit := if LO ≤ a ∧ a ≤ HI then .Ok a else .Err ()

@[simp] def T.midpoint (a b : Int) : Int := tquot (a + b) 2

def T.leading_ones (a : Int) : Int := BITS - bitLength BITS (MOD - 1 - T.bits a)

def T.trailing_ones (a : Int) : Int := trailingZeros BITS (MOD - 1 - T.bits a)

def T.swap_bytes (a : Int) : Int := T.wrap (ofDigits 256 (List.reverse (toDigits 256 (BITS / 8) (T.bits a))))

def T.reverse_bits (a : Int) : Int := T.wrap (ofDigits 2 (List.reverse (toDigits 2 BITS (T.bits a))))

def T.ilog2 (a : Int) : Result Int := if 0 < a then ok (bitLength BITS a.toNat - 1) else fail .panic

def T.ilog10 (a : Int) : Result Int := if 0 < a then ok (ilog10Loop 40 a) else fail .panic

def T.checked_ilog2 (a : Int) : Option Int := if 0 < a then some (bitLength BITS a.toNat - 1) else none

def T.checked_ilog10 (a : Int) : Option Int := if 0 < a then some (ilog10Loop 40 a) else none

def T.isqrt (a : Int) : Result Int := if 0 ≤ a then ok (isqrtOf a) else fail .panic

def T.count_ones (a : Int) : Int := countOnes BITS (T.bits a)

def T.count_zeros (a : Int) : Int := BITS - countOnes BITS (T.bits a)

def T.leading_zeros (a : Int) : Int := BITS - bitLength BITS (T.bits a)

def T.trailing_zeros (a : Int) : Int := trailingZeros BITS (T.bits a)

def T.rotate_left (a s : Int) : Int :=
  T.wrap (T.bits a * 2 ^ (s % BITS).toNat + T.bits a / 2 ^ ((BITS - s) % BITS).toNat * (if s % BITS = 0 then 0 else 1))

def T.rotate_right (a s : Int) : Int := T.rotate_left a ((BITS - s) % BITS)
