/-! Rust's derived order: structural, from left to right. -/

class RustOrd (α : Type) where
  cmp : α → α → Ordering

def rcmp {α : Type} [RustOrd α] (a b : α) : Ordering := RustOrd.cmp a b

@[simp] def thenCmp (a b : Ordering) : Ordering :=
  match a with
  | .eq => b
  | _ => a

@[simp] def icmp (a b : Int) : Ordering := if a < b then .lt else if b < a then .gt else .eq

instance : RustOrd Int := ⟨icmp⟩

@[simp] theorem rcmp_int (a b : Int) : rcmp a b = icmp a b := rfl

instance : RustOrd Bool := ⟨fun a b => icmp (b2i a) (b2i b)⟩

instance : RustOrd Unit := ⟨fun _ _ => .eq⟩

instance {α β : Type} [RustOrd α] [RustOrd β] : RustOrd (α × β) :=
  ⟨fun a b => thenCmp (rcmp a.1 b.1) (rcmp a.2 b.2)⟩

def listCmp {α : Type} [RustOrd α] : List α → List α → Ordering
  | [], [] => .eq
  | [], _ :: _ => .lt
  | _ :: _, [] => .gt
  | x :: xs, y :: ys => thenCmp (rcmp x y) (listCmp xs ys)

instance {α : Type} [RustOrd α] : RustOrd (List α) := ⟨listCmp⟩

instance {α : Type} [RustOrd α] : RustOrd (Option α) :=
  ⟨fun a b => match a, b with
    | none, none => .eq
    | none, some _ => .lt
    | some _, none => .gt
    | some x, some y => rcmp x y⟩

instance {α β : Type} [RustOrd α] [RustOrd β] : RustOrd (core.result.Result α β) :=
  ⟨fun a b => match a, b with
    | .Ok x, .Ok y => rcmp x y
    | .Ok _, .Err _ => .lt
    | .Err _, .Ok _ => .gt
    | .Err x, .Err y => rcmp x y⟩

instance : RustOrd Ordering := ⟨fun a b => icmp (orderingNumber a) (orderingNumber b)⟩

@[simp] def orderingNumber (a : Ordering) : Int :=
  match a with
  | .lt => -1
  | .eq => 0
  | .gt => 1

@[simp] def orderingReverse (a : Ordering) : Ordering :=
  match a with
  | .lt => .gt
  | .eq => .eq
  | .gt => .lt
