# Each target sets up what it needs; a second run is quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SECONDS ?= 600
NATIVE := CMakeLists.txt pyproject.toml $(wildcard cpp/*/*.hpp cpp/*/*.cpp)

OLDEST := .venv-oldest
CLANG_FORMAT = find cpp fuzz -name '*.[ch]pp' | xargs $(BIN)/clang-format --fallback-style=none
LINTERS := lint-code lint-format lint-types lint-layers lint-cpp

.PHONY: demo demo-cluster gallery lecture check test test-oldest test-engines java browser bench lint $(LINTERS) format stubs sanitize soak fuzz fuzz-models clean

demo: $(VENV)/.installed
	$(BIN)/python examples/demo.py

# Train on one machine, on a Dask cluster and on a Spark cluster, each of two processes, and compare the model files.
demo-cluster: $(VENV)/.engines java
	$(BIN)/python examples/demo_cluster.py

# Draw the pictures of docs/gallery.md, light and dark, and write the page.
gallery: $(VENV)/.dev
	$(BIN)/python tools/gallery.py

# Execute the lecture; the page with its tables and pictures is build/lecture.html. It needs no network: its formulas are
# MathML, so the scripts that nbconvert would load are replaced by empty ones.
NO_SCRIPT := data:text/javascript,
lecture: $(VENV)/.dev
	$(BIN)/python -m nbconvert --execute --to html --output-dir build --HTMLExporter.require_js_url=$(NO_SCRIPT) \
	  --HTMLExporter.mathjax_url=$(NO_SCRIPT) examples/lecture.ipynb

# The daily loop: every test but the slow ones.
check: $(VENV)/.dev
	$(BIN)/python -m pytest -m "not slow" --numprocesses auto

# Every test, and which lines of the package the tests run.
test: $(VENV)/.dev
	$(BIN)/python -m pytest --cov --numprocesses auto

# Every test, on the lowest versions that pyproject.toml allows. NumPy 2.0 is built for Python 3.11 and 3.12.
test-oldest: $(OLDEST)/.installed
	$(OLDEST)/bin/python -m pytest tests --pyargs deciban

# Open the lecture and reports in headless Chromium, light, dark and printed; Debian's package is installed if there is none. Screenshots
# and PDFs are written to PICTURES, if that is given.
PICTURES ?=
ROOT_USER := $(if $(filter 0,$(shell id -u)),,sudo)
browser: lecture
	command -v chromium chromium-browser google-chrome > /dev/null || \
	  ($(ROOT_USER) apt-get update && $(ROOT_USER) apt-get install --yes --no-install-recommends chromium)
	$(BIN)/python -m tests.browser $(PICTURES)

# Tests on Dask and Spark, and the page about them. Spark needs Java: Debian's package is installed if there is none.
test-engines: $(VENV)/.engines java
	$(BIN)/python -m pytest tests/engines tests/test_docs.py -k "engines or cluster"

java:
	command -v java > /dev/null || test -n "$$JAVA_HOME" || \
	  ($(ROOT_USER) apt-get update && $(ROOT_USER) apt-get install --yes --no-install-recommends openjdk-17-jre-headless)

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

# A target for each linter: the hooks of .pre-commit-config.yaml run the same ones.
lint: $(LINTERS)

$(LINTERS): $(VENV)/.dev

lint-code:
	$(BIN)/ruff check .

lint-format:
	$(BIN)/ruff format --check .

lint-types:
	$(BIN)/mypy

lint-layers:
	$(BIN)/lint-imports

lint-cpp:
	$(CLANG_FORMAT) --dry-run --Werror

# What the linters can mend themselves.
format: $(VENV)/.dev
	$(BIN)/ruff check --fix --exit-zero --quiet .
	$(BIN)/ruff format .
	$(CLANG_FORMAT) -i

# Write the types of the native module, which mypy reads. tests/native/test_stub.py fails if the file is out of date.
STUB := src/deciban/_core.pyi
stubs: $(VENV)/.dev
	$(BIN)/python -m nanobind.stubgen --quiet -m deciban._core -o $(STUB)
	$(BIN)/ruff format --quiet $(STUB)

# Run the kernel tests, and random calls of every kernel, with AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: $(VENV)/.dev
	$(BIN)/python tests/sanitize.py

