"""TIP (Tons of Inductive Problems): SMT-LIB files translated to Lean problems."""
