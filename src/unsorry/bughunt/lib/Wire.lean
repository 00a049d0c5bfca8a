/-! Values as lists of integers, for evaluation: no theorem refers to this. -/
namespace Rust

class Wire (α : Type) where
  put : α → List Int → List Int
  get : List Int → Option (α × List Int)

instance : Wire Int := ⟨fun a ts => a :: ts, fun ts => match ts with | [] => none | t :: ts => some (t, ts)⟩
instance : Wire Bool :=
  ⟨fun a ts => (if a then 1 else 0) :: ts, fun ts => match ts with | [] => none | t :: ts => some (t != 0, ts)⟩
instance : Wire Unit := ⟨fun _ ts => ts, fun ts => some ((), ts)⟩
instance {α β : Type} [Wire α] [Wire β] : Wire (α × β) :=
  ⟨fun a ts => Wire.put a.1 (Wire.put a.2 ts), fun ts =>
    match Wire.get (α := α) ts with
    | none => none
    | some (a, ts) => match Wire.get (α := β) ts with
      | none => none
      | some (b, ts) => some ((a, b), ts)⟩
def Wire.getMany {α : Type} [Wire α] : Nat → List Int → List α → Option (List α × List Int)
  | 0, ts, done => some (done.reverse, ts)
  | n+1, ts, done => match Wire.get (α := α) ts with
    | none => none
    | some (a, ts) => Wire.getMany n ts (a :: done)
instance {α : Type} [Wire α] : Wire (List α) :=
  ⟨fun as ts => (as.length : Int) :: as.foldr Wire.put ts, fun ts => match ts with
    | [] => none
    | n :: ts => Wire.getMany n.toNat ts []⟩
instance : Wire String :=
  ⟨fun s ts => Wire.put (s.toList.map fun c => (c.toNat : Int)) ts, fun ts => match Wire.get (α := List Int) ts with
    | none => none
    | some (cs, ts) => some (String.ofList (cs.map fun c => Char.ofNat c.toNat), ts)⟩
instance {α : Type} [Wire α] : Wire (Option α) :=
  ⟨fun a ts => match a with | none => 0 :: ts | some a => 1 :: Wire.put a ts, fun ts => match ts with
    | [] => none
    | t :: ts => if t = 0 then some (none, ts) else match Wire.get (α := α) ts with
      | none => none
      | some (a, ts) => some (some a, ts)⟩
instance {α β : Type} [Wire α] [Wire β] : Wire (core.result.Result α β) :=
  ⟨fun a ts => match a with | .Ok a => 0 :: Wire.put a ts | .Err b => 1 :: Wire.put b ts, fun ts => match ts with
    | [] => none
    | t :: ts => if t = 0 then (match Wire.get (α := α) ts with
        | none => none
        | some (a, ts) => some (.Ok a, ts))
      else match Wire.get (α := β) ts with
        | none => none
        | some (b, ts) => some (.Err b, ts)⟩
instance : Wire Ordering :=
  ⟨fun a ts => (match a with | .lt => 0 | .eq => 1 | .gt => 2) :: ts, fun ts => match ts with
    | [] => none
    | t :: ts => some (if t = 0 then .lt else if t = 1 then .eq else .gt, ts)⟩
instance {α : Type} [Wire α] : Wire (Result α) :=
  ⟨fun r ts => match r with
    | .ok a => 0 :: Wire.put a ts
    | .fail e => 1 :: (match e with
      | .assertionFailure => 0 | .integerOverflow => 1 | .divisionByZero => 2 | .arrayOutOfBounds => 3
      | .maximumSizeExceeded => 4 | .panic => 5) :: ts
    | .div => 2 :: ts, fun _ => none⟩

def Wire.out {α : Type} [Wire α] (r : Result α) : List Int := Wire.put r []

/-- The numbers of a text; a `;` ends a list. -/
def Wire.parse : List Char → Int → Bool → Bool → List Int → List (List Int) → List (List Int)
  | [], _, _, _, _, done => done.reverse
  | c :: cs, n, neg, inside, now, done =>
    if c == '-' then Wire.parse cs 0 true true now done
    else if c.isDigit then Wire.parse cs (n * 10 + (c.toNat - 48 : Nat)) neg true now done
    else
      let now := if inside then (if neg then -n else n) :: now else now
      if c == ';' then Wire.parse cs 0 false false [] (now.reverse :: done)
      else Wire.parse cs 0 false false now done

def Wire.write (ts : List Int) (s : String) : String := ts.foldl (fun s t => s ++ toString t ++ " ") s

def Wire.all (run : List Int → List Int) (text : String) : String :=
  (Wire.parse text.toList 0 false false [] []).foldl (fun s ts => (Wire.write (run ts) s) ++ ";") ""

end Rust
