"""Evidence looked up on scales, and the prior, is the log-odds; with two classes the last scale is predict_proba."""

import numpy as np
import pytest

import deciban as db
from deciban.explain.row_explanation import DECIBANS
from deciban.likelihoods.scale_values import BINS, CATEGORIES, NUMBERS
from tests.event_models import event_models, labels, rows_for, settings_for

TOLERANCE = {"rtol": 1e-9, "atol": 1e-9}
ROWS = slice(0, 40)


def two_classes(likelihood, **settings):
    """Return a fitted estimator of two classes, and rows for it."""
    rows, y = rows_for(likelihood), labels()
    keep = y < 2
    given = {**settings_for(likelihood), **settings}
    if likelihood.needs_uniform_prior and "class_prior" in settings:
        given["class_prior"] = settings["class_prior"]
    return db.NaiveBayes(likelihood, **given).fit(rows[keep], np.array(["no", "yes"])[y[keep]]), rows[ROWS]


@pytest.mark.parametrize("estimate", ["map", "predictive"])
@pytest.mark.parametrize("likelihood", event_models(variants=True))
def test_scales_and_prior_add_up_to_the_log_odds(likelihood, estimate):
    settings = settings_for(likelihood)
    rows, y = rows_for(likelihood), labels()
    nb = db.NaiveBayes(likelihood, estimate=estimate, **settings).fit(rows, y)
    joint = nb.predict_joint_log_proba(rows[ROWS])
    for favour, against in ((2, 0), (1, 2)):
        scales = nb.scales(favour, against)
        odds = (joint[:, favour] - joint[:, against]) * DECIBANS
        assert np.allclose(scales.sum(rows[ROWS]), odds, **TOLERANCE)
        assert scales.probability is None


@pytest.mark.parametrize("likelihood", event_models(variants=True))
def test_every_value_on_a_scale_has_the_evidence_that_a_row_with_it_has(likelihood):
    rows, y = rows_for(likelihood), labels()
    nb = db.NaiveBayes(likelihood, **settings_for(likelihood)).fit(rows, y)
    scales = nb.scales(2, 0)
    names = np.array(nb.explain(rows[:1]).columns)
    for k, scale in enumerate(scales):
        assert len(scale) == len(scale.decibans) == len(scale.weight)
        if scale.kind not in (CATEGORIES, NUMBERS) or len(scale.columns) > 1:
            continue
        for i in scale.shown(20):
            row = rows[:1].copy()
            value = scale.values[i]
            if value == "(other)":
                value = "a colour that is new"
            elif isinstance(value, str) and value[:2] in ("≤ ", "> "):
                value = float(value[2:]) + (value[0] == ">")
            row[0, scale.columns[0]] = value
            assert np.isclose(scales.decibans_of(row)[0, k], scale.decibans[i], **TOLERANCE), (names, scale, value)


@pytest.mark.parametrize("likelihood", [db.Binned(), db.Binned("mdl"), db.Binned(shape="normal")])
def test_a_bin_has_the_evidence_of_the_numbers_in_it(likelihood):
    rows, y = rows_for(likelihood), labels()
    scales = db.NaiveBayes(likelihood).fit(rows, y).scales(2, 0)
    evidence = scales.decibans_of(rows)
    for k, scale in enumerate(scales):
        bins = np.searchsorted(scale.cuts, rows[:, k], side="right")
        assert scale.kind == BINS
        assert np.allclose(scale.decibans[bins], evidence[:, k], **TOLERANCE)
        assert np.array_equal(scale.weight, np.bincount(bins, minlength=len(scale)))


WORDS = {
    "bag": db.Words(),
    "binary": db.Words("binary"),
    "set": db.Words("set"),
    "tfidf": db.Words(transform="tfidf"),
    "complement": db.Words(complement=True),
}


# At maximum likelihood a set without a word that all texts of a class have is impossible, which no sum can show.
CASES = [(model, e) for model in WORDS for e in ("map", "predictive", "mle") if (model, e) != ("set", "mle")]


@pytest.mark.parametrize(("model", "estimate"), CASES)
def test_a_word_on_the_scale_has_the_evidence_of_a_text_with_it(model, estimate):
    texts = ["free cash now", "see you at lunch", "cash or lunch", "you see free cash"] * 2
    nb = db.NaiveBayes(WORDS[model], estimate=estimate).fit(texts, ["spam", "ham", "ham", "spam"] * 2)
    scales = nb.scales("spam", "ham")
    (scale,) = scales
    assert set(scale.values) == {word for text in texts for word in text.split()}
    assert sorted(scale.decibans) == scale.decibans.tolist()
    empty = scales.decibans_of([""])[0, 0]
    for word, decibans in zip(scale.values, scale.decibans):
        if np.isfinite(decibans):
            assert np.isclose(scales.decibans_of([word])[0, 0] - empty, decibans, **TOLERANCE)


