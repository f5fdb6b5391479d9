"""Arguments of a kernel with some of them changed: shape, number type, layout, values, or type."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

KINDS = ["f8", "f4", "f2", "c16", "i8", "i4", "i1", "u8", "u1", "?", ">f8", ">i4", "O", "U2", "M8[s]", "V8"]
SIZES = [0, 1, -1, -2, 2, 7, 2**62, 2**63 - 1, -(2**63)]  # none of them a number of classes that fits into memory
CELLS = [*SIZES, 2**31 - 1, -(2**31)]
FLOATS = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, -1.0, 0.5, 2.0**63]
OTHERS = [None, 0, -1, 1.5, "text", b"bytes", [], (), {}, object(), np.float64(1), np.zeros(()), np.zeros((1, 1, 1, 1))]


def misaligned(a: np.ndarray) -> np.ndarray:
    """Return a copy whose memory begins one byte after a multiple of eight."""
    memory = np.zeros(a.nbytes + 8, np.uint8)
    begin = 1 + -memory.ctypes.data % 8
    out = memory[begin : begin + a.nbytes].view(a.dtype).reshape(a.shape, order="F" if a.flags.fnc else "C")
    out[...] = a
    return out


def read_only(a: np.ndarray) -> np.ndarray:
    out = a.copy()
    out.flags.writeable = False
    return out


def spread(a: np.ndarray) -> np.ndarray:
    """Return a copy whose last axis has gaps."""
    return np.repeat(a, 2, axis=-1)[..., ::2]


def broadcast(a: np.ndarray) -> np.ndarray:
    """Return an array of the same shape whose cells share one cell of memory."""
    return np.lib.stride_tricks.as_strided(np.zeros(1, a.dtype), a.shape, (0,) * a.ndim)


def resized(rng: np.random.Generator, a: np.ndarray) -> np.ndarray:
    """Return an array with other lengths, or another number of axes."""
    if rng.random() < 0.1:
        return a[None] if rng.random() < 0.5 else a.ravel()
    shape = [max(0, n + int(rng.integers(-2, 3))) if rng.random() < 0.5 else n for n in a.shape]
    if rng.random() < 0.2:
        shape[int(rng.integers(a.ndim))] = 0
    out = np.zeros(shape, a.dtype)
    kept = tuple(slice(0, min(n, m)) for n, m in zip(shape, a.shape))
    out[kept] = a[kept]
    return out


def revalued(rng: np.random.Generator, a: np.ndarray) -> np.ndarray:
    """Return a copy in which some cells have extreme or moved values."""
    out = a.copy()
    for _ in range(1 + int(rng.integers(3))):
        if not out.size:
            break
        at = int(rng.integers(out.size))
        if out.dtype.kind == "f":
            value = FLOATS[rng.integers(len(FLOATS))]
        else:
            value = CELLS[rng.integers(len(CELLS))] + (int(out.flat[at]) if rng.random() < 0.5 else 0)
            value = value & (2 ** (8 * out.itemsize) - 1)
        with np.errstate(over="ignore"):
            out.flat[at] = value if out.dtype.kind == "f" else np.array(value, np.uint64).astype(out.dtype)
    return out


def retyped(rng: np.random.Generator, a: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.zeros(a.shape, KINDS[rng.integers(len(KINDS))]) if rng.random() < 0.5 else a.astype("f4")


LAYOUTS = [misaligned, read_only, spread, broadcast, lambda a: a[::-1], lambda a: a.copy("F"), lambda a: a[:0]]


@singledispatch
def changed(value: object, rng: np.random.Generator) -> object:
    """Return something other than a value: of the same type where it has many values, else of any type."""
    return OTHERS[rng.integers(len(OTHERS))]


@changed.register
def _(value: np.ndarray, rng: np.random.Generator) -> object:
    choice = rng.integers(9)
    if choice < 2:
        return resized(rng, value)
    if choice < 6:
        return revalued(rng, value)
    if choice < 7:
        return LAYOUTS[rng.integers(len(LAYOUTS))](value)
    return retyped(rng, value) if choice < 8 else OTHERS[rng.integers(len(OTHERS))]


@changed.register
def _(value: int, rng: np.random.Generator) -> object:
    return SIZES[rng.integers(len(SIZES))] + (value if rng.random() < 0.5 else 0)


@changed.register
def _(value: list, rng: np.random.Generator) -> object:
    out = list(value)
    at = int(rng.integers(len(out) + 1))
    if at == len(out) or rng.random() < 0.2:
        return out[:at] if rng.random() < 0.5 else [*out, *out[:1]]
    out[at] = changed(out[at], rng)
    return out


def change(arguments: tuple, others: tuple, count: int, rng: np.random.Generator) -> tuple:
    """Return the arguments with some of them changed, or taken from other arguments, which are of other sizes."""
    positions = rng.permutation(len(arguments))[:count].tolist()
    spliced = list(arguments)
    for i in positions:
        spliced[i] = others[i] if rng.random() < 0.3 else changed(arguments[i], rng)
    return tuple(spliced)
