"""The kernels that fit and score refinements."""

from deciban.arrays.native import kernels

__all__ = ["kernels"]
