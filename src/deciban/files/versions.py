"""Model files of past versions, converted to the description that the current version writes.

A description is the JSON header of a model file. This is the only module that knows how earlier versions wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

# The version that this deciban writes. Raise it when a file changes in a way that older versions cannot read.
VERSION = 8

Description = dict[str, Any]
Arrays = dict[str, NDArray[Any]]


# Names that changed with version 5: of arrays, and of the parameters of choices.
ARRAY_NAMES = {"tables.most": "tables.limit", "words.most": "words.limit", "combinations.most": "combinations.limit"}
CHOICE_NAMES = {"likelihoods": "group_models", "apart": "column_models", "holes": "missing_columns"}


def current_description(description: Description) -> Description:
    """Convert the description of a file of any past version, in place, and return it.

    What versions 4 and 7 changed needs no conversion: their files may hold what earlier versions could not read, such
    as the exponents of moments, or labels of further types.
    """
    version = description["version"]
    if version < 2:
        _add_choices(description)
    if version < 3:
        _wrap_temperature(description)
    if version < 5:
        _drop_two_pass(description)
        _rename_choices(description)
    if version < 6:
        _add_sample(description)
    if version < 8:
        _add_refinement(description)
    return description


def current_arrays(arrays: Arrays, version: int) -> Arrays:
    """Return the arrays of a file of any past version under the names that they have now."""
    if version >= 5:
        return arrays
    return {_current_name(name): array for name, array in arrays.items()}


def _current_name(name: str) -> str:
    number, _, rest = name.partition(".")
    return f"{number}.{ARRAY_NAMES[rest]}" if rest in ARRAY_NAMES else name


def _add_choices(description: Description) -> None:
    """Before version 2, nothing was chosen and there were fewer settings."""
    description["chosen"] = None
    for name in ("calibrate", "class_weight", "deployed"):
        description["settings"].setdefault(name, None)


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


def _rename_choices(description: Description) -> None:
    """Before version 5, choices and the prior in use had other names."""
    settings = description["settings"]
    settings["deployed_prior"] = settings.pop("deployed", None)
    description["choices"] = choices = description.pop("chosen", None)
    if choices is not None:
        parameters = choices["parameters"]
        choices["object"] = "Choices"
        choices["parameters"] = {CHOICE_NAMES.get(name, name): value for name, value in parameters.items()}


def _add_sample(description: Description) -> None:
    """Before version 6, no rows were remembered, and a class prior could be changed in two ways."""
    settings = description["settings"]
    deployed = settings.pop("deployed_prior", None)
    if deployed is not None:
        settings["class_prior"] = deployed
    settings["remember"] = 0
    description["sample"] = {"limit": 0, "remember": 0, "whole": True, "rows": None}


def _add_refinement(description: Description) -> None:
    """Before version 8, models were plain sums of evidence, and had no rows without labels."""
    description["settings"] |= {"refine": None, "pairs": None, "declared_pairs": {"tuple": []}}
    description["joint"] = None
    description["expected"] = None


def _objects(value: Any, name: str) -> Iterator[dict[str, Any]]:
    """Yield every object of a class in a description, at any depth."""
    if isinstance(value, dict):
        if value.get("object") == name:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _objects(item, name)
