/-! What is simpler for the types without a sign. -/

@[simp] def T.wrap (a : Int) : Int := a % MOD

@[simp] def T.not (a : Int) : Int := HI - a

@[simp] def T.div (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (a / b)

@[simp] def T.rem (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (a % b)

@[simp] def T.div_euclid (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (a / b)

@[simp] def T.rem_euclid (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (a % b)

@[simp] def T.wrapping_div (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (a / b)

@[simp] def T.wrapping_rem (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (a % b)

@[simp] def T.checked_div (a b : Int) : Option Int := if b = 0 then none else some (a / b)

@[simp] def T.checked_rem (a b : Int) : Option Int := if b = 0 then none else some (a % b)

@[simp] def T.div_ceil (a b : Int) : Result Int := if b = 0 then fail .divisionByZero else ok (-(-a / b))

@[simp] def T.is_power_of_two (a : Int) : Bool := decide (T.count_ones a = 1)

@[simp] def T.is_multiple_of (a b : Int) : Bool := if b = 0 then decide (a = 0) else decide (a % b = 0)

def T.powerOfTwoFrom (a : Int) : Int := if a ≤ 1 then 1 else 2 ^ (bitLength BITS (a - 1).toNat).toNat

def T.next_power_of_two (a : Int) : Result Int := check LO HI (T.powerOfTwoFrom a)

def T.wrapping_next_power_of_two (a : Int) : Int := T.wrap (T.powerOfTwoFrom a)

def T.checked_next_power_of_two (a : Int) : Option Int := checkOption LO HI (T.powerOfTwoFrom a)
