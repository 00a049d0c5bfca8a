prelude
import Init.ListLemmas
import Init.Propositions
/-! Monads: `Option`, `Except`, `Id`, state, reader and exception transformers, loops, ranges, and what `do` blocks with
`break`, `continue`, `return`, `while` and `try` expand to. -/
set_option linter.all false
open Lean.Native
universe u v w x u₁ u₂
variable {α β γ σ ε ρ : Type u} {m n : Type u → Type v}

/-! What `break` and `continue` expand to; at the beginning, because the elaborator wants the matcher of `Break.runK`, and
a matcher is named after its first use in a file. -/
def OptionT (m : Type u → Type v) (α : Type u) : Type v := m (Option α)
@[always_inline, inline] def OptionT.mk {m : Type u → Type v} {α : Type u} (x : m (Option α)) : OptionT m α := x
@[always_inline, inline] def OptionT.run {m : Type u → Type v} {α : Type u} (x : OptionT m α) : m (Option α) := x
abbrev BreakT (m : Type u → Type v) := OptionT m
abbrev ContinueT (m : Type u → Type v) := OptionT m
abbrev BreakT.break {m : Type u → Type v} {α : Type u} [Monad m] : BreakT m α := OptionT.mk (pure none)
abbrev ContinueT.continue {m : Type u → Type v} {α : Type u} [Monad m] : ContinueT m α := OptionT.mk (pure none)
@[always_inline, inline] def Break.runK {α β : Type u} {m : Type u → Type v} [Monad m] (x : OptionT m α) (stop : Unit → m β) (next : α → m β) : m β :=
  bind x.run fun o => match o with | some a => next a | none => stop ()
@[always_inline, inline] def Continue.runK {α β : Type u} {m : Type u → Type v} [Monad m] (x : OptionT m α) (stop : Unit → m β) (next : α → m β) : m β :=
  bind x.run fun o => match o with | some a => next a | none => stop ()

/-! functors and alternatives -/
abbrev Functor.mapRev {f : Type u → Type v} [Functor f] {α β : Type u} : f α → (α → β) → f β := fun a f => f <$> a
@[always_inline, inline] def Functor.discard {f : Type u → Type v} {α : Type u} [Functor f] (x : f α) : f PUnit := Functor.mapConst PUnit.unit x
export Functor (discard)
@[always_inline, inline] protected def Bind.bindLeft {m : Type u → Type v} {α β : Type u} [Bind m] (f : α → m β) (ma : m α) : m β := bind ma f
@[always_inline] protected def Bind.kleisliRight {α : Type w} {m : Type u → Type v} {β γ : Type u} [Bind m] (f₁ : α → m β) (f₂ : β → m γ) (a : α) : m γ := bind (f₁ a) f₂
@[always_inline] protected def Bind.kleisliLeft {α : Type w} {m : Type u → Type v} {β γ : Type u} [Bind m] (f₂ : β → m γ) (f₁ : α → m β) (a : α) : m γ := bind (f₁ a) f₂
class ToBool (α : Type u) where
  toBool : α → Bool
export ToBool (toBool)
instance : ToBool Bool := ⟨id⟩
@[macro_inline] def orM {m : Type u → Type v} {β : Type u} [Monad m] [ToBool β] (x y : m β) : m β := do let b ← x; match toBool b with | true => pure b | false => y
@[macro_inline] def andM {m : Type u → Type v} {β : Type u} [Monad m] [ToBool β] (x y : m β) : m β := do let b ← x; match toBool b with | true => y | false => pure b
@[macro_inline] def notM {m : Type → Type v} [Functor m] (x : m Bool) : m Bool := not <$> x
trailing_parsers term_parser : «term_<&>_» «term_>=>_» «term_<=<_» «term_=<<_» «term_<||>_» «term_<&&>_»
macros Control.Basic : «term_<&>_» «term_>=>_» «term_<=<_» «term_=<<_» «term_<||>_» «term_<&&>_»
unexpanders Control.Basic : Functor.mapRev Bind.bindLeft Bind.kleisliRight Bind.kleisliLeft orM andM
class Alternative (f : Type u → Type v) : Type (max (u+1) v) extends Applicative f where
  failure : {α : Type u} → f α
  orElse : {α : Type u} → f α → (Unit → f α) → f α
