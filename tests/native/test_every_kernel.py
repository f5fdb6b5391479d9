"""Laws of the native border, over the module's own list of functions and methods."""

from itertools import product

import numpy as np
import pytest
from call_every_kernel import GENERATORS, call_randomly, native_functions
from changed_arguments import misaligned, read_only, spread
from kernel_arguments import Draw

FUNCTIONS = native_functions()
every_kernel = pytest.mark.parametrize("name", FUNCTIONS)


def valid_arguments(name, rows=9, features=3, classes=2, seed=0):
    return list(GENERATORS[name](Draw(np.random.default_rng(seed), rows, features, classes)))


def arrays_within(arguments):
    """Yield every array of the arguments, and a function that returns the arguments with another in its place."""
    for i, value in enumerate(arguments):
        for j, part in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(part, np.ndarray) and part.size:

                def replaced(other, i=i, j=j, value=value):
                    other = [*value[:j], other, *value[j + 1 :]] if isinstance(value, list) else other
                    return [*arguments[:i], other, *arguments[i + 1 :]]

                yield part, replaced


def test_every_kernel_has_a_generator_of_arguments():
    assert set(GENERATORS) == set(FUNCTIONS), "write one in kernel_calls.py or text_kernel_calls.py"


@every_kernel
def test_valid_arguments_are_accepted(name):
    for seed in range(20):
        FUNCTIONS[name](*valid_arguments(name, seed=seed))


@every_kernel
def test_no_rows_no_features_and_no_classes_do_not_end_the_process(name):
    accepted = 0
    for rows, features, classes in product((0, 1, 9), repeat=3):
        for seed in range(3):
            try:
                FUNCTIONS[name](*valid_arguments(name, rows if classes else 0, features, classes, seed))
            except ValueError:
                assert not features or not classes, "only a table without features or classes may be refused"
            else:
                accepted += 1
    assert accepted > 0


@every_kernel
def test_arrays_that_are_not_aligned_are_refused(name):
    for seed in range(6):
        for array, replaced in arrays_within(valid_arguments(name, seed=seed)):
            if array.itemsize > 1:
                with pytest.raises(ValueError, match="not aligned"):
                    FUNCTIONS[name](*replaced(misaligned(array)))


@every_kernel
def test_no_result_is_lost_in_a_copy(name):
    """An output of another number type or layout used to be converted, and the kernel wrote into the copy."""
    for array, replaced in arrays_within(valid_arguments(name)):
        arguments = replaced(read_only(array))
        try:
            FUNCTIONS[name](*arguments)
        except TypeError:  # an output
            with pytest.raises(TypeError):
                FUNCTIONS[name](*replaced(array.astype(np.float32)))
            with pytest.raises((TypeError, ValueError), match=r"incompatible|must lie"):
                FUNCTIONS[name](*replaced(spread(array)))


@every_kernel
def test_changed_arguments_are_refused_or_read_within_their_memory(name):
    """`make sanitize` makes many more of these calls, where every read and write is checked."""
    outcome = call_randomly(name, calls=60, seed=0)
    assert outcome["valid accepted"] > 0
