"""Files with a right digest whose parts contradict each other: each is refused in one line that says why."""

import tracemalloc
from contextlib import suppress

import numpy as np
import pytest
from mutations import read_contents, write_contents

import deciban as db
from deciban.arrays.names import object_array
from deciban.arrays.packing import pack_names, unpack_names
from deciban.files.model_file import load

TABLE = {
    "size": [1.5, 2.5, 3.5, 4.5, None, 2.0],
    "colour": ["red", "blue", "red", "blue", "red", "green"],
    "note": ["good day", "bad day", "good", "bad", "day", None],
    "label": ["p", "q", "p", "q", "p", "q"],
}
COLUMNS = {"size": db.Gaussian(), "colour": db.Categorical(), "note": db.Words()}
ISOTONIC = {"object": "Isotonic", "parameters": {
    "temperature": {"object": "Temperature", "parameters": {"value": 2.0}},
    "points": {"tuple": [{"tuple": [0.0, 1.0]}] * 2}, "values": {"tuple": [{"tuple": [0.1, 0.9]}] * 2},
    "share": 1.0, "classes": {"tuple": ["p", "q"]},
}}  # fmt: skip


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.deciban"


@pytest.fixture
def refusal(path):
    """Return a function that changes the saved model and returns the one line with which it is refused."""

    def change_and_load(nb, change):
        nb.save(path, rows=True)
        description, arrays = read_contents(path.read_bytes())
        change(description, arrays)
        path.write_bytes(write_contents(description, arrays))
        with pytest.raises(ValueError, match="does not hold together") as error:
            load(path)
        assert len(str(error.value).splitlines()) == 1
        return str(error.value)

    return change_and_load


def put(name, value):
    """Return a change that replaces an array, or computes one from the old."""

    def change(description, arrays):
        assert name in arrays
        arrays[name] = np.ascontiguousarray(value(arrays[name]) if callable(value) else value)

    return change


def describe(*keys, value):
    """Return a change that replaces a value of the description."""

    def change(description, arrays):
        for key in keys[:-1]:
            description = description[key]
        description[keys[-1]] = value

    return change


def names(*items):
    return pack_names(object_array(list(items)))


def parameters(model, **values):
    return {"object": model, "parameters": values}


ARRAYS = {
    "a class is there twice": (put("classes", names("p", "p")), "'classes' are not sorted"),
    "classes are not in order": (put("classes", names("q", "p")), "'classes' are not sorted"),
    "a class is missing": (put("classes", names(None, "p")), "one of them is missing"),
    "there are more classes than blocks have": (put("classes", names("p", "q", "r")), "shape"),
    "a class has no weight": (put("weight", [0.0, 3.0]), "a class has no weight"),
    "a weight is negative": (put("weight", [-1.0, 3.0]), "below 0"),
    "a weight is infinite": (put("weight", [np.inf, 3.0]), "not finite"),
    "a sum of weights is infinite": (put("weight", [1e308, 1e308]), "greater than 1e+300"),
    "weights are whole numbers": (put("weight", np.array([3, 3])), "int64"),
    "a deviation is negative": (put("0.moments.deviation", lambda a: -a), "squared deviations is below 0"),
    "a mean is not a number": (put("0.moments.mean", lambda a: a * np.nan), "not finite"),
    "moments have one axis": (put("0.moments.mean", lambda a: a[0]), "two axes"),
    "moments have another class": (put("0.moments.weight", lambda a: a[:1]), "shape"),
    "categories are not in order": (put("1.tables.categories.0", names("red", "green", "blue")), "not sorted"),
    "there are fewer categories than weights": (put("1.tables.categories.0", names("blue", "red")), "shape (2, 2)"),
    "a category is a list": (put("1.tables.categories.0", np.frombuffer(b'["O", [[1]]]', np.uint8)), "not a list"),
    "a table has no room": (put("1.tables.limit", np.array([0])), "no room"),
    "a limit is a fraction": (put("1.tables.limit", np.array([0.5])), "float64"),
    "offsets of words descend": (put("2.words.words", lambda a: a[::-1]), "does not hold offsets"),
    "words have no counts": (put("2.words.start", lambda a: a * 0), "does not hold offsets"),
    "counts have classes beyond the last": (put("2.words.cls", lambda a: a + 5), "classes that are not there"),
    "there are more words than the limit": (put("2.words.limit", np.array([1])), "more words than their limit"),
    "the sample has classes beyond the last": (put("sample.codes", lambda a: a + 5), "classes that are not there"),
    "the sample weighs more than all rows": (put("sample.weight", lambda a: a * 9), "weigh more than all rows"),
    "the sample is of other classes": (put("sample.names", names("p", "r")), "weigh more than all rows"),
    "the sample has texts for numbers": (put("sample.rows.column.2", names(*"abcdef")), "could not convert"),
    "the sample is not in order": (put("sample.key", lambda a: a[::-1]), "order of their keys"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "reason"), ARRAYS.values(), ids=ARRAYS.keys())
