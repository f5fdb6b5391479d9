"""Choices made on rows: pseudo-counts, bins, calibrations; what is kept of them, and decisions that use them."""

import pickle
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from sklearn.base import clone

import deciban as db
from deciban.arrays.labels import Labels
from deciban.choosing.search import sampled
from deciban.model.calibration import Isotonic, Temperature, log_losses
from deciban.model.classifier import Chosen
from deciban.tables.sample import Reservoir

RNG = np.random.default_rng(3)
N = 1200
y = RNG.integers(0, 3, N)
SIGNAL = RNG.normal(size=(N, 1)) + y[:, None]
# The same evidence four times over, and a column of hundreds of categories that say nothing.
COPIED = np.hstack([SIGNAL + 0.05 * RNG.normal(size=(N, 4)), RNG.integers(0, 300, (N, 1))])
NAMES = np.array(["a", "b", "c"])[y]
HALF = N // 2
PLAIN = {"alpha": 1.0, "calibrate": False}


def loss(nb, x, labels):
    posterior = nb.predict_proba(x)
    return -np.log(posterior[np.arange(len(labels)), np.searchsorted(nb.classes_, labels)]).mean()


def table(x, labels):
    columns = {f"x{j}": x[:, j] for j in range(x.shape[1])}
    return pa.table({**columns, "label": labels})


def test_the_default_is_better_than_plain_and_says_what_it_chose():
    train, test = table(COPIED[:HALF], NAMES[:HALF]), table(COPIED[HALF:], NAMES[HALF:])
    nb, plain = db.NaiveBayes().fit(train, "label"), db.NaiveBayes(**PLAIN).fit(train, "label")
    assert loss(nb, test, NAMES[HALF:]) < 0.8 * loss(plain, test, NAMES[HALF:])
    chosen = nb._classifier.chosen
    assert chosen.rows == HALF
    assert "chosen on 600 rows" in repr(nb)
    assert plain._classifier.chosen is None
    assert np.array_equal(nb.predict(test), nb.classes_[nb.predict_proba(test).argmax(axis=1)])
    # Given event models are textbooks': nothing is chosen unless asked for.
    given = db.NaiveBayes(db.Binned()).fit(COPIED, NAMES)
    assert given._classifier.chosen is None
    assert given._classifier.settings.how.alpha == 1.0


def test_auto_finds_the_pseudo_count_of_the_least_leave_one_out_loss():
    x = RNG.integers(0, 40, (N, 3)) + 3 * y[:, None]
    auto = db.NaiveBayes(db.Categorical(), alpha="auto").fit(x, y)
    found = auto._classifier.chosen.alpha

    def left_out(alpha):
        nb = db.NaiveBayes(db.Categorical(), alpha=alpha).fit(x, y)
        return -nb.leave_one_out(x, y)[np.arange(N), y].mean()

    assert left_out(found) <= min(left_out(a) for a in (0.01, 0.1, 1.0, 10.0)) + 2e-3
    assert np.allclose(
        auto.leave_one_out(x, y), db.NaiveBayes(db.Categorical(), alpha=found).fit(x, y).leave_one_out(x, y)
    )


def test_weights_count_as_copies_and_threads_change_nothing():
    weight = RNG.integers(1, 4, N)
    copies = np.repeat(np.arange(N), weight)
    settings = {"alpha": "auto", "calibrate": "temperature"}
    weighted = db.NaiveBayes(db.Binned(), **settings).fit(COPIED, NAMES, sample_weight=weight)
    repeated = db.NaiveBayes(db.Binned(), **settings).fit(COPIED[copies], NAMES[copies])
    assert np.allclose(weighted.predict_proba(COPIED), repeated.predict_proba(COPIED), rtol=1e-6)
    one, two = (db.NaiveBayes(threads=t).fit(table(COPIED, NAMES), "label") for t in (1, 2))
    assert np.array_equal(one.predict_proba(table(COPIED, NAMES)), two.predict_proba(table(COPIED, NAMES)))


