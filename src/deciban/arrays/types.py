"""Names for the kinds of arrays that all packages use."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[Any]
Codes: TypeAlias = NDArray[np.int32]  # positions among names or classes; −1 for a missing value
Exponents: TypeAlias = NDArray[np.int32]  # e of a unit 2^e
Floats: TypeAlias = NDArray[np.float64]
Longs: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
Names: TypeAlias = NDArray[Any]  # distinct labels or categories

FilePath: TypeAlias = str | os.PathLike[str]
RandomState: TypeAlias = int | np.random.Generator | np.random.RandomState | None
RowWeights: TypeAlias = ArrayLike | str | None  # a weight per row, the name of a table's column, or 1 for all

# The code of a missing value.
MISSING = -1
