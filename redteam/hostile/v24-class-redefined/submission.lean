class Op (α : Type) where
  op : α → α → α
  comm : ∀ a b, op a b = op b a
theorem target (α : Type) [Op α] (a b : α) : Op.op a b = Op.op b a := Op.comm a b
