# The two commands of the Quick start, each with everything it needs:
#
#   make demo    set-up, then real numbers through the C API and through Python
#   make test    set-up, then all tests
#   make clean   removes what the two made (.venv and build)
#
# And one more, which downloads about 250 MB into an environment of its own:
#
#   make test-torch-npu   torch-npu, as it comes from PyPI, on our libraries
#
# PYTHON=python3.12 chooses the interpreter, CC=clang the compiler, TESTS=tests/test_samples.py the tests.

PYTHON ?= python3
CC ?= cc
TESTS ?= tests
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
# not from this folder: Python would find the sources here instead of the installed package
PYACLNN := cd build && $(BIN)/python -m pyaclnn

SOURCES := $(shell find include lib pyaclnn -type f ! -name '*.pyc' ! -name '*.so') meson.build pyproject.toml
SAMPLE := build/real_data_2d

# torch for the CPU; from PyTorch's own index where no other has it, PyPI's build brings CUDA along
TORCH := torch==2.13.0+cpu
TORCH_NPU := torch-npu==2.13.0
TORCH_INDEX := https://download.pytorch.org/whl/cpu
NPU_VENV := build/torch-npu-venv
NPU_PYTHON := $(CURDIR)/$(NPU_VENV)/bin/python
NPU_PIP := $(NPU_PYTHON) -m pip --quiet --disable-pip-version-check

say = @printf '\n-- %s\n' '$(1)'

.PHONY: demo test test-torch-npu clean

demo: $(SAMPLE)
	$(call say,C: samples/real_data_2d.c)
	@$(SAMPLE)
	$(call say,Python: python -m pyaclnn demo)
	@$(PYACLNN) demo

test: build/.tests-ready
	$(call say,Running the tests)
	@PATH="$(BIN):$$PATH" $(BIN)/pytest $(TESTS)

test-torch-npu: build/.torch-npu-ready
	$(call say,Running the tests of torch-npu)
	@cd tests/torch_npu && \
	    env -u ASCEND_HOME_PATH LD_LIBRARY_PATH="$$(cd / && $(NPU_PYTHON) -m pyaclnn --prefix)/lib64" ACLEMU_DEVICES=2 \
	    $(NPU_PYTHON) -m pytest -c pytest.ini

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

$(NPU_VENV)/.made:
	$(call say,Making $(NPU_VENV) with $(TORCH_NPU))
	@mkdir -p build
	@$(PYTHON) -m venv --clear $(NPU_VENV)
	@{ $(NPU_PIP) install $(TORCH) || $(NPU_PIP) install --index-url $(TORCH_INDEX) $(TORCH); } \
	        >build/torch-npu.log 2>&1 && \
	    $(NPU_PIP) install $(TORCH_NPU) numpy pytest pyyaml >>build/torch-npu.log 2>&1 || { \
	    echo "$(TORCH) or $(TORCH_NPU) cannot be had for this Python; build/torch-npu.log says why."; \
	    echo "Next step: the network, or PYTHON=python3.11, for which there are wheels"; exit 1; }
	@touch $@

build/.torch-npu-ready: $(NPU_VENV)/.made build/.wheel
	$(call say,Installing the wheel into $(NPU_VENV))
	@$(NPU_PIP) uninstall --yes pyaclnn >/dev/null 2>&1
	@$(NPU_PIP) install build/wheel/*.whl
	@touch $@

$(SAMPLE): build/.installed samples/real_data_2d.c samples/common.h
	$(call say,Compiling samples/real_data_2d.c)
	@flags="$$($(PYACLNN) --cflags)" && libs="$$($(PYACLNN) --libs)" && \
	    $(CC) samples/real_data_2d.c $$flags $$libs -lm -o $@
