-- Own types with +, *, -, ≤, literals and the inherited notation.
@[ext] structure Vec where
  x : Int
  y : Int

namespace Vec

instance : Add Vec := ⟨fun a b => ⟨a.x + b.x, a.y + b.y⟩⟩
instance : Neg Vec := ⟨fun a => ⟨-a.x, -a.y⟩⟩
instance : Sub Vec := ⟨fun a b => a + -b⟩
instance : HMul Int Vec Vec := ⟨fun k a => ⟨k * a.x, k * a.y⟩⟩
instance : Zero Vec := ⟨⟨0, 0⟩⟩
instance : LE Vec := ⟨fun a b => a.x ≤ b.x ∧ a.y ≤ b.y⟩

theorem add_def (a b : Vec) : a + b = ⟨a.x + b.x, a.y + b.y⟩ := rfl

protected theorem add_comm (a b : Vec) : a + b = b + a := by
  ext
  · exact Int.add_comm a.x b.x
  · exact Int.add_comm a.y b.y

protected theorem le_trans {a b c : Vec} (h₁ : a ≤ b) (h₂ : b ≤ c) : a ≤ c :=
  ⟨Int.le_trans h₁.1 h₂.1, Int.le_trans h₁.2 h₂.2⟩

theorem two_smul (a : Vec) : (2 : Int) * a = a + a := by
  apply Vec.ext
  · show 2 * a.x = a.x + a.x
    omega
  · show 2 * a.y = a.y + a.y
    omega

example : (0 : Vec) = ⟨0, 0⟩ := rfl

end Vec
