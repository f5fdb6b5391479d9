"""Settings of texts on the command line: event models of words, and labels of fastText's lines."""

from click.testing import CliRunner
from program import run

import deciban as db
from deciban.cli.main import deciban_command

LINES = "__label__a __label__b Brûlée of them now\n" * 40 + "__label__b only this one here\n" * 40


def fit(folder, *options):
    path, model = folder / "several.txt", folder / "model.deciban"
    path.write_text(LINES)
    arguments = ["fit", str(path), "--target", "label", "-o", str(model), *options]
    result = CliRunner().invoke(deciban_command, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return db.load(model)


def test_each_label_of_a_line_is_a_row_if_asked_for(tmp_path):
    assert fit(tmp_path, "--labels", "each").statistics_.weight.tolist() == [40, 80]
    done = run("fit", "several.txt", "--target", "label", "-o", "first.deciban", folder=tmp_path)
    assert done.returncode == 0
    assert "40 lines of several.txt have more than one label; the first counts. Give --labels each" in done.stderr
    assert db.load(tmp_path / "first.deciban").statistics_.weight.tolist() == [40, 40]


def test_words_take_all_their_settings(tmp_path):
    settings = "max_df=0.9, strip_accents=True, analyzer='char_wb', ngrams=(2, 3)"
    nb = fit(tmp_path, "--labels", "each", "--column", f"text=words({settings})")
    words = db.Words(max_df=0.9, strip_accents=True, analyzer="char_wb", ngrams=(2, 3))
    assert nb.columns_["text"] == words
    assert " br" in nb.model_.parts[0].scorer.vocabulary.words
    nb = fit(tmp_path, "--labels", "each", "--column", "text=words(vocabulary=['brûlée', 'only'])")
    assert sorted(nb.model_.parts[0].scorer.vocabulary.words) == ["brûlée", "only"]


def test_words_take_priors_by_class_and_word(tmp_path):
    nb = fit(tmp_path, "--labels", "each", "--column", 'text=words(prior={"b": {"only": 2.5, "never": 7}})')
    assert nb.columns_["text"] == db.Words(prior={"b": {"only": 2.5, "never": 7}})
    assert nb.predict(["never"]).tolist() == ["b"]
