"""Files from strangers: odd content under a right digest is a ValueError of one line, or a model that works."""

import random
import resource
import tracemalloc
import warnings
from pathlib import Path

import pytest
from mutations import mutated, read_contents
from strange_models import saved_models, use

import deciban as db

# A model may warn; these tests are about errors.
pytestmark = pytest.mark.filterwarnings("ignore")

# Bytes that loading a file may take at most: this number, and this multiple of its size.
BASE, GROWTH = 4 << 20, 64
# Bytes that a process may take while files are loaded and used, besides those it has.
FREE_MEMORY = 1 << 30


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the bytes of every model's file, by name."""
    return saved_models(tmp_path_factory.mktemp("models"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.deciban"


@pytest.fixture
def bounded_memory():
    """Let an allocation of much memory fail, where the system knows how much the process has."""
    if not Path("/proc/self/statm").exists():
        yield
        return
    limits = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + FREE_MEMORY, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, limits)


def loads(path):
    """Return whether a file is a model; anything but a ValueError of one line, or much memory, fails the test."""
    message = None
    tracemalloc.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # of NumPy, for an overflow or a NaN
            db.load(path)
    except ValueError as error:
        message = str(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak <= BASE + GROWTH * path.stat().st_size
    assert message is None or len(message.splitlines()) == 1
    return message is None


def count_loaded(files, path, number, seed):
    """Load models that were changed at random, use those that load, and return their number."""
    rng, loaded = random.Random(seed), 0
    contents = [read_contents(data) for _, data in sorted(files.items())]
    for i in range(number):
        path.write_bytes(mutated(*contents[(i + seed) % len(contents)], rng))
        try:
            if loads(path):
                use(path)
                loaded += 1
        except Exception as error:
            raise AssertionError(f"mutation {i} of seed {seed} is neither refused nor a model") from error
    return loaded


def test_every_model_loads_and_works_before_it_is_changed(files, path):
    for data in files.values():
        path.write_bytes(data)
        use(path)


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_model_is_refused_in_one_line_or_works(files, path, bounded_memory, seed):
    loaded = count_loaded(files, path, 100, seed)
    assert 5 <= loaded <= 50


@pytest.mark.slow
def test_ten_thousand_changed_models_are_refused_in_one_line_or_work(files, path, bounded_memory):
    loaded = count_loaded(files, path, 10_000, 1000)
    print(f"{10_000 - loaded:,} refused, {loaded:,} loaded and used")
    assert 500 <= loaded <= 5_000
