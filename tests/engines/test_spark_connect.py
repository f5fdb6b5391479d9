"""Spark Connect, whose frames reach executors through a server: the same model as on one machine."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.slow
def test_spark_connect_learns_what_one_machine_learns():
    for package in ("pyspark", "grpc", "grpc_status", "zstandard", "pandas"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is absent, which Spark Connect needs; pip install 'pyspark[connect]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is absent, which Spark needs; install openjdk-17-jre-headless")
    done = subprocess.run(
        [sys.executable, str(HERE / "connect_session.py")],
        capture_output=True,
        text=True,
        timeout=420,
        check=False,
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "module: pyspark.sql.connect" in done.stdout
    assert "equal: True" in done.stdout
    assert "equal predictions: True" in done.stdout
    assert "error: in one partition of the frame, counted from its first row: row 1, column 'weight'" in done.stdout