instance (f : Type u → Type v) (α : Type u) [Alternative f] : OrElse (f α) := ⟨Alternative.orElse⟩
export Alternative (failure)
@[always_inline, inline] def guard {f : Type → Type v} [Alternative f] (p : Prop) [Decidable p] : f Unit := if p then pure () else failure
@[always_inline, inline] def optional {f : Type u → Type v} [Alternative f] {α : Type u} (x : f α) : f (Option α) := some <$> x <|> pure none

/-! options and exceptions as monads -/
namespace Option
@[inline] protected def bind {α : Type u} {β : Type v} : Option α → (α → Option β) → Option β
  | none, _ => none
  | some a, f => f a
@[macro_inline] protected def orElse {α : Type u} : Option α → (Unit → Option α) → Option α
  | some a, _ => some a
  | none, b => b ()
@[macro_inline] protected def or {α : Type u} : Option α → Option α → Option α
  | some a, _ => some a
  | none, b => b
@[always_inline, inline] protected def tryCatch {α : Type u} (x : Option α) (handle : PUnit → Option α) : Option α :=
  match x with
  | some _ => x
  | none => handle ⟨⟩
instance : Monad Option where
  pure := some
  bind := Option.bind
  map := Option.map
instance : Alternative Option where
  failure := none
  orElse := Option.orElse
instance : MonadExceptOf Unit Option := ⟨fun _ => none, Option.tryCatch⟩
@[simp] theorem bind_some {α : Type u} {β : Type v} (a : α) (f : α → Option β) : (some a).bind f = f a := rfl
@[simp] theorem bind_none {α : Type u} {β : Type v} (f : α → Option β) : (none : Option α).bind f = none := rfl
@[simp] theorem bind_eq_bind : @bind Option _ = @Option.bind := rfl
@[simp] theorem pure_def : @pure Option _ = @some := rfl
@[simp] theorem map_eq_map {f : α → β} {o : Option α} : f <$> o = o.map f := rfl
@[simp] theorem orElse_eq_orElse : HOrElse.hOrElse = @Option.orElse α := rfl
@[simp] theorem some_orElse (a : α) (f) : (some a).orElse f = some a := rfl
@[simp] theorem none_orElse (f : Unit → Option α) : none.orElse f = f () := rfl
@[simp] theorem some_or {a : α} {o : Option α} : (some a).or o = some a := rfl
@[simp] theorem none_or {o : Option α} : (none : Option α).or o = o := rfl
@[simp] theorem failure_eq_none : @failure Option _ = @none := rfl
theorem bind_assoc {α : Type u} {β : Type v} {γ : Type w} (x : Option α) (f : α → Option β) (g : β → Option γ) :
    (x.bind f).bind g = x.bind fun a => (f a).bind g := by cases x <;> rfl
@[simp] theorem bind_eq_some_iff {α : Type u} {β : Type v} {o : Option α} {f : α → Option β} {b : β} : o.bind f = some b ↔ ∃ a, o = some a ∧ f a = some b := by cases o <;> simp
@[simp] theorem bind_eq_none_iff {α : Type u} {β : Type v} {o : Option α} {f : α → Option β} : o.bind f = none ↔ ∀ a, o = some a → f a = none := by cases o <;> simp
end Option
namespace Except
variable {α : Type u} {β : Type v} {ε : Type w}
@[always_inline, inline] protected def pure (a : α) : Except ε α := .ok a
@[always_inline, inline] protected def map (f : α → β) : Except ε α → Except ε β
  | .error e => .error e
  | .ok a => .ok (f a)
@[always_inline, inline] protected def bind (x : Except ε α) (f : α → Except ε β) : Except ε β :=
  match x with
  | .error e => .error e
  | .ok a => f a
@[always_inline, inline] protected def mapError {ε' : Type u} (f : ε → ε') : Except ε α → Except ε' α
  | .error e => .error (f e)
  | .ok a => .ok a
@[always_inline, inline] protected def toOption : Except ε α → Option α
  | .ok a => some a
  | .error _ => none
