"""The progress bar appears on a terminal, and not where it is turned off."""

import io

import deciban as db
import deciban.terminal.progress as progress


def test_a_bar_appears_on_a_terminal_and_not_where_it_is_turned_off(monkeypatch, tmp_path):
    shown = io.StringIO()
    shown.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    (tmp_path / "t.csv").write_text("a,y\n" + "1.5,p\n2.5,q\n" * 2500)
    db.NaiveBayes({"a": db.Gaussian()}).fit(tmp_path / "t.csv", "y")
    assert "rows/s" in shown.getvalue()
    shown.truncate(0)
    monkeypatch.setenv("DECIBAN_PROGRESS", "0")
    db.NaiveBayes({"a": db.Gaussian()}).fit(tmp_path / "t.csv", "y")
    assert "rows/s" not in shown.getvalue()


def test_a_file_name_does_not_style_the_bar(monkeypatch, tmp_path):
    shown = io.StringIO()
    shown.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    (tmp_path / "[red]\x1b]0;t\x07.csv").write_text("a,y\n" + "1.5,p\n2.5,q\n" * 2500)
    db.NaiveBayes({"a": db.Gaussian()}).fit(str(tmp_path / "[[]red]*.csv"), "y")
    assert r"[red]\x1b]0;t\x07.csv" in shown.getvalue()
    assert "\x07" not in shown.getvalue()


def test_choices_that_take_long_are_named(monkeypatch):
    shown = io.StringIO()
    shown.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", shown)
    x, y = [[i % 7, i % 3, i] for i in range(60)], [i % 2 for i in range(60)]
    db.NaiveBayes().fit(x, y)
    assert not shown.getvalue()  # it took less than two seconds
    monkeypatch.setattr(progress, "STEP_PATIENCE", -1.0)
    db.NaiveBayes().fit(x, y)
    assert "choosing a pseudo-count" in shown.getvalue()
    shown.truncate(0)
    monkeypatch.setenv("DECIBAN_PROGRESS", "0")
    db.NaiveBayes().fit(x, y)
    assert "choosing" not in shown.getvalue()
    monkeypatch.delenv("DECIBAN_PROGRESS")
    shown.isatty = lambda: False
    db.NaiveBayes().fit(x, y)
    assert "choosing" not in shown.getvalue()
