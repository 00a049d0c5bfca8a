"""The red team: a corpus of hostile and honest submissions, run against any judge; see docs/redteam.md.

A judge takes part through an adapter, a callable from a `Case` to its answer:

    def adapter(case):
        return "accepted" if my_judge(case.statement, case.submission) else "rejected"

    print(run_corpus(adapter, load(home()), workers=4).as_json())
"""

from unsorry.redteam.corpus import Case, home, load, runnable
from unsorry.redteam.run import JudgeAdapter, of_judge, run_corpus
from unsorry.redteam.sample import sample
from unsorry.redteam.scoreboard import Result, Scoreboard

__all__ = [
    "Case",
    "JudgeAdapter",
    "Result",
    "Scoreboard",
    "home",
    "load",
    "of_judge",
    "run_corpus",
    "runnable",
    "sample",
]
