structure Claim where
  n : Nat
  proof : n + 1 = n
