# Everything happens in $(VENV). A stamp there says what is installed, so a second call installs nothing.

VENV ?= .venv
PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python3.14; do \
	$$p -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VERSIONS ?= 3.12 3.13 3.14
BENCH ?=
JUDGES ?=
NEEDLES ?= --seeds 5
MODELS ?= .venv-models
MODEL ?= qwen2.5-coder-0.5b
# What tiktoken names its file of o200k: the SHA-1 of its address.
O200K := fb374d419588a4632f3f557e76b4b70aebbca790

BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
MODELS_PYTHON := $(MODELS)/$(notdir $(BIN))/python
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help run test fuzz check lint types format docs bench judges needles models test-models wheel versions clean

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

run: $(VENV)/.base ## Install, compact the bundled example session, print the report, replay the session
	$(BIN)/trimtab compact --example --output $(VENV)/example.json
	$(BIN)/trimtab replay --example

test: $(VENV)/.extra-test ## Install what the tests need and run them
	$(BIN)/python -m pytest -n auto --dist worksteal

fuzz: $(VENV)/.extra-test ## Fuzz readers and wires for ten minutes (FUZZ_SECONDS=600), findings go to .fuzz/
	$(BIN)/python -m tests.fuzz.driver

check: lint types test ## Format, lint, types and tests

lint: $(VENV)/.extra-dev ## Format and lint only
	$(BIN)/ruff format --check
	$(BIN)/ruff check

types: $(VENV)/.extra-dev ## Types only
	$(BIN)/mypy

format: $(VENV)/.extra-dev ## Put the sources into shape
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

docs: $(VENV)/.base ## Write the pages that are made from the code
	$(BIN)/python -m scripts.wires_page
	$(BIN)/python -m scripts.presets_page

bench: $(VENV)/.extra-bench $(VENV)/.tiktoken ## Measure speed, memory and install size, as ratios
	TIKTOKEN_CACHE_DIR="$${TIKTOKEN_CACHE_DIR:-$(VENV)/tiktoken}" $(BIN)/python -m benchmarks.run $(BENCH)

judges: $(VENV)/.base ## Ask outside judges what is kept, each in its own environment (JUDGES="conformance jev")
	$(BIN)/python -m benchmarks.judges $(JUDGES)

needles: $(VENV)/.base ## Plant needles in every kind of content and count what is kept (NEEDLES="--seeds 5 --peers")
	$(BIN)/python -m benchmarks.needles $(NEEDLES)

models: $(MODELS)/$(MODEL).gguf ## Fetch a small model and its server, and serve it on loopback (MODEL=smollm2-135m)
	$(MODELS_PYTHON) -m scripts.models serve $(MODEL)

test-models: $(VENV)/.extra-test $(MODELS)/smollm2-135m.gguf $(MODELS)/qwen2.5-coder-0.5b.gguf ## Live tests, with two small models
	MODELS=$(MODELS) $(BIN)/python -m pytest -o python_files='live_*.py' tests/live

wheel: $(VENV)/pyvenv.cfg ## Build the wheel into dist/
	rm -rf dist
	$(PIP) wheel --no-deps --wheel-dir dist .

# PYENV_VERSION makes pyenv's stand-ins work where pyenv is the source of these; elsewhere it means nothing.
versions: ## Run the tests on each other Python found (VERSIONS="3.12 3.13 3.14")
	@for v in $(VERSIONS); do \
		export PYENV_VERSION=$$v; \
		if python$$v -c 'import ensurepip' 2>/dev/null; then \
			$(MAKE) --no-print-directory test VENV=.venv-$$v PYTHON=python$$v || exit 1; \
		else \
			echo "python$$v: not found, skipped"; \
		fi; \
	done

clean: ## Remove environments, builds and caches
	rm -rf .venv .venv-* dist .fuzz .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/pyvenv.cfg:
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or later with venv found; name one: make PYTHON=…" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: $(VENV)/pyvenv.cfg pyproject.toml
	$(PIP) install --editable .
	@touch $@

$(VENV)/.extra-%: $(VENV)/pyvenv.cfg pyproject.toml
	$(PIP) install --editable '.[$*]'
	@touch $@

# Sizes, hashes and what is known of the licences: scripts/models.py.
$(MODELS)/%.gguf: $(MODELS)/pyvenv.cfg
	$(MODELS_PYTHON) -m scripts.models fetch $*

$(MODELS)/pyvenv.cfg:
	$(PYTHON) -m venv $(MODELS)

# The vocabulary that bench measures against, from a package on PyPI: tiktoken itself would fetch it from a
# host that may be out of reach. Without it bench still runs, and says which measure it skipped.
$(VENV)/.tiktoken: $(VENV)/pyvenv.cfg
	@mkdir -p $(VENV)/litellm $(VENV)/tiktoken
	@if $(PIP) download --no-deps --dest $(VENV)/litellm litellm==1.110.2 \
		&& $(BIN)/python -m zipfile -e $(VENV)/litellm/*.whl $(VENV)/litellm \
		&& mv $(VENV)/litellm/litellm/litellm_core_utils/tokenizers/$(O200K) $(VENV)/tiktoken/; then \
		touch $@; \
	else \
		echo "tiktoken's vocabulary could not be had" >&2; \
	fi
	@rm -rf $(VENV)/litellm
