"""Whether a translation says what its source says: constructors, binders, evaluations of sample terms, theorems.

rocq       the vernacular of a Rocq file as data: inductives, functions, theorems, examples
lean       the same of a Lean file, from what Lean compiled
compare    the two side by side -> Report
"""

from unsorry.scaffolds.parity.compare import Finding, Report, compare
from unsorry.scaffolds.parity.rocq import Rocq, parse_rocq

__all__ = ["Finding", "Report", "Rocq", "compare", "parse_rocq"]
