# The front door. Each target can be run again; the work is done by CMake and by scripts/.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
DEPS ?= yes
CTEST := ctest --output-on-failure --no-tests=error -j$(JOBS)
SANITIZED_KINDS := ^(unit|contract|identities|peers|cli|python)$$

.DEFAULT_GOAL := help
.PHONY: help demo test bench sanitize tsan format lint install docs clean build build-report program deps program-deps lint-deps bench-deps

help: ## Show this list
	@echo "fewdim: many dimensions in, few out."
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  JOBS=2 sets the parallel jobs; DEPS=no leaves the system's packages alone."

demo: program-deps ## PCA of the built-in digits; pictures and model land in demo-output/
	@scripts/build release $(JOBS) fewdim_cli
	@scripts/demo

test: build ## Build everything and run every test
	@$(CTEST) --test-dir build/release

bench: bench-deps program ## Measure speed and memory, and write the figures down (see bench/)
	@bench/run

sanitize: deps ## Run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/build asan $(JOBS)
	@$(CTEST) --test-dir build/asan -L '$(SANITIZED_KINDS)'

tsan: deps ## Run the tests under ThreadSanitizer
	@scripts/build tsan $(JOBS)
	@TSAN_OPTIONS="suppressions=$(CURDIR)/scripts/tsan.supp $$TSAN_OPTIONS" $(CTEST) --test-dir build/tsan -L '$(SANITIZED_KINDS)'

format: lint-deps ## Format every C++ file in place
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' | xargs clang-format -i

lint: lint-deps program ## Check format, include directions, shell scripts, links and generated docs
	@scripts/lint

install: program ## Install below PREFIX (default /usr/local); honors DESTDIR
	@cmake --install build/release --prefix "$(PREFIX)" || { \
	  echo "make install: can't write below $(DESTDIR)$(PREFIX); try 'sudo make install' or 'make install PREFIX=~/.local'" >&2; exit 1; }

docs: program ## Regenerate what docs/ takes from the method cards, and the man page
	@scripts/update-docs

build-report: ## Print where the time of the last build went
	@scripts/build-report

clean: ## Remove build/ and demo-output/
	rm -rf build demo-output

# What the targets above share.
build: deps
	@scripts/build release $(JOBS)

program: program-deps
	@scripts/build release $(JOBS) fewdim_cli fewdim_static fewdim_shared

ifeq ($(DEPS),no)
deps program-deps lint-deps bench-deps:
else
deps:
	@scripts/install-deps build test
program-deps:
	@scripts/install-deps build
lint-deps:
	@scripts/install-deps lint
bench-deps:
	@scripts/install-deps bench
endif
