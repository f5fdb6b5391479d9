"""Rows that are kept: copies of some rows of a frame, which can be joined with rows of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.frame import Frame
from deciban.arrays.matrix import Dense, Sparse
from deciban.arrays.names import missing_mask, object_array
from deciban.arrays.packing import pack_names, unpack_names
from deciban.arrays.row_keys import encode_cells
from deciban.arrays.texts import Texts
from deciban.arrays.types import Array, Longs, Mask


class KeptRows:
    """Copies of rows, without labels. Nothing of the frame they come from is held."""

    kind: str  # in model files

    def __len__(self) -> int:
        raise NotImplementedError

    def frame(self, schema: Any = None) -> Frame:
        """Return the rows as a frame, of the columns of a schema if they have names."""
        raise NotImplementedError

    def pick(self, rows: Longs) -> Self:
        """Return the rows with the given numbers."""
        raise NotImplementedError

    def joined(self, other: Any) -> KeptRows:
        """Return these rows and then those of another."""
        raise NotImplementedError

    def same(self, a: Longs, b: Longs) -> Mask:
        """Return whether rows ``a[i]`` and ``b[i]`` are equal, for every i."""
        raise NotImplementedError

    def encoded(self, row: int) -> bytes:
        """Return a row as bytes, by which rows of one key are ordered."""
        raise NotImplementedError

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return flat arrays by name, without Python objects, for files."""
        raise NotImplementedError

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return the rows that :meth:`arrays` described."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class KeptMatrix(KeptRows):
    """Rows of an array: numbers, or values of any hashable kind."""

    kind = "matrix"
    array: Array

    def __len__(self) -> int:
        return len(self.array)

    def frame(self, schema: Any = None) -> Frame:
        return Dense(self.array)

    def pick(self, rows: Longs) -> KeptMatrix:
        return KeptMatrix(self.array[rows])

    def joined(self, other: KeptRows) -> KeptRows:
        if isinstance(other, KeptSparse):
            return as_sparse(self.array).joined(other)
        if not isinstance(other, KeptMatrix):
            raise different_kinds(self, other)
        return KeptMatrix(np.concatenate(in_one_type(self.array, other.array)))

    def same(self, a: Longs, b: Longs) -> Mask:
        x, y = self.array[a], self.array[b]
        equal = x == y
        if x.dtype.kind in "fcO":
            equal |= _missing(x) & _missing(y)
        return np.asarray(np.asarray(equal, dtype=bool).all(axis=1))

    def encoded(self, row: int) -> bytes:
        return encode_cells([(str(j), value) for j, value in enumerate(self.array[row].tolist())])

    def arrays(self) -> dict[str, NDArray[Any]]:
        if self.array.dtype.kind in "biuf":
            return {"array": self.array}
        shape = np.array(self.array.shape, dtype=np.int64)
        return {"packed": pack_names(object_array(self.array.ravel().tolist())), "shape": shape}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> KeptMatrix:
        array = arrays["array"] if "array" in arrays else unpack_names(arrays["packed"]).reshape(arrays["shape"])
        if array.ndim != 2 or array.dtype.kind not in "biufO":
            raise ValueError("the rows of its sample are not rows of an array")
        return cls(array)


def _missing(values: Array) -> Mask:
    return missing_mask(values.ravel()).reshape(values.shape)


def in_one_type(a: Array, b: Array) -> tuple[Array, Array]:
    """Return two arrays in a type that holds the values of both."""
    if a.dtype == b.dtype:
        return a, b
    if a.dtype.kind in "biuf" and b.dtype.kind in "biuf":
        common = np.promote_types(a.dtype, b.dtype)
        wide = a.astype(common), b.astype(common)
        if all(bool((x.astype(y.dtype) == y).all()) or y.dtype.kind == "f" for x, y in zip(wide, (a, b))):
            return wide
    return a.astype(object), b.astype(object)


