"""Accuracy over how much of every text is read: "even when taking half of the e-mail"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from deciban.arrays.types import Floats
from deciban.teaching.experiments import Experiment

WORD = re.compile(r"\S+")


def partial_reading(
    estimator: Any, texts: Any, labels: Any, *, shares: Sequence[float] = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
) -> Experiment:
    """Return the accuracy of a fitted estimator if it reads the first part of every text only.

    ``shares`` are parts of a text's words, rounded up to whole words, which are separated by blanks. The estimator
    stays as it is; give texts that it was not trained on.

    >>> from deciban import NaiveBayes, Words
    >>> nb = NaiveBayes(Words()).fit(["buy now cheap", "see you at lunch"] * 5, ["spam", "ham"] * 5)
    >>> partial_reading(nb, ["cheap lunch lunch lunch"], ["ham"], shares=[0.25, 1.0]).accuracy.tolist()
    [[0.0, 1.0]]
    """
    found = [str(text) if text is not None else "" for text in texts]
    known = np.asarray(labels)
    if len(known) != len(found) or not len(found):
        raise ValueError(f"labels has {len(known)} values for {len(found)} texts; give one for each of at least one.")
    parts = [_share(share) for share in shares]
    if not parts:
        raise ValueError("shares is empty; give some shares of a text, such as [0.5, 1.0].")
    right = np.array([_right(estimator, [beginning(text, part) for text in found], known) for part in parts])
    accuracy = right.mean(axis=1)
    return Experiment(
        "Accuracy over how much of every text is read",
        "share of a text",
        tuple(parts),
        tuple(f"{part:.4g}" if part < 0.001 else f"{100 * part:.3g}%" for part in parts),
        ("accuracy",),
        accuracy[None],
        np.sqrt(accuracy * (1 - accuracy) / len(found))[None],
        f"{len(found):,} texts, each read from its beginning; errors are binomial standard errors.",
    )


def beginning(text: str, share: float) -> str:
    """Return the first share of a text's words, rounded up, as they are written.

    >>> beginning("one  two three", 0.5)
    'one  two'
    """
    words = list(WORD.finditer(text))
    number = min(len(words), math.ceil(share * len(words) - 1e-9))
    return text[: words[number - 1].end()] if number else ""


def _right(estimator: Any, texts: list[str], labels: Any) -> Floats:
    return np.asarray(np.asarray(estimator.predict(texts)) == labels, dtype=float)


def _share(share: Any) -> float:
    number = float(share)
    if not 0 < number <= 1:
        raise ValueError(f"shares has {share!r}; give numbers above 0 and up to 1.")
    return number
