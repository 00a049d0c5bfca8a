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
@[inline] def bind (r : Result α) (f : α → Result β) : Result β :=
  match r with
  | .ok a => f a
  | .fail e => .fail e
  | .div => .div

@[always_inline] instance : Monad Result := { pure := Result.ok, bind := Result.bind }

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
theorem bind_safe {r : Result α} {f : α → Result β} (hr : r.fails = false) (hf : ∀ a, (f a).fails = false) :
    (r >>= f).fails = false := by
  cases r with
  | ok a => exact hf a
  | fail e => exact hr
  | div => rfl
theorem post_bind {r : Result α} {f : α → Result β} {P : β → Prop} {Q : α → Prop} (hr : r.post Q)
    (hf : ∀ a, Q a → (f a).post P) : (r >>= f).post P := by
  cases r with
  | ok a => exact hf a hr
  | fail e => exact hr
  | div => exact trivial
end Result
export Result (ok fail div)

/-- Rust's own `Result`. -/
inductive core.result.Result (α ε : Type) where
  | Ok (value : α) | Err (error : ε)
  deriving DecidableEq

/-- How a loop ends that has a `return` inside. -/
inductive Exit (σ ρ : Type) where
  | next (state : σ) | ret (value : ρ)
