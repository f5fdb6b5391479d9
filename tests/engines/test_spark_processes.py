"""Sessions of Spark in processes of their own: Spark Connect, and a cluster whose executors are killed."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
# Seconds after which a session fails instead of waiting.
PATIENCE = 420


def run(program, *arguments, needs=()):
    """Run a program of this folder and return what it prints; skip the test where a package or Java is absent."""
    for package in ("pyspark", "pandas", *needs):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is absent; pip install 'deciban[spark]' 'pyspark[connect]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is absent, which Spark needs; install openjdk-17-jre-headless")
    done = subprocess.run(
        [sys.executable, str(HERE / program), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_spark_connect_learns_what_one_machine_learns():
    shown = run("connect_session.py", needs=("grpc", "grpc_status", "zstandard"))
    assert "module: pyspark.sql.connect" in shown
    assert "equal: True" in shown
    assert "equal predictions: True" in shown
    assert "error: in one partition of the frame, counted from its first row: row 1, column 'weight'" in shown


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="executors are found in /proc, which is Linux's")
def test_killed_executors_change_neither_model_nor_predictions(tmp_path):
    shown = run("executor_session.py", tmp_path)
    assert "an executor was killed during fit" in shown
    assert "an executor was killed during predict" in shown