@[always_inline, inline] protected def toBool : Except ε α → Bool
  | .ok _ => true
  | .error _ => false
@[always_inline, inline] protected def tryCatch (x : Except ε α) (handle : ε → Except ε α) : Except ε α :=
  match x with
  | .ok a => .ok a
  | .error e => handle e
instance monad {ε : Type u} : Monad (Except ε) where
  pure := Except.pure
  bind := Except.bind
  map := Except.map
instance (ε : Type u) : MonadExceptOf ε (Except ε) := ⟨Except.error, Except.tryCatch⟩
instance [Inhabited ε] : Inhabited (Except ε α) := ⟨.error default⟩
end Except

/-! state -/
class MonadStateOf (σ : semiOutParam (Type u)) (m : Type u → Type v) where
  get : m σ
  set : σ → m PUnit
  modifyGet {α : Type u} : (σ → Prod α σ) → m α
export MonadStateOf (set)
class MonadState (σ : outParam (Type u)) (m : Type u → Type v) where
  get : m σ
  set : σ → m PUnit
  modifyGet {α : Type u} : (σ → Prod α σ) → m α
export MonadState (get modifyGet)
abbrev getThe (σ : Type u) {m : Type u → Type v} [MonadStateOf σ m] : m σ := MonadStateOf.get
@[always_inline, inline] abbrev modifyThe (σ : Type u) {m : Type u → Type v} [MonadStateOf σ m] (f : σ → σ) : m PUnit := MonadStateOf.modifyGet fun s => (PUnit.unit, f s)
@[always_inline, inline] abbrev modifyGetThe {α : Type u} (σ : Type u) {m : Type u → Type v} [MonadStateOf σ m] (f : σ → α × σ) : m α := MonadStateOf.modifyGet f
instance {σ : Type u} {m : Type u → Type v} [MonadStateOf σ m] : MonadState σ m := ⟨MonadStateOf.get, MonadStateOf.set, fun f => MonadStateOf.modifyGet f⟩
@[always_inline, inline] def modify {σ : Type u} {m : Type u → Type v} [MonadState σ m] (f : σ → σ) : m PUnit := modifyGet fun s => (PUnit.unit, f s)
@[always_inline, inline] def getModify {σ : Type u} {m : Type u → Type v} [MonadState σ m] (f : σ → σ) : m σ := modifyGet fun s => (s, f s)
instance {σ : Type u} {m : Type u → Type v} {n : Type u → Type w} [MonadLift m n] [MonadStateOf σ m] : MonadStateOf σ n where
  get := MonadLift.monadLift (m := m) MonadStateOf.get
  set s := MonadLift.monadLift (m := m) (MonadStateOf.set s)
  modifyGet f := MonadLift.monadLift (m := m) (MonadStateOf.modifyGet f)
def StateT (σ : Type u) (m : Type u → Type v) (α : Type u) : Type (max u v) := σ → m (α × σ)
namespace StateT
@[always_inline, inline] def run {σ : Type u} {m : Type u → Type v} {α : Type u} (x : StateT σ m α) (s : σ) : m (α × σ) := x s
@[always_inline, inline] def run' {σ : Type u} {m : Type u → Type v} [Functor m] {α : Type u} (x : StateT σ m α) (s : σ) : m α := (fun p : α × σ => p.1) <$> x s
variable [Monad m]
@[always_inline, inline] protected def pure (a : α) : StateT σ m α := fun s => pure (a, s)
@[always_inline, inline] protected def bind (x : StateT σ m α) (f : α → StateT σ m β) : StateT σ m β := fun s => bind (x s) fun p => f p.1 p.2
@[always_inline, inline] protected def map (f : α → β) (x : StateT σ m α) : StateT σ m β := fun s => bind (x s) fun p => pure (f p.1, p.2)
@[always_inline] instance monad : Monad (StateT σ m) where
  pure := StateT.pure
  bind := StateT.bind
  map := StateT.map
@[always_inline, inline] protected def orElse [Alternative m] (x : StateT σ m α) (y : Unit → StateT σ m α) : StateT σ m α := fun s => x s <|> y () s
@[always_inline, inline] protected def failure [Alternative m] : StateT σ m α := fun _ => failure
instance [Alternative m] : Alternative (StateT σ m) where
  failure := StateT.failure
  orElse := StateT.orElse
