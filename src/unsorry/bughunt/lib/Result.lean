/-! What a Rust function gives: a value, a panic, or no end within the fuel.  Names as in Aeneas. -/
namespace Rust

inductive Error where
  | assertionFailure | integerOverflow | divisionByZero | arrayOutOfBounds | maximumSizeExceeded | panic
  deriving DecidableEq, Repr

inductive Result (α : Type) where
  | ok (value : α) | fail (error : Error) | div
  deriving DecidableEq, Repr

namespace Result
variable {α β : Type}
def bind (r : Result α) (f : α → Result β) : Result β :=
  match r with
  | .ok a => f a
  | .fail e => .fail e
  | .div => .div

instance : Monad Result := { pure := Result.ok, bind := Result.bind }

/-- It panics. -/
def fails : Result α → Bool
  | .fail _ => true
  | _ => false

/-- It gives `true`; nothing is said of a run out of fuel. -/
@[simp] def holds : Result Bool → Bool
  | .ok b => b
  | .fail _ => false
  | .div => true

/-- Partial correctness: no panic, and a value that is given satisfies `P`. -/
def post (r : Result α) (P : α → Prop) : Prop :=
  match r with
  | .ok a => P a
  | .fail _ => False
  | .div => True

@[simp] theorem bind_ok (a : α) (f : α → Result β) : (Result.ok a >>= f) = f a := rfl
@[simp] theorem bind_fail (e : Error) (f : α → Result β) : ((Result.fail e : Result α) >>= f) = .fail e := rfl
@[simp] theorem bind_div (f : α → Result β) : ((Result.div : Result α) >>= f) = .div := rfl
@[simp] theorem pure_ok (a : α) : (pure a : Result α) = .ok a := rfl
@[simp] theorem fails_ok (a : α) : (Result.ok a).fails = false := rfl
@[simp] theorem fails_fail (e : Error) : (Result.fail e : Result α).fails = true := rfl
@[simp] theorem fails_div : (Result.div : Result α).fails = false := rfl
@[simp] theorem post_ok (a : α) (P : α → Prop) : (Result.ok a).post P = P a := rfl
@[simp] theorem post_fail (e : Error) (P : α → Prop) : (Result.fail e : Result α).post P = False := rfl
@[simp] theorem post_div (P : α → Prop) : (Result.div : Result α).post P = True := rfl
@[simp] theorem bind_ite (c : Prop) [Decidable c] (x y : Result α) (f : α → Result β) :
    ((if c then x else y) >>= f) = if c then x >>= f else y >>= f := by
  by_cases h : c <;> simp [h]
@[simp] theorem fails_ite (c : Prop) [Decidable c] (x y : Result α) :
    (if c then x else y).fails = if c then x.fails else y.fails := by
  by_cases h : c <;> simp [h]
@[simp] theorem post_ite (c : Prop) [Decidable c] (x y : Result α) (P : α → Prop) :
    (if c then x else y).post P = if c then x.post P else y.post P := by
  by_cases h : c <;> simp [h]
end Result
export Result (ok fail div)

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
end Rust
