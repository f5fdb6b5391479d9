"""Model files that hold together formally but have odd content: values changed, the digest made anew.

A model file is a description in JSON and arrays; some of the arrays are JSON texts themselves, the names of classes and
categories. A mutation changes one to three places of them.
"""

import copy
import json

import numpy as np
from safetensors.numpy import load as from_bytes
from safetensors.numpy import save as to_bytes

from deciban.files.model_file import digest

# Values that take the place of others.
ODD_VALUES = (
    None, True, False, -1, 0, 1, 2, 3, 7, 2**31, -(2**63), 2**64, 10**30, -0.0, 0.5, 1.5, -1.5, 1e-320, 1e154, 1e308,
    -1e308, float("nan"), float("inf"), "", "a", "auto", "map", "uniform", "balanced", "evidence", "\ud800", "x" * 300,
    [], {}, [[]], [1, 2], ["a", "b"], {"tuple": []}, {"tuple": [1, 2]}, {"mapping": [["a", 1.0]]}, {"slice": [0, 1]},
    {"slice": [0, 10**9]}, {"array": [1.0], "dtype": "<f8"}, {"array": [[1]], "dtype": "<U99999999"},
    {"array": [1.0, 2.0], "dtype": "O"},
)  # fmt: skip
ODD_NUMBERS = (-1.0, 0.0, 0.5, 1.0, 3.0, 1e-320, 1e17, 1e154, 1e300, -1e308, np.nan, np.inf, -np.inf)
TYPES = ("<f8", "<f4", "<f2", "<i8", "<i4", "<i2", "|u1", "<u8", "|b1")


def read_contents(data):
    """Return the description and the arrays of a model file."""
    size = int.from_bytes(data[:8], "little")
    return json.loads(json.loads(data[8 : 8 + size])["__metadata__"]["deciban"]), from_bytes(data)


def write_contents(description, arrays):
    """Return a model file with a right digest."""
    text = json.dumps(description)
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    return to_bytes(arrays, {"deciban": text, "digest": digest(text, arrays)})


def mutated(description, arrays, rng):
    """Return a model file with one to three changes."""
    description, arrays = copy.deepcopy(description), dict(arrays)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if not arrays or rng.random() < 0.5:
            description = mutated_json(description, rng)
        else:
            mutate_arrays(arrays, rng)
    return write_contents(description, arrays)


def places(value, parent=None, key=None):
    """Yield every value of a tree of JSON with its container and its key there."""
    if parent is not None:
        yield parent, key
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for child_key, child in list(children):
        yield from places(child, value, child_key)


def mutated_json(tree, rng):
    """Return a tree of JSON with one value replaced, moved, copied, left out or renamed."""
    found = list(places(tree))
    if not found:
        return rng.choice(ODD_VALUES)
    parent, key = rng.choice(found)
    kind = rng.randrange(8)
    if kind <= 2:
        parent[key] = copy.deepcopy(rng.choice(ODD_VALUES))
    elif kind == 3:
        parent[key] = nudged(parent[key], rng)
    elif kind == 4:
        other, there = rng.choice(found)
        one, two = copy.deepcopy((parent[key], other[there]))
        parent[key], other[there] = two, one
    elif kind == 5:
        del parent[key]
    elif isinstance(parent, list):
        parent.insert(rng.randrange(len(parent) + 1), copy.deepcopy(parent[key]))
    else:
        parent[rng.choice([*parent, "extra"])] = copy.deepcopy(parent[key])
    return tree


def nudged(value, rng):
    """Return a value near a given one: a number of another size or type, a text changed, a list in another order."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return rng.choice((-value, value + 1, value - 1, value * 2, float(value), str(value), [value]))
    if isinstance(value, str):
        return rng.choice((value + "x", value[:-1], value.upper(), [value], value + "\0"))
    if isinstance(value, list):
        return rng.choice((value[::-1], value + value, value[:-1], value[1:], [value]))
    return [value]


def mutate_arrays(arrays, rng):
    """Change one array, leave it out, rename it or exchange it with another."""
    name = rng.choice(sorted(arrays))
    array = arrays[name]
    kind = rng.randrange(10)
    if kind == 0:
        del arrays[name]
    elif kind == 1:
        other = rng.choice(sorted(arrays))
        arrays[name], arrays[other] = arrays[other], array
    elif kind == 2:
        arrays[other_name(name, rng)] = array
    elif kind == 3:
        arrays[name] = retyped(array, rng)
    elif kind == 4:
        arrays[name] = reshaped(array, rng)
    elif array.dtype == np.uint8 and array.size:
        arrays[name] = mutated_text(array, rng)
    else:
        arrays[name] = renumbered(array, rng)


def other_name(name, rng):
    number, _, rest = name.partition(".")
    return rng.choice((f"{rng.choice((0, 1, 2, 9, -1))}.{rest}", f"{number}.{rest}.x", f"{name}0", "extra", "7", ""))


def retyped(array, rng):
    with np.errstate(all="ignore"):
        return array.astype(rng.choice(TYPES))


def reshaped(array, rng):
    flat = array.ravel()
    return rng.choice(
        (flat, array[None], array[..., None], array.T, flat[:-1], np.append(flat, flat[-1:]), array[:-1] if array.ndim
         else flat, np.concatenate([array, array]) if array.ndim else flat, flat[:0], flat[:1].reshape(()) if flat.size
         else flat, np.zeros((0, 10**12)), np.zeros((10**9, 0)))
    )  # fmt: skip


def mutated_text(array, rng):
    """Return an array of bytes changed: as the JSON that it may be, or byte by byte."""
    try:
        tree = json.loads(array.tobytes())
    except ValueError:
        changed = array.copy()
        changed.flat[rng.randrange(array.size)] = rng.randrange(256)
        return changed
    return np.frombuffer(json.dumps(mutated_json(tree, rng)).encode("utf-8"), np.uint8)


def renumbered(array, rng):
    """Return an array with one number, or all of them, changed."""
    changed = array.copy()
    if not array.size:
        return changed
    number = rng.choice(ODD_NUMBERS)
    one = np.unravel_index(rng.randrange(array.size), array.shape)
    with np.errstate(all="ignore"):
        kind = rng.randrange(6)
        if kind <= 2:
            changed[one] = np.array(number).astype(array.dtype)
        elif kind == 3:
            changed[...] = np.array(number).astype(array.dtype)
        elif kind == 4:
            changed = changed * np.array(rng.choice((-1, 2, 1000))).astype(array.dtype)
        else:
            changed = changed.ravel()[::-1].reshape(array.shape)
    return changed
