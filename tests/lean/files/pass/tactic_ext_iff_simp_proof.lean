-- Proof by simp on a small set theory of predicates.
def Set (α : Type) := α → Prop

namespace Set

variable {α : Type}

instance : Membership α (Set α) := ⟨fun s a => s a⟩

def inter (s t : Set α) : Set α := fun a => a ∈ s ∧ a ∈ t
def union (s t : Set α) : Set α := fun a => a ∈ s ∨ a ∈ t

infixl:70 " ∩ " => inter
infixl:65 " ∪ " => union

@[simp] theorem mem_inter {s t : Set α} {a : α} : a ∈ s ∩ t ↔ a ∈ s ∧ a ∈ t := Iff.rfl
@[simp] theorem mem_union {s t : Set α} {a : α} : a ∈ s ∪ t ↔ a ∈ s ∨ a ∈ t := Iff.rfl

theorem ext {s t : Set α} (h : ∀ a, a ∈ s ↔ a ∈ t) : s = t := funext fun a => propext (h a)

theorem inter_union_distrib (s t u : Set α) : s ∩ (t ∪ u) = (s ∩ t) ∪ (s ∩ u) := by
  apply ext
  intro a
  simp [and_or_left]

theorem inter_comm (s t : Set α) : s ∩ t = t ∩ s := ext fun a => by simp [and_comm]

end Set
