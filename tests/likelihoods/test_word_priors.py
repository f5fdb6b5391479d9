"""Priors of words: per word, and per class and word, by name or listed for a fixed vocabulary."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

import deciban as db
from deciban.priors.estimation import Estimation

TEXTS = [
    "free pills free", "cheap free watches", "pills and cheap pills", "see you at lunch",
    "lunch at noon then", "free lunch you said", "",
]  # fmt: skip
Y = ["spam", "spam", "spam", "ham", "ham", "ham", "ham"]
NEW = ["free viagra", "cheap lunch lunch", "Viagra at noon", "nothing known", "", *TEXTS]
BY_WORD = {"free": 3.0, "viagra": 5.0, "at": 1.0}
BY_CLASS = {"spam": {"free": 3.0, "viagra": 5.0}, "ham": {"lunch": 2.5}}
PRIORS = {
    "word": db.Dirichlet(BY_WORD, default=1.5),
    "class": db.Dirichlet(BY_CLASS, default=1.5),
    "bare": {"free": 2.0, "viagra": 0.25},
    "bare by class": {"ham": {"free": 2.0, "viagra": 0.25}},
}
VOCABULARY = sorted({*" ".join(TEXTS).split(), "viagra"})


def beta(prior, label, word, alpha, estimate):
    """Return the pseudo-count of a word in a class, as a fraction."""
    if estimate == "mle":
        return Fraction(0)
    is_dirichlet = isinstance(prior, db.Dirichlet)
    given = prior.beta if is_dirichlet else prior
    given = given.get(label, {}) if any(isinstance(v, dict) for v in given.values()) else given
    if word not in given and (not is_dirichlet or prior.default is None):
        return Fraction(alpha)
    number = Fraction(given.get(word, prior.default if is_dirichlet else None))
    return number - 1 if is_dirichlet and estimate == "map" else number


def counts_of(label, texts=TEXTS, y=Y):
    return Counter(" ".join(t for t, own in zip(texts, y) if own == label).split())


def listed(prior, alpha=0.5, estimate="map"):
    """[classes × words] Pseudo-counts of all words, from a prior by name."""
    return np.array([[float(beta(prior, c, w, alpha, estimate)) for w in VOCABULARY] for c in ("ham", "spam")])


def fit(words, **settings):
    return db.NaiveBayes(words, **{"alpha": 0.5} | settings).fit(TEXTS, Y)


def test_equation_17_in_fractions():
    """θ_jk = (α_jk + β_jk − 1) / Σ_m (α_mk + β_mk − 1), with a β per class and word."""
    nb = fit(db.Words(prior=PRIORS["class"]))
    words, joint = "free viagra lunch free", []
    for label, share in (("ham", Fraction(4, 7)), ("spam", Fraction(3, 7))):
        count = counts_of(label)
        smoothed = {w: count[w] + beta(PRIORS["class"], label, w, 0, "map") for w in VOCABULARY}
        theta = {w: n / sum(smoothed.values()) for w, n in smoothed.items()}
        joint.append(share * np.prod([theta[w] for w in words.split()]))
    np.testing.assert_allclose(nb.predict_joint_log_proba([words])[0], np.log(np.array(joint, float)), rtol=1e-14)
    posterior = joint[1] / sum(joint)
    derivation = nb.derive([words])
    assert f"{posterior.numerator}/{posterior.denominator}" in str(derivation)


@pytest.mark.parametrize("estimate", ["map", "predictive", "mle"])
@pytest.mark.parametrize("name", PRIORS)
@pytest.mark.filterwarnings("ignore::deciban.ImpossibleRowWarning")
def test_a_bag_is_a_multinomial_of_the_same_counts_and_the_same_prior(name, estimate):
    x = CountVectorizer(vocabulary=VOCABULARY)
    pseudo = listed(PRIORS[name], estimate=estimate)
    peer = db.NaiveBayes(db.Multinomial(prior=pseudo), estimate=estimate).fit(x.transform(TEXTS).toarray(), Y)
    nb = fit(db.Words(prior=PRIORS[name]), estimate=estimate)
    expected = peer.predict_joint_log_proba(x.transform(NEW).toarray())
    np.testing.assert_allclose(nb.predict_joint_log_proba(NEW), expected, rtol=1e-13)
    again = fit(db.Words(vocabulary=VOCABULARY, prior=pseudo), estimate=estimate)
    np.testing.assert_allclose(again.predict_joint_log_proba(NEW), expected, rtol=1e-13)
    full = again.log_likelihood(NEW), peer.log_likelihood(x.transform(NEW).toarray())
    np.testing.assert_allclose(*full, rtol=1e-12)


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("name", PRIORS)
def test_a_complement_of_words_is_a_complement_of_their_counts(name, norm):
    x, pseudo = CountVectorizer(vocabulary=VOCABULARY), listed(PRIORS[name])
    settings = {"class_prior": "uniform"}
    counts = x.transform(TEXTS).toarray()
    peer = db.NaiveBayes(db.Complement(norm=norm, prior=pseudo), **settings).fit(counts, Y)
    nb = fit(db.Words(complement=True, norm=norm, prior=PRIORS[name]), **settings)
    expected = peer.predict_joint_log_proba(x.transform(NEW).toarray())
    np.testing.assert_allclose(nb.predict_joint_log_proba(NEW), expected, rtol=1e-12)


@pytest.mark.parametrize("estimate", ["map", "predictive"])
def test_a_set_is_a_bernoulli_of_the_same_bits_and_the_same_prior(estimate):
    x = CountVectorizer(vocabulary=VOCABULARY, binary=True)
    a = db.Dirichlet(BY_CLASS)
    b = db.Dirichlet({"viagra": 1.25, "at": 4.0})
    both = [listed(prior, estimate=estimate) + (estimate == "map") for prior in (a, b)]
    bits = x.transform(TEXTS).toarray()
    peer = db.NaiveBayes(db.Bernoulli(prior=db.Beta(*both)), estimate=estimate).fit(bits, Y)
    nb = fit(db.Words("set", prior=db.Beta(a.beta, b.beta)), estimate=estimate)
    expected = peer.predict_joint_log_proba(x.transform(NEW).toarray())
    np.testing.assert_allclose(nb.predict_joint_log_proba(NEW), expected, rtol=1e-13)
    order = VOCABULARY[::-1]
    prior = db.Beta(both[0][:, ::-1], both[1][:, ::-1].tolist())
    again = fit(db.Words("set", vocabulary=order, prior=prior), estimate=estimate)
    np.testing.assert_allclose(again.predict_joint_log_proba(NEW), expected, rtol=1e-13)


@pytest.mark.filterwarnings("ignore::deciban.ImpossibleRowWarning")
@pytest.mark.parametrize("estimate", ["map", "mle"])
def test_words_without_any_count_are_impossible_and_others_are_not(estimate):
    """Pseudo-counts of 0 for some words, and more for others, by class."""
    prior = {"spam": {"free": 0.0, "viagra": 0.0, "lunch": 2.0}, "ham": {"viagra": 1.0, "cheap": 0.0}}
    x = CountVectorizer(vocabulary=VOCABULARY, binary=True)
    bits, pseudo = x.transform(TEXTS).toarray(), listed(prior, alpha=0, estimate=estimate)
    for words, peer in (
        (db.Words("binary", prior=prior), db.Multinomial(prior=pseudo)),
        (db.Words("set", prior=prior), db.Bernoulli(prior=pseudo)),
    ):
        nb = fit(words, alpha=0, estimate=estimate)
        other = db.NaiveBayes(peer, estimate=estimate).fit(bits, Y)
        found, expected = nb.predict_joint_log_proba(NEW), other.predict_joint_log_proba(x.transform(NEW).toarray())
        assert np.isneginf(expected).any()
        assert np.isfinite(expected).any()
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_words_of_a_prior_are_read_as_texts_are():
    names = {"FREE!": 3.0, "See you": 4.0}
    nb = fit(db.Words(ngrams=(1, 2), prior=names))
    assert np.array_equal(
        nb.predict_proba(NEW), fit(db.Words(ngrams=(1, 2), prior={"free": 3.0, "see you": 4.0})).predict_proba(NEW)
    )
    exact = fit(db.Words(lowercase=False, prior={"FREE": 3.0}))
    assert "FREE" in exact.model_.parts[0].scorer.vocabulary.words
    pairs = fit(db.Words(analyzer="char_wb", ngrams=(2, 3), prior={" xy": 2.0, "FR": 1.0}))
    assert {" xy", "fr"} <= set(pairs.model_.parts[0].scorer.vocabulary.words)


def test_a_word_of_a_prior_that_no_document_has_is_evidence():
    nb = db.NaiveBayes(db.Words(prior={"spam": {"viagra": 8.0}})).fit(TEXTS, Y)
    assert nb.predict(["viagra"]).tolist() == ["spam"]
    assert nb.explain(["viagra"])[0].evidence[0] > 0
    assert "“viagra”" in str(nb.parameters())


def test_a_word_of_a_prior_always_counts():
    limits = {"min_count": 3, "max_df": 0.2, "max_words": 1, "stop_words": ["free", "at"]}
    for setting in ({name: value} for name, value in limits.items()):
        plain, named = (db.Words("binary", **setting, prior=prior) for prior in (None, {"free": 2.0, "never": 1.0}))
        found = set(fit(named).model_.parts[0].scorer.vocabulary.words)
        assert found == {*fit(plain).model_.parts[0].scorer.vocabulary.words, "free", "never"}, setting


def test_alpha_is_chosen_for_the_words_that_the_prior_does_not_name():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    texts = [" ".join(f"w{n}" for n in rng.integers(0, 300, 5) + 250 * c) for c in y]
    words = db.Words(prior={"w270": 0.25, "never": 7.0})
    nb = db.NaiveBayes(words, alpha="auto").fit(texts, y)
    alpha = nb.chosen_.alpha
    assert alpha != 1.0
    given = db.NaiveBayes(words, alpha=alpha).fit(texts, y)
    assert np.array_equal(nb.predict_joint_log_proba(texts), given.predict_joint_log_proba(texts))
    loss = {a: -given.reestimate(alpha=a).leave_one_out(texts, y)[np.arange(300), y].mean() for a in (alpha, 1.0)}
    assert loss[alpha] <= loss[1.0]


@pytest.mark.parametrize("name", PRIORS)
@pytest.mark.filterwarnings("ignore:prior names the classes 'ham':deciban.PriorWarning")
def test_a_model_streams_merges_forgets_and_is_saved(name, tmp_path):
    words = db.Words(prior=PRIORS[name])
    whole = fit(words)
    stream = db.NaiveBayes(words, alpha=0.5)
    for text, label in zip(TEXTS, Y):
        stream.partial_fit([text], [label])
    halves = [db.NaiveBayes(words, alpha=0.5).fit(TEXTS[i::2], Y[i::2]) for i in range(2)]
    more = fit(words).partial_fit(["more viagra now"], ["ham"]).forget(["more viagra now"], ["ham"])
    whole.save(tmp_path / "m.deciban")
    models = [stream, sum(halves), more, db.load(tmp_path / "m.deciban"), fit(db.Words()).reestimate(columns=words)]
    for nb in models:
        assert np.array_equal(nb.predict_joint_log_proba(NEW), whole.predict_joint_log_proba(NEW))


def test_a_prior_of_no_class_is_a_warning():
    with pytest.warns(db.PriorWarning, match=r"prior names the classes 'spma'; the rows have \['ham', 'spam'\] only"):
        nb = fit(db.Words(prior={"spma": {"free": 2.0}}))
    assert np.array_equal(nb.predict_proba(TEXTS), fit(db.Words()).predict_proba(TEXTS))


def test_a_new_class_has_the_numbers_of_its_own():
    nb = fit(db.Words(prior={"spam": {"free": 2.0}, "eggs": {"yolk": 3.0}}))
    nb.partial_fit(["egg yolk"], ["eggs"])
    assert nb.predict(["yolk"]).tolist() == ["eggs"]


def test_explanations_and_parameters_have_the_pseudo_counts_of_each_word():
    nb = fit(db.Words(prior={"free": 2.0, "viagra": 3.0}), alpha=1)
    whole = {c: sum(counts_of(c).values()) + len(VOCABULARY) - 2 + 5 for c in ("ham", "spam")}
    text = str(nb.parameters())
    for word, pseudo in (("free", 2), ("viagra", 3), ("lunch", 1)):
        line = next(line for line in text.splitlines() if f"“{word}”" in line)
        for label in ("ham", "spam"):
            share = f"{counts_of(label)[word] + pseudo}/{whole[label]}"
            assert share in line, (line, share)
    explained = nb.explain(["free viagra lunch"])[0]
    joint = nb.predict_joint_log_proba(["free viagra lunch"])[0]
    total = explained.prior + explained.evidence.sum()
    assert np.isclose(total, 10 * abs(joint[1] - joint[0]) / np.log(10), rtol=1e-12)


@pytest.mark.parametrize("words", [db.Words(prior=PRIORS["class"]), db.Words("set", prior=db.Beta(BY_WORD, BY_CLASS))])
def test_documents_are_drawn_with_the_words_of_the_prior(words):
    nb = db.NaiveBayes(words).fit(TEXTS * 3, Y * 3)
    drawn = nb.sample(4000, random_state=0)
    texts, labels = (drawn.column(name).to_pylist() for name in ("text", drawn.column_names[-1]))
    spam = [text.split() for text, label in zip(texts, labels) if label == "spam"]
    share = np.mean([("viagra" in text) for text in spam])
    scorer = nb.model_.parts[0].scorer
    word = scorer.vocabulary.words.index("viagra")
    theta = np.exp(scorer.log_probability(np.array([word]))[0, 1])
    if words.model == "set":
        assert abs(share - theta) < 4 * np.sqrt(theta / len(spam))
    else:
        found = sum(text.count("viagra") for text in spam) / sum(map(len, spam))
        assert abs(found - theta) < 4 * np.sqrt(theta / sum(map(len, spam)))


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"prior": {"see you": 2.0}}, "prior names 'see you', which is 2 words to this event model"),
        ({"prior": {"a": 2.0}}, "prior names 'a', which is 0 words"),
        ({"prior": {"": 2.0}}, "prior names '', which is 0 words"),
        (
            {"prior": {"see": 2.0}, "ngrams": (2, 3)},
            "is 1 word to this event model, and .* makes terms of 2 to 3",
        ),
        ({"prior": {"Free": 2.0, "free": 1.0}}, "'Free' and 'free', which are the same term 'free'"),
        ({"prior": {3: 2.0}}, "prior names 3; words are texts"),
        ({"prior": db.Dirichlet({"free": 2.0}), "evidence": "lift"}, "evidence='lift' takes one pseudo-count"),
        ({"prior": {"free": 2.0}, "transform": "tfidf", "evidence": "auto"}, "evidence='auto' takes one"),
        ({"prior": {"free": 2.0}, "buckets": 64}, "with buckets words have no names"),
        ({"prior": {"free": 2.0}, "vocabulary": ["lunch"]}, "prior names 'free', which vocabulary does not have"),
        ({"prior": [1.0, 2.0]}, "only a vocabulary that is a list of distinct words"),
        # A set is printed in an order that differs between the processes of pytest-xdist, so it cannot be the id.
        pytest.param(
            {"prior": [1.0, 2.0], "vocabulary": {"free", "at"}}, "only a vocabulary that is a list", id="a set"
        ),
        ({"prior": [1.0, 2.0], "vocabulary": ["free", "free"]}, "only a vocabulary that is a list of distinct"),
        ({"prior": [1.0, 2.0], "vocabulary": ["free"]}, "prior has 2 numbers for 1 values"),
        ({"prior": db.Dirichlet([1.0, 2.0]), "vocabulary": ["free"]}, "beta has 2 numbers for 1 values"),
    ],
    ids=str,
)
def test_priors_that_no_words_have(settings, match):
    with pytest.raises(ValueError, match=match):
        db.Words(**settings)


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (db.Words(prior=db.Dirichlet({"free": 0.5})), "needs every one at least 1"),
        (db.Words(prior=db.Dirichlet({"free": 2.0}, default=0.5)), "needs every one at least 1"),
        (db.Words(prior={"free": -1.0}), "prior is -1.0; a pseudo-count is"),
        (db.Words(prior={"free": "many"}), "prior is 'many'; a pseudo-count is"),
        (db.Words(prior={"spam": {"free": {"x": 1.0}}}), "prior is {'x': 1.0}; a pseudo-count is"),
        (db.Words("set", prior=db.Dirichlet({"free": 2.0})), "a Bernoulli takes a pseudo-count or Beta"),
        (db.Words(prior=db.Beta({"free": 2.0}, 1.0)), "give a pseudo-count or a Dirichlet"),
        (db.Words(vocabulary=["free"], prior=[[1.0], [2.0], [3.0]]), r"shape \(3, 1\) do not fit"),
    ],
    ids=str,
)
def test_numbers_that_are_no_prior(words, match):
    with pytest.raises(ValueError, match=match):
        fit(words).predict(NEW)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: db.Dirichlet({"a": 1.0, "b": {"c": 2.0}}), "beta has a mapping for some keys and 1.0 for 'a'"),
        (lambda: db.Dirichlet(2.0, default=1.0), "default is 1.0, for values that a mapping does not name"),
        (lambda: db.Dirichlet({"a": 1.0}, default=[1.0]), r"default is \[1.0\]; give one number"),
        (lambda: db.Beta({"a": 1.0}, [1.0, 2.0]), "give both by name, or both in order"),
        (lambda: db.Words(vocabulary=["ab"], prior=[[1.0], [1.0, 2.0]]), "whose lines differ in length"),
    ],
)
def test_priors_that_contradict_themselves(make, match):
    with pytest.raises(ValueError, match=match):
        make()


def test_a_prior_by_class_needs_labels():
    words = db.Words(prior=PRIORS["class"])
    block = fit(db.Words()).statistics_.blocks[0]
    with pytest.raises(ValueError, match="the classes have no labels here"):
        words.estimate(block, Estimation())
    assert words.estimate(block, Estimation(classes=np.array(["ham", "spam"]))).classes == 2


def test_statistics_do_not_depend_on_the_prior():
    assert fit(db.Words(prior=PRIORS["class"])).statistics_ == fit(db.Words()).statistics_
    assert db.Words(prior=PRIORS["class"]).has_same_statistics(db.Words())


def test_words_without_a_number_of_their_own_are_as_before():
    """A mapping that names a word with alpha itself changes nothing."""
    for words in (db.Words(), db.Words("set"), db.Words("binary", complement=True), db.Words(transform="tfidf")):
        same = fit(replace(words, prior={"free": 0.5, "at": 0.5}), class_prior="uniform")
        plain = fit(words, class_prior="uniform")
        np.testing.assert_allclose(
            same.predict_joint_log_proba(NEW), plain.predict_joint_log_proba(NEW), rtol=1e-13, atol=1e-13
        )


def test_numbers_belong_to_the_words_of_an_array_or_a_tuple():
    expected = fit(db.Words(vocabulary=["free", "at"], prior=[3.0, 1.0])).predict_proba(NEW)
    for vocabulary in (("free", "at"), np.array(["free", "at"])):
        assert np.array_equal(fit(db.Words(vocabulary=vocabulary, prior=[3.0, 1.0])).predict_proba(NEW), expected)
    named = db.Words(vocabulary=["at", "free"], prior={"free": 3.0, "at": 1.0})
    np.testing.assert_allclose(fit(named).predict_proba(NEW), expected, rtol=1e-14)


def test_a_class_without_any_count_or_prior_has_equally_likely_words():
    words = db.Words(ngrams=(2, 2), prior={"green blue": 0.0, "never red": 0.0, "red green": 0.0})
    nb = db.NaiveBayes(words, estimate="predictive", alpha=1.0).fit([""], ["spam"])
    assert nb.log_likelihood(["green blue"], ["spam"]).tolist() != [np.nan]
    evidence = nb._fitted().model.parts[0].scorer.word_evidence("green blue never red")[1]
    np.testing.assert_allclose(evidence, -np.log(3))
    assert nb.explain(["green blue never red"])[0].decision == "spam"
