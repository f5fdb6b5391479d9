"""Tables as text are the same in a terminal and in a notebook."""

import rich.console

from deciban.terminal.tables import PrintedTable, tables_text

TABLE = PrintedTable("title", ["name", "n"], [["a", "1"], ["b", "20"]], "below")


def test_tables_are_text_in_a_notebook_too(monkeypatch):
    expected = tables_text([TABLE])
    assert "20" in expected
    monkeypatch.setattr(rich.console, "_is_jupyter", lambda: True)
    assert tables_text([TABLE]) == expected