@pytest.mark.parametrize("estimate", ["map", "predictive"])
@pytest.mark.parametrize("likelihood", [db.Multinomial(), db.Complement()])
def test_one_count_of_a_column_has_the_evidence_on_the_scale(likelihood, estimate):
    rows, y = rows_for(likelihood), labels()
    scales = db.NaiveBayes(likelihood, estimate=estimate).fit(rows, y).scales(2, 0)
    (scale,) = scales
    for name, decibans, weight in zip(scale.values, scale.decibans, scale.weight):
        row = np.zeros((1, rows.shape[1]))
        row[0, int(name[1:])] = 1
        assert np.isclose(scales.sum(row)[0] - scales.prior, decibans, **TOLERANCE)
        assert weight == rows[:, int(name[1:])].sum()


CALIBRATIONS = {
    "none": {"calibrate": None},
    "temperature": {"calibrate": "temperature"},
    "isotonic": {"calibrate": "isotonic"},
    "class weights": {"calibrate": "temperature", "class_weight": {"no": 1.0, "yes": 5.0}},
    "class prior": {"calibrate": "isotonic", "class_prior": [0.9, 0.1]},
    "both": {"calibrate": None, "class_weight": "balanced", "class_prior": [0.2, 0.8]},
}


@pytest.mark.parametrize("settings", CALIBRATIONS.values(), ids=CALIBRATIONS)
@pytest.mark.parametrize("likelihood", event_models())
def test_the_last_scale_gives_the_probability_predicted(likelihood, settings):
    nb, rows = two_classes(likelihood, **settings)
    predicted = nb.predict_proba(rows)
    sized = nb.scales().probability.size is not None
    for i in range(len(rows)) if sized else [0]:
        chosen = slice(i, i + 1) if sized else slice(None)
        scales = nb.scales("yes", "no", row=rows[i : i + 1])
        assert np.allclose(scales.probability(scales.sum(rows[chosen])), predicted[chosen, 1], **TOLERANCE)
    turned = nb.scales("no", "yes", row=rows[:1])
    assert np.allclose(turned.probability(turned.sum(rows[:1])), predicted[:1, 0], **TOLERANCE)


def test_a_calibration_by_size_is_drawn_for_the_row_or_for_the_mean_size():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 400)
    words = np.array(["free", "cash", "lunch", "report", "see", "you"])
    texts = [" ".join(words[(rng.integers(0, 4, rng.integers(2, 60)) + 2 * c) % 6]) for c in y]
    nb = db.NaiveBayes(db.Words(), calibrate="temperature").fit(texts, y)
    scale = nb.scales(1, 0).probability
    assert scale.size == nb._fitted().model.calibration.size
    assert "mean size" in scale.note
    sizes = set()
    for text in texts[:20]:
        scales = nb.scales(1, 0, row=[text])
        sizes.add(scales.probability.size)
        assert "this one" in scales.probability.note
        assert np.allclose(scales.probability(scales.sum([text])), nb.predict_proba([text])[:, 1], **TOLERANCE)
    assert len(sizes) > 10


@pytest.mark.parametrize("informative", [False, True])
def test_missing_values_are_on_the_scale_where_they_count(informative):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    # A colour that says nothing is ignored, but not that it is missing.
    colour = [None if rng.random() < 0.1 + 0.6 * c else str(rng.choice(["red", "blue"])) for c in y]
    if informative:
        colour = [value and ["red", "blue"][c] if i % 4 else value for i, (value, c) in enumerate(zip(colour, y))]
    table = {"colour": colour, "size": (rng.normal(size=400) + y).tolist(), "y": np.array(["a", "b"])[y].tolist()}
    nb = db.NaiveBayes(refine="auto" if informative else None).fit(table, "y")
    scales = nb.scales("b", "a")
    place = scales["colour"].values.index("(missing)")
    assert scales["colour"].weight[place] == colour.count(None)
    assert ("red" in scales["colour"].values) == informative
    rows = {name: table[name][:50] for name in ("colour", "size")}
    joint = nb.predict_joint_log_proba(rows)
    assert np.allclose(scales.sum(rows), (joint[:, 1] - joint[:, 0]) * DECIBANS, **TOLERANCE)
    for i, value in enumerate(scales["colour"].values):
        row = {"colour": [{"(missing)": None, "(not missing)": "red"}.get(value, value)], "size": [0.3]}
        k = list(scales).index(scales["colour"])
        assert np.isclose(scales.decibans_of(row)[0, k], scales["colour"].decibans[i], **TOLERANCE)


