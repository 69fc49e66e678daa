# SPDX-License-Identifier: MIT
#
# Fuzzing beyond what `make test` does (that is `make fuzz-short`: a round with a fixed seed).
#
#   make -f tests/fuzz/fuzz.mk long MINUTES=10    each target for so long, clang with libFuzzer
#   make -f tests/fuzz/fuzz.mk standalone         the same targets without libFuzzer, by gcc
#   make -f tests/fuzz/fuzz.mk seeds              writes tests/fuzz/corpus anew
#
# Flags the targets need: clang -g -O1 -fsanitize=fuzzer,address,undefined
# -fno-sanitize-recover=all; gcc the same without `fuzzer`, with tests/fuzz/standalone.c linked in.

MINUTES ?= 5
out     := build/fuzz-standalone
targets := dp2 capture
sources := $(wildcard dp2/*.c)
common  := -std=gnu11 -g -O1 -I. -Wall -Wextra -fsanitize=address,undefined \
           -fno-sanitize-recover=all -fno-omit-frame-pointer

.PHONY: long standalone seeds
long:
	$(MAKE) --no-print-directory $(targets:%=build/fuzz/fuzz_%)
	@mkdir -p $(targets:%=build/fuzz/corpus/fuzz_%)
	@set -e; for t in $(targets); do \
	    build/fuzz/fuzz_$$t -max_total_time=$$(($(MINUTES) * 60)) -print_final_stats=1 \
	        -artifact_prefix=build/fuzz/ build/fuzz/corpus/fuzz_$$t tests/fuzz/corpus/$$t; \
	done

$(out)/%: tests/fuzz/%.c tests/fuzz/standalone.c $(sources)
	@mkdir -p $(out)
	gcc $(common) -o $@ $^ -lz
standalone: $(targets:%=$(out)/fuzz_%)
	@set -e; for t in $(targets); do \
	    $(out)/fuzz_$$t -seed=1 -runs=2000 tests/fuzz/corpus/$$t/*; \
	done

$(out)/make_seeds: tests/fuzz/make_seeds.c $(sources)
	@mkdir -p $(out)
	gcc $(common) -o $@ $^ -lz
seeds: $(out)/make_seeds
	@mkdir -p tests/fuzz/corpus
	$(out)/make_seeds tests/fuzz/corpus
