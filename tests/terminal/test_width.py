"""Columns of text line up on a terminal, also with wide characters."""

from rich.cells import cell_len

import deciban as db


def test_bars_of_wide_characters_stand_below_each_other():
    table = {"天気": ["晴れ", "雨", "晴れ", "雨"], "wind": ["weak", "weak", "strong", "weak"], "y": [1, 0, 1, 1]}
    lines = str(db.NaiveBayes().fit(table, "y").explain({"天気": ["晴れ"], "wind": ["weak"]})).splitlines()
    bars = [cell_len(line.split("│")[0]) for line in lines if "│" in line]
    assert len(bars) == 5
    assert len(set(bars)) == 1
