"""The model file: the statistics as safetensors, everything else as JSON in its header, a digest over both."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

import deciban
from deciban.files.plain import UnknownClassError, from_plain, known_classes, to_plain
from deciban.files.versions import VERSION, as_current
from deciban.likelihoods import Likelihood
from deciban.model.classifier import Chosen, Classifier, Group, Settings
from deciban.model.schema import Column, Schema
from deciban.priors.priors import Estimation
from deciban.statistics import STATISTICS, Statistics

Arrays = dict[str, NDArray[Any]]


def save(classifier: Classifier, path: Any) -> None:
    """Write a classifier to a file, which appears complete or not at all."""
    from safetensors.numpy import save as to_bytes

    arrays = {name: np.ascontiguousarray(a) for name, a in classifier.statistics.to_arrays().items()}
    text = json.dumps(_described(classifier))
    head, body = in_order(to_bytes(arrays, {"deciban": text, "digest": digest(text, arrays)}))

    def write(temporary: Path) -> None:
        with open(temporary, "wb") as file:
            file.write(head)
            file.write(body)

    write_whole(Path(path), write)


def in_order(data: bytes) -> tuple[bytes, memoryview]:
    """Header and arrays, the names in the header sorted: safetensors leaves them to chance, and equal models are equal
    files."""
    size = int.from_bytes(data[:8], "little")
    header = json.dumps(json.loads(data[8 : 8 + size]), sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)  # arrays begin at a multiple of eight
    return len(header).to_bytes(8, "little") + header, memoryview(data)[8 + size :]


def load(path: Any, likelihoods: Iterable[type[Likelihood]] = ()) -> Classifier:
    """A classifier from a file; ``likelihoods`` are classes of event models that are not deciban's own."""
    known = known_classes(likelihoods)
    # Read, not mapped: a file that is cut short under a map would kill the process.
    data = Path(path).read_bytes()
    text, arrays = _parsed(path, data)
    try:
        described = as_current(json.loads(text))
        return _classifier(described, arrays, known)
    except UnknownClassError as error:
        refuse(path, f"names the event model {error}, which is unknown here; pass its class in likelihoods=[...]")
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        refuse(path, f"does not hold together: {str(error).splitlines()[0] if str(error) else type(error).__name__}")


def refuse(path: Any, why: str) -> NoReturn:
    raise ValueError(f"{path} {why}.") from None


