-- Mutual recursion that goes in circles.
-- expect: error 4:6 contains "fail to show termination for\n  ping\n  pong\nwith errors"
mutual
  def ping (n : Nat) : Nat := pong n
  def pong (n : Nat) : Nat := ping n
end
