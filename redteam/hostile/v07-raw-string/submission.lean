def text : String := r#"a " b
theorem target (n : Nat) : n + 1 = n := by omega
"#
