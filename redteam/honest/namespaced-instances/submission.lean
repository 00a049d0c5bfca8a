namespace Alg.Ring
structure Z2 where
  bit : Bool
namespace Z2
instance : Add Z2 := ⟨fun a b => ⟨a.bit != b.bit⟩⟩
scoped notation "𝟘" => Z2.mk false
theorem target (a : Z2) : a + a = 𝟘 := by
  cases a with | mk b => cases b <;> rfl
end Z2
end Alg.Ring