# Threads on one model for a minute, programs killed while they write, full disks. Takes about ten minutes.
soak: $(VENV)/.dev
	$(BIN)/python tests/load/soak.py

# Fuzz the text kernels under the same sanitizers for SECONDS: with libFuzzer if there is clang++, else with
# fuzz/driver.cpp. An input that fails is written to build/fuzz; give its name to the program to repeat it.
FUZZ_CXX := $(if $(shell command -v clang++ 2>/dev/null),clang++,g++)
FUZZER := build/fuzz/words-$(FUZZ_CXX)
FUZZED := $(wildcard cpp/core/*.cpp cpp/files/*.cpp cpp/words/*.cpp)
FUZZ_FLAGS := -std=c++20 -O2 -g -fno-omit-frame-pointer -Wall -Wextra -Wno-psabi -Icpp -DDECIBAN_ONE_TARGET \
  -DDECIBAN_SMALL_PARTITIONS \
  -D_GLIBCXX_ASSERTIONS -D_GLIBCXX_SANITIZE_VECTOR -fsanitize=address,undefined -fno-sanitize-recover=all

fuzz: $(FUZZER)
ifeq ($(FUZZ_CXX),clang++)
	mkdir -p build/fuzz/corpus
	$(FUZZER) -max_total_time=$(SECONDS) -max_len=4096 -len_control=0 -timeout=20 -dict=fuzz/words.dict \
	  -artifact_prefix=build/fuzz/ -print_final_stats=1 build/fuzz/corpus
else
	$(FUZZER) $(SECONDS) build/fuzz/crash fuzz/words.dict
endif

# Compare models with a reference in exact fractions, on random cases from the seed SEED on, for SECONDS. A finding is
# printed as a small case; `python -m fuzz.models --only SEED` repeats it.
SEED ?= $(shell date +%s)
fuzz-models: $(VENV)/.dev
	$(BIN)/python -m fuzz.models --seconds $(SECONDS) --seed $(SEED)

# The checks are compiled separately, without -fsanitize=fuzzer: libFuzzer should seek coverage of the kernels only.
$(FUZZER): $(FUZZED) $(wildcard cpp/*/*.hpp fuzz/*.hpp fuzz/*.cpp)
	mkdir -p $(@D)
	$(FUZZ_CXX) $(FUZZ_FLAGS) -c fuzz/words.cpp -o $@.o
ifeq ($(FUZZ_CXX),clang++)
	$(FUZZ_CXX) $(FUZZ_FLAGS) -fsanitize=fuzzer $@.o $(FUZZED) -o $@
else
	$(FUZZ_CXX) $(FUZZ_FLAGS) $@.o fuzz/driver.cpp $(FUZZED) -o $@
endif

$(VENV)/.created:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "deciban needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet scikit-build-core nanobind cmake ninja
	touch $@

# Editable: Python edits need no reinstall, an edit under cpp/ rebuilds what changed. The version is in __init__.py.
$(VENV)/.installed: $(VENV)/.created $(NATIVE) src/deciban/__init__.py
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[dev]'
	touch $@

$(VENV)/.engines: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[dev,dask,spark]' 'pyspark[connect]'
	touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[bench]'
	touch $@

# Not editable: here the package is tested as it is installed. pip rebuilds the kernels in a folder of their own.
$(OLDEST)/.installed: $(NATIVE) tools/lowest_versions.py $(shell find src -name '*.py' -o -name '*.pyi' -o -name '*.jinja')
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info >= (3, 13) and "give an older one: make test-oldest PYTHON=python3.11")'
	test -d $(OLDEST) || $(PYTHON) -m venv $(OLDEST)
	$(PYTHON) tools/lowest_versions.py > $(OLDEST)/constraints.txt
	$(OLDEST)/bin/python -m pip install --quiet --constraint $(OLDEST)/constraints.txt scikit-build-core nanobind cmake ninja
	$(OLDEST)/bin/python -m pip install --quiet --constraint $(OLDEST)/constraints.txt --no-build-isolation \
	  --config-settings=build-dir=build/oldest '.[test]'
	touch $@

clean:
	rm -rf build $(VENV) $(OLDEST)