@[always_inline, inline] protected def get : StateT σ m σ := fun s => pure (s, s)
@[always_inline, inline] protected def set : σ → StateT σ m PUnit := fun s' _ => pure (⟨⟩, s')
@[always_inline, inline] protected def modifyGet (f : σ → α × σ) : StateT σ m α := fun s => pure (f s)
@[always_inline, inline] protected def lift (t : m α) : StateT σ m α := fun s => do let a ← t; pure (a, s)
instance : MonadLift m (StateT σ m) := ⟨StateT.lift⟩
instance : MonadStateOf σ (StateT σ m) := ⟨StateT.get, StateT.set, StateT.modifyGet⟩
instance (ε : Type w) [MonadExceptOf ε m] : MonadExceptOf ε (StateT σ m) :=
  ⟨fun e => StateT.lift (throwThe ε e), fun x handle s => tryCatchThe ε (x s) fun e => handle e s⟩
end StateT

/-! the identity monad -/
def Id (type : Type u) : Type u := type
namespace Id
@[always_inline] instance : Monad Id where
  pure x := x
  bind x f := f x
  map f x := f x
@[always_inline, inline] protected def run {α : Type u} (x : Id α) : α := x
instance {α : Type u} [Inhabited α] : Inhabited (Id α) := inferInstanceAs (Inhabited α)
@[simp] theorem run_pure {α : Type u} (a : α) : (pure a : Id α).run = a := rfl
@[simp] theorem run_bind {α β : Type u} (x : Id α) (f : α → Id β) : (x >>= f).run = (f x.run).run := rfl
@[simp] theorem run_map {α β : Type u} (f : α → β) (x : Id α) : (f <$> x).run = f x.run := rfl
@[simp] theorem pure_eq {α : Type u} (a : α) : (pure a : Id α) = a := rfl
@[simp] theorem bind_eq {α β : Type u} (x : Id α) (f : α → Id β) : (x >>= f) = f x := rfl
@[simp] theorem map_eq {α β : Type u} (x : Id α) (f : α → β) : (f <$> x) = f x := rfl
end Id
abbrev StateM (σ : Type u) (α : Type u) : Type u := StateT σ Id α

/-! reader -/
class MonadReaderOf (ρ : semiOutParam (Type u)) (m : Type u → Type v) where
  read : m ρ
class MonadReader (ρ : outParam (Type u)) (m : Type u → Type v) where
  read : m ρ
export MonadReader (read)
@[always_inline, inline] def readThe (ρ : Type u) {m : Type u → Type v} [MonadReaderOf ρ m] : m ρ := MonadReaderOf.read
instance (ρ : Type u) (m : Type u → Type v) [MonadReaderOf ρ m] : MonadReader ρ m := ⟨readThe ρ⟩
instance {ρ : Type u} {m : Type u → Type v} {n : Type u → Type w} [MonadLift m n] [MonadReaderOf ρ m] : MonadReaderOf ρ n := ⟨MonadLift.monadLift (m := m) (readThe ρ)⟩
class MonadWithReaderOf (ρ : semiOutParam (Type u)) (m : Type u → Type v) where
  withReader {α : Type u} : (ρ → ρ) → m α → m α
class MonadWithReader (ρ : outParam (Type u)) (m : Type u → Type v) where
  withReader {α : Type u} : (ρ → ρ) → m α → m α
export MonadWithReader (withReader)
instance (ρ : Type u) (m : Type u → Type v) [MonadWithReaderOf ρ m] : MonadWithReader ρ m := ⟨MonadWithReaderOf.withReader⟩
namespace ReaderT
@[always_inline, inline] def run {ρ : Type u} {m : Type u → Type v} {α : Type u} (x : ReaderT ρ m α) (r : ρ) : m α := x r
instance {ρ : Type u} {m : Type u → Type v} [Monad m] : MonadReaderOf ρ (ReaderT ρ m) := ⟨ReaderT.read⟩
instance {ρ : Type u} {m : Type u → Type v} : MonadWithReaderOf ρ (ReaderT ρ m) := ⟨fun f x r => x (f r)⟩
end ReaderT
abbrev ReaderM (ρ : Type u) := ReaderT ρ Id