@dataclass(frozen=True, eq=False)
class KeptSparse(KeptRows):
    """Rows of a sparse matrix, compressed by row, indices sorted, zeros left out."""

    kind = "sparse"
    matrix: Any

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    @staticmethod
    def of(matrix: Any) -> KeptSparse:
        """Copy a SciPy matrix."""
        copy = matrix.tocsr().copy()
        copy.sum_duplicates()
        copy.eliminate_zeros()
        return KeptSparse(copy)

    def frame(self, schema: Any = None) -> Frame:
        return Sparse.of(self.matrix)

    def pick(self, rows: Longs) -> KeptSparse:
        return KeptSparse(self.matrix[rows])

    def joined(self, other: KeptRows) -> KeptSparse:
        from scipy import sparse

        if isinstance(other, KeptMatrix):
            other = as_sparse(other.array)
        if not isinstance(other, KeptSparse):
            raise different_kinds(self, other)
        return KeptSparse(sparse.vstack([self.matrix, other.matrix], format="csr"))

    def same(self, a: Longs, b: Longs) -> Mask:
        x, y = self.matrix[a], self.matrix[b]
        return np.array([_same_entries(x, y, i) for i in range(len(a))], dtype=bool)

    def encoded(self, row: int) -> bytes:
        entries = self.matrix[[row]]
        return encode_cells([(f"{j:09d}", v) for j, v in zip(entries.indices.tolist(), entries.data.tolist())])

    def arrays(self) -> dict[str, NDArray[Any]]:
        m = self.matrix
        shape = np.array(m.shape, dtype=np.int64)
        return {"data": m.data, "indices": m.indices, "indptr": m.indptr, "shape": shape}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> KeptSparse:
        from scipy import sparse

        parts = arrays["data"], arrays["indices"], arrays["indptr"]
        matrix = sparse.csr_array(parts, shape=tuple(arrays["shape"].tolist()))
        matrix.check_format(full_check=True)
        return cls(matrix)


def _same_entries(x: Any, y: Any, row: int) -> bool:
    mine, theirs = (slice(m.indptr[row], m.indptr[row + 1]) for m in (x, y))
    return np.array_equal(x.indices[mine], y.indices[theirs]) and np.array_equal(
        x.data[mine], y.data[theirs], equal_nan=True
    )


def as_sparse(array: Array) -> KeptSparse:
    """Return a dense array as compressed rows."""
    from scipy import sparse

    return KeptSparse.of(sparse.csr_array(array))


@dataclass(frozen=True, eq=False)
class KeptTexts(KeptRows):
    """Texts by themselves: strings, or bytes in UTF-8, None for a missing one."""

    kind = "texts"
    texts: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.texts)

    def frame(self, schema: Any = None) -> Frame:
        return Texts.of(list(self.texts))

    def pick(self, rows: Longs) -> KeptTexts:
        return KeptTexts(tuple(self.texts[i] for i in rows.tolist()))

    def joined(self, other: KeptRows) -> KeptTexts:
        if not isinstance(other, KeptTexts):
            raise different_kinds(self, other)
        return KeptTexts(self.texts + other.texts)

    def same(self, a: Longs, b: Longs) -> Mask:
        pairs = zip(a.tolist(), b.tolist())
        return np.array([_as_text(self.texts[i]) == _as_text(self.texts[j]) for i, j in pairs], dtype=bool)

    def encoded(self, row: int) -> bytes:
        return encode_cells([("text", self.texts[row])])

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"packed": pack_names(object_array([_as_text(text) for text in self.texts]))}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> KeptTexts:
        return cls(tuple(unpack_names(arrays["packed"]).tolist()))


def _as_text(text: Any) -> str | None:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def different_kinds(a: KeptRows, b: KeptRows) -> ValueError:
    """Return the error for rows that cannot be joined."""
    return ValueError(f"rows of a {a.kind} and of a {b.kind} do not join; give all rows in one form.")
