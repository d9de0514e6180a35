# The commands of everyday work. `make build` leaves the tool at build/bin/snag; `make all` builds the tests, too.

PRESET ?= default
BUILD_DIR = $(if $(filter default,$(PRESET)),build,build-$(PRESET))
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

.PHONY: build build-demo all demo test bench soak fuzz install format clean

build: TARGET = snag_product
build-demo: TARGET = snag
build build-demo all:
	scripts/setup
	cmake --preset $(PRESET) $(if $(WERROR),-DSNAG_WERROR=$(WERROR))
	cmake --build $(BUILD_DIR) -j $(JOBS) $(TARGET:%=--target %)

# Builds only what it runs.
demo: build-demo
	scripts/demo $(BUILD_DIR)

test: all
	ctest --test-dir $(BUILD_DIR) --output-on-failure -j 2

# All of it, or some: make bench PARTS='speed memory'; BENCH_QUICK=1 for a first look.
bench: all
	scripts/bench --build $(BUILD_DIR) $(PARTS)

# The program that uses every primitive, 1000 schedules in every combination; long.
soak: build
	tests/lib/run.py tests/programs/all_variants.py --snag $(BUILD_DIR)/bin/snag

# What reads traces, suppressions, event schedules and coverage files, each for FUZZ_SECONDS (600).
fuzz: all
	scripts/fuzz --build $(BUILD_DIR)

install: build
	cmake --install $(BUILD_DIR) --prefix $(abspath $(PREFIX))

format:
	git ls-files --cached --others --exclude-standard '*.cc' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-*/
