theorem target : (fun x : Nat => x) 1 = 1 := rfl