def test_few_rows_choose_nothing():
    nb = db.NaiveBayes().fit(SIGNAL[:9], y[:9])
    plain = db.NaiveBayes(**PLAIN).fit(SIGNAL[:9], y[:9])
    assert np.array_equal(nb.predict_proba(SIGNAL), plain.predict_proba(SIGNAL))


def test_the_number_of_bins():
    wavy = RNG.random((N, 1)) * 20
    side = (np.floor(wavy[:, 0]) % 2).astype(int)  # needs many bins
    chosen = db.NaiveBayes(db.Binned(bins="auto")).fit(wavy, side)
    assert chosen._classifier.likelihoods[0].bins == 40
    assert chosen._classifier.groups[0].likelihood.bins == "auto"
    framed = db.NaiveBayes({"x0": db.Binned(bins="auto")}).fit(table(wavy, side), "label")
    assert "Binned(bins=40), event models (chosen on 1,200 rows)" in repr(framed)
    left = db.NaiveBayes(db.Binned(bins=3)).fit(wavy, side)
    assert loss(chosen, wavy, side) < 0.7 * loss(left, wavy, side)


def test_supervised_cuts_are_made_where_classes_differ_and_only_there():
    x = RNG.random((N, 2)) * 10
    side = (x[:, 0] > 4).astype(int) + (x[:, 0] > 7)
    nb = db.NaiveBayes(db.Binned(bins="mdl")).fit(x, side)
    first, second = nb.model_.parts[0].scorer.cuts
    assert np.allclose(first, [4, 7], atol=0.05)
    assert len(second) == 0  # says nothing, so it is not cut
    halves = [db.NaiveBayes(db.Binned(bins="mdl")).fit(x[s], side[s]) for s in (slice(0, 500), slice(500, N))]
    merged = (halves[0] + halves[1]).model_.parts[0].scorer.cuts
    assert np.array_equal(merged[0], first)
    assert np.array_equal(nb.predict(x), side)


@pytest.mark.parametrize("calibrate", ["temperature", "isotonic", "auto"])
def test_calibrated_probabilities_mean_what_they_say(calibrate, tmp_path):
    train, test = slice(0, HALF), slice(HALF, N)
    plain = db.NaiveBayes(db.Gaussian()).fit(COPIED[train, :4], NAMES[train])
    nb = db.NaiveBayes(db.Gaussian(), calibrate=calibrate).fit(COPIED[train, :4], NAMES[train])

    def overconfidence(model):
        posterior = model.predict_proba(COPIED[test, :4])
        return posterior.max(axis=1).mean() - (model.classes_[posterior.argmax(axis=1)] == NAMES[test]).mean()

    assert abs(overconfidence(nb)) < 0.05 < overconfidence(plain)
    assert loss(nb, COPIED[test, :4], NAMES[test]) < loss(plain, COPIED[test, :4], NAMES[test])
    posterior = nb.predict_proba(COPIED[:, :4])
    assert np.allclose(posterior.sum(axis=1), 1)
    assert np.allclose(np.exp(nb.predict_log_proba(COPIED[:, :4])), posterior)
    for other in (pickle.loads(pickle.dumps(nb)), saved(nb, tmp_path)):
        assert np.array_equal(other.predict_proba(COPIED[:, :4]), posterior)
        assert other._classifier.chosen == nb._classifier.chosen


def saved(nb, folder):
    nb.save(folder / "m.deciban")
    return db.load(folder / "m.deciban")


def test_a_temperature_divides_the_evidence_and_leaves_the_prior():
    nb = db.NaiveBayes(db.Gaussian(), calibrate="temperature").fit(COPIED[:, :4], NAMES)
    t = nb._classifier.chosen.calibration.value
    assert t > 2  # four copies
    joint = nb.predict_joint_log_proba(COPIED[:, :4])
    expected = nb.model_.log_prior + (joint - nb.model_.log_prior) / t
    expected -= np.logaddexp.reduce(expected, axis=1, keepdims=True)
    assert np.allclose(nb.predict_log_proba(COPIED[:, :4]), expected)
    prior = np.log([0.3, 0.7])
    scores = prior + RNG.normal(size=(400, 2)) * 3
    codes = (RNG.random(400) < 0.6).astype(int)
    found, losses = Temperature.fit(scores, prior, codes, np.full(400, 1000.0))  # so many rows that one more is nothing
    grid = [log_losses(prior + (scores - prior) / t, codes).mean() for t in np.exp(np.linspace(-1.5, 5, 2001))]
    assert losses.mean() == pytest.approx(min(grid), abs=1e-5)
    few = Temperature.fit(np.tile([[0.0, -40.0]], (5, 1)), np.log([0.5, 0.5]), np.zeros(5, dtype=int), np.ones(5))[0]
    assert few.value > 5  # five rows without a mistake do not make one impossible
    assert found.value > 0