/-! exceptions and failure as transformers -/
def ExceptT (ε : Type u) (m : Type u → Type v) (α : Type u) : Type v := m (Except ε α)
@[always_inline, inline] def ExceptT.mk {ε : Type u} {m : Type u → Type v} {α : Type u} (x : m (Except ε α)) : ExceptT ε m α := x
@[always_inline, inline] def ExceptT.run {ε : Type u} {m : Type u → Type v} {α : Type u} (x : ExceptT ε m α) : m (Except ε α) := x
namespace ExceptT
variable [Monad m]
@[always_inline, inline] protected def pure (a : α) : ExceptT ε m α := ExceptT.mk (pure (Except.ok a))
@[always_inline, inline] protected def bindCont (f : α → ExceptT ε m β) : Except ε α → m (Except ε β)
  | .ok a => f a
  | .error e => pure (.error e)
@[always_inline, inline] protected def bind (x : ExceptT ε m α) (f : α → ExceptT ε m β) : ExceptT ε m β := ExceptT.mk (bind x.run (ExceptT.bindCont f))
@[always_inline, inline] protected def map (f : α → β) (x : ExceptT ε m α) : ExceptT ε m β :=
  ExceptT.mk (bind x.run fun r => match r with | .ok a => pure (.ok (f a)) | .error e => pure (.error e))
@[always_inline, inline] protected def lift (t : m α) : ExceptT ε m α := ExceptT.mk (Except.ok <$> t)
@[always_inline] instance : MonadLift (Except ε) (ExceptT ε m) := ⟨fun e => ExceptT.mk (pure e)⟩
instance : MonadLift m (ExceptT ε m) := ⟨ExceptT.lift⟩
@[always_inline, inline] protected def tryCatch (ma : ExceptT ε m α) (handle : ε → ExceptT ε m α) : ExceptT ε m α :=
  ExceptT.mk (bind ma.run fun r => match r with | .ok a => pure (.ok a) | .error e => (handle e).run)
@[always_inline] instance : Monad (ExceptT ε m) where
  pure := ExceptT.pure
  bind := ExceptT.bind
  map := ExceptT.map
@[always_inline] instance : MonadExceptOf ε (ExceptT ε m) := ⟨fun e => ExceptT.mk (pure (Except.error e)), ExceptT.tryCatch⟩
instance (ε₁ : Type u) (ε₂ : Type u) [MonadExceptOf ε₁ m] : MonadExceptOf ε₁ (ExceptT ε₂ m) :=
  ⟨fun e => ExceptT.mk (throwThe ε₁ e), fun x handle => ExceptT.mk (tryCatchThe ε₁ x.run fun e => (handle e).run)⟩
end ExceptT
abbrev ExceptM (ε : Type u) := ExceptT ε Id
@[always_inline, inline] def liftExcept {ε α : Type u} {m : Type u → Type v} [MonadExceptOf ε m] [Pure m] : Except ε α → m α
  | .ok a => pure a
  | .error e => throwThe ε e
namespace OptionT
variable [Monad m]
@[always_inline, inline] protected def bind (x : OptionT m α) (f : α → OptionT m β) : OptionT m β :=
  OptionT.mk (bind x.run fun r => match r with | some a => (f a).run | none => pure none)
@[always_inline, inline] protected def pure (a : α) : OptionT m α := OptionT.mk (pure (some a))
@[always_inline] instance monad : Monad (OptionT m) where
  pure := OptionT.pure
  bind := OptionT.bind
@[always_inline, inline] protected def orElse (x : OptionT m α) (y : Unit → OptionT m α) : OptionT m α :=
  OptionT.mk (bind x.run fun r => match r with | some a => pure (some a) | none => (y ()).run)
@[always_inline, inline] protected def fail : OptionT m α := OptionT.mk (pure none)
instance : Alternative (OptionT m) where
  failure := OptionT.fail
  orElse := OptionT.orElse
