"""Texts in which some words always come together, so that their counts say the same thing several times."""

import numpy as np

CLASSES = ("news", "spam", "talk")
# Words that one theme brings into a text: the first themes bring several, which all say the same.
THEMES = [[f"theme{t}word{w}" for w in range(8 if t < 3 else 1)] for t in range(12)]


def made_texts(rows, seed=0, classes=3):
    """Return texts and labels; a theme is in a text with a probability that depends on the class."""
    rng = np.random.default_rng(seed)
    share = np.random.default_rng(5).uniform(0.15, 0.75, (3, len(THEMES)))
    share[:, :3] = 0.35 + 0.4 * (share[:, :3] - 0.35)
    codes = rng.integers(0, classes, rows)
    present = rng.random((rows, len(THEMES))) < share[codes]
    extra = rng.integers(0, 40, (rows, 3))
    texts = [
        " ".join([*(word for t in np.flatnonzero(row) for word in THEMES[t]), *(f"other{w}" for w in words)])
        for row, words in zip(present, extra)
    ]
    return texts, np.array(CLASSES)[codes]