def test_isotonic_rises_and_is_found_on_a_known_curve():
    p = RNG.random(4000)
    hit = (RNG.random(4000) < p**2).astype(int)
    joint = np.log(np.stack([1 - p, p], axis=1))
    prior = np.log([0.5, 0.5])
    fitted = Isotonic.fit(joint, prior, hit, np.ones(4000))
    assert all((np.diff(values) >= 0).all() for values in fitted.values)
    fitted.apply(joint, prior)
    shares = np.exp(joint)[:, 1] / np.exp(joint).sum(axis=1)
    assert np.abs(shares - p**2).mean() < 0.03
    for bad in (lambda: Temperature(0.0), lambda: Isotonic(Temperature(1.0), ((0.0, 1.0),), ((0.5,),))):
        with pytest.raises(ValueError, match=r"temperature|isotonic"):
            bad()


def test_what_merging_forgetting_and_more_rows_keep():
    small, large = db.NaiveBayes().fit(SIGNAL[:200], y[:200]), db.NaiveBayes().fit(SIGNAL[200:], y[200:])
    for both in (small + large, large + small):
        assert both._classifier.chosen == large._classifier.chosen
    large.forget(SIGNAL[200:250], y[200:250])
    assert large._classifier.chosen.rows == 1000
    more = db.NaiveBayes().fit(SIGNAL[:200], y[:200])
    before = more._classifier.chosen
    more.partial_fit(SIGNAL[200:250], y[200:250])
    assert more._classifier.chosen == before
    more.partial_fit(SIGNAL[250:], y[250:])
    assert more._classifier.chosen.rows == 950


def test_settings_change_after_training_as_far_as_they_can_without_rows():
    nb = db.NaiveBayes().fit(COPIED, NAMES)
    alpha = nb._classifier.chosen.alpha
    nb.reestimate(calibrate=False)
    assert nb._classifier.chosen.calibration is None
    assert nb._classifier.how.alpha == alpha
    nb.reestimate(alpha=2.0)
    assert nb._classifier.how.alpha == 2.0
    nb.reestimate(alpha="auto")
    assert nb._classifier.how.alpha == alpha
    with pytest.raises(ValueError, match="needs rows, which are gone"):
        nb.reestimate(calibrate="isotonic")
    with pytest.raises(ValueError, match="chosen on rows, which are gone"):
        db.NaiveBayes(db.Binned()).fit(COPIED, NAMES).reestimate(alpha="auto")
    with pytest.raises(ValueError, match="soft labels have nothing to choose by"):
        db.NaiveBayes(alpha="auto").fit(SIGNAL, np.eye(3)[y])
    soft = db.NaiveBayes().fit(SIGNAL, np.eye(3)[y])
    assert np.allclose(soft.predict_proba(SIGNAL), db.NaiveBayes(**PLAIN).fit(SIGNAL, y).predict_proba(SIGNAL))
    with pytest.raises(ValueError, match="soft labels have nothing to choose by"):
        db.NaiveBayes(calibrate="auto").fit(pa.table({"x": SIGNAL[:, 0]}), np.eye(3)[y])


