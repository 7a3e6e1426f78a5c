# `make demo` and `make test` need only make and a Python of 3.11 or later; everything else goes into .venv.

PYTHON ?= python3
VENV ?= .venv
RUN := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed
FRAMEWORKS := $(VENV)/.frameworks
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint lock clean install frameworks

demo: $(INSTALLED)
	@$(RUN) -m verifier demo

test: $(FRAMEWORKS)
	$(RUN) -m pytest

lint: $(INSTALLED)
	$(RUN) -m ruff check verifier tests examples benchmarks
	$(RUN) -m mypy
	$(RUN) -m verifier lint

install: $(INSTALLED)

frameworks: $(FRAMEWORKS)

# The lock holds the build back end too, so that the package itself is installed without build isolation.
$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or later is needed; this is " + sys.version.split()[0] + ". Name another with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) --require-hashes --no-deps -r requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $(INSTALLED)

# The frameworks whose adapters the tests run for real, and those of batch; the demo does without.
$(FRAMEWORKS): $(INSTALLED) frameworks.lock
	$(PIP) --require-hashes --no-deps -r frameworks.lock
	@touch $(FRAMEWORKS)

# Renews both locks, whose versions agree; pip-tools is not part of them and is installed beside them.
COMPILE := $(PYTHON) -m piptools compile --quiet --strip-extras --allow-unsafe --generate-hashes --no-header \
    --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host
EXTRAS := cli,hypothesis,evaluation,dev
TESTED := langchain,openai-agents,pydantic-ai,otel,parquet,daft

lock:
	$(COMPILE) --extra $(EXTRAS),$(TESTED) --output-file frameworks.lock pyproject.toml
	$(COMPILE) --extra $(EXTRAS) --constraint frameworks.lock --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
