"""Control characters of the data do not reach a terminal."""

import json

import pytest
from click.testing import CliRunner

from deciban.cli.main import deciban_command

RED = "\x1b[31mred\x1b]0;title\x07\u202e"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command on a model and a table in which a column, a category and a label hold control characters."""
    monkeypatch.chdir(tmp_path)
    rows = [
        {RED: (value := RED if i % 2 else "b"), RED + "again": value, "y": RED if i % 2 or i % 3 else "no"}
        for i in range(600)
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))

    def run(*arguments):
        result = CliRunner().invoke(deciban_command, arguments, color=True)
        assert result.exit_code == 0, result.output
        return result.output

    given = [f"--column={name}=categorical" for name in (RED, RED + "again")]
    run("fit", "t.jsonl", "--target", "y", "-o", "m.deciban", *given)
    return run


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "m.deciban"),
        ("importance", "m.deciban"),
        ("evaluate", "m.deciban", "t.jsonl"),
        ("explain", "m.deciban", "t.jsonl"),
        ("derive", "m.deciban", "t.jsonl"),
        ("diagnose", "m.deciban", "t.jsonl"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_control_characters_are_shown_as_escapes(run, arguments):
    output = run(*arguments)
    assert r"\x1b[31mred" in output
    assert not {"\x1b", "\x07", "\u202e"} & set(output)
