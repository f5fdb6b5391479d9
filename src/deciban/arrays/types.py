"""Names for the kinds of arrays that all packages use."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Codes: TypeAlias = NDArray[np.int32]  # positions among names or classes; −1 for a missing value
Floats: TypeAlias = NDArray[np.float64]
Longs: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
Names: TypeAlias = NDArray[Any]  # distinct labels or categories

# The code of a missing value.
MISSING = -1
