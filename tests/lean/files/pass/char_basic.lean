-- Characters: equality, code points, classification.
example : 'a' ≠ 'b' := by decide
example : 'a'.toNat = 97 := rfl
example : Char.ofNat 955 = 'λ' := by decide
example : '\n'.toNat = 10 := rfl
example : 'a' < 'b' := by decide
example : '7'.isDigit = true := by decide
example : 'x'.isAlpha = true := by decide
example : '∀'.val = 0x2200 := rfl

def isVowel (c : Char) : Bool :=
  match c with
  | 'a' | 'e' | 'i' | 'o' | 'u' => true
  | _ => false

example : isVowel 'e' = true := rfl
example : isVowel 'x' = false := rfl
