"""Choices made on rows: pseudo-counts, what merging, forgetting and later settings keep of them."""

import numpy as np
import pyarrow as pa
import pytest
from copied_evidence import COPIED, HALF, NAMES, PLAIN, SIGNAL, N, loss, saved, table, y

import deciban as db

RNG = np.random.default_rng(23)


def test_the_default_is_better_than_plain_and_prints_its_choices():
    train, test = table(COPIED[:HALF], NAMES[:HALF]), table(COPIED[HALF:], NAMES[HALF:])
    nb, plain = db.NaiveBayes().fit(train, "label"), db.NaiveBayes(**PLAIN).fit(train, "label")
    assert loss(nb, test, NAMES[HALF:]) < 0.8 * loss(plain, test, NAMES[HALF:])
    chosen = nb.chosen_
    assert chosen.rows == HALF
    assert "chosen on 600 rows" in repr(nb)
    assert (plain.chosen_.rows, plain.chosen_.alpha_chosen, plain.chosen_.calibration) == (0, False, None)
    assert np.array_equal(nb.predict(test), nb.classes_[nb.predict_proba(test).argmax(axis=1)])
    # Given event models are textbooks': nothing is chosen unless asked for.
    given = db.NaiveBayes(db.Binned()).fit(COPIED, NAMES)
    assert (given.chosen_.rows, given.chosen_.alpha, given.chosen_.calibration) == (0, 1.0, None)


def test_auto_finds_the_pseudo_count_of_the_least_leave_one_out_loss():
    x = RNG.integers(0, 40, (N, 3)) + 3 * y[:, None]
    auto = db.NaiveBayes(db.Categorical(), alpha="auto").fit(x, y)
    found = auto.chosen_.alpha

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
    plain = db.NaiveBayes(db.Binned(shape="smooth"), **PLAIN).fit(SIGNAL[:9], y[:9])
    assert np.array_equal(nb.predict_proba(SIGNAL), plain.predict_proba(SIGNAL))


def test_choices_are_made_again_on_the_rows_that_are_there():
    small, large = db.NaiveBayes().fit(SIGNAL[:200], y[:200]), db.NaiveBayes().fit(SIGNAL[200:], y[200:])
    whole = db.NaiveBayes().fit(SIGNAL, y)
    for both in (small + large, large + small):
        assert both.chosen_ == whole.chosen_
    whole.forget(SIGNAL[:200], y[:200])
    assert whole.chosen_ == large.chosen_
    more = db.NaiveBayes().fit(SIGNAL[:200], y[:200])
    before = more.chosen_
    more.partial_fit(SIGNAL[200:250], y[200:250])
    assert more.chosen_ == before  # the rows have not doubled
    more.partial_fit(SIGNAL[250:], y[250:])
    assert more.chosen_.rows == len(SIGNAL)


def test_without_rows_choices_stay_and_a_warning_says_so(tmp_path):
    small, large = (saved(db.NaiveBayes().fit(SIGNAL[a:b], y[a:b]), tmp_path) for a, b in ((0, 200), (200, N)))
    for both in (small + large, large + small):
        assert both.chosen_ == large.chosen_
    with pytest.warns(db.ChoiceWarning, match="choices stay as they were made"):
        large.forget(SIGNAL[200:250], y[200:250])
    assert large.chosen_.rows == 1000
    with pytest.raises(ValueError, match="remembers no rows, so there is nothing to choose on"):
        large.tune()
    large.tune(SIGNAL[250:], y[250:])
    assert large.chosen_.rows == N - 250


def test_tuning_a_file_on_its_rows_gives_the_choices_that_were_made_in_training(tmp_path):
    nb = db.NaiveBayes().fit(COPIED, NAMES)
    assert saved(nb, tmp_path).tune(COPIED, NAMES).chosen_ == nb.chosen_
    plain = db.NaiveBayes(db.Binned()).fit(COPIED, NAMES)
    with pytest.raises(ValueError, match="nothing is left open"):
        plain.tune(COPIED, NAMES)


def test_settings_that_change_are_chosen_again_on_the_remembered_rows():
    nb = db.NaiveBayes().fit(COPIED, NAMES)
    before = nb.chosen_
    nb.reestimate(calibrate=False)
    assert nb.chosen_ == db.NaiveBayes(calibrate=False).fit(COPIED, NAMES).chosen_
    nb.reestimate(calibrate="isotonic")
    assert nb.chosen_ == db.NaiveBayes(calibrate="isotonic").fit(COPIED, NAMES).chosen_
    nb.reestimate(calibrate=None, alpha=30.0)
    assert nb.chosen_ == db.NaiveBayes(alpha=30.0).fit(COPIED, NAMES).chosen_
    assert f"alpha {before.alpha:.3g}" not in str(nb)
    nb.reestimate(alpha=None)
    assert nb.chosen_ == before