def test_event_models_change_after_training_where_they_read_the_same_facts(tmp_path):
    x = np.column_stack([SIGNAL[:, 0], SIGNAL[:, 0] ** 2, RNG.integers(0, 3, len(SIGNAL))])
    columns = {0: db.Binned(bins=5), 1: db.Binned(bins=9, prior=2.0), 2: db.Categorical(values=[0, 1, 2, 3])}
    plain = {0: db.Binned(), 1: db.Binned(), 2: db.Categorical()}
    nb = saved(db.NaiveBayes(plain).fit(x, NAMES), tmp_path).reestimate(columns=columns)
    assert np.array_equal(nb.predict_log_proba(x), db.NaiveBayes(columns).fit(x, NAMES).predict_log_proba(x))
    assert nb.columns_[1] == columns[1]
    texts = [f"{name} is the word" for name in NAMES]
    words = db.NaiveBayes(db.Words()).fit(texts, NAMES).reestimate(columns=db.Words(stop_words=["word", "the"]))
    assert np.array_equal(
        words.predict_log_proba(texts),
        db.NaiveBayes(db.Words(stop_words=["the", "word"])).fit(texts, NAMES).predict_log_proba(texts),
    )
    frame = table(x, NAMES)
    name = frame.column_names[0]
    nb = db.NaiveBayes().fit(frame, "label")
    alpha = nb._classifier.how.alpha
    nb.reestimate(columns={name: db.Binned(bins=3)})
    assert nb._classifier.how.alpha == alpha
    assert nb.columns_[name] == db.Binned(bins=3)
    before = nb.predict_log_proba(frame)
    for bad in ({name: db.Gaussian()}, {"x": db.Binned()}, {name: 3}):
        with pytest.raises(ValueError, match=r"needs other facts|not among|no event model"):
            nb.reestimate(columns=bad)
        assert np.array_equal(nb.predict_log_proba(frame), before)


def test_a_document_that_says_more_is_trusted_less():
    """Words that come in pairs count twice; T = value · (s / size)^power finds more of it in long documents."""
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 2, 600)
    words = np.array([f"w{i}" for i in range(40)])
    texts = []
    for label in labels:
        topic = rng.choice(words[20 * rng.integers(0, 2) :][:20] if rng.random() < 0.3 else words[20 * label :][:20])
        texts.append(" ".join([topic] * int(rng.integers(1, 60)) + rng.choice(words, 3).tolist()))
    nb = db.NaiveBayes(db.Words(), calibrate="temperature").fit(texts, labels)
    found = nb._classifier.calibration
    assert found.power > 0.3
    assert "size^" in str(found)
    plain = db.NaiveBayes(db.Words()).fit(texts, labels)
    joint, prior = plain.predict_joint_log_proba(texts), plain.model_.log_prior
    t = found.value * (np.abs((joint - prior).max(axis=1)) / found.size) ** found.power
    expected = prior + (joint - prior) / t[:, None]
    expected -= np.logaddexp.reduce(expected, axis=1)[:, None]
    assert np.allclose(nb.predict_log_proba(texts), expected, rtol=0, atol=1e-9)


def test_a_sample_is_bounded_and_holds_rows_of_the_table():
    codes = Labels(3, y.astype(np.int32), np.arange(N, dtype=float))
    some = sampled(COPIED, np.arange(3), codes, rows=100)
    assert some.x.shape == (100, 5)
    rows = some.labels.weight.astype(int)
    assert np.array_equal(some.x, COPIED[rows])
    assert np.array_equal(some.labels.codes, y[rows])
    whole = table(COPIED, NAMES)
    nb = db.NaiveBayes(db.Binned()).fit(whole, "label")
    schema = nb._classifier.schema
    numbered = {tuple(row): i for i, row in enumerate(COPIED.tolist())}
    for sizes in ([N], [500, 700]):
        reservoir, first = Reservoir(schema.names, rows=50), 0
        for size in sizes:
            batch = whole.slice(first, size).combine_chunks().to_batches()[0]
            labels = Labels(3, y[first : first + size].astype(np.int32))
            reservoir.add(reservoir.kept(batch, first, np.array(["a", "b", "c"]), labels))
            first += size
        sample = reservoir.sample(schema)
        assert sample.rows == 50
        rows = [numbered[tuple(row)] for row in sample.x.numbers().tolist()]
        assert len(set(rows)) == 50
        assert np.array_equal(sample.names[sample.labels.codes], NAMES[rows])
        assert (np.array(rows) < 500).any() and (np.array(rows) >= 500).any()  # noqa: PT018


