-- Dependent pairs: in Type with `Σ`, and with a proof.
def Family : Bool → Type
  | true => Nat
  | false => String

def pair : (b : Bool) × Family b := ⟨true, (3 : Nat)⟩

def tag (x : (b : Bool) × Family b) : Bool := x.1

example : tag pair = true := rfl
example : pair.2 = (3 : Nat) := rfl

def toLengths {α : Type} (xs : List α) : (n : Nat) × { ys : List α // ys.length = n } :=
  ⟨xs.length, xs, rfl⟩

example : (n : Nat) ×' n < 5 := ⟨3, by decide⟩

theorem sigma_eta {α : Type} {β : α → Type} (p : (a : α) × β a) : ⟨p.1, p.2⟩ = p := rfl
