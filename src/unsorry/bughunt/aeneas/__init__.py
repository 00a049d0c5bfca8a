"""Charon and Aeneas as a second front end: their commands, their pins, their facts joined into our functions.

Neither was run for this version: the commands and formats are those of their documentation, the tests use stand-ins.
"""
