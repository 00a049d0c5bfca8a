-- Escapes, raw strings, string gaps, numerals in several bases.
example : "tab\tquote\"" = "tab\tquote\"" := rfl
example : "\x41\u03bb" = "Aλ" := by decide
example : r"\n" = "\\n" := by decide
example : r#"a "quoted" word"# = "a \"quoted\" word" := by decide
example : "one \
           line" = "one line" := by decide
example : 0xff = 255 := rfl
example : 0b101 = 5 := rfl
example : 0o17 = 15 := rfl
example : 1_000_000 = 1000000 := rfl
example : '\'' ≠ '"' := by decide
