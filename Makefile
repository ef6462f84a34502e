# SPDX-License-Identifier: Apache-2.0
#
# `make test` and `make demo` need nothing before them: what they need from Debian is installed, what
# they need from here is built. The build itself is CMake's: THIESSEN_PRESET names a preset of
# CMakePresets.json; CMAKE_ARGS, CTEST_ARGS, PIP_ARGS, PYTEST_ARGS and BENCH_ARGS are passed on to cmake, which takes them for
# a new build, ctest, pip, pytest and bench. PYTHON names the interpreter of the virtual environments (default: python3).

THIESSEN_PRESET ?= release
CMAKE_ARGS ?=
CTEST_ARGS ?=
PIP_ARGS ?=
PYTEST_ARGS ?=
BENCH_ARGS ?=
SECONDS ?= 600
SEED ?=
build := build/$(THIESSEN_PRESET)
jobs := $(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help test test-programs test-python test-large test-long coverage test-peers demo bench bench-instructions \
  docs format lint clean packages test-page test-qgis test-napari test-torch test-macos test-windows wheels

help:
	@echo 'make test        build everything and run the tests, those of the Python package in build/venv'
	@echo 'make demo        build the command and the example, and make pictures with them in out/demo'
	@echo 'make test-large  run the tests that need much memory or time'
	@echo 'make test-page   look at a page of thiessen render in a headless Chromium; screenshots in build/page'
	@echo 'make test-qgis   run the algorithms of the QGIS plugin by qgis_process, and in a window without a screen (Xvfb)'
	@echo 'make test-peers  run the tests of SciPy, scikit-image, CuPy, cuCIM, edt and xarray-spatial on our facades; those of'
	@echo '                 xarray-spatial with PYTHON=python3.12 or later'
	@echo 'make test-napari run the plugin in napari, without a screen'
	@echo 'make test-torch  test tensors of PyTorch, which takes 3 GB in build/torch-venv'
	@echo 'make test-macos  compile the library and the command for macOS, where nothing runs them'
	@echo 'make test-windows  compile the library for Windows by MinGW-w64, and run its unit tests and the conformance suite by Wine'
	@echo 'make test-long   compare random problems on all devices for SECONDS=600, from SEED on or any other'
	@echo 'make coverage    report which branches of the CPU and CUDA engines the tests take, in build/coverage'
	@echo 'make bench       measure against others, which it installs in build/bench-venv; tables and pictures'
	@echo '                 in build/bench, within the hour; BENCH_ARGS=--quick: a minute; BENCH_ARGS=--help'
	@echo 'make bench-instructions  count instructions of fixed cases, and compare with the counts on record'
	@echo 'make wheels      make the source distribution, and wheels for x86-64, with the cuda backend (nvcc) and without, and for'
	@echo '                 aarch64, in out/wheels-*; test the latter in QEMU, others in a bare Debian; as root, in an hour or two'
	@echo 'make docs        make the documentation site in build/docs/site; warnings and dead links are errors'
	@echo 'make lint        formatting, spelling, scripts, includes, words, as CI does'
	@echo 'make format      format the C++ sources in place'
	@echo 'make clean       remove build/ and out/'
	@echo
	@echo 'THIESSEN_PRESET=dev (asan, tsan; see CMakePresets.json) picks another build than release.'

test: test-programs test-python

test-programs: $(build)/build.ninja
	cmake --build --preset $(THIESSEN_PRESET)
	ctest --preset $(THIESSEN_PRESET) --no-tests=error --parallel $(jobs) --label-exclude 'large|long' $(CTEST_ARGS)

test-python: | packages
	ci/python-venv build/venv python/tests/requirements.txt $(PIP_ARGS)
	build/venv/bin/python -m pytest --numprocesses auto $(PYTEST_ARGS)

test-large: $(build)/build.ninja
	cmake --build --preset $(THIESSEN_PRESET)
	ctest --preset $(THIESSEN_PRESET) --no-tests=error --label-regex large $(CTEST_ARGS)

test-peers: | packages
	ci/python-venv build/peers-venv python/tests/peers/requirements-by-hand.txt $(PIP_ARGS)
	build/peers-venv/bin/python python/tests/peers/run.py --all

test-long: $(build)/build.ninja
	cmake --build --preset $(THIESSEN_PRESET) --target long
	THIESSEN_TEST_SECONDS=$(SECONDS) $(if $(SEED),THIESSEN_TEST_SEED=$(SEED)) $(build)/tests/long

test-page: $(build)/build.ninja
	@ci/install-packages --page
	cmake --build --preset $(THIESSEN_PRESET) --target thiessen_cli
	ci/python-venv build/page-venv tests/page/requirements.txt --no-package
	build/page-venv/bin/python tests/page/page_test.py $(build)/cli/thiessen build/page

test-qgis: $(build)/build.ninja
	@ci/install-packages --qgis
	cmake --build --preset $(THIESSEN_PRESET) --target thiessen_cli
	qgis-plugin/make-zip build/qgis/thiessen_provider.zip
	/usr/bin/python3 tests/qgis/qgis_test.py $(build)/cli/thiessen build/qgis/thiessen_provider.zip build/qgis/test

test-napari: | packages
	@ci/install-packages --napari
	ci/python-venv build/napari-venv tests/napari/requirements.txt $(PIP_ARGS)
	QT_API=pyqt6 QT_QPA_PLATFORM=offscreen build/napari-venv/bin/python -m pytest $(PYTEST_ARGS) tests/napari/napari_test.py

test-torch: | packages
	ci/python-venv build/torch-venv tests/torch/requirements.txt $(PIP_ARGS)
	build/torch-venv/bin/python -m pytest tests/torch $(PYTEST_ARGS)

test-macos: | packages
	@ci/install-packages --wheels
	ci/check-macos build/macos

test-windows: | packages
	@ci/install-packages --windows
	ci/check-windows build/windows

coverage: | packages
	@ci/install-packages --coverage
	ci/coverage build/coverage

demo: $(build)/build.ninja
	cmake --build --preset $(THIESSEN_PRESET) --target thiessen_cli world_time_zones
	examples/demo.sh $(build) out/demo

bench: | packages
	@ci/install-packages --bench
	ci/python-venv build/bench-venv bench/requirements.txt $(PIP_ARGS)
	build/bench-venv/bin/python -m bench $(BENCH_ARGS)

bench-instructions: $(build)/build.ninja
	@ci/install-packages --bench
	cmake --build --preset $(THIESSEN_PRESET) --target bench_instructions
	python3 bench/instructions.py $(build)/bench/bench_instructions $(BENCH_ARGS)

# One compilation of the library serves all versions of Python.
wheels: export CMAKE_CXX_COMPILER_LAUNCHER := ccache
wheels: export CMAKE_CUDA_COMPILER_LAUNCHER := ccache
wheels: export CCACHE_NOHASHDIR := 1
wheels: | packages
	@ci/install-packages --wheels
	THIESSEN_WITH_CUDA=ON ci/check-wheels out/wheels-x86_64
	THIESSEN_WITH_CUDA=OFF ci/check-wheels out/wheels-x86_64-cpu
	ci/check-bare-root build/bare-root out/wheels-x86_64/3.11/*.whl
	ci/check-bare-root build/bare-root out/wheels-x86_64-cpu/3.11/*.whl
	ci/check-bare-root build/bare-root out/wheels-x86_64/thiessen-*.tar.gz
	ci/check-wheel-aarch64 out/wheels-aarch64 out/wheels-x86_64/thiessen-*.tar.gz out/wheels-x86_64/venv-3.11/bin/python

docs: | packages
	@ci/install-packages --docs
	ci/python-venv build/docs-venv docs/requirements.txt --no-package
	ci/docs build/docs-venv

# Once configured, ninja runs cmake again by itself when that is needed.
$(build)/build.ninja: | packages
	cmake --preset $(THIESSEN_PRESET) $(CMAKE_ARGS)

packages:
	@ci/install-packages

format:
	@ci/install-packages --ci
	ci/tracked-files '*.hpp' '*.h' '*.cpp' '*.c' '*.cu' '*.cuh' | xargs --no-run-if-empty clang-format -i

lint:
	@ci/install-packages --ci
	ci/lint

clean:
	rm -rf build out
