section
variable (p q : Prop) (hp : p) (hq : q)
include hp hq
theorem target : q ∧ p := ⟨hq, hp⟩
end
