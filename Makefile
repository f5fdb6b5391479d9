# Each target sets up what it needs; a second run is quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SECONDS ?= 600
NATIVE := CMakeLists.txt pyproject.toml $(wildcard cpp/*/*.hpp cpp/*/*.cpp)

.PHONY: demo test bench lint stubs sanitize fuzz clean

demo: $(VENV)/.installed
	$(BIN)/python examples/demo.py

test: $(VENV)/.dev
	$(BIN)/python -m pytest

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(wildcard cpp/*/*.hpp cpp/*/*.cpp fuzz/*.hpp fuzz/*.cpp)

# Write the types of the native module, which mypy reads. tests/test_stub.py fails if the file is out of date.
STUB := src/deciban/_core.pyi
stubs: $(VENV)/.dev
	$(BIN)/python -m nanobind.stubgen --quiet -m deciban._core -o $(STUB)
	$(BIN)/ruff format --quiet $(STUB)

# Run the kernel tests with AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: $(VENV)/.dev
	$(BIN)/python tests/sanitize.py

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

# Editable: Python edits need no reinstall, an edit under cpp/ rebuilds what changed.
$(VENV)/.installed: $(VENV)/.created $(NATIVE)
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[dev]'
	touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[bench]'
	touch $@

clean:
	rm -rf build $(VENV)
