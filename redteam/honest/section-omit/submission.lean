section
variable {α : Type} [Inhabited α] (xs : List α)
omit [Inhabited α] in
theorem target : xs ++ [] = xs := by simp
end
