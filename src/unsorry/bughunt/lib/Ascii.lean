/-! Classes of characters, by code point. -/

@[simp] def Ascii.is_ascii (c : Int) : Bool := decide (c < 128)

@[simp] def Ascii.is_ascii_digit (c : Int) : Bool := decide (48 ≤ c ∧ c ≤ 57)

@[simp] def Ascii.is_ascii_uppercase (c : Int) : Bool := decide (65 ≤ c ∧ c ≤ 90)

@[simp] def Ascii.is_ascii_lowercase (c : Int) : Bool := decide (97 ≤ c ∧ c ≤ 122)

@[simp] def Ascii.is_ascii_alphabetic (c : Int) : Bool := decide (65 ≤ c ∧ c ≤ 90 ∨ 97 ≤ c ∧ c ≤ 122)

@[simp] def Ascii.is_ascii_alphanumeric (c : Int) : Bool :=
  decide (48 ≤ c ∧ c ≤ 57 ∨ 65 ≤ c ∧ c ≤ 90 ∨ 97 ≤ c ∧ c ≤ 122)

@[simp] def Ascii.is_ascii_hexdigit (c : Int) : Bool :=
  decide (48 ≤ c ∧ c ≤ 57 ∨ 65 ≤ c ∧ c ≤ 70 ∨ 97 ≤ c ∧ c ≤ 102)

@[simp] def Ascii.is_ascii_whitespace (c : Int) : Bool := decide (c = 32 ∨ c = 9 ∨ c = 10 ∨ c = 12 ∨ c = 13)

@[simp] def Ascii.is_ascii_control (c : Int) : Bool := decide (c < 32 ∨ c = 127)

@[simp] def Ascii.is_ascii_graphic (c : Int) : Bool := decide (33 ≤ c ∧ c ≤ 126)

@[simp] def Ascii.is_ascii_punctuation (c : Int) : Bool :=
  decide (33 ≤ c ∧ c ≤ 47 ∨ 58 ≤ c ∧ c ≤ 64 ∨ 91 ≤ c ∧ c ≤ 96 ∨ 123 ≤ c ∧ c ≤ 126)

@[simp] def Ascii.to_ascii_lowercase (c : Int) : Int := if 65 ≤ c ∧ c ≤ 90 then c + 32 else c

@[simp] def Ascii.to_ascii_uppercase (c : Int) : Int := if 97 ≤ c ∧ c ≤ 122 then c - 32 else c

@[simp] def Ascii.eq_ignore_ascii_case (a b : Int) : Bool :=
  decide (Ascii.to_ascii_lowercase a = Ascii.to_ascii_lowercase b)