def _parsed(path: Any, data: bytes) -> tuple[str, Arrays]:
    """The description and the arrays of a file whose digest is right."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as from_bytes

    size = int.from_bytes(data[:8], "little")
    try:
        metadata = json.loads(data[8 : 8 + size])["__metadata__"]
        text, expected = metadata["deciban"], metadata["digest"]
        version = json.loads(text)["version"]
    except (ValueError, LookupError, TypeError, RecursionError):
        refuse(path, "is no deciban model, or it is damaged; save it again, or take another copy")
    if isinstance(version, int) and version > VERSION:
        refuse(path, f"was written by a later deciban (its format is {version}, this one reads {VERSION}); upgrade")
    try:
        arrays = from_bytes(data)
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError):
        refuse(path, "is damaged: its arrays cannot be read; save it again, or take another copy")
    if digest(text, arrays) != expected:
        refuse(path, "is damaged: its digest is not that of its content; save it again, or take another copy")
    return text, arrays


def digest(text: str, arrays: Arrays) -> str:
    """SHA-256 over the description and every array with its name, type and shape."""
    whole = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    for name in sorted(arrays):
        array = arrays[name]
        whole.update(f"\0{name}\0{array.dtype.str}\0{array.shape}\0".encode("utf-8", "surrogatepass"))
        whole.update(np.ascontiguousarray(array).data if array.size else b"")
    return whole.hexdigest()


def _described(classifier: Classifier) -> dict[str, Any]:
    how, schema = classifier.settings.how, classifier.schema
    return {
        "version": VERSION,
        "deciban": deciban.__version__,
        "groups": [
            {"columns": _columns(group.columns), "likelihood": to_plain(group.likelihood)}
            for group in classifier.groups
        ],
        "settings": {
            "alpha": to_plain(how.alpha),
            "estimate": how.kind,
            "class_prior": to_plain(classifier.settings.class_prior),
            "calibrate": classifier.settings.calibrate,
            "class_weight": to_plain(classifier.settings.class_weight),
            "deployed": to_plain(classifier.settings.deployed),
        },
        "chosen": to_plain(classifier.chosen),
        "schema": None if schema is None else {
            "target": schema.target,
            "target_kind": schema.target_kind,
            "weight": schema.weight,
            "columns": [[c.name, c.kind, to_plain(c.likelihood), c.why] for c in schema.columns],
        },
    }  # fmt: skip


def _columns(columns: Any) -> Any:
    if columns is None:
        return None
    return {"slice": [columns.start, columns.stop]} if isinstance(columns, slice) else columns.tolist()


def _classifier(described: dict[str, Any], arrays: Arrays, known: dict[str, type]) -> Classifier:
    groups = []
    for group in described["groups"]:
        columns = group["columns"]
        if columns is not None:
            columns = slice(*columns["slice"]) if isinstance(columns, dict) else np.array(columns)
        groups.append(Group(columns, from_plain(group["likelihood"], known)))
    kinds = STATISTICS | {group.likelihood.keeps.name: group.likelihood.keeps for group in groups}
    settings = described["settings"]
    prior = from_plain(settings["class_prior"], known)
    how = Estimation(from_plain(settings["alpha"], known), settings["estimate"])
    statistics = Statistics.from_arrays(arrays, kinds)
    if len(statistics.blocks) != len(groups):
        raise ValueError(f"it has {len(groups)} groups of columns but {len(statistics.blocks)} blocks of statistics")
    schema = described["schema"]
    if schema is not None:
        columns = tuple(Column(n, k, from_plain(likelihood, known), why) for n, k, likelihood, why in schema["columns"])
        schema = Schema(columns, schema["target"], schema["target_kind"], schema["weight"])
    # Before version 2 nothing was chosen.
    others = {name: from_plain(settings.get(name), known) for name in ("calibrate", "class_weight", "deployed")}
    chosen = _checked(from_plain(described.get("chosen"), known), groups, statistics)
    return Classifier(tuple(groups), statistics, Settings(how, prior, **others), schema=schema, chosen=chosen)


def _checked(chosen: Chosen | None, groups: list[Group], statistics: Statistics) -> Chosen | None:
    """A choice that fits the columns."""
    if chosen is None:
        return None
    likelihoods = chosen.likelihoods
    if likelihoods is not None:
        fits = len(likelihoods) == len(groups)
        if not fits or any(a.keeps is not g.likelihood.keeps for a, g in zip(likelihoods, groups)):
            raise ValueError("what was chosen does not fit the columns")
    if chosen.alpha is not None:
        Estimation(chosen.alpha)
    features = sum(block.features for block in statistics.blocks)
    if not all(isinstance(j, int) and 0 <= j < features for j in (*chosen.holes, *dict(chosen.apart))):
        raise ValueError("what was chosen names columns that are not there")
    keeps = {j: group.likelihood.keeps for group in groups for j in group.positions(features).tolist()}
    if any(other is not None and other.keeps is not keeps[j] for j, other in chosen.apart):
        raise ValueError("what was chosen does not fit the columns")
    return chosen


def write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Let ``write`` make a file beside ``path`` and put it in place once complete; an old one stays until then."""
    path = Path(os.path.realpath(path))  # through a link, to what it stands for
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; give a file name")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} to write {path.name} to")
    if path.exists() and not path.is_file():  # a pipe or a device is written to, not replaced
        write(path)
        return
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        write(temporary)
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
