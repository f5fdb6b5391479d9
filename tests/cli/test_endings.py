"""Ends of the program: signals, closed inputs and outputs, a full disk. One sentence, an exit code, no half a file."""

import os
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pytest
from program import FRAME
from pyarrow import csv

# Every test starts the program in a process of its own.
pytestmark = pytest.mark.slow

PROGRAM = f'{sys.executable} -c "from deciban.cli import main; main()"'


def shell(folder, words, **options):
    """Run the program in a shell, where "deciban" stands for it."""
    command = f'deciban() {{ {PROGRAM} "$@"; }}; {words}'
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, timeout=120, check=False, **options)


def message(done):
    """Return what a process said on stderr, which is one line."""
    [line] = done.stderr.decode().splitlines()
    return line


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    """Return a folder with a table that takes long to read."""
    path = tmp_path_factory.mktemp("big")
    csv.write_csv(pa.concat_tables([pa.Table.from_pandas(FRAME)] * 4000), path / "big.csv")
    return path


@pytest.mark.parametrize(
    ("number", "says"), [("SIGINT", "interrupted"), ("SIGTERM", "terminated"), ("SIGHUP", "hung up")]
)
def test_a_signal_leaves_no_half_written_file(folder, big, number, says):
    # Under nohup the tests ignore SIGHUP, and a program that they start would inherit that.
    handler = "default_int_handler" if number == "SIGINT" else "SIG_DFL"
    listen = f"import signal; signal.signal(signal.{number}, signal.{handler})"
    command = [sys.executable, "-c", f"{listen}; from deciban.cli import main; main()"]
    words = ["predict", str(folder / "m.deciban"), "big.csv", "-o", "out.csv", "--proba"]
    with subprocess.Popen([*command, *words], cwd=big, stderr=subprocess.PIPE) as process:
        while not list(big.glob(".out.csv.*")):
            assert process.poll() is None
            time.sleep(0.005)
        os.kill(process.pid, getattr(signal, number))
        error = process.stderr.read().decode()
        assert process.wait(60) == 128 + getattr(signal, number)
    assert error.strip() == f"Error: {says}; no file was changed."
    assert [p.name for p in big.iterdir()] == ["big.csv"]