def test_priors_in_use_weights_costs_and_rejection():
    nb = db.NaiveBayes(db.Gaussian(), calibrate="temperature").fit(SIGNAL, NAMES)
    posterior, prior = nb.predict_proba(SIGNAL), np.exp(nb.model_.log_prior)
    elsewhere = {"a": 0.8, "b": 0.1, "c": 0.1}
    moved = posterior * np.array([0.8, 0.1, 0.1]) / prior
    shifted = nb.with_class_prior(elsewhere)
    assert np.allclose(shifted.predict_proba(SIGNAL), moved / moved.sum(axis=1, keepdims=True))
    assert np.array_equal(nb.predict_proba(SIGNAL), posterior)  # the old one stays
    assert np.allclose(shifted.with_class_prior(None).predict_proba(SIGNAL), posterior)
    weighed = nb.reestimate(class_weight={"a": 3.0}).predict_proba(SIGNAL)
    expected = posterior * [3, 1, 1]
    assert np.allclose(weighed, expected / expected.sum(axis=1, keepdims=True))
    balanced = nb.reestimate(class_weight="balanced").predict_proba(SIGNAL)
    expected = posterior / prior
    assert np.allclose(balanced, expected / expected.sum(axis=1, keepdims=True))
    nb.reestimate(class_weight=None)
    costs = np.array([[0, 1, 1], [5, 0, 1], [5, 1, 0.0]])
    least = nb.classes_[(posterior @ costs).argmin(axis=1)]
    assert np.array_equal(nb.predict(SIGNAL, costs=costs), least)
    assert np.array_equal(nb.predict(SIGNAL, costs={"b": {"a": 5}, "c": {"a": 5}}), least)
    sure = nb.predict(SIGNAL, reject_below=0.7)
    assert np.array_equal(np.array([label is None for label in sure]), posterior.max(axis=1) < 0.7)
    assert (sure[posterior.max(axis=1) >= 0.7] == nb.predict(SIGNAL)[posterior.max(axis=1) >= 0.7]).all()


def test_the_prior_in_use_and_class_weights_are_saved(tmp_path):
    nb = db.NaiveBayes(class_weight={"a": 2.0}).fit(SIGNAL, NAMES).with_class_prior("uniform")
    other = saved(nb, tmp_path)
    assert np.array_equal(other.predict_proba(SIGNAL), nb.predict_proba(SIGNAL))
    assert other.class_weight == {"a": 2.0}


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda nb: nb.predict(SIGNAL, costs=[[0, 1]]), r"costs are \[\[0, 1\]\]; give one row"),
        (lambda nb: nb.predict(SIGNAL, costs={"z": {"a": 1}}), "costs name 'z'"),
        (lambda nb: nb.predict(SIGNAL, costs={"a": 3}), "give {said: cost}"),
        (lambda nb: nb.predict(SIGNAL, costs={"a": {"b": "much"}}), "finite numbers"),
        (lambda nb: nb.predict(SIGNAL, reject_below=1.5), "reject_below is 1.5"),
        (lambda nb: nb.with_class_prior({"a": 1.0}), "says nothing about 'b'"),
        (lambda nb: nb.reestimate(class_weight={"z": 1.0}), "class_weight names 'z'"),
        (lambda nb: nb.reestimate(class_weight={"a": 0.0}), "greater than 0"),
        (lambda nb: nb.reestimate(class_weight="even"), "class_weight is 'even'"),
    ],
)
def test_bad_decisions_get_one_clear_error(call, match):
    nb = db.NaiveBayes(db.Gaussian()).fit(SIGNAL, NAMES)
    with pytest.raises(ValueError, match=match):
        call(nb)


def with_holes():
    """Two numbers; the first is missing more often in class b, the second anywhere."""
    x = RNG.normal(size=(N, 2))
    b = RNG.integers(0, 2, N)
    x[RNG.random(N) < np.where(b == 1, 0.6, 0.1), 0] = np.nan
    x[RNG.random(N) < 0.3, 1] = np.nan
    return x, np.array(["a", "b"])[b]


