"""Build the kernels with AddressSanitizer and UndefinedBehaviorSanitizer, and run the kernel tests on them."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[1]
SITE = ROOT / "build" / "sanitize"
CALLS, SEED = 1000, 1
TESTS = [
    f"tests/{name}"
    for name in (
        "native",
        "arrays",
        "statistics",
        "scorers",
        "likelihoods",
        "readers",
        "explain",
        "model/test_sampling.py",
        "choosing/test_leave_one_out.py",
        "tables/test_any_table.py",
        "estimators/test_input_errors.py",
        "estimators/test_merging.py",
        "test_threads.py",
    )
]


def build() -> None:
    options = ["--config-settings=cmake.define.DECIBAN_SANITIZE=ON", "--config-settings=build-dir=build/sanitized"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--upgrade"]
    subprocess.run([*pip, *options, "--target", str(SITE), "."], cwd=ROOT, check=True)


def run() -> int:
    libraries = [
        subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so", "libstdc++.so")
    ]
    # Without site processing (-S) the editable install stays out of the way and the build above is imported.
    path = os.pathsep.join([str(SITE), sysconfig.get_paths()["purelib"]])
    environment = os.environ | {
        "PYTHONPATH": path,
        "LD_PRELOAD": " ".join(libraries),
        # Python itself leaks by design; everything else that a sanitizer finds ends the run.
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    check = "import deciban._core as c; assert 'sanitize' in c.__file__, c.__file__"
    subprocess.run([sys.executable, "-S", "-c", check], env=environment, check=True)
    python = [sys.executable, "-S"]
    # Every kernel, with so many random calls.
    calls = [*python, "tests/native/call_every_kernel.py", str(CALLS), str(SEED)]
    # Only the tests: the doctests of src/ would import the other build.
    pytest = [*python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS]
    return max(abs(subprocess.run(c, cwd=ROOT, env=environment, check=False).returncode) for c in (calls, pytest))


if __name__ == "__main__":
    build()
    sys.exit(run())