def test_a_signal_leaves_no_copy_of_a_stream(folder, tmp_path):
    command = [sys.executable, "-c", "from deciban.cli import main; main()", "predict", str(folder / "m.deciban"), "-"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(b"PAR1" + bytes(1 << 16))
        process.stdin.flush()
        time.sleep(2)  # imports, then waits for more
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 143
        assert b"Traceback" not in process.stderr.read()
    assert list(tmp_path.iterdir()) == []


INTERRUPTED = """
import sys
class Interrupt:
    module = sys.argv.pop(1)
    def find_spec(self, name, *_):
        if name == self.module:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
from deciban.cli import main
main()
"""


@pytest.mark.parametrize(
    "module", ["click", "deciban.cli.main", "deciban.cli.predict", "numpy", "pyarrow", "pyarrow.csv"]
)
def test_an_interrupt_during_imports_was_a_traceback(folder, module):
    command = [sys.executable, "-c", INTERRUPTED, module, "predict", "m.deciban", "t.csv"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)
    assert (done.returncode, b"Traceback" in done.stderr) == (130, False), done.stderr.decode()


def test_closed_standard_input_is_one_sentence(folder):
    done = shell(folder, "deciban fit - -t y -o n.deciban <&-")
    assert done.returncode == 1
    assert message(done) == "Error: standard input is closed; give a file, or send rows through a pipe."


@pytest.mark.parametrize("words", ["predict m.deciban t.csv", "show m.deciban", "show m.deciban -f json", "-h"])
def test_closed_standard_output_is_one_sentence(folder, words):
    done = shell(folder, f"deciban {words} >&-")
    assert done.returncode == 1
    assert "standard output is closed" in message(done)


def test_a_command_without_output_needs_no_standard_output(folder, tmp_path):
    for quiet in ("-q", ""):
        assert shell(folder, f"deciban {quiet} fit t.csv -t y -o {tmp_path}/n.deciban >&- 2>&-").returncode == 0
    assert (tmp_path / "n.deciban").read_bytes() == (folder / "m.deciban").read_bytes()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device here")
@pytest.mark.parametrize("words", ["predict m.deciban t.csv", "show m.deciban", "fit t.csv -t y -o -"])
def test_output_that_cannot_be_written_is_one_sentence(folder, words):
    done = shell(folder, f"deciban -q {words} > /dev/full")
    assert (done.returncode, message(done)) == (1, "Error: No space left on device")


@pytest.mark.parametrize("words", ["show m.deciban", "predict m.deciban t.csv", "explain m.deciban t.csv"])
def test_a_reader_that_leaves_is_not_an_error(folder, words):
    done = shell(folder, f"deciban {words} | head -c 1 > /dev/null; exit ${{PIPESTATUS[0]}}")
    assert (done.returncode, done.stderr) == (0, b"")


def test_process_substitutions_are_read_and_written(folder, tmp_path):
    for words in (
        "deciban -q fit <(cat t.csv) -t y -o {0}",
        "deciban -q fit <(gzip -c t.csv) -t y -o {0}",
        "gzip -c t.csv | deciban -q fit - -t y -o {0}",
        "deciban -q fit /dev/stdin -t y -o {0} < t.csv",
        "deciban -q fit <(cat a.csv) <(tail -n +2 b.csv | cat <(head -1 b.csv) -) -t y -o {0}",
        "deciban -q fit t.csv -t y -o - > {0}",
        "deciban -q fit t.csv -t y -o /dev/stdout | cat > {0}",
        "deciban -q fit t.csv -t y -o >(cat > {0}); sleep 1",
    ):
        path = tmp_path / "n.deciban"
        done = shell(folder, words.format(path))
        assert (done.returncode, done.stderr) == (0, b""), words
        assert path.read_bytes() == (folder / "m.deciban").read_bytes(), words
        path.unlink()


def test_predictions_go_to_standard_output_by_any_name(folder):
    plain = shell(folder, "deciban predict m.deciban t.csv").stdout
    for place in ("-", "/dev/stdout", "/dev/fd/1"):
        assert shell(folder, f"deciban predict m.deciban t.csv -o {place}").stdout == plain
        assert shell(folder, f"deciban predict m.deciban t.csv -o {place} | cat").stdout == plain


def test_a_terminal_gets_no_bytes_that_are_not_text(folder):
    pty = pytest.importorskip("pty")
    for words, code, says in (
        (["fit", "t.csv", "-t", "y", "-o", "-"], 2, b"a model is not text for a terminal"),
        (["predict", "m.deciban", "t.csv", "-f", "parquet"], 1, b"parquet is not text for a terminal"),
    ):
        main, terminal = pty.openpty()
        command = [sys.executable, "-c", "from deciban.cli import main; main()", *words]
        done = subprocess.run(command, cwd=folder, stdout=terminal, stderr=subprocess.PIPE, timeout=60, check=False)
        os.close(terminal)
        os.close(main)
        assert (done.returncode, says in done.stderr) == (code, True), done.stderr


def test_options_of_reading_reach_every_command(folder, tmp_path):
    odd = FRAME.to_csv(index=False, sep=";", decimal=",", header=False)
    (tmp_path / "odd.txt").write_bytes(("first line\n# comment\n" + odd + "x;oops;red;no\n").encode("utf-16"))
    reading = "--decimal , --comment '#' --skip-lines 1 --no-header --type c2=double --on-error skip"
    names = "--target c4"
    for words in (
        f"fit {tmp_path}/odd.txt {names} -o {tmp_path}/n.deciban",
        f"predict {tmp_path}/n.deciban {tmp_path}/odd.txt -o {tmp_path}/out.csv",
        f"evaluate {tmp_path}/n.deciban {tmp_path}/odd.txt {names}",
        f"explain {tmp_path}/n.deciban {tmp_path}/odd.txt --row 400",
        f"derive {tmp_path}/n.deciban {tmp_path}/odd.txt --row 400",
        f"diagnose {tmp_path}/n.deciban {tmp_path}/odd.txt {names}",
        f"tune {tmp_path}/n.deciban {tmp_path}/odd.txt {names} -o {tmp_path}/o.deciban",
        f"update {tmp_path}/n.deciban {tmp_path}/odd.txt {names} -o {tmp_path}/o.deciban",
        f"forget {tmp_path}/o.deciban {tmp_path}/odd.txt {names} -o {tmp_path}/p.deciban",
    ):
        done = shell(folder, f"deciban {words} {reading}")
        assert done.returncode == 0, (words, done.stderr.decode())
        if not words.startswith(("explain", "derive")):
            assert "1 rows that do not fit the columns are left out" in done.stderr.decode(), words
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 401


def test_messages_speak_of_options(folder, tmp_path):
    (tmp_path / "bad.csv").write_bytes("größe,y\n1,p\n".encode("latin-1"))
    (tmp_path / "late.csv").write_text("a,y\n1.5,p\nx,q\n")
    for words, says in (
        (f"fit {tmp_path}/bad.csv -t y -o n", "--encoding latin-1"),
        (f"fit {tmp_path}/late.csv -t y -o n --type a=double", "--type a=string"),
        (f"fit {tmp_path}/late.csv -t y -o n --type a=double", "--on-error missing"),
        (f"fit {tmp_path}/late.csv -t y -o n --type b=double", "--type names 'b'"),
        ("fit t.csv -t y -o n -c z=gaussian", "--column names 'z'"),
        ("fit t.csv -t y -o n -c id=skip -c x=skip -c word=skip", "--column"),
        ("fit t.csv -t y -o n --encoding rot13", "--encoding is 'rot13'"),
        ("predict m.deciban t.csv --class-prior '{\"no\": 2}'", "--class-prior"),
        ("predict m.deciban t.csv --class-weight '{\"maybe\": 2}'", "--class-weight names 'maybe'"),
        ("explain m.deciban t.csv --favour no --against no", "--favour and --against"),
    ):
        done = shell(folder, f"deciban {words}")
        assert done.returncode in (1, 2), words
        assert says in done.stderr.decode(), (words, done.stderr.decode())
