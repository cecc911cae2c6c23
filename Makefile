# The two commands of the Quick start, each with everything it needs, and the documentation:
#
#   make demo    set-up, then real numbers through the C API and through Python
#   make test    set-up, then all tests
#   make docs    the site of the documentation, in build/site
#   make clean   removes what the two made (.venv and build)
#
# And one for each client that runs on our libraries as it comes from PyPI, in an environment of its own:
#
#   make test-torch-npu   downloads about 250 MB
#   make test-l0n0lacl
#
# And the benchmark, likewise with torch and oneDNN in an environment of its own; about half an hour:
#
#   make bench        BENCH="--filter r50 --threads 1" are options of `pyaclnn bench`
#   make bench-docs   puts its results into docs/performance.md
#
# PYTHON=python3.12 chooses the interpreter, CC=clang the compiler, TESTS=tests/test_samples.py the tests.

PYTHON ?= python3
CC ?= cc
TESTS ?= tests
BENCH ?=
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
# not from this folder: Python would find the sources here instead of the installed package
PYACLNN := cd build && $(BIN)/python -m pyaclnn

SOURCES := $(shell find include lib pyaclnn -type f ! -name '*.pyc' ! -name '*.so') meson.build pyproject.toml
SAMPLE := build/real_data_2d

# the clients, and the commands that bring each, and the rivals of the benchmark, into its environment
CLIENTS := l0n0lacl torch-npu
ENVIRONMENTS := $(CLIENTS) bench
CLIENT_VENV = build/$*-venv
CLIENT_PYTHON = $(CURDIR)/$(CLIENT_VENV)/bin/python
CLIENT_PIP = $(CLIENT_PYTHON) -m pip --quiet --disable-pip-version-check
# torch for the CPU; from PyTorch's own index where no other has it, PyPI's build brings CUDA along
TORCH := torch==2.13.0+cpu
TORCH_INDEX := https://download.pytorch.org/whl/cpu
ONEDNN := onednn-cpu-gomp==2023.2.0 onednn-devel-cpu-gomp==2023.2.0
INSTALL_torch = \
    { $(CLIENT_PIP) install $(TORCH) || $(CLIENT_PIP) install --index-url $(TORCH_INDEX) $(TORCH); }
# a rival that cannot be had does not take part, and the benchmark says so
INSTALL_bench = $(INSTALL_torch); $(CLIENT_PIP) install $(ONEDNN); true
INSTALL_l0n0lacl = $(CLIENT_PIP) install l0n0lacl==2.4.0 pytest
INSTALL_torch-npu = $(INSTALL_torch) && $(CLIENT_PIP) install torch-npu==2.13.0 numpy pytest pyyaml
EXTRA_bench := [bench]
# what must be set before Python starts
WITH_torch-npu = env -u ASCEND_HOME_PATH ACLEMU_DEVICES=2 \
    LD_LIBRARY_PATH="$$(cd / && $(CLIENT_PYTHON) -m pyaclnn --prefix)/lib64"

say = @printf '\n-- %s\n' '$(1)'

.PHONY: demo test docs $(CLIENTS:%=test-%) bench bench-docs clean

demo: $(SAMPLE)
	$(call say,C: samples/real_data_2d.c)
	@$(SAMPLE)
	$(call say,Python: python -m pyaclnn demo)
	@$(PYACLNN) demo

test: build/.tests-ready
	$(call say,Running the tests)
	@PATH="$(BIN):$$PATH" $(BIN)/pytest -n auto --dist loadgroup $(TESTS)

docs: build/.tests-ready
	$(call say,Building build/site)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "build/site/index.html"

$(CLIENTS:%=test-%): test-%: build/.%-ready
	$(call say,Running the tests of $*)
	@cd tests/$(subst -,_,$*) && $(WITH_$*) $(CLIENT_PYTHON) -m pytest -c pytest.ini

bench: build/.bench-ready
	$(call say,Running the benchmark)
	@cd build && bench-venv/bin/python -m pyaclnn bench --json bench.json --plot bench.png $(BENCH)

bench-docs: build/bench.json
	$(call say,Writing the results into docs/performance.md)
	@cd build && bench-venv/bin/python -m pyaclnn bench --from bench.json \
	    --markdown ../docs/performance.md --plot ../docs/performance.png >/dev/null

build/bench.json:
	@echo "There are no results yet. Next step: make bench"; exit 1

clean:
	rm -rf $(VENV) build

# ---- set-up: every step leaves a stamp, so that a second run does only what is new ----

$(VENV)/.made:
	$(call say,Making $(VENV))
	@mkdir -p build
	@$(PYTHON) -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null || { \
	    echo "$(PYTHON) has no header files, which the binding is built with."; \
	    echo "Next step on Debian or Ubuntu: apt-get install python3-dev"; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV) >build/venv.log 2>&1 || { \
	    echo "   the venv module is not complete, taking virtualenv"; rm -rf $(VENV); \
	    $(PYTHON) -m pip install --quiet --target build/virtualenv virtualenv >>build/venv.log 2>&1 && \
	    PYTHONPATH=build/virtualenv $(PYTHON) -m virtualenv --quiet $(VENV) >>build/venv.log 2>&1; } || { \
	    echo "No virtual environment could be made; build/venv.log says why."; \
	    echo "Next step on Debian or Ubuntu: apt-get install python3-venv"; exit 1; }
	@touch $@

build/.wheel: $(VENV)/.made $(SOURCES)
	$(call say,Building the libraries and the wheel)
	@rm -rf build/wheel
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/wheel .
	@touch $@

build/.installed: build/.wheel
	$(call say,Installing the wheel)
	@$(BIN)/python -m pip uninstall --quiet --disable-pip-version-check --yes pyaclnn 2>/dev/null
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check build/wheel/*.whl
	@touch $@

build/.tests-ready: build/.installed
	$(call say,Installing the tools of the tests)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(echo build/wheel/*.whl)[test]"
	@touch $@

$(ENVIRONMENTS:%=build/%-venv/.made): build/%-venv/.made:
	$(call say,Making $(CLIENT_VENV))
	@mkdir -p build
	@$(PYTHON) -m venv --clear $(CLIENT_VENV)
	@{ $(INSTALL_$*); } >build/$*.log 2>&1 || { \
	    echo "$* cannot be had for this Python; build/$*.log says why."; \
	    echo "Next step: the network, or PYTHON=python3.11, for which there are wheels"; exit 1; }
	@touch $@

$(ENVIRONMENTS:%=build/.%-ready): build/.%-ready: build/%-venv/.made build/.wheel
	$(call say,Installing the wheel into $(CLIENT_VENV))
	@$(CLIENT_PIP) uninstall --yes pyaclnn >/dev/null 2>&1
	@$(CLIENT_PIP) install "$$(echo build/wheel/*.whl)$(EXTRA_$*)"
	@touch $@

$(SAMPLE): build/.installed samples/real_data_2d.c samples/common.h
	$(call say,Compiling samples/real_data_2d.c)
	@flags="$$($(PYACLNN) --cflags)" && libs="$$($(PYACLNN) --libs)" && \
	    $(CC) samples/real_data_2d.c $$flags $$libs -lm -o $@
