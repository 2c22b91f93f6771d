# make play      sets everything up and opens the page     make test   sets everything up and runs all checks and tests
# make terminal  the same in text                         make quick  leaves out the slow tests
# make check     ruff, mypy and the layers of imports     make floors the tests with the oldest libraries that we promise
# make bench     speed, side by side with peers           make bench-server  the server under load, beside boardgame.io's (needs npm)
# make nightly   100,000 games against plain second rules  make wheels  sources and a wheel in dist/, tried without a compiler
# make uvicorns  fast moves in each release of uvicorn    make bench-watching  the same with everybody's page open
# make bench-fleet  three servers, killed and cut off       make bench-painting  how soon a page shows a change (needs a Chromium)
# make bench-bad-inputs  a million of them at real servers  make bench-soak  an hour at half load: does memory grow?
# make bench-processes  1, 2 and 4 processes on PostgreSQL
PYTHON ?= python3
BIN := .venv/bin
# Whatever the environment says, bytecode is kept: without it every command and every process of the tests takes twice as long to start.
export PYTHONDONTWRITEBYTECODE :=
SOURCES := $(shell find src/sheepfold -name '*.py') setup.py compiled.txt pyproject.toml

.PHONY: bench-fleet bench-processes bench-bad-inputs bench-soak play terminal test quick check nightly wheels floors uvicorns bench bench-server bench-watching bench-painting clean

play: .venv/ready
	@$(BIN)/sheepfold serve --open

terminal: .venv/ready
	@$(BIN)/sheepfold play

test: .venv/tools
	@$(BIN)/python tools/check.py $(BIN)/python -m pytest -n 3 --dist worksteal

quick: .venv/tools
	@$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

check: .venv/tools
	@$(BIN)/python tools/check.py

nightly: .venv/tools
	@$(BIN)/python tests/plain_games.py 100000 --in-all --workers 2

wheels: .venv/ready
	@$(BIN)/python -c "import build" 2>/dev/null || $(BIN)/pip install --quiet --disable-pip-version-check build
	@rm -rf dist && SHEEPFOLD_COMPILE=1 $(BIN)/python -m build && $(BIN)/python tools/try_wheel.py dist/*.whl

uvicorns: .venv/tools
	@$(BIN)/python tools/uvicorns.py

floors: .venv/tools
	@$(PYTHON) tools/floors.py

bench: .venv/ready
	@$(BIN)/python -c "import pyspiel" 2>/dev/null || $(BIN)/pip install --quiet --disable-pip-version-check open_spiel
	@$(BIN)/python bench/run.py

bench-server bench-watching: .venv/ready
	@folder=$$(mktemp -d) && cp bench/boardgame_io/package.json $$folder && npm install --silent --no-audit --no-fund --prefix $$folder && \
	$(BIN)/python bench/server.py $(if $(filter bench-watching,$@),--watching) --peer $$folder; status=$$?; rm -rf $$folder; exit $$status

bench-fleet: .venv/tools
	@$(BIN)/python bench/fleet.py

bench-processes: .venv/tools
	@$(BIN)/python bench/processes.py

bench-bad-inputs: .venv/tools
	@$(BIN)/python bench/bad_inputs.py

bench-soak: .venv/ready
	@$(BIN)/python bench/soak.py

bench-painting: .venv/tools
	@$(BIN)/python bench/painting.py

.venv/ready: $(SOURCES)
	@$(PYTHON) tools/setup_venv.py

.venv/tools: $(SOURCES)
	@$(PYTHON) tools/setup_venv.py --tools

clean:
	rm -rf .venv .venv-floors build dist *.egg-info src/*.egg-info
	find src -name '*.so' -delete
