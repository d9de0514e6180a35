# The commands of everyday work. `make build` leaves the tool at build/bin/snag.

PRESET ?= default
BUILD_DIR = $(if $(filter default,$(PRESET)),build,build-$(PRESET))
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

.PHONY: build demo test bench install format clean

build:
	scripts/setup
	cmake --preset $(PRESET)
	cmake --build $(BUILD_DIR) -j $(JOBS)

demo: build
	scripts/demo $(BUILD_DIR)

test: build
	ctest --test-dir $(BUILD_DIR) --output-on-failure -j 2

bench: build
	scripts/bench $(BUILD_DIR)

install: build
	cmake --install $(BUILD_DIR) --prefix $(abspath $(PREFIX))

format:
	git ls-files --cached --others --exclude-standard '*.cc' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-*/
