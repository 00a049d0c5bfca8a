inductive Obj where | a (x y : Nat) | b (x y : Nat)
inductive Out (α : Type) where | ok (a : α) | error (e : Nat)
inductive Lvl where | zero | p (x y : Nat)
structure CVal where
  name : Lean.Name
  lps : List Lean.Name
  type : Obj
structure AxVal where
  c : CVal
  isUnsafe : Bool
structure ThmVal where
  c : CVal
  value : Obj
  all : List Lean.Name
inductive Hints where | opaque | abbrev | regular (height : UInt32)
structure DefVal where
  c : CVal
  value : Obj
  hints : Hints
  all : List Lean.Name
  isSafe : Bool
structure OpVal where
  c : CVal
  value : Obj
  all : List Lean.Name
  isUnsafe : Bool
inductive Decl where
  | ax (v : AxVal)
  | defn (v : DefVal)
  | thm (v : ThmVal)
  | opq (v : OpVal)
structure St where
  env : Obj
  msgs : Obj
abbrev Act := Obj → Obj → Unit → Out Unit
@[extern "c", export l_Lean_Expr_const___override] opaque eConst (n : Lean.Name) (l : List Lvl) : Obj := .a 0 0
@[extern "c", export l_Lean_Expr_app___override] opaque eApp (f a : Obj) : Obj := .a 0 0
@[extern "c"] opaque Lean.addDecl (d : Decl) (f : Bool) (c r : Obj) : Out Unit := .error 0
@[extern "c", export l_Lean_Elab_Command_liftCoreM___redArg] opaque lift (x : Act) (c r : Obj) : Out Unit := .error 0
@[extern "c", export lean_st_ref_get] opaque getRef (r : Obj) : St := ⟨.a 0 0, .a 0 0⟩
@[extern "c", export l_Lean_setEnv___at___00Lean_Elab_Command_elabDeclareSyntaxCat_spec__0___redArg] opaque setE (env : Obj) (r : Obj) : Out Unit := .error 0
@[extern "c", export lean_environment_add] opaque kAdd (kenv : Obj) (c : Decl) : Obj := .a 0 0
@[extern "c", export lean_elab_environment_to_kernel_env] opaque toK (env : Obj) : Obj := .a 0 0
@[extern "c", export l___private_Lean_Environment_0__Lean_Environment_setCheckedSync] opaque setChecked (env k : Obj) : Obj := .a 0 0
@[extern "c", export lean_elab_add_decl_without_checking] opaque addNoCheck (env : Obj) (d : Decl) : Out Obj := .error 0
def Lean.Elab.Command.CommandElab : Type := Lean.Syntax → Act
def addDecl' (d : Decl) : Act := fun cc cr _ => lift (fun c r _ => Lean.addDecl d false c r) cc cr
def addRaw (d : Decl) : Act := fun _ r _ => let e := (getRef r).env; setE (setChecked e (kAdd (toK e) d)) r
def addRaw2 (a b : Decl) : Act := fun _ r _ => let e := (getRef r).env; setE (setChecked e (kAdd (kAdd (toK e) a) b)) r
syntax (name := forgeIt) "forge!" : command
@[command_elab forgeIt] def forge : Lean.Elab.Command.CommandElab := fun _ =>
  addRaw (.thm ⟨⟨`boom, [], eConst `False []⟩, eConst `True.intro [], [`boom]⟩)
forge!