def test_holes_that_say_something_count_and_others_do_not(tmp_path):
    x, labels = with_holes()
    frame = table(x, labels)
    for nb, rows in ((db.NaiveBayes().fit(x, labels), x), (db.NaiveBayes().fit(frame, "label"), frame)):
        assert nb._classifier.chosen.holes == (0,)
        assert "holes of 1 column count" in str(nb._classifier.chosen)
        plain = db.NaiveBayes(**PLAIN).fit(rows, labels if rows is x else "label")
        assert nb.score(rows, labels) > plain.score(rows, labels) + 0.1
        joint = nb.predict_joint_log_proba(rows)
        assert np.allclose(nb.evidence(rows).sum(-1) + nb.model_.log_prior, joint, rtol=0, atol=1e-10)
        assert np.array_equal(saved(nb, tmp_path).predict_proba(rows), nb.predict_proba(rows))
    weight, hole = np.array([(labels == c).sum() for c in "ab"]), np.isnan(x[:, 0])
    counts = np.array([hole[labels == c].sum() for c in "ab"])
    expected = np.log((counts + 1) / (weight + 2))
    nb = db.NaiveBayes(alpha="auto", calibrate=False).fit(x, labels)
    assert np.allclose(nb.evidence(x[hole])[0, :, 0], expected)


def columns_of_all_kinds():
    """A signal of a skewed shape, the same again twice over with some noise, and pure noise."""
    b = RNG.integers(0, 2, 1500)
    x = np.exp(RNG.normal(size=1500) + 1.5 * b)
    copies = [x * np.exp(RNG.normal(size=1500) / 50) for _ in range(3)]
    return np.stack([x, *copies, RNG.normal(size=1500)], axis=1), np.array(["a", "b"])[b]


def test_columns_that_repeat_others_are_ignored(tmp_path):
    x, labels = columns_of_all_kinds()
    frame = table(x, labels)
    new = db.NaiveBayes(alpha="auto", calibrate=False)
    for nb, rows in ((clone(new).fit(x, labels), x), (clone(new).fit(frame, "label"), frame)):
        apart = dict(nb._classifier.chosen.apart)
        assert sum(model is None for model in apart.values()) >= 2  # of four that say the same
        ignored = [j for j, model in apart.items() if model is None]
        assert not nb.evidence(rows)[:, :, ignored].any()
        if rows is frame:
            assert "columns ignored" in str(nb)
            assert "ignored" in str(nb).splitlines()[ignored[0] - len(x[0])]
        joint = nb.predict_joint_log_proba(rows)
        assert np.allclose(nb.evidence(rows).sum(-1) + nb.model_.log_prior, joint, rtol=0, atol=1e-10)
        assert np.array_equal(saved(nb, tmp_path).predict_proba(rows), nb.predict_proba(rows))
        assert (nb + nb)._classifier.chosen.apart == nb._classifier.chosen.apart


