# `make demo` and `make test` need only make and a Python of 3.11 or later; everything else goes into .venv.

PYTHON ?= python3
VENV ?= .venv
RUN := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed

.PHONY: demo test lint lock clean install

demo: $(INSTALLED)
	@$(RUN) -m verifier demo

test: $(INSTALLED)
	$(RUN) -m pytest

lint: $(INSTALLED)
	$(RUN) -m ruff check verifier tests examples benchmarks
	$(RUN) -m mypy
	$(RUN) -m verifier lint

install: $(INSTALLED)

# The lock holds the build back end too, so that the package itself is installed without build isolation.
$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or later is needed; this is " + sys.version.split()[0] + ". Name another with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv --clear $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	$(RUN) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(INSTALLED)

# Renews requirements.lock; pip-tools is not part of it and is installed beside it.
lock:
	$(PYTHON) -m piptools compile --quiet --strip-extras --allow-unsafe --generate-hashes --no-header --no-emit-index-url \
	    --no-emit-find-links --no-emit-trusted-host --extra cli,hypothesis,evaluation,dev --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
