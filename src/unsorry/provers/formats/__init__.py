"""Formats: how a problem is put to a model, and how a submission is taken from its answer."""
