"""Data that would take over a terminal: control characters are shown as escapes, in every command and message."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress

import pytest

pty = pytest.importorskip("pty")
# Every test starts the program in a process of its own.
pytestmark = pytest.mark.slow

# Colours, a window's title, a clipboard, the one-byte form of an escape, a carriage return, reversed text.
HOSTILE = "\x1b[31m\x1b]0;title\x07\x1b]52;c;aGk=\x07\x9b2J\r\u202e"
NAME = "\x1b[2Jevil.jsonl"
ONLY = "\x1b[1monly"  # a column with one value


# Runs commands one after the other in one process, because every start takes seconds.
SCRIPT = """
import json, sys
from deciban.cli import main
for words in json.load(open("commands.json")):
    sys.argv[1:] = words
    code = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    print(f"=== {code}", flush=True)
"""

COMMANDS = [
    ["fit", NAME, "--target", "y", "-o", "m.deciban", "--alpha", "auto"]
    + [f"--column={name}=categorical" for name in (HOSTILE, HOSTILE + "again")],
    ["show", "m.deciban"],
    ["show", "m.deciban", "-f", "json"],
    ["importance", "m.deciban"],
    ["importance", "m.deciban", "-f", "json"],
    ["evaluate", "m.deciban", NAME],
    ["evaluate", "m.deciban", NAME, "-f", "json"],
    ["explain", "m.deciban", NAME],
    ["explain", "m.deciban", NAME, "-f", "json"],
    ["explain", "m.deciban", NAME, "-f", "html"],
    ["derive", "m.deciban", NAME],
    ["derive", "m.deciban", NAME, "-f", "markdown"],
    ["derive", "m.deciban", NAME, "-f", "html"],
    ["diagnose", "m.deciban", NAME],
    ["diagnose", "m.deciban", NAME, "-f", "json"],
    *(["predict", "m.deciban", NAME, "--keep", ONLY, "-f", form] for form in ("table", "csv", "json", "jsonl")),
    ["update", "m.deciban", "some.jsonl", "-o", "\x1b[2Jmodel"],
    ["merge", "m.deciban", "m.deciban", "-o", "\x1b[2Jmodel"],
    ["tune", "m.deciban", NAME, "-o", "\x1b[2Jmodel"],
    ["forget", "m.deciban", "some.jsonl", "-o", "\x1b[2Jmodel"],
]
MISTAKES = [
    ["fit", "bad.csv", "-t", "y", "-o", "n"],
    ["fit", "bad.csv", "-t", "y", "-o", "n", "--on-error", "skip", "--type", f"{HOSTILE}=double"],
    ["fit", "bad.csv", "-t", "x", "-o", "n", "--on-error", "skip"],
    ["fit", "\x1b[31mabsent", "-t", "y", "-o", "n"],
    ["fit", NAME, "-t", "y", "-o", NAME],
    ["fit", NAME, "-t", "y", "-o", "n", "-c", "\x1b[31m=gaussian"],
    ["fit", NAME, "-t", "y", "-o", "n", "-c", "\x1b[31m"],
    ["fit", NAME, "-t", "y", "-o", "n", "--type", "\x1b[31m"],
    ["fit", NAME, "-t", "y", "-o", "n", "--encoding", "\x1b[31m"],
    ["fit", NAME, "-t", "y", "-o", "n", "--alpha", "\x1b[31m"],
    ["show", NAME],
    ["command\x1b[31m"],
    ["show", "--\x1b[31m"],
    ["explain", "m.deciban", "--json", '{"\x1b[31m'],
    ["explain", "m.deciban", NAME, "--favour", "\x1b[31m"],
    ["predict", "m.deciban", NAME, "--keep", "\x1b[31m"],
    ["predict", "m.deciban", NAME, "--class-weight", '{"\\u001b[31m": 1}'],
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Return a folder with rows and a model whose columns, values, labels and file names are hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    rows = [
        {
            HOSTILE: (value := HOSTILE if i % 2 else "b"),
            HOSTILE + "again": value,
            "text": f"{HOSTILE} word{HOSTILE}word and other words {i}",
            ONLY: HOSTILE,
            "y": HOSTILE if i % 2 or i % 3 else "no",
        }
        for i in range(300)
    ]
    lines = [json.dumps(row) for row in rows]
    (folder / NAME).write_text("\n".join(lines))
    (folder / "some.jsonl").write_text("\n".join(lines[:50]))
    odd = HOSTILE.replace("\r", "")
    (folder / "bad.csv").write_bytes(f"{odd},y\n1,{odd}\n{odd},{odd}\n1,2,{odd}\n".encode())
    return folder


@pytest.fixture(scope="module")
def printed(hostile):
    """Return the output and the exit code of every command, with a terminal for standard output and errors."""
    (hostile / "commands.json").write_text(json.dumps([*COMMANDS, *MISTAKES]))
    main, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "200", "DECIBAN_PROGRESS": "0"}
    command = [sys.executable, "-c", SCRIPT]
    with subprocess.Popen(command, cwd=hostile, stdout=terminal, stderr=terminal, env=environment):
        os.close(terminal)
        found = b""
        with suppress(OSError):  # the program has closed the terminal
            while data := os.read(main, 1 << 16):
                found += data
    os.close(main)
    parts = re.split(r"=== (\d+)\n", found.decode().replace("\r\n", "\n"))
    assert len(parts) == 2 * len([*COMMANDS, *MISTAKES]) + 1, parts[-1]
    return list(zip(parts[::2], map(int, parts[1::2])))


def assert_harmless(output):
    found = {c for c in output if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 or c in "\u202e"}
    assert not found, output
    assert "Traceback" not in output
    # The character is shown as an escape: of text, of JSON, or of LaTeX, where a backslash is a command.
    assert any(escape in output for escape in ("\\x1b[", "\\u001b[", "\\backslash \\text{x1b[")), output


@pytest.mark.parametrize("i", range(len(COMMANDS)), ids=[" ".join([w[0], *w[3:][-1:]])[:30] for w in COMMANDS])
def test_output_on_a_terminal_is_harmless(printed, i):
    output, code = printed[i]
    assert code == 0, output
    assert_harmless(output)


@pytest.mark.parametrize("i", range(len(MISTAKES)))
def test_errors_on_a_terminal_are_harmless(printed, i):
    output, code = printed[len(COMMANDS) + i]
    assert code in (1, 2), output
    assert_harmless(output)


@pytest.mark.usefixtures("printed")
def test_data_in_a_pipe_is_as_it_was(hostile):
    command = [sys.executable, "-c", "from deciban.cli import main; main()", "predict", "m.deciban", NAME]
    for form in ("csv", "jsonl"):
        done = subprocess.run([*command, "-f", form], cwd=hostile, capture_output=True, timeout=60, check=True)
        text = done.stdout.decode()
        assert HOSTILE in text if form == "csv" else json.loads(text.splitlines()[1])["prediction"] == HOSTILE
