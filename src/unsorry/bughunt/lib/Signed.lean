/-! What the types with a sign have of their own. -/

@[simp] def T.wrap (a : Int) : Int := (a - LO) % MOD + LO

@[simp] def T.not (a : Int) : Int := -a - 1

@[simp] def T.unsigned_abs (a : Int) : Int := iabs a

@[simp] def T.signum (a : Int) : Int := isignum a

@[simp] def T.is_negative (a : Int) : Bool := decide (a < 0)

@[simp] def T.is_positive (a : Int) : Bool := decide (0 < a)
