"""Refinements: weights on the evidence of columns, and evidence of several columns together, on top of plain counts."""

from deciban.refinement.refinement import Refinement

__all__ = ["Refinement"]