def test_a_row_chooses_the_classes_and_has_its_place_on_every_scale():
    rows, y = rows_for(db.Gaussian()), labels()
    nb = db.NaiveBayes(db.Gaussian()).fit(rows, y)
    scales = nb.scales(row=rows[:1])
    row = nb.explain(rows[:1])[0]
    assert (scales.favour, scales.against) == (row.decision, row.other)
    assert np.allclose(scales.row_decibans, scales.decibans_of(rows[:1])[0], **TOLERANCE)
    assert np.allclose(scales.row_decibans, row.evidence, **TOLERANCE)


def test_a_row_can_be_put_on_scales_later():
    nb, rows = two_classes(db.Gaussian())
    scales = nb.scales("yes", "no")
    later = scales.for_row(rows[3:4])
    asked = nb.scales("yes", "no", row=rows[3:4])
    assert scales.row is None
    assert np.array_equal(later.row_decibans, asked.row_decibans)
    assert later.probability.size == asked.probability.size
    assert np.isclose(scales.plot(row=rows[3:4]).row_sum, scales.sum(rows[3:4])[0])


def test_expected_rows_of_a_normal_distribution_sum_to_the_rows_of_training():
    rows, y = rows_for(db.Gaussian()), labels()
    for scale in db.NaiveBayes(db.Gaussian()).fit(rows, y).scales():
        assert np.isclose(scale.weight.sum(), len(rows), rtol=0.01)
        assert "expected" in scale.unit


def test_an_event_model_that_prepares_its_columns_shows_the_values_that_it_was_given():
    class LogGaussian(db.Gaussian):
        def prepare(self, x):
            return np.log(x)

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    rows = np.exp(rng.normal(size=(100, 2)) + y[:, None])
    nb = db.NaiveBayes(LogGaussian(), remember=1000, alpha="auto").fit(rows, y)
    scales = nb.scales()
    evidence = scales.decibans_of(rows)
    for k, scale in enumerate(scales):
        assert set(scale.values) == set(rows[:, k].tolist())
        order = np.argsort(rows[:, k])
        assert np.allclose(scale.decibans, evidence[order, k], **TOLERANCE)


def test_certain_and_impossible_values_stay_exact():
    nb = db.NaiveBayes(db.Categorical(), estimate="mle", calibrate=None).fit(
        [["a", "x"], ["a", "y"], ["b", "x"], ["c", "z"]], ["p", "p", "q", "q"]
    )
    scales = nb.scales("p", "q")
    assert scales["x0"].decibans.tolist() == [np.inf, -np.inf, -np.inf]
    for row in (["a", "x"], ["b", "x"], ["a", "y"]):
        assert np.allclose(scales.probability(scales.sum([row])), nb.predict_proba([row])[:, 0], **TOLERANCE)
    with pytest.warns(db.ImpossibleRowWarning):
        predicted = nb.predict_proba([["a", "z"]])
    assert np.allclose(scales.probability(scales.sum([["a", "z"]])), predicted[:, 0])
    assert "impossible" in str(scales)


def test_wrong_input_is_refused_in_one_sentence():
    nb = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"]], ["p", "q"])
    with pytest.raises(ValueError, match="give one row"):
        nb.scales(row=[["a"], ["b"]])
    with pytest.raises(ValueError, match="not among the classes"):
        nb.scales("r")
    with pytest.raises(KeyError, match="x1"):
        nb.scales()["x1"]
    with pytest.raises(ValueError, match="the model has one"):
        db.NaiveBayes(db.Categorical()).fit([["a"]], ["p"]).scales()


def test_scales_print_and_show_hostile_names_as_text():
    hostile = "<b>$\\frac{$"
    nb = db.NaiveBayes().fit({hostile: [hostile, "b"] * 20, "y": ["p", "q"] * 20}, "y")
    scales = nb.scales()
    assert hostile in str(scales)
    assert "<b>" not in scales._repr_html_()
    assert "&lt;b&gt;" in scales._repr_html_()
    assert set(scales.to_dict()["scales"][0]["values"]) == {"b", hostile}
