-- User-defined coercions, also chained and dependent on the value.
inductive Term where
  | lit (n : Nat)
  | var (s : String)
  | add (a b : Term)

instance : Coe Nat Term := ⟨Term.lit⟩
instance : Coe String Term := ⟨Term.var⟩
instance : OfNat Term n := ⟨Term.lit n⟩
instance : Add Term := ⟨Term.add⟩

def sum (n : Nat) (s : String) : Term := Term.add n s
example : sum 3 "x" = Term.add (Term.lit 3) (Term.var "x") := rfl
example : (2 + 3 : Term) = Term.add (Term.lit 2) (Term.lit 3) := rfl

def small (n : Nat) (h : n < 10) : Fin 10 := ⟨n, h⟩
example : (small 3 (by decide) : Nat) = 3 := rfl

instance (b : Bool) : CoeDep Bool b Term := ⟨Term.lit (if b then 1 else 0)⟩
example : (true : Term) = Term.lit 1 := rfl
