"""Settings and event models as plain JSON values and back; loading never executes anything from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.packing import pack_value, unpack_value
from deciban.likelihoods import LIKELIHOODS, Likelihood
from deciban.likelihoods.joint import Joint
from deciban.model.calibration import Isotonic, Temperature
from deciban.model.choices import Choices
from deciban.priors.class_prior import Improper
from deciban.priors.number_priors import Gamma, NormalInverseGamma
from deciban.priors.priors import Beta, Dirichlet
from deciban.refinement.cells import CategoryCells, NumberCells
from deciban.refinement.correction import Correction
from deciban.refinement.counters import PairCounter, VectorCounter
from deciban.refinement.design import Design
from deciban.refinement.joint_counts import JointPlan
from deciban.refinement.pairs import PairTable
from deciban.refinement.refinement import Refinement
from deciban.statistics.products import Products

PRIORS = {kind.__name__: kind for kind in (Beta, Dirichlet, Gamma, Improper, NormalInverseGamma)}
REFINEMENTS = (
    Refinement, Correction, Design, NumberCells, CategoryCells, Products, PairTable, JointPlan, VectorCounter,
    PairCounter,
)  # fmt: skip
CHOICES = {kind.__name__: kind for kind in (Choices, Isotonic, Temperature, *REFINEMENTS)}
OBJECTS = (Likelihood, *PRIORS.values(), *CHOICES.values())
# The kinds of NumPy types that arrays in a description have: numbers and truth values.
ARRAY_KINDS = "fiub"
# Arrays of more numbers are not written as JSON, where there is another place for them.
MOST_NUMBERS = 1000

Arrays = dict[str, NDArray[Any]]


class UnknownClassError(Exception):
    """A file names a class that is not known."""


def to_plain(value: Any, stored: Arrays | None = None) -> Any:
    """Return a value as JSON can hold it; arrays, priors and event models become objects with a name.

    Large arrays are added to ``stored``, if it is given, and JSON has their names there.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [to_plain(v, stored) for v in value]
    if isinstance(value, tuple):
        return {"tuple": [to_plain(v, stored) for v in value]}
    if isinstance(value, np.ndarray) and value.dtype.kind in ARRAY_KINDS:
        if stored is not None and value.size > MOST_NUMBERS:
            name = str(len(stored))
            stored[name] = value
            return {"stored": name}
        return {"array": value.tolist(), "dtype": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, Mapping):
        return {"mapping": [[to_plain(k, stored), to_plain(v, stored)] for k, v in value.items()]}
    if is_dataclass(value) and not isinstance(value, type) and isinstance(value, OBJECTS):
        parameters = {f.name: to_plain(getattr(value, f.name), stored) for f in fields(value)}  # type: ignore[arg-type]
        return {"object": type(value).__name__, "parameters": parameters}
    return {"packed": pack_value(value)}


def from_plain(value: Any, known: Mapping[str, type], stored: Arrays | None = None) -> Any:
    """Return the value that :func:`to_plain` described; ``known`` are the classes that may occur, by name.

    Arrays are taken out of ``stored`` as they are read.
    """
    if isinstance(value, list):
        return [from_plain(v, known, stored) for v in value]
    if not isinstance(value, dict):
        return value
    if "tuple" in value:
        return tuple(from_plain(v, known, stored) for v in value["tuple"])
    if "stored" in value:
        return (stored or {}).pop(value["stored"])
    if "array" in value:
        kind = np.dtype(value["dtype"])
        if kind.kind not in ARRAY_KINDS or kind.shape:
            raise ValueError(f"an array of numbers cannot be of the type {kind}")
        array = np.array(value["array"], dtype=kind)
        return (
            array.reshape(value["shape"]) if "shape" in value else array
        )  # nested lists do not tell the shape of none
    if "packed" in value:
        return unpack_value(value["packed"])
    if "mapping" in value:
        return {from_plain(k, known, stored): from_plain(v, known, stored) for k, v in value["mapping"]}
    name = value["object"]
    if name not in known:
        raise UnknownClassError(name)
    return known[name](**{k: from_plain(v, known, stored) for k, v in value["parameters"].items()})


def read_object(value: Any, known: Mapping[str, type], kind: type, stored: Arrays | None = None) -> Any:
    """Return the object that :func:`to_plain` described, or raise if it is not of a kind."""
    found = from_plain(value, known, stored)
    if not isinstance(found, kind):
        raise ValueError(f"{found!r} is not a {kind.__name__}")
    return found


def read_optional(value: Any, known: Mapping[str, type], kind: type, stored: Arrays | None = None) -> Any:
    """Return the object that :func:`to_plain` described, None for None, or raise if it is not of a kind."""
    return None if value is None else read_object(value, known, kind, stored)


def known_classes(likelihoods: Iterable[type[Likelihood]]) -> dict[str, type]:
    """Return the classes that a file may name: deciban's own, and the event models given."""
    given = list(likelihoods)
    for kind in given:
        if not (isinstance(kind, type) and issubclass(kind, Likelihood)):
            raise ValueError(f"likelihoods has {kind!r}; give classes of event models.")
    every: list[type] = [*LIKELIHOODS.values(), Joint, *given]
    return PRIORS | CHOICES | {kind.__name__: kind for kind in every}
