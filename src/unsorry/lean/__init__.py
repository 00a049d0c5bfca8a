"""Everything that touches Lean: toolchains, processes, source text, `.olean` files and the terms in them."""
