"""A small naive Bayes in exact fractions, written from the formulas of docs/theory.md and docs/priors.md.

It keeps rows and nothing else: every answer is computed from scratch, so that there is nothing to get out of step.
"""
