# Every target does its own set-up: a fresh Debian or Raspberry Pi OS needs python3, python3-venv and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
APPLIANCE ?= /var/tmp/gamenight-appliance
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup demo test check soak records messages appliance clean

help: ## show this help
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(BIN)/.stamp-run: pyproject.toml deploy/system-libs.sh
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	sh deploy/system-libs.sh $(BIN)/python
	touch $@

$(BIN)/.stamp-dev: $(BIN)/.stamp-run
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

setup: $(BIN)/.stamp-dev ## make .venv with everything for development

demo: $(BIN)/.stamp-run ## show the companion at work on a simulated table
	$(BIN)/companion run --demo

test: $(BIN)/.stamp-dev ## run all tests (under ten minutes on two cores)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q

check: $(BIN)/.stamp-dev ## format, lint, types, layers, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) test

soak: $(BIN)/.stamp-dev ## long runs
	$(BIN)/python -m pytest -m soak -q

records: $(BIN)/.stamp-dev ## play the golden records anew; read the diff before you commit it
	$(BIN)/python tests/records/regenerate.py

messages: $(BIN)/.stamp-dev ## bring the translations up to date
	$(BIN)/python -m web.catalogues update && $(BIN)/python -m web.catalogues compile

appliance: ## the whole appliance without a Pi: needs root and Debian (folder: APPLIANCE=/var/tmp/appliance)
	$(PYTHON) deploy/appliance/run.py $(APPLIANCE)

clean: ## remove what was built
	rm -rf $(VENV) build dist *.egg-info
