"""Arrays in a form that the kernels can read."""

from __future__ import annotations

import numpy as np

from deciban.arrays.types import Array


def readable(x: Array) -> Array:
    """Return the array itself if the kernels can read it in place, else a copy in a type that they can read."""
    kind, size = x.dtype.kind, x.dtype.itemsize
    if (kind == "f" and size in (4, 8)) or kind in "iub":
        if x.dtype.isnative and x.flags.aligned and all(s % size == 0 for s in x.strides):
            return x
        return np.array(x, dtype=x.dtype.newbyteorder("="))
    if kind == "c":
        raise ValueError("Complex data not supported: X is complex; give real numbers.")
    return x.astype(np.float64)
