"""The model file: the statistics as safetensors, everything else as JSON in its header, a digest over both."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

import deciban
from deciban.arrays.frame import Columns
from deciban.files.atomic import write_whole
from deciban.files.plain import UnknownClassError, from_plain, known_classes, to_plain
from deciban.files.sample import SAMPLE, describe_sample, read_sample, sample_arrays
from deciban.files.versions import VERSION, current_arrays, current_description
from deciban.likelihoods import Likelihood
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.schema import Column, Schema
from deciban.model.settings import Settings
from deciban.priors.estimation import Estimation
from deciban.statistics import STATISTICS, RowSample, Statistics

Arrays = dict[str, NDArray[Any]]
Description = dict[str, Any]


def save(classifier: Classifier, path: Any, rows: bool = False) -> None:
    """Write a classifier to a file, which appears complete or not at all; its sample only if ``rows`` asks for it."""

    def write(temporary: Path) -> None:
        with open(temporary, "wb") as file:
            write_model(classifier, file, rows)

    write_whole(Path(path), write)


def write_model(classifier: Classifier, file: Any, rows: bool = False) -> None:
    """Write a classifier to an open file; its sample only if ``rows`` asks for it."""
    from safetensors.numpy import save as to_bytes

    sample = classifier.sample if rows else RowSample.none(classifier.sample.remember)
    every = classifier.statistics.to_arrays() | sample_arrays(sample)
    arrays = {name: np.ascontiguousarray(a) for name, a in every.items()}
    text = json.dumps(_describe(classifier) | {"sample": describe_sample(sample)})
    head, body = sort_header(to_bytes(arrays, {"deciban": text, "digest": digest(text, arrays)}))
    file.write(head)
    file.write(body)


def sort_header(data: bytes) -> tuple[bytes, memoryview]:
    """Return the header with sorted names, and the arrays, so that equal models are equal files.

    safetensors leaves the order of the names to chance.
    """
    size = int.from_bytes(data[:8], "little")
    header = json.dumps(json.loads(data[8 : 8 + size]), sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)  # arrays begin at a multiple of eight
    return len(header).to_bytes(8, "little") + header, memoryview(data)[8 + size :]


def load(path: Any, likelihoods: Iterable[type[Likelihood]] = ()) -> Classifier:
    """Read a classifier from a file; ``likelihoods`` are classes of event models that are not deciban's own."""
    known = known_classes(likelihoods)
    # Read, not mapped: a file that is cut short under a map would kill the process.
    data = Path(path).read_bytes()
    text, arrays = _parse(path, data)
    try:
        described = json.loads(text)
        arrays = current_arrays(arrays, described["version"])
        return _classifier(current_description(described), arrays, known)
    except UnknownClassError as error:
        refuse_file(path, f"names the event model {error}, which is unknown here; pass its class in likelihoods=[...]")
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        first_line = str(error).splitlines()[0] if str(error) else type(error).__name__
        refuse_file(path, f"does not hold together: {first_line}")


def refuse_file(path: Any, reason: str) -> NoReturn:
    """Raise a ValueError that names the file and the reason in one line."""
    raise ValueError(f"{path} {reason}.") from None


