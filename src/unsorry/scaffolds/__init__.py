"""Prover + judge -> attempts."""

# Reasons of verdicts that no judge gave.
NO_PROOF = "prover.no_proof"  # undecided: the prover found nothing to submit
REFUTED = "statement.refuted"  # rejected: the problem has a counterexample that the judge accepted
DEFECT = "answer."  # rejected: the answer holds no submission; followed by the format's defect, such as `no_proof`
