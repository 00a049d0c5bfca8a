structure Stack where
  items : List Nat
def Stack.push (s : Stack) (n : Nat) : Stack := ⟨n :: s.items⟩
def Stack.pop (s : Stack) : Stack := ⟨s.items.tail⟩
theorem Stack.Law.push_pop (s : Stack) (n : Nat) : (s.push n).pop = s := by sorry
