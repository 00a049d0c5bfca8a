-- A deterministic time limit.
-- expect: error 4:25 contains "maximum number of heartbeats (1) has been reached"
set_option maxHeartbeats 1 in
theorem t (a b c d e f : Nat) : a + b + c + d + e + f = f + e + d + c + b + a := by
  simp only [Nat.add_comm, Nat.add_left_comm]
