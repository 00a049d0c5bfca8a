"""Recipe -> stages -> ledger -> table.

`recipe` reads and checks what a person wrote, `runner` runs its stages in order and resumes them, `ledger` keeps what
each did and measured, `table` prints it, `plan` says what would run and what it takes.  `ledger`, `table` and
`reference` need the base install only; the rest needs the `train` extra.
"""