@pytest.mark.parametrize("shape", ["normal", "log-normal"])
def test_columns_get_their_shape_where_rows_are_few(shape):
    rng = np.random.default_rng(3)
    b = rng.integers(0, 2, 300)
    x = rng.normal(size=(300, 8)) + 0.7 * b[:, None]
    x = np.exp(x) if shape == "log-normal" else x
    new = db.NaiveBayes(alpha="auto", calibrate=False)
    nb = clone(new).fit(x, b)
    found = [getattr(model, "shape", None) for _, model in nb._classifier.chosen.apart]
    assert found
    assert set(found) == {shape}
    scorer = db.NaiveBayes(db.Binned(shape=shape)).fit(x, b).model_.parts[0].scorer
    scale = np.log if shape == "log-normal" else np.asarray
    for j in range(8):
        mean, deviation = scale(x[:, j]).mean(), scale(x[:, j]).std()
        edges = np.r_[-np.inf, (scale(scorer.cuts[j]) - mean) / deviation, np.inf]
        for c in (0, 1):
            u = (scale(x[b == c, j]) - mean) / deviation
            n, middle = len(u), u.sum() / (len(u) + 1)
            bell = stats.norm(middle, np.sqrt(((u**2).sum() + 1) / (n + 1) - middle**2))
            expected = (n * np.diff(bell.cdf(edges)) + 1 / (len(edges) - 1)) / (n + 1)
            assert np.allclose(np.exp(scorer.log_probability[j][c]), expected, rtol=1e-9)
    odd = db.NaiveBayes(db.Binned(shape="log-normal")).fit(x - x.mean(), b)
    assert np.array_equal(odd.predict_proba(x), db.NaiveBayes(db.Binned()).fit(x - x.mean(), b).predict_proba(x))


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: db.Binned(shape="bell"), "shape is 'bell'"),
        (lambda: db.Binned(prior=[1, 2], shape="normal"), "one pseudo"),
    ],
)
def test_bad_shapes_get_one_clear_error(make, match):
    with pytest.raises(ValueError, match=match):
        make()


def test_ignored_columns_and_shapes_are_left_out_exactly():
    x, labels = (part[:60] for part in columns_of_all_kinds())
    chosen = Chosen(60, alpha=0.5, apart=((0, db.Gaussian("shared")), (2, None)))
    prior = db.NormalInverseGamma(0.0, 1.0, 1.0)
    nb = db.NaiveBayes(db.Gaussian(prior=prior)).fit(x, labels)
    nb._ready(replace(nb._classifier, chosen=chosen))
    columns = {0: db.Gaussian("shared"), **dict.fromkeys([1, 2, 3], db.Gaussian(prior=prior))}
    other = db.NaiveBayes(columns).fit(x[:, [0, 1, 3, 4]], labels)
    assert np.allclose(nb.predict_log_proba(x), other.predict_log_proba(x[:, [0, 1, 3, 4]]), rtol=0, atol=1e-12)
    found = nb.leave_one_out(x, labels)
    assert np.allclose(found, other.leave_one_out(x[:, [0, 1, 3, 4]], labels), rtol=0, atol=1e-12)


def test_only_some_features_of_every_block():
    some = np.array([2, 0])
    codes = Labels(2, np.array([0, 1, 1, 0], np.int32))
    x = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [np.nan, 0.0, 1.0], [1.0, 1.0, np.nan]])
    for likelihood in (db.Gaussian(), db.Bernoulli(), db.Poisson(), db.Categorical(), db.Binned()):
        whole = likelihood.summarize(x, codes)
        assert whole.only(some) == likelihood.summarize(x[:, some], codes)
        assert likelihood.summarize(x[:2, :2], Labels(2, codes.codes[:2])).only(np.array([1])).features == 1


def test_holes_are_left_out_exactly():
    x, labels = with_holes()
    x, labels = x[:60], labels[:60]
    nb = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(0.0, 1.0, 1.0))).fit(x, labels)
    chosen = Chosen(60, holes=(0, 1))
    nb._ready(replace(nb._classifier, chosen=chosen))
    found = nb.leave_one_out(x, labels)
    for i in (0, 7, 31):
        rest = np.delete(np.arange(60), i)
        one = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(0.0, 1.0, 1.0))).fit(x[rest], labels[rest])
        one._ready(replace(one._classifier, chosen=chosen))
        assert np.allclose(found[i], one.predict_log_proba(x[i : i + 1])[0], rtol=1e-9, atol=1e-9)


