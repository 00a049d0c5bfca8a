-- Two relations that do not compose.
-- expect: error 7:4 contains "invalid 'calc' step, failed to synthesize `Trans` instance"
def near (a b : Nat) : Prop := a ≤ b + 1

theorem t (a b c : Nat) (h₁ : near a b) (h₂ : near b c) : near a c :=
  calc near a b := h₁
    near _ c := h₂