def _parse(path: Any, data: bytes) -> tuple[str, Arrays]:
    """Return the description and the arrays of a file whose digest is right."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as from_bytes

    size = int.from_bytes(data[:8], "little")
    try:
        metadata = json.loads(data[8 : 8 + size])["__metadata__"]
        text, expected = metadata["deciban"], metadata["digest"]
        version = json.loads(text)["version"]
    except (ValueError, LookupError, TypeError, RecursionError):
        refuse_file(path, "is not a deciban model, or it is damaged; save it again, or take another copy")
    if isinstance(version, int) and version > VERSION:
        reason = f"was written by a later deciban (its format is {version}, this one reads {VERSION}); upgrade"
        refuse_file(path, reason)
    try:
        arrays = from_bytes(data)
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError):
        refuse_file(path, "is damaged: its arrays cannot be read; save it again, or take another copy")
    if digest(text, arrays) != expected:
        refuse_file(path, "is damaged: its digest does not match its content; save it again, or take another copy")
    return text, arrays


def digest(text: str, arrays: Arrays) -> str:
    """Return SHA-256 over the description and every array with its name, type and shape."""
    whole = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    for name in sorted(arrays):
        array = arrays[name]
        whole.update(f"\0{name}\0{array.dtype.str}\0{array.shape}\0".encode("utf-8", "surrogatepass"))
        whole.update(np.ascontiguousarray(array).data if array.size else b"")
    return whole.hexdigest()


def _describe(classifier: Classifier) -> Description:
    settings, schema = classifier.settings, classifier.schema
    return {
        "version": VERSION,
        "deciban": deciban.__version__,
        "groups": [
            {"columns": _plain_columns(group.columns), "likelihood": to_plain(group.likelihood)}
            for group in classifier.groups
        ],
        "settings": {
            "alpha": to_plain(settings.estimation.alpha),
            "estimate": settings.estimation.kind,
            "class_prior": to_plain(settings.class_prior),
            "calibrate": settings.calibrate,
            "class_weight": to_plain(settings.class_weight),
            "remember": settings.remember,
        },
        "choices": to_plain(classifier.choices),
        "schema": None if schema is None else {
            "target": schema.target,
            "target_kind": schema.target_kind,
            "weight": schema.weight,
            "columns": [[c.name, c.kind, to_plain(c.likelihood), c.why] for c in schema.columns],
        },
    }  # fmt: skip


def _plain_columns(columns: Columns) -> Any:
    if columns is None:
        return None
    return {"slice": [columns.start, columns.stop]} if isinstance(columns, slice) else columns.tolist()


def _columns(plain: Any) -> Columns:
    if plain is None:
        return None
    return slice(*plain["slice"]) if isinstance(plain, dict) else np.array(plain)


def _classifier(described: Description, arrays: Arrays, known: dict[str, type]) -> Classifier:
    groups = [Group(_columns(g["columns"]), from_plain(g["likelihood"], known)) for g in described["groups"]]
    kinds = STATISTICS | {group.likelihood.keeps.name: group.likelihood.keeps for group in groups}
    statistics = Statistics.from_arrays({n: a for n, a in arrays.items() if not n.startswith(SAMPLE)}, kinds)
    if len(statistics.blocks) != len(groups):
        raise ValueError(f"it has {len(groups)} groups of columns but {len(statistics.blocks)} blocks of statistics")
    settings = {name: from_plain(value, known) for name, value in described["settings"].items()}
    estimation = Estimation(settings.pop("alpha"), settings.pop("estimate"))
    choices = from_plain(described["choices"], known)
    _check_choices(choices, groups, statistics)
    schema = _schema(described["schema"], known)
    _check_columns(schema, groups, statistics)
    found = Classifier(
        tuple(groups),
        statistics,
        Settings(estimation, **settings),
        schema=schema,
        choices=choices,
        sample=read_sample(described["sample"], arrays),
        due_at=float(statistics.weight.sum()),
    )
    if found.sample.rows is not None and found.sample_frame().shape[1] != found.features:
        raise ValueError(f"the rows of its sample do not have its {found.features} columns")
    return found


def _schema(described: Description | None, known: dict[str, type]) -> Schema | None:
    if described is None:
        return None
    columns = (Column(n, k, from_plain(likelihood, known), why) for n, k, likelihood, why in described["columns"])
    return Schema(tuple(columns), described["target"], described["target_kind"], described["weight"])


def _check_columns(schema: Schema | None, groups: list[Group], statistics: Statistics) -> None:
    """Raise unless every column is in one group, has statistics there, and has a name of its own if there are names."""
    sizes = [block.features for block in statistics.blocks]
    places = [group.column_indices(sum(sizes)).tolist() for group in groups]
    if [len(columns) for columns in places] != sizes or len({j for columns in places for j in columns}) != sum(sizes):
        raise ValueError("its groups of columns do not fit its statistics")
    if schema is not None and len(set(schema.names)) != sum(sizes):
        raise ValueError(f"it has the names of {len(set(schema.names))} columns but statistics of {sum(sizes)}")


def _check_choices(choices: Choices | None, groups: list[Group], statistics: Statistics) -> None:
    """Raise unless choices fit the columns."""
    if choices is None:
        return
    models = choices.group_models
    if models is not None:
        fits = len(models) == len(groups)
        if not fits or any(a.keeps is not g.likelihood.keeps for a, g in zip(models, groups)):
            raise ValueError("what was chosen does not fit the columns")
    if choices.alpha is not None:
        Estimation(choices.alpha)
    features = sum(block.features for block in statistics.blocks)
    named = (*choices.missing_columns, *dict(choices.column_models))
    if not all(isinstance(j, int) and 0 <= j < features for j in named):
        raise ValueError("what was chosen names columns that are not there")
    keeps = {j: group.likelihood.keeps for group in groups for j in group.column_indices(features).tolist()}
    if any(model is not None and model.keeps is not keeps[j] for j, model in choices.column_models):
        raise ValueError("what was chosen does not fit the columns")
