"""Arrays of every number type and layout for kernels."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

KINDS = ["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]
shapes = st.tuples(st.integers(0, 70), st.integers(0, 9))


@st.composite
def matrices(draw):
    kind = draw(st.sampled_from(KINDS))
    x = draw(hnp.arrays(np.int64, draw(shapes), elements=st.integers(0, 9))).astype(kind)
    layout = draw(st.sampled_from(["C", "F", "rows", "columns", "both"]))
    if layout in "CF":
        return np.asarray(x, order=layout)
    wide = np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)
    return {"rows": wide[::2, ::2], "columns": wide[1::2, 1::2], "both": wide[::-2, ::-2][::-1, ::-1]}[layout]
