"""The model file: the statistics as safetensors, everything else as JSON in its header, a digest over both."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.checks import require
from deciban.files.atomic import write_whole
from deciban.files.description import check_classifier, describe, joint_arrays, read_classifier
from deciban.files.expected import expected_arrays
from deciban.files.plain import UnknownClassError, known_classes
from deciban.files.sample import describe_sample, sample_arrays
from deciban.files.versions import VERSION, current_arrays, current_description
from deciban.files.writable import require_writable
from deciban.likelihoods import Likelihood
from deciban.model.classifier import Classifier
from deciban.statistics import RowSample
from deciban.terminal.printable import printable

Arrays = dict[str, NDArray[Any]]

# Bytes of the longest header, the same limit as in safetensors, and the most bytes that are read at a time.
LONGEST_HEADER, LARGEST_PART = 100_000_000, 1 << 24
# Characters of the longest reason that an error gives, because a reason may quote the file.
LONGEST_REASON = 400
NOT_A_MODEL = "is not a deciban model, or it is damaged; save it again, or take another copy"


def save(classifier: Classifier, path: Any, rows: bool = False) -> None:
    """Write a classifier to a file, which appears complete or not at all; its sample only if ``rows`` asks for it."""

    def write(temporary: Path) -> None:
        with open(temporary, "wb") as file:
            write_model(classifier, file, rows)

    write_whole(Path(path), write)


def write_model(classifier: Classifier, file: Any, rows: bool = False) -> None:
    """Write a classifier to an open file; its sample only if ``rows`` asks for it."""
    from safetensors.numpy import save as to_bytes

    require_writable(classifier)
    check_classifier(classifier)
    sample = classifier.sample if rows else RowSample.none(classifier.sample.remember)
    described, chosen = describe(classifier)
    every = classifier.statistics.to_arrays() | joint_arrays(classifier) | expected_arrays(classifier)
    every |= sample_arrays(sample) | chosen
    arrays = {name: np.ascontiguousarray(a) for name, a in every.items()}
    text = json.dumps(described | {"sample": describe_sample(sample)})
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
    with open(path, "rb") as file:
        texts, data = _read(path, file)
    text, arrays = _parse(path, texts, data)
    try:
        described = json.loads(text)
        require(type(described["version"]) is int and described["version"] > 0, "its version is not a number")
        arrays = current_arrays(arrays, described["version"])
        return read_classifier(current_description(described), arrays, known)
    except UnknownClassError as error:
        refuse_file(path, f"names the event model {error}, which is unknown here; pass its class in likelihoods=[...]")
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        first_line = str(error).splitlines()[0] if str(error) else type(error).__name__
        refuse_file(path, f"does not hold together: {first_line.rstrip('.')}")


def refuse_file(path: Any, reason: str) -> NoReturn:
    """Raise a ValueError that names the file and the reason in one line, whatever text the reason quotes."""
    line = " ".join(reason.split())
    short = line if len(line) <= LONGEST_REASON else line[:LONGEST_REASON] + "…"
    raise ValueError(f"{path} {printable(short)}.") from None


def _read(path: Any, file: BinaryIO) -> tuple[dict[str, str], bytes]:
    """Return the texts in the header of a model file, or of a pipe, and all its bytes.

    The length of the header comes first, and the header says how much follows: a device without an end, or any other
    large file, is refused before it is read.
    """
    head = file.read(8)
    size = int.from_bytes(head, "little")
    text = b"".join(_read_parts(file, size)) if size <= LONGEST_HEADER else b""
    try:
        header = json.loads(text)
        metadata = header.pop("__metadata__")
        texts = {name: metadata[name] for name in ("deciban", "digest")}
        following = max((entry["data_offsets"][1] for entry in header.values()), default=0)
        parts = _read_parts(file, following + 1)  # + 1: safetensors refuses bytes after the end
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        refuse_file(path, NOT_A_MODEL)
    return texts, b"".join((head, text, *parts))


def _read_parts(file: BinaryIO, size: int) -> list[bytes]:
    """Return the next bytes of a file in parts, so that a wrong size does not reserve memory."""
    parts = []
    while size > 0 and (part := file.read(min(size, LARGEST_PART))):
        parts.append(part)
        size -= len(part)
    return parts


def _parse(path: Any, texts: dict[str, str], data: bytes) -> tuple[str, Arrays]:
    """Return the description and the arrays of a file whose digest is right."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as from_bytes

    text, expected = texts["deciban"], texts["digest"]
    try:
        version = json.loads(text)["version"]
    except (ValueError, LookupError, TypeError, RecursionError):
        refuse_file(path, NOT_A_MODEL)
    if isinstance(version, int) and version > VERSION:
        reason = f"was written by a later deciban (its format is {version}, this one reads {VERSION}); upgrade"
        refuse_file(path, reason)
    try:
        arrays = from_bytes(data)
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError):
        refuse_file(path, "is damaged: its arrays cannot be read; save it again, or take another copy")
    if any(axis > len(data) for array in arrays.values() for axis in array.shape):  # as without cells
        refuse_file(path, "does not hold together: an array is wider than the file is long")
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
