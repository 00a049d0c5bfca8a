/-! Functions on integers that the types' operations are made of. -/

/-- `v` as a value of a type with these bounds; a panic if it is none. -/

@[simp] def check (lo hi v : Int) : Result Int := if lo ≤ v ∧ v ≤ hi then ok v else fail .integerOverflow

@[simp] def checkOption (lo hi v : Int) : Option Int := if lo ≤ v ∧ v ≤ hi then some v else none

@[simp] def clampTo (lo hi v : Int) : Int := if v < lo then lo else if hi < v then hi else v

@[simp] def outside (lo hi v : Int) : Bool := decide (v < lo ∨ hi < v)

@[simp] def massert (b : Bool) : Result Unit := if b then ok () else fail .assertionFailure

/-- Division that rounds toward zero, and its remainder. -/

@[simp] def tquot (a b : Int) : Int := if 0 ≤ a then a / b else -(-a / b)

@[simp] def trem (a b : Int) : Int := if 0 ≤ a then a % b else -(-a % b)

@[simp] def iabs (a : Int) : Int := if 0 ≤ a then a else -a

@[simp] def isignum (a : Int) : Int := if a < 0 then -1 else if a = 0 then 0 else 1

@[simp] def imin (a b : Int) : Int := if b < a then b else a

@[simp] def imax (a b : Int) : Int := if b < a then a else b

@[simp] def b2i (b : Bool) : Int := if b then 1 else 0

@[simp] def iclamp (a lo hi : Int) : Result Int :=
  if lo ≤ hi then ok (if a < lo then lo else if hi < a then hi else a) else fail .assertionFailure

/-- The power, or for exponents above 130 another one of its sign that is in no type's bounds either. -/

def ipow (a n : Int) : Int := a ^ (if n ≤ 130 then n else 130 + n % 2).toNat

def powMod (m : Int) : Nat → Int → Int → Int → Int
  | 0, _, _, acc => acc
  | k+1, a, n, acc => powMod m k (a * a % m) (n / 2) (if n % 2 = 1 then acc * a % m else acc)

def countOnes : Nat → Nat → Int
  | 0, _ => 0
  | k+1, n => (n % 2 : Nat) + countOnes k (n / 2)

/-- Bits of `n` without its leading zeros. -/

def bitLength : Nat → Nat → Int
  | 0, _ => 0
  | k+1, n => if n = 0 then 0 else 1 + bitLength k (n / 2)

def trailingZeros : Nat → Nat → Int
  | 0, _ => 0
  | k+1, n => if n % 2 = 1 then 0 else 1 + trailingZeros k (n / 2)

/-- The root of a square that is at most `n`, and the next is not: `k` halvings of the interval from `lo`. -/
def isqrtLoop : Nat → Int → Int → Int
  | 0, _, lo => lo
  | k+1, n, lo => let mid := lo + 2 ^ k; isqrtLoop k n (if mid * mid ≤ n then mid else lo)

def isqrtOf (n : Int) : Int := isqrtLoop 64 n 0

def ilog10Loop : Nat → Int → Int
  | 0, _ => 0
  | k+1, n => if n < 10 then 0 else 1 + ilog10Loop k (n / 10)

def toDigits (base : Int) : Nat → Int → List Int
  | 0, _ => []
  | k+1, n => n % base :: toDigits base k (n / base)

def ofDigits (base : Int) : List Int → Int
  | [] => 0
  | d :: ds => d + base * ofDigits base ds

def loopBound (limit n : Nat) : Result Unit := if n ≤ limit then ok () else div

def char.from_u32 (n : Int) : Option Int := if n ≤ 1114111 ∧ ¬ (55296 ≤ n ∧ n ≤ 57343) then some n else none

def char.from_digit (n radix : Int) : Result (Option Int) :=
  if 36 < radix then fail .panic
  else ok (if radix ≤ n then none else if n < 10 then some (48 + n) else some (87 + n))

def char.digit (c : Int) : Int :=
  if 48 ≤ c ∧ c ≤ 57 then c - 48 else if 97 ≤ c ∧ c ≤ 122 then c - 87 else if 65 ≤ c ∧ c ≤ 90 then c - 55 else 99

def char.to_digit (c radix : Int) : Result (Option Int) :=
  if radix < 2 ∨ 36 < radix then fail .panic else ok (if char.digit c < radix then some (char.digit c) else none)

def char.is_digit (c radix : Int) : Result Bool :=
  if radix < 2 ∨ 36 < radix then fail .panic else ok (decide (char.digit c < radix))

def char.len_utf8 (c : Int) : Int := if c < 128 then 1 else if c < 2048 then 2 else if c < 65536 then 3 else 4