def test_arrays_that_do_not_fit_are_refused(refusal, change, reason):
    assert reason in refusal(db.NaiveBayes(COLUMNS, alpha="auto").fit(TABLE, "label"), change)


CHOICES = ("choices", "parameters")
DESCRIPTIONS = {
    "a group has columns beyond the last": (describe("groups", 0, "columns", value=[77]), "index 77 is out of bounds"),
    "two groups have the same column": (describe("groups", 0, "columns", value=[1]), "do not fit"),
    "a group has half a column": (describe("groups", 0, "columns", value=[0.5]), "not whole numbers"),
    "a group has statistics of another kind": (
        describe("groups", 0, "likelihood", value=parameters("Poisson")), "statistics of other kinds"),
    "an event model is a prior": (describe("groups", 0, "likelihood", value=parameters("Gamma", shape=1, rate=1)),
                                  "is not a Likelihood"),
    "the table has another event model": (
        describe("schema", "columns", 0, 2, value=parameters("Gaussian", variance="shared")), "different event models"),
    "a column has no name": (describe("schema", "columns", 0, 0, value=None), "column None"),
    "two columns have one name": (describe("schema", "columns", 0, 0, value="note"), "names of their own"),
    "a column is of an unknown kind": (describe("schema", "columns", 0, 1, value="list"), "it can be"),
    "the label is of an unknown kind": (describe("schema", "target_kind", value="list"), "it can be"),
    "a setting is missing": (lambda d, a: d["settings"].pop("estimate"), "settings are not those"),
    "there is a setting too many": (describe("settings", "threads", value=10**9), "settings are not those"),
    "alpha is a list": (describe("settings", "alpha", value=[1.0, 2.0]), "not one number"),
    "alpha is negative": (describe("settings", "alpha", value=-1), "alpha is -1"),
    "a class prior is no distribution": (
        describe("settings", "class_prior", value={"mapping": [["p", 0.9], ["q", 0.9]]}), "sum of the priors"),
    "remembered rows are text": (describe("settings", "remember", value="all"), "remember is 'all'"),
    "choices are of columns beyond the last": (
        describe(*CHOICES, "missing_columns", value={"tuple": [9]}), "columns that are not there"),
    "a choice is of another event model": (
        describe(*CHOICES, "column_models", value={"tuple": [{"tuple": [0, parameters("Poisson")]}]}), "does not fit"),
    "a choice is of too few groups": (describe(*CHOICES, "group_models", value={"tuple": []}), "does not fit"),
    "choices are on less than no rows": (describe(*CHOICES, "rows", value=-5), "what was chosen on rows"),
    "a temperature is out of range": (
        describe(*CHOICES, "calibration", value=parameters("Temperature", value=1e-300)), "out of range"),
    "a power is out of range": (
        describe(*CHOICES, "calibration", value=parameters("Temperature", value=1, power=400)), "out of range"),
    "an isotonic function has a probability of 2": (
        describe(*CHOICES, "calibration", value=parameters("Isotonic", **{**ISOTONIC["parameters"], "values": {
            "tuple": [{"tuple": [0.1, 2.0]}] * 2}})), "isotonic calibration needs"),
    "an isotonic calibration is for fewer classes": (
        describe(*CHOICES, "calibration", value=parameters("Isotonic", **{**ISOTONIC["parameters"], "classes": {
            "tuple": ["p"]}})), "isotonic calibration needs"),
    "the version is a fraction": (describe("version", value=5.5), "version is not a number"),
    "an array of numbers is of text": (
        describe("settings", "class_prior", value={"array": [["a"]], "dtype": "<U99999999"}), "array of numbers"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "reason"), DESCRIPTIONS.values(), ids=DESCRIPTIONS.keys())
def test_descriptions_that_do_not_fit_are_refused(refusal, change, reason):
    nb = db.NaiveBayes(COLUMNS, alpha="auto").fit(TABLE, "label")
    assert reason in refusal(nb, change)


HISTOGRAMS = {
    "keys are not in order": (put("0.histogram.keys", lambda a: a[::-1]), "not sorted"),
    "keys are of no number": (put("0.histogram.keys", np.arange(4, dtype=np.uint64)), "holds no number"),
    "too many bits are dropped": (put("0.histogram.drop", lambda a: a + 64), "exceeds 0 to 63"),
    "offsets end too early": (put("0.histogram.start", lambda a: a - 1), "does not hold offsets"),
    "there is an array too many": (lambda d, a: a.update({"0.histogram.more": np.zeros(1)}), "other arrays"),
    "there is a block too many": (lambda d, a: a.update({"7.sums.weight": np.zeros(1)}), "numbered from 0"),
}


@pytest.mark.parametrize(("change", "reason"), HISTOGRAMS.values(), ids=HISTOGRAMS.keys())
def test_histograms_that_do_not_fit_are_refused(refusal, change, reason):
    assert reason in refusal(db.NaiveBayes(db.Binned()).fit([[1.5], [2.5], [3.5], [4.5]], list("pqpq")), change)


