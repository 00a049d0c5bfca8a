-- Insertion sort yields a sorted list of the same length.
def insertInto (n : Nat) : List Nat → List Nat
  | [] => [n]
  | m :: ms => if n ≤ m then n :: m :: ms else m :: insertInto n ms

def sort : List Nat → List Nat
  | [] => []
  | n :: ns => insertInto n (sort ns)

def Sorted : List Nat → Prop
  | [] => True
  | n :: ns => (∀ m ∈ ns, n ≤ m) ∧ Sorted ns

theorem mem_insert {a n : Nat} {ns : List Nat} (h : a ∈ insertInto n ns) : a = n ∨ a ∈ ns := by
  induction ns with
  | nil => simpa [insertInto] using h
  | cons m ms ih =>
    unfold insertInto at h
    split at h
    · simpa using h
    · simp only [List.mem_cons] at h ⊢
      rcases h with rfl | h
      · exact Or.inr (Or.inl rfl)
      · rcases ih h with h | h
        · exact Or.inl h
        · exact Or.inr (Or.inr h)

theorem sorted_insert (n : Nat) {ns : List Nat} (h : Sorted ns) : Sorted (insertInto n ns) := by
  induction ns with
  | nil => exact ⟨nofun, trivial⟩
  | cons m ms ih =>
    unfold insertInto
    split
    next hle =>
      refine ⟨fun a ha => ?_, h⟩
      rcases List.mem_cons.mp ha with rfl | ha
      · exact hle
      · exact Nat.le_trans hle (h.1 a ha)
    next hlt =>
      refine ⟨fun a ha => ?_, ih h.2⟩
      rcases mem_insert ha with rfl | ha
      · omega
      · exact h.1 a ha

theorem sorted_sort : ∀ ns, Sorted (sort ns)
  | [] => trivial
  | n :: ns => sorted_insert n (sorted_sort ns)
