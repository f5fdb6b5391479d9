# Each target sets up what it needs; a second run is quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := CMakeLists.txt pyproject.toml $(wildcard cpp/*.hpp cpp/*.cpp cpp/bind/*.hpp cpp/bind/*.cpp)

.PHONY: demo test bench lint sanitize clean

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

# The kernel tests again, with AddressSanitizer and UndefinedBehaviorSanitizer built in.
sanitize: $(VENV)/.dev
	$(BIN)/python tests/sanitize.py

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