def test_what_a_review_found():
    """Each of these crashed, gave NaN, or took the wrong class's numbers."""
    few = y < 2
    nb = db.NaiveBayes(db.Gaussian(), calibrate="isotonic").fit(SIGNAL[few], y[few])
    nb.partial_fit(SIGNAL[~few][:5], y[~few][:5])  # a new class has no curve
    assert isinstance(nb._classifier.calibration, Temperature)
    assert np.allclose(nb.predict_proba(SIGNAL).sum(axis=1), 1)
    nb = db.NaiveBayes(db.Gaussian(), calibrate="isotonic").fit(SIGNAL, y).forget(SIGNAL[y == 0], y[y == 0])
    assert isinstance(nb._classifier.calibration, Temperature)
    apart = db.NaiveBayes().fit(pa.table({"x": SIGNAL[:, 0]}), y)
    whole = pa.table({"x": SIGNAL[:, 0], "label": y})
    assert apart.score(whole, "label") > 0.5
    assert apart.partial_fit(whole, "label").classes_.tolist() == [0, 1, 2]
    weight = np.where(y == 2, 0.0, 1.0)
    assert db.NaiveBayes().fit(SIGNAL, y, sample_weight=weight).classes_.tolist() == [0, 1]
    never = db.NaiveBayes(db.Gaussian(), class_prior={0: 0.5, 1: 0.5, 2: 0.0}).fit(SIGNAL, y)
    assert (never.with_class_prior("uniform").predict_proba(SIGNAL)[:, 2] == 0).all()
    bent = db.NaiveBayes(db.Gaussian(), calibrate="isotonic", class_prior={0: 0.5, 1: 0.5, 2: 0.0}).fit(SIGNAL, y)
    assert (bent.predict_proba(SIGNAL)[:, 2] == 0).all()
    plain, tempered = (db.NaiveBayes(db.Gaussian(), calibrate=c).fit(SIGNAL, y) for c in (None, "temperature"))
    assert (plain + tempered)._classifier.calibration is None
    tempered.set_params(calibrate=False)
    assert tempered.partial_fit(SIGNAL[:5], y[:5])._classifier.calibration is None
    chosen = db.NaiveBayes(db.Binned(), alpha="auto").fit(SIGNAL[:300], y[:300])
    both = chosen + db.NaiveBayes(db.Binned(), calibrate="temperature").fit(SIGNAL, y)
    assert both._classifier.how.alpha == chosen._classifier.how.alpha
    both.reestimate(class_prior="uniform")
    with pytest.raises(ValueError, match="infinity"):
        db.NaiveBayes(db.Complement()).fit(np.abs(SIGNAL), y).leave_one_out([[np.inf]], [0])
    with pytest.raises(ValueError, match="infinity"):
        db.NaiveBayes(db.Multinomial(), estimate="predictive").fit(np.abs(SIGNAL), y).predict([[np.inf]])
    assert len(db.NaiveBayes(alpha=1.0).fit(SIGNAL, np.eye(3)[y]).classes_) == 3
    long = pa.table({"t": ["x y " * 1_100_000] * 12, "y": ["a", "b"] * 6})
    assert db.NaiveBayes({"t": db.Words()}, alpha="auto").fit(long, "y")._classifier.chosen.rows == 1


def test_priors_in_use_reach_leave_one_out_and_impossible_rows():
    nb = db.NaiveBayes(db.Gaussian()).fit(SIGNAL, y).with_class_prior({0: 0.98, 1: 0.01, 2: 0.01})
    assert np.abs(np.exp(nb.leave_one_out(SIGNAL, y)) - nb.predict_proba(SIGNAL)).max() < 0.02
    letters = [["a"], ["a"], ["b"], ["b"], ["c"]]
    strict = db.NaiveBayes(db.Categorical(values=["a", "b", "c", "d"]), estimate="mle").fit(letters, [0, 0, 1, 1, 0])
    with pytest.warns(db.ImpossibleRowWarning):
        moved = strict.with_class_prior({0: 0.01, 1: 0.99}).predict_proba([["d"]])
    assert moved.round(6).tolist() == [[0.01, 0.99]]
    # Without its last row, nothing speaks for or against it, and classes are even.
    assert np.exp(strict.leave_one_out(letters, [0, 0, 1, 1, 0])[4]).round(6).tolist() == [0.5, 0.5]
    even = db.NaiveBayes(db.Gaussian(), class_weight="balanced").fit(0 * SIGNAL, (np.arange(N) < 800).astype(int))
    assert even.with_class_prior({0: 0.2, 1: 0.8}).predict_proba([[0.0]]).round(6).tolist() == [[0.5, 0.5]]
