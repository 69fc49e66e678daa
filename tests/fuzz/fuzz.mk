# SPDX-License-Identifier: MIT
#
# Longer fuzzing than `make test` does (which is `make fuzz-short`: a round with a fixed seed).
#
#   make -f tests/fuzz/fuzz.mk long MINUTES=10    each target for that long, clang with libFuzzer
#   make -f tests/fuzz/fuzz.mk replay MINUTES=10 SEEDS=FOLDER
#                              event rows played into the whole driver (replay.c)
#   make -f tests/fuzz/fuzz.mk seeds              writes tests/fuzz/corpus again
#
# Flags the targets need: clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all. The programs of `make test` are
# built by gcc, with the mutator of standalone.c.

MINUTES ?= 5
out     := build/fuzz-standalone
long    := dp2 capture asm stream shader world umd inspect import
sources := $(wildcard dp2/*.c dp2/*/*.c base/*.c)
common  := -std=gnu11 -g -O1 -I. -Wall -Wextra -fsanitize=address,undefined \
           -fno-sanitize-recover=all -fno-omit-frame-pointer

.PHONY: long replay seeds
long:
	$(MAKE) --no-print-directory $(long:%=build/fuzz/fuzz_%)
	@mkdir -p $(long:%=build/fuzz/corpus/fuzz_%)
	@set -e; for t in $(long); do \
	    build/fuzz/fuzz_$$t -max_total_time=$$(($(MINUTES) * 60)) -print_final_stats=1 \
	        -artifact_prefix=build/fuzz/ build/fuzz/corpus/fuzz_$$t tests/fuzz/corpus/$$t; \
	done

$(out)/make_seeds: tests/fuzz/make_seeds.c $(sources) $(wildcard bytecode/*.c)
	@mkdir -p $(out)
	gcc $(common) -isystem /usr/include/wine/wine/windows -DHALCYON_VERSION='"seeds"' -o $@ $^ -lz -lm -pthread
seeds: $(out)/make_seeds
	@mkdir -p tests/fuzz/corpus
	$(out)/make_seeds tests/fuzz/corpus

# The driver built by clang: the Makefile's flags for gcc's kernels do not suit clang, and are not needed.
flags    := -std=gnu11 -g -O1 -I. -isystem /usr/include/wine/wine/windows -pthread -Wno-everything \
            -DHALCYON_VERSION='"fuzz"' -ffp-contract=off -fno-strict-aliasing \
            -fsanitize=address,undefined -fno-sanitize-recover=all -fsanitize=fuzzer-no-link -DHALCYON_ASSERTS \
            -MMD -MP
kernels  := $(wildcard raster/kernels/*.c raster/sample/kernels/*.c shader/run/kernels/*.c)
plain    := $(filter-out $(kernels),$(wildcard base/*.c caps/*.c client/*.c ddi/*.c ddi/*/*.c dp2/*.c dp2/*/*.c hal/*.c hal/*/*.c hal/*/*/*.c \
            bytecode/*.c raster/*.c raster/*/*.c shader/*.c shader/*/*.c replay/*.c)) tests/fuzz/replay.c
objects  := $(plain:%.c=$(out)/%.o) \
            $(foreach l,scalar sse2 avx2 avx512,$(kernels:%.c=$(out)/%.$l.o))
level_scalar := -DKERNEL_LEVEL=0 -msse2
level_sse2   := -DKERNEL_LEVEL=1 -msse2
level_avx2   := -DKERNEL_LEVEL=2 -mavx2
level_avx512 := -DKERNEL_LEVEL=3 -mavx512f -mavx512bw -mavx512dq -mavx512vl

define kernel_rule
$(out)/%.$(1).o: %.c
	@mkdir -p $$(@D)
	clang $(flags) $(level_$(1)) -DKERNEL_SUFFIX=_$(1) -c -o $$@ $$<
endef
$(foreach l,scalar sse2 avx2 avx512,$(eval $(call kernel_rule,$l)))
$(out)/%.o: %.c
	@mkdir -p $(@D)
	clang $(flags) -c -o $@ $<
$(out)/replay: $(objects)
	clang -fsanitize=fuzzer,address,undefined -o $@ $^ -lz -lm -pthread
replay: $(out)/replay
	@mkdir -p $(out)/corpus
	$(out)/replay -max_total_time=$$(($(MINUTES) * 60)) -max_len=65536 -timeout=20 \
	    -rss_limit_mb=4000 -malloc_limit_mb=3000 -artifact_prefix=$(out)/ $(out)/corpus $(SEEDS)
-include $(objects:.o=.d)
