class Op (α : Type) where
  op : α → α → α
theorem target (α : Type) [Op α] (a b : α) : Op.op a b = Op.op b a := by sorry
