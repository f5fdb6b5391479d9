"""Evaluation: scores of predictions next to those of guessing, comparisons of models, and folds of rows."""