@[always_inline, inline] protected def lift (x : m α) : OptionT m α := OptionT.mk (bind x fun a => pure (some a))
instance : MonadLift m (OptionT m) := ⟨OptionT.lift⟩
instance : MonadLift Option (OptionT m) := ⟨fun o => OptionT.mk (pure o)⟩
@[always_inline, inline] protected def tryCatch (x : OptionT m α) (handle : PUnit → OptionT m α) : OptionT m α :=
  OptionT.mk (bind x.run fun r => match r with | some a => pure (some a) | none => (handle ⟨⟩).run)
instance : MonadExceptOf PUnit (OptionT m) := ⟨fun _ => OptionT.fail, OptionT.tryCatch⟩
instance (ε : Type u) [MonadExceptOf ε m] : MonadExceptOf ε (OptionT m) :=
  ⟨fun e => OptionT.mk (throwThe ε e), fun x handle => OptionT.mk (tryCatchThe ε x.run fun e => (handle e).run)⟩
end OptionT
class MonadFinally (m : Type u → Type v) where
  tryFinally' {α β : Type u} : m α → (Option α → m β) → m (α × β)
export MonadFinally (tryFinally')
@[always_inline, inline] def tryFinally {m : Type u → Type v} {α β : Type u} [MonadFinally m] [Functor m] (x : m α) (finalizer : m β) : m α :=
  (fun p : α × β => p.1) <$> tryFinally' x fun _ => finalizer
instance : MonadFinally Id := ⟨fun x h => let a := x; let b := h (some x); pure (a, b)⟩
instance [MonadFinally m] [Monad m] : MonadFinally (StateT σ m) :=
  ⟨fun x h s => do
    let ((a, _), (b, s'')) ← tryFinally' (x s) fun | some (a, s') => h (some a) s' | none => h none s
    pure ((a, b), s'')⟩

/-! what `return` in a loop expands to -/
abbrev EarlyReturnT (ρ : Type u) (m : Type u → Type v) := ExceptT ρ m
abbrev EarlyReturnT.return {ρ : Type u} {m : Type u → Type v} {α : Type u} [Monad m] (r : ρ) : EarlyReturnT ρ m α := ExceptT.mk (pure (Except.error r))
@[always_inline, inline] def EarlyReturn.runK {ρ α β : Type u} {m : Type u → Type v} [Monad m] (x : ExceptT ρ m α) (ret : ρ → m β) (next : α → m β) : m β :=
  bind x.run fun r => match r with | .ok a => next a | .error e => ret e

/-! loops -/
inductive ForInStep (α : Type u) where
  | done : α → ForInStep α
  | yield : α → ForInStep α
deriving Inhabited
def ForInStep.value {α : Type u} : ForInStep α → α
  | .done a | .yield a => a
class ForIn (m : Type u₁ → Type u₂) (ρ : Type u) (α : outParam (Type v)) where
  forIn {β : Type u₁} (xs : ρ) (b : β) (f : α → β → m (ForInStep β)) : m β
export ForIn (forIn)
class ForIn' (m : Type u₁ → Type u₂) (ρ : Type u) (α : outParam (Type v)) (d : outParam (Membership α ρ)) where
  forIn' {β : Type u₁} (x : ρ) (b : β) (f : (a : α) → a ∈ x → β → m (ForInStep β)) : m β
export ForIn' (forIn')
class ForM (m : Type u → Type v) (γ : Type w₁) (α : outParam (Type w₂)) where
  forM (coll : γ) (f : α → m PUnit) : m PUnit
export ForM (forM)
namespace List
variable {m : Type u₁ → Type u₂} [Monad m] {α : Type v} {β : Type u₁}
/-- run the body on each element until it answers `done` -/
@[specialize] def loop (f : α → β → m (ForInStep β)) : List α → β → m β
  | [], b => pure b
  | a :: rest, b => bind (f a b) fun
    | .done b => pure b
    | .yield b => loop f rest b
