"""Worked examples of the lecture."""

import pandas as pd

# Example A: older than 35, student, born before July, buys.
A = pd.DataFrame(
    [(0, 0, 0), (0, 0, 1), (0, 0, 0), (1, 1, 1), (1, 0, 0), (0, 1, 0), (1, 0, 1), (1, 0, 1), (1, 1, 0), (0, 1, 1),
     (0, 1, 0), (0, 1, 1), (1, 0, 1), (0, 1, 0)],
    columns=list("OSJ"),
).assign(Y=[0] * 5 + [1] * 9)  # fmt: skip
ROW = {"O": 0, "S": 1, "J": 1}
