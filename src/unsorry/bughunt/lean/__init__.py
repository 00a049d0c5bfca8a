"""From the typed intermediate form to Lean, and back from Lean's evaluation.

    translation = translate(crate, mode="debug")
    outcomes = evaluate(translation, [Call("average", (1, 2))])   # in each mode: Returned, Panicked, Endless

Scalars are integers; that they are in the bounds of their type is a hypothesis of each theorem (`U8.In x`).  Every
function gives a `Result`: `ok value`, `fail error` (it panics) or `div` (out of fuel).  A function with a `loop`, a
`while` or recursion takes `fuel : Nat` first; a theorem that holds for every `fuel` holds for every run that ends.
`&mut` parameters come back beside the result: `ok (value, first, second, …)`, or `ok first` for a single one of a
function that returns `()`.  `mode="debug"`: overflow panics; `mode="release"`: it wraps.
"""

from unsorry.bughunt.lean.checked import translate_checked
from unsorry.bughunt.lean.evaluate import Call, evaluate
from unsorry.bughunt.lean.translate import translate
from unsorry.bughunt.lean.translation import LeanFunction, LeanParam, Mode, Refused, Translation

__all__ = [
    "Call",
    "LeanFunction",
    "LeanParam",
    "Mode",
    "Refused",
    "Translation",
    "evaluate",
    "translate",
    "translate_checked",
]