/-- the same for a body that may use that its element is in the list -/
@[specialize] def loop' (xs : List α) (f : (a : α) → a ∈ xs → β → m (ForInStep β)) : (rest : List α) → (∀ a, a ∈ rest → a ∈ xs) → β → m β
  | [], _, b => pure b
  | a :: rest, h, b => bind (f a (h a (.head _)) b) fun
    | .done b => pure b
    | .yield b => loop' xs f rest (fun a' h' => h a' (.tail _ h')) b
instance instForIn : ForIn m (List α) α := ⟨fun xs b f => loop f xs b⟩
instance instForIn' : ForIn' m (List α) α inferInstance := ⟨fun xs b f => loop' xs f xs (fun _ h => h) b⟩
@[simp] theorem forIn_nil {f : α → β → m (ForInStep β)} {b : β} : forIn ([] : List α) b f = pure b := rfl
@[simp] theorem forIn_cons {f : α → β → m (ForInStep β)} {b : β} {a : α} {as : List α} :
    forIn (a :: as) b f = f a b >>= fun | .done b => pure b | .yield b => forIn as b f := rfl
end List
namespace List
variable {m : Type u → Type v} [Monad m] {α : Type w} {β : Type u}
@[specialize] def forM : (as : List α) → (f : α → m PUnit) → m PUnit
  | [], _ => pure ⟨⟩
  | a :: as, f => do f a; forM as f
@[specialize] def mapM (f : α → m β) : (as : List α) → m (List β)
  | [] => pure []
  | a :: as => do let b ← f a; let bs ← mapM f as; pure (b :: bs)
@[specialize] protected def foldlM {s : Type u} (f : s → α → m s) : (init : s) → List α → m s
  | b, [] => pure b
  | b, a :: as => do let b' ← f b a; List.foldlM f b' as
@[specialize] def filterM {α : Type u} (p : α → m (ULift Bool)) : List α → m (List α)
  | [] => pure []
  | a :: as => do let keep ← p a; let rest ← filterM p as; pure (bif keep.down then a :: rest else rest)
instance : ForM m (List α) α := ⟨List.forM⟩
end List
instance Array.instForIn {m : Type u₁ → Type u₂} [Monad m] {α : Type v} : ForIn m (Array α) α := ⟨fun xs b f => List.loop f xs.toList b⟩
instance Option.instForIn {m : Type u₁ → Type u₂} [Monad m] {α : Type v} : ForIn m (Option α) α :=
  ⟨fun o b f => match o with | none => pure b | some a => bind (f a b) fun | .done b => pure b | .yield b => pure b⟩
namespace Lean
inductive Loop where
  | mk
@[inline] partial def Loop.forIn {β : Type u} {m : Type u → Type v} [Monad m] (_ : Loop) (init : β) (f : Unit → β → m (ForInStep β)) : m β :=
  let rec @[specialize] go (b : β) : m β := do
    match ← f () b with
    | .done b => pure b
    | .yield b => go b
  go init
instance {m : Type u₁ → Type u₂} [Monad m] : ForIn m Loop Unit := ⟨Loop.forIn⟩
end Lean

/-! ranges `[start:stop:step]` -/
namespace Std.Legacy
structure Range where
  start : Nat := 0
  stop : Nat
  step : Nat := 1
  step_pos : 0 < step
namespace Range
instance : Membership Nat Range := ⟨fun r i => r.start ≤ i ∧ i < r.stop ∧ (i - r.start) % r.step = 0⟩
def size (r : Range) : Nat := (r.stop - r.start + r.step - 1) / r.step
/-- `n` rounds, the first at `i` -/
@[specialize] def rounds {m : Type u → Type v} [Monad m] {β : Type u} (f : Nat → β → m (ForInStep β)) (step : Nat) : Nat → Nat → β → m β
  | 0, _, b => pure b
  | n+1, i, b => bind (f i b) fun
    | .done b => pure b
    | .yield b => rounds f step n (i + step) b
instance {m : Type u → Type v} [Monad m] : ForIn m Range Nat := ⟨fun r b f => rounds f r.step r.size r.start b⟩
parsers term_parser : «term[:_]» «term[_:_]» «term[:_:_]» «term[_:_:_]»
macros Data.Range.Basic : «term[:_]» «term[_:_]» «term[:_:_]» «term[_:_:_]»
end Range
end Std.Legacy
