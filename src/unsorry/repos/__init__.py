"""Pull-request benchmarks from any Lean git repository: a history becomes tasks, attempts at them become figures.

Rooms: history.py reads commits, environment.py tells builds apart, declarations.py takes facts from a tree, diff.py
compares two, stubs.py takes the answers out, tasks.py is the format of a task on disk.
"""
