"""Pull-request benchmarks from any Lean git repository: a history becomes tasks, attempts at them become figures.

Rooms of `build`: objects.py reads git objects of anybody's repository, history.py commits, environment.py tells builds
apart, declarations.py and outlines.py what a text declares, elaborated.py and compiled.py what Lean made of it, diff.py
compares two trees, stubs.py and patches.py take the answers out, pull.py does it for a commit, build.py for a history.
tasks.py is the format of a task on disk, which the rooms of preflight, run, score and report go on from.
"""
