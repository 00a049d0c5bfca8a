structure Named where
  name : String
structure Aged extends Named where
  age : Nat
structure Paid extends Named where
  wage : Nat
structure Worker extends Aged, Paid
theorem target (w : Worker) : w.toPaid.name = w.toAged.name := rfl
