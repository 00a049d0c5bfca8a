-- Macros are hygienic: names they introduce do not capture the user's.
macro "const! " e:term : term => `(fun x : Nat => (fun _ : Nat => $e) x)

example (x : Nat) : (const! x) 5 = x := rfl

macro "let_two " e:term : term => `(let y := 2; y + $e)

example : (let y := 40; let_two y) = 42 := rfl
