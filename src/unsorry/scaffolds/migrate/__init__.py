"""What a new toolchain or library broke in a file: a minimal failing file, the cause, and fixes by how far they reach.

inline      a file and the project files that it imports, as one text
failing     which declarations fail, and with which words
reduce      the smallest text that still fails so
causes      what explains the failure; each explanation is an experiment with the real Lean
rungs       the fixes, written out; each is tried
diagnose    all of it: `diagnose(text, check, judge)` -> Diagnosis
"""

from unsorry.scaffolds.migrate.diagnose import Diagnosis, Trial, as_json, diagnose, report

__all__ = ["Diagnosis", "Trial", "as_json", "diagnose", "report"]