def test_without_rows_settings_change_as_far_as_they_can(tmp_path):
    nb = saved(db.NaiveBayes().fit(COPIED, NAMES), tmp_path)
    alpha = nb.chosen_.alpha
    assert nb.chosen_.calibration is not None
    with pytest.warns(db.ChoiceWarning, match="calibration was fitted under other settings and is taken away"):
        nb.reestimate(alpha=2.0)
    assert (nb.chosen_.alpha, nb.chosen_.calibration) == (2.0, None)
    assert f"{alpha:.3g}" not in str(nb).splitlines()[2]
    with pytest.warns(db.ChoiceWarning, match="pseudo-count stays as it was chosen"):
        nb.reestimate(alpha="auto")
    assert nb.chosen_.alpha == alpha
    with pytest.raises(ValueError, match="needs rows, and the model remembers no rows"):
        nb.reestimate(calibrate="isotonic")
    with pytest.raises(ValueError, match="chosen on rows, and the model remembers no rows"):
        db.NaiveBayes(db.Binned()).fit(COPIED, NAMES).reestimate(alpha="auto")


def test_soft_labels_choose_nothing():
    with pytest.raises(ValueError, match="soft labels are not a class to predict"):
        db.NaiveBayes(alpha="auto").fit(SIGNAL, np.eye(3)[y])
    with pytest.warns(db.ChoiceWarning, match="Nothing was chosen: soft labels"):
        soft = db.NaiveBayes().fit(SIGNAL, np.eye(3)[y])
    assert (soft.chosen_.alpha, soft.chosen_.alpha_chosen, soft.chosen_.calibration) == (1.0, False, None)
    assert np.allclose(soft.predict_proba(SIGNAL), db.NaiveBayes(**PLAIN).fit(SIGNAL, y).predict_proba(SIGNAL))
    with pytest.raises(ValueError, match="soft labels are not a class to predict"):
        db.NaiveBayes(calibrate="auto").fit(pa.table({"x": SIGNAL[:, 0]}), np.eye(3)[y])


def test_a_model_that_remembers_nothing_takes_constants():
    with pytest.raises(ValueError, match="remember=0 keeps no rows"):
        db.NaiveBayes(alpha="auto", remember=0).fit(SIGNAL, y)
    with pytest.warns(db.ChoiceWarning, match="Nothing was chosen: the model remembers no rows"):
        nb = db.NaiveBayes(remember=0).fit(SIGNAL, y)
    assert np.array_equal(nb.predict_proba(SIGNAL), db.NaiveBayes(**PLAIN).fit(SIGNAL, y).predict_proba(SIGNAL))
    with pytest.raises(ValueError, match="remember is -1; give a whole number of rows"):
        db.NaiveBayes(remember=-1).fit(SIGNAL, y)


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
    nb = db.NaiveBayes().fit(frame, "label").reestimate(columns={name: db.Binned(bins=3)})
    assert nb.columns_[name] == db.Binned(bins=3)
    assert nb.chosen_.columns[name].bins == 3
    before = nb.predict_log_proba(frame)
    for bad in ({name: db.Gaussian()}, {"x": db.Binned()}, {name: 3}):
        with pytest.raises(ValueError, match=r"needs other facts|not among|not an event model"):
            nb.reestimate(columns=bad)
        assert np.array_equal(nb.predict_log_proba(frame), before)


def test_a_merged_model_without_rows_keeps_the_pseudo_count_that_was_chosen(tmp_path):
    chosen = db.NaiveBayes(db.Binned(), alpha="auto").fit(SIGNAL[:300], y[:300])
    chosen = saved(chosen, tmp_path)
    both = chosen + db.NaiveBayes(db.Binned(), calibrate="temperature").fit(SIGNAL, y)
    assert both.chosen_.alpha == chosen.chosen_.alpha
    both.reestimate(class_prior="uniform")


def test_classes_of_weight_0_are_no_classes_when_choosing():
    weight = np.where(y == 2, 0.0, 1.0)
    assert db.NaiveBayes().fit(SIGNAL, y, sample_weight=weight).classes_.tolist() == [0, 1]


def test_soft_labels_with_a_given_pseudo_count_choose_nothing():
    with pytest.warns(db.ChoiceWarning, match="soft labels"):
        nb = db.NaiveBayes(alpha=1.0).fit(SIGNAL, np.eye(3)[y])
    assert len(nb.classes_) == 3
    assert nb.chosen_.rows == 0
    assert "soft labels" in nb.chosen_.reason


def test_soft_labels_without_anything_to_choose_give_no_warning():
    nb = db.NaiveBayes(alpha=1.0, calibrate=False).fit(SIGNAL, np.eye(3)[y])
    assert nb.chosen_.reason == ""


def test_labels_beside_a_table_do_not_change_later_tables():
    apart = db.NaiveBayes().fit(pa.table({"x": SIGNAL[:, 0]}), y)
    whole = pa.table({"x": SIGNAL[:, 0], "label": y})
    assert apart.score(whole, "label") > 0.5
    assert apart.partial_fit(whole, "label").classes_.tolist() == [0, 1, 2]