def test_combinations_of_other_columns_are_refused(refusal):
    nb = db.NaiveBayes(db.Joint()).fit(np.array([["x", "u"], ["y", "v"]], dtype=object), ["p", "q"])
    for rows in (names("x", "y"), names(("x",), ("y",))):
        assert "tuples of 2 values" in refusal(nb, put("0.combinations.categories.0", rows))
    assert "at least 1" in refusal(nb, put("0.combinations.columns", np.array([0])))


def test_an_isotonic_calibration_as_training_makes_it_is_read(path):
    db.NaiveBayes(COLUMNS, alpha="auto", calibrate="isotonic").fit(TABLE, "label").save(path)
    description, arrays = read_contents(path.read_bytes())
    description["choices"]["parameters"]["calibration"] = ISOTONIC
    path.write_bytes(write_contents(description, arrays))
    assert load(path).calibration.share == 1.0


@pytest.mark.parametrize(
    "change",
    [
        lambda sample, arrays: sample.update(limit=-1),
        lambda sample, arrays: sample.update(limit=2**64 + 1),
        lambda sample, arrays: sample.update(limit="all"),
        lambda sample, arrays: sample.update(limit=1),
        lambda sample, arrays: sample.update(rows="pickle"),
        lambda sample, arrays: sample.update(rows="texts"),
        lambda sample, arrays: arrays.update({"sample.weight": arrays["sample.weight"][1:].copy()}),
        lambda sample, arrays: arrays.update({"sample.weight": -arrays["sample.weight"]}),
        lambda sample, arrays: arrays.update({"sample.key": arrays["sample.key"].astype(float)}),
        lambda sample, arrays: arrays.update({"sample.rows.rows": np.array([3])}),
        lambda sample, arrays: arrays.pop("sample.rows.column.0"),
        lambda sample, arrays: arrays.update({"sample.names": np.zeros(3, dtype=np.uint8)}),
    ],
)
def test_a_forged_sample_is_refused_in_one_line(refusal, change):
    nb = db.NaiveBayes().fit({"x": [1.0, 2.0, 3.0, 4.0], "y": list("pqpq")}, "y")
    assert refusal(nb, lambda description, arrays: change(description["sample"], arrays))


def test_a_forged_sample_of_an_array_with_other_columns_is_refused(refusal):
    nb = db.NaiveBayes().fit(np.arange(8.0).reshape(4, 2), list("pqpq"))
    assert "do not have its 2 columns" in refusal(nb, put("sample.rows.array", np.zeros((4, 3))))


def test_the_name_of_an_unknown_event_model_had_several_lines(path):
    db.NaiveBayes(db.Gaussian()).fit([[1.0], [2.0]], ["p", "q"]).save(path)
    description, arrays = read_contents(path.read_bytes())
    description["groups"][0]["likelihood"]["object"] = "a\nb\x1b[31m" + "c" * 10_000
    path.write_bytes(write_contents(description, arrays))
    with pytest.raises(ValueError, match=r"names the event model a b\\x1b\[31mccc") as error:
        load(path)
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 1000


WIDE = np.frombuffer(b'["<U99999999", ["p", "q"]]', np.uint8)


@pytest.mark.parametrize(
    "change",
    [
        put("classes", WIDE),
        put("sample.names", WIDE),
        put("1.tables.categories.0", np.frombuffer(b'["<U99999999", ["blue", "green", "red"]]', np.uint8)),
        lambda d, a: a.update({"classes": names(), "weight": np.zeros(0), "0.moments.weight": np.zeros((0, 1)),
                               "0.moments.mean": np.zeros((0, 10**10)), "0.moments.deviation": np.zeros((0, 10**10))}),
        put("1.tables.weight", np.zeros((10**9, 0))),
        describe("settings", "class_prior", value={"array": [1.0], "dtype": "(100000000,)f8"}),
        describe("groups", 0, "columns", value={"slice": [0, 10**12]}),
        describe("settings", "remember", value=10**30),
    ],
)  # fmt: skip
def test_a_file_of_a_few_kilobytes_took_gigabytes(path, change):
    db.NaiveBayes(COLUMNS, alpha="auto").fit(TABLE, "label").save(path, rows=True)
    description, arrays = read_contents(path.read_bytes())
    change(description, arrays)
    path.write_bytes(write_contents(description, arrays))
    tracemalloc.start()
    with suppress(ValueError):
        assert db.load(path).classes_.tolist() == ["p", "q"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 << 20


def test_names_of_which_one_is_long_are_kept_as_objects(path):
    labels = ["x" * 100_000, *map(str, range(1000))]
    nb = db.NaiveBayes(db.Gaussian()).fit(np.arange(2002.0)[:, None], np.array(labels * 2, dtype=object))
    nb.save(path)
    assert db.load(path).classes_.tolist() == nb.classes_.tolist()
    assert len(unpack_names(pack_names(np.array(labels)))) == 1001
    assert unpack_names(pack_names(np.array(labels))).dtype == object
