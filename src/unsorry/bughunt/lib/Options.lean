/-! Rust's functions on `Option` and `Result`. -/

@[simp] def Opt.is_some {α : Type} (x : Option α) : Bool :=
  match x with
  | none => false
  | some _ => true

@[simp] def Opt.is_none {α : Type} (x : Option α) : Bool :=
  match x with
  | none => true
  | some _ => false

@[simp] def Opt.unwrap {α : Type} (x : Option α) : Result α :=
  match x with
  | none => fail .panic
  | some a => ok a

@[simp] def Opt.unwrap_or {α : Type} (x : Option α) (d : α) : α :=
  match x with
  | none => d
  | some a => a

@[simp] def Opt.or {α : Type} (x y : Option α) : Option α :=
  match x with
  | none => y
  | some a => some a

@[simp] def Opt.xor {α : Type} (x y : Option α) : Option α :=
  match x, y with
  | some a, none => some a
  | none, some b => some b
  | _, _ => none

@[simp] def Opt.and {α β : Type} (x : Option α) (y : Option β) : Option β :=
  match x with
  | none => none
  | some _ => y

@[simp] def Opt.ok_or {α ε : Type} (x : Option α) (e : ε) : core.result.Result α ε :=
  match x with
  | none => .Err e
  | some a => .Ok a

@[simp] def Opt.flatten {α : Type} (x : Option (Option α)) : Option α :=
  match x with
  | none => none
  | some a => a

@[simp] def Res.is_ok {α ε : Type} (x : core.result.Result α ε) : Bool :=
  match x with
  | .Ok _ => true
  | .Err _ => false

@[simp] def Res.is_err {α ε : Type} (x : core.result.Result α ε) : Bool :=
  match x with
  | .Ok _ => false
  | .Err _ => true

@[simp] def Res.unwrap {α ε : Type} (x : core.result.Result α ε) : Result α :=
  match x with
  | .Ok a => ok a
  | .Err _ => fail .panic

@[simp] def Res.unwrap_err {α ε : Type} (x : core.result.Result α ε) : Result ε :=
  match x with
  | .Ok _ => fail .panic
  | .Err e => ok e

@[simp] def Res.unwrap_or {α ε : Type} (x : core.result.Result α ε) (d : α) : α :=
  match x with
  | .Ok a => a
  | .Err _ => d

@[simp] def Res.value {α ε : Type} (x : core.result.Result α ε) : Option α :=
  match x with
  | .Ok a => some a
  | .Err _ => none

@[simp] def Res.error {α ε : Type} (x : core.result.Result α ε) : Option ε :=
  match x with
  | .Ok _ => none
  | .Err e => some e
