"""Rows without labels in a model file: their expected statistics as arrays, their weight and objective as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.checks import require
from deciban.arrays.names import find_names
from deciban.model.classifier import Classifier
from deciban.model.expected import Expected
from deciban.statistics import Statistics

# Names of the arrays of expected statistics begin with this.
EXPECTED = "expected."
FIELDS = {"weight", "temperature", "objective"}


def describe_expected(expected: Expected | None) -> dict[str, Any] | None:
    """Return all but the statistics in types that JSON has; the posterior of the rows is not saved."""
    if expected is None:
        return None
    return {
        "weight": float(expected.weight),
        "temperature": float(expected.temperature),
        "objective": expected.objective.tolist(),
    }


def expected_arrays(classifier: Classifier) -> dict[str, NDArray[Any]]:
    """Return the arrays of expected statistics by name; the result is empty for a classifier of labelled rows alone."""
    arrays = {} if classifier.expected is None else classifier.expected.statistics.to_arrays()
    return {EXPECTED + name: array for name, array in arrays.items()}


def read_expected(
    described: Any, arrays: Mapping[str, NDArray[Any]], kinds: Mapping[str, Any], labelled: Statistics
) -> Expected | None:
    """Return the expected statistics of a file; raise unless they have the columns and classes of labelled rows."""
    found = {name.removeprefix(EXPECTED): array for name, array in arrays.items() if name.startswith(EXPECTED)}
    require((described is None) == (not found), "it has expected counts without a weight, or a weight without counts")
    if described is None:
        return None
    require(isinstance(described, dict) and set(described) == FIELDS, "its rows without labels are not described")
    objective = described["objective"]
    numbers = isinstance(objective, list) and all(type(value) in (int, float) for value in objective)
    require(numbers and objective, "the objective of EM is not a list of numbers")
    statistics = Statistics.from_arrays(found, kinds)
    mine, theirs = ([(type(b), b.features) for b in each.blocks] for each in (labelled, statistics))
    require(mine == theirs, "its expected counts have other columns than its counts")
    known = find_names(statistics.classes, labelled.classes) >= 0
    require(len(known) and known.all(), "its expected counts have other classes than its counts")
    expected = Expected(
        statistics, described["weight"], np.array(objective, dtype=np.float64), described["temperature"]
    )
    _ = expected.added_to(labelled)  # raises for counts that do not add up
    return expected
