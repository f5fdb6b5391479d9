"""Worked examples of the lecture."""

import pandas as pd

# Example A: older than 35, student, born before July, buys.
A = pd.DataFrame(
    [(0, 0, 0), (0, 0, 1), (0, 0, 0), (1, 1, 1), (1, 0, 0), (0, 1, 0), (1, 0, 1), (1, 0, 1), (1, 1, 0), (0, 1, 1),
     (0, 1, 0), (0, 1, 1), (1, 0, 1), (0, 1, 0)],
    columns=list("OSJ"),
).assign(Y=[0] * 5 + [1] * 9)  # fmt: skip
ROW = {"O": 0, "S": 1, "J": 1}

# Example B: ten rows of A and B, and the class C.
B = pd.DataFrame(
    [tuple("mb"), tuple("ms"), tuple("gq"), tuple("hs"), tuple("gq"),
     tuple("gq"), tuple("gs"), tuple("hb"), tuple("hq"), tuple("mb")],
    columns=["A", "B"],
).assign(C=["t"] * 5 + ["f"] * 5)  # fmt: skip
