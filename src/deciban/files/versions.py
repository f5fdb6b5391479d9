"""Model files of past versions, converted to the description that the current version writes.

A description is the JSON header of a model file. This is the only module that knows how earlier versions wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# The version that this deciban writes. Raise it when a file changes in a way that older versions cannot read.
VERSION = 5

Description = dict[str, Any]


def as_current(description: Description) -> Description:
    """Convert the description of a file of any past version, in place, and return it."""
    version = description["version"]
    if version < 3:
        _wrap_temperature(description)
    if version < 5:
        _drop_two_pass(description)
    return description


def _wrap_temperature(description: Description) -> None:
    """Before version 3, the temperature inside an isotonic calibration was a bare number."""
    chosen = description.get("chosen")
    calibration = None if chosen is None else chosen["parameters"]["calibration"]
    if calibration is not None and calibration["object"] == "Isotonic":
        value = calibration["parameters"]["temperature"]
        calibration["parameters"]["temperature"] = {"object": "Temperature", "parameters": {"value": value}}


def _drop_two_pass(description: Description) -> None:
    """Before version 5, Words could fix its document frequencies beforehand (transform="tfidf-two-pass", idf=…)."""
    for words in _objects(description, "Words"):
        parameters = words["parameters"]
        if parameters.get("transform") == "tfidf-two-pass":
            raise ValueError(
                "it uses transform='tfidf-two-pass', which deciban no longer has; train again with transform='tfidf', "
                "or with scikit-learn's TfidfVectorizer and a drop-in such as ComplementNB"
            )
        parameters.pop("idf", None)


def _objects(value: Any, name: str) -> Iterator[dict[str, Any]]:
    """Yield every object of a class in a description, at any depth."""
    if isinstance(value, dict):
        if value.get("object") == name:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _objects(item, name)
