# SPDX-License-Identifier: MIT
#
# One source tree, seven builds ("flavours") under build/:
#   native  ELF: dp2, libhalcyon.so, unit tests, benchmark
#   asan    native once more, under AddressSanitizer and UBSan
#   fuzz    clang with libFuzzer, ASan and UBSan: the fuzz targets for long runs
#   x64     PE for 64-bit Windows and Wine: d3d8.dll, d3d9.dll, halcyon.dll, example programs
#   x32     PE for 32-bit
#   arm64   ELF for 64-bit ARM, by a cross compiler: dp2, libhalcyon.so, tests that an emulator runs
#   web     WebAssembly: dp2 as a module for pages (web/engine/), and tests that node runs
# A source file becomes build/FLAVOUR/obj/<path>.o; which object goes where is said once, below.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

VERSION := 0.1
PREFIX  ?= /usr/local
DESTDIR ?=
# 0: without the generator of machine code: shaders are interpreted, and no memory is ever made executable. There is none for ARM.
JIT     ?= $(if $(filter x86_64,$(shell uname -m)),1,0)

# --- sources and objects -------------------------------------------------------

driver_all  := $(filter-out hal/inspect/%,$(wildcard base/*.c dp2/*.c dp2/*/*.c hal/*.c hal/*/*.c hal/*/*/*.c bytecode/*.c shader/*.c shader/*/*.c shader/*/*/*.c caps/*.c jit/*.c) \
               $(wildcard raster/*.c raster/*/*.c raster/*/*/*.c) $(wildcard ddi/*.c ddi/record/*.c))
# The debugger's way into the driver, which the driver does not call: part of the tools.
seam_src    := $(wildcard hal/inspect/*.c)
generator_src := $(filter jit/% shader/jit/%,$(driver_all))
# A driver with the generator, and one with its replacement. All other objects are the same.
driver_with_1 := $(filter-out shader/without_jit.c,$(driver_all))
driver_with_0 := $(filter-out $(generator_src),$(driver_all))
driver_src  := $(or $(driver_with_$(JIT)),$(error JIT is 0 or 1))
client_src  := $(wildcard client/*.c)
# of callers of the older interface, to the other one
bridge_src  := $(wildcard client/umd/*.c)
# The driver's second face, which calls the first one as any caller does.
umd_src     := $(wildcard umd/*.c)
runtime_src := $(wildcard runtime/common/*/*.c base/*.c dp2/*.c dp2/*/*.c bytecode/*.c) $(client_src) $(bridge_src)
# The faces of the runtime, each a dll of its own around the common part.
d3d8_src    := $(wildcard runtime/d3d8/*.c)
d3d9_src    := $(wildcard runtime/d3d9/*.c runtime/d3d9/*/*.c)
ddraw_src   := $(wildcard runtime/ddraw/*.c runtime/ddraw/*/*.c)
inspect_src := $(wildcard inspect/*.c inspect/*/*.c)
tool_src    := $(wildcard tools/*.c tools/*/*.c replay/*.c base/json/*.c base/options/*.c base/wine/*.c) $(inspect_src) $(seam_src)
launcher_src := $(wildcard launcher/*.c base/wine/*.c)
# The program under Wine that makes the calls of a trace, for dp2 import: 64-bit only.
import_player_src := $(wildcard tools/import/player/*.c) tools/import/methods.c
# libhalcyon: the driver with its C interface, which asks the player and the frame debugger.
library_src := $(wildcard library/*.c inspect/*.c inspect/pixel/*.c) $(seam_src) $(filter-out replay/picture_png.c,$(wildcard replay/*.c)) \
               $(client_src) $(umd_src)
example_base := examples/maths.c examples/window.c
# Scenes that are measured natively and under Wine
catalogue_src := $(wildcard bench/catalogue/*.c)
bench_src   := $(wildcard bench/*.c) $(wildcard tests/stage/*.c) $(catalogue_src) examples/maths.c
bench_wine_base := bench/wine/commands.c $(catalogue_src) $(example_base)
bench_wine_src := $(wildcard bench/wine/scenes_*.c) $(addprefix bench/wine/,api8.c canvas8.c) $(bench_wine_base) examples/common.c
bench_wine7_src := $(addprefix bench/wine/,api7.c scenes7.c commands.c) $(example_base)
bench_wine9_src := $(wildcard bench/wine/scenes9_*.c) $(addprefix bench/wine/,api9.c canvas9.c) $(bench_wine_base) examples/common9.c \
                   $(filter-out examples/courtyard.c,$(wildcard examples/courtyard*.c))
unit_src    := $(filter-out $(if $(filter 0,$(JIT)),tests/unit/test_jit_%),$(wildcard tests/unit/test_*.c))
stage_src   := $(wildcard tests/stage/*.c)
# Suites that need nothing but the driver are one program (tests/unit/unit.c). Others need more, have stand-ins of functions, or arguments.
suites_apart := tests/unit/test_d3d9_% tests/unit/test_rt_% tests/unit/test_inspect_% tests/unit/test_tool_% tests/unit/test_launcher_pe.c tests/unit/test_library.c \
                $(shell grep -l '^int main.int' tests/unit/test_*.c)
suites_src  := $(filter-out $(suites_apart),$(unit_src))
# The parts of the runtime that need no window system, for tests/unit/test_rt_*.c, with the few Windows calls that they
# make.
rt_src      := $(patsubst %,runtime/common/%.c,window/hud window/scale trace/trace $(addprefix driver/,adapter chain formats layout link query view) \
                 $(addprefix state/,bind constants points pure_block record shader_pixels state stateblock) \
                 $(addprefix device/,clear device draw enlarged multisample palette patch process states target)) \
               $(filter-out %/surface_dc.c,$(wildcard runtime/common/object/*.c)) $(wildcard runtime/d3d?/rules.c runtime/ddraw/rules/*.c) $(wildcard tests/system/*.c)
golden_src  := $(wildcard tests/golden/*.c) $(stage_src)
scenes_src  := $(wildcard tests/scenes/*.c) $(stage_src) $(filter-out tools/main.c,$(tool_src))
fuzz_src    := $(wildcard tests/fuzz/fuzz_*.c)
example_shared := $(example_base) examples/common.c examples/shapes.c
example_names := landscape primitives streaming swarm voxels
# Programs for Direct3D 9, of the sources whose names begin as theirs.
example9_shared := $(example_base) examples/common9.c
example9_names := courtyard henge
# Programs for DirectDraw, each of one source and the window.
example_ddraw_names := ddraw_sprites
# Assembly text that programs hold as tokens
shader_texts := $(wildcard examples/shaders/*.[vp]sa bench/catalogue/shaders/*.[vp]sa bench/wine/shaders/*.[vp]sa)
# Direct3D 8 and 9 programs of our own that Wine runs; one a file. They have shaders assembled.
wine_test_src := $(wildcard tests/runtime/test_*.c)
wine_fuzz_src := $(wildcard tests/runtime/fuzz9*.c)
wine_fuzz7_src := $(wildcard tests/runtime/fuzz7*.c)
wine_test_shared := $(filter-out $(wine_test_src) $(wine_fuzz_src) $(wine_fuzz7_src),$(wildcard tests/runtime/*.c)) $(wildcard bytecode/*.c base/*.c jit/*.c)

# Programs that try public bug reports.
report_src    := $(wildcard tests/reports/report_*.c)
report_shared := $(filter-out $(report_src),$(wildcard tests/reports/*.c))

# dp2 in WebAssembly: files that use the system are replaced.
web_src     := $(filter-out base/output.c replay/picture_png.c tools/debug/inspection_open.c tools/import/process.c base/wine/ask.c,$(driver_src) $(client_src) $(umd_src) $(bridge_src) $(tool_src)) $(wildcard web/engine/*.c)

# Files in folders named kernels/ are compiled once per CPU level; base/cpu.c chooses at run time.
levels := scalar sse2 avx2 avx512
levels_web := scalar simd128
levels_arm64 := scalar neon
# The machine that builds: native programs are for it.
machine := $(shell uname -m)
ifeq ($(machine),aarch64)
levels_native := scalar neon
levels_asan   := scalar neon
levels_fuzz   := scalar neon
endif
# $(call levels_of,FLAVOUR)
levels_of = $(or $(levels_$(1)),$(levels))
comma := ,
# $(call kernels,SOURCES)
kernels = $(foreach s,$(1),$(if $(findstring /kernels/,$s),$s))
# $(call objects,FLAVOUR,SOURCES)
objects = $(patsubst %.c,build/$(1)/obj/%.o,$(filter-out $(call kernels,$(2)),$(2))) \
          $(foreach l,$(call levels_of,$(1)),$(patsubst %.c,build/$(1)/obj/%.$l.o,$(call kernels,$(2))))

# --- flags ------------------------------------------------------------------------

# Results are the same bits in every build, hence no contraction and no fast-math.
common   := -std=gnu11 -g -Wall -Wextra -ffp-contract=off -fno-strict-aliasing -I. \
            -DHALCYON_VERSION='"$(VERSION)"'
wine_inc := -isystem /usr/include/wine/wine/windows
elf      := $(wine_inc) -fPIC -fvisibility=hidden -pthread
# Sanitizer builds also check the assertions of base/assert.h.
sanitize := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DHALCYON_ASSERTS

CC_native := gcc
CC_asan   := gcc
CC_fuzz   := clang
CC_x64    := x86_64-w64-mingw32-gcc-posix
CC_x32    := i686-w64-mingw32-gcc-posix
CC_arm64  := aarch64-linux-gnu-gcc
# Debian's emscripten looks for its JavaScript parser where Debian's node finds packages.
CC_web    := env NODE_PATH=/usr/share/nodejs emcc
# It takes longer to start than most files take to compile: they are given to its compiler, with the flags that it says.
compiler_web := clang-14 @build/web/compiler.flags

# Structures are copied and cleared by vectors: string instructions take longer to start than that to finish.
copies := -mmemcpy-strategy=vector_loop:2048:noalign,libcall:-1:noalign \
          -mmemset-strategy=vector_loop:2048:noalign,libcall:-1:noalign
copies_native := $(if $(filter x86_64,$(machine)),$(copies))

# A hundred test programs hold the driver each: what debuggers read of it is compressed, and a sanitizer's report needs lines and names
# alone.
# CFLAGS, CPPFLAGS and LDFLAGS of packagers are for native programs.
flags_native := $(common) -gz -Werror -O2 $(copies_native) $(elf) $(CPPFLAGS) $(CFLAGS)
flags_asan   := $(common) -g1 -Werror -O1 $(elf) -fno-pic -no-pie $(sanitize)
flags_fuzz   := $(common) -g1 -O1 $(elf) $(sanitize) -fsanitize=fuzzer-no-link -Wno-everything
flags_x64    := $(common) -Ibuild/shaders -Werror -O2 $(copies) -D_WIN32_WINNT=0x0601 -D__USE_MINGW_ANSI_STDIO=1
# Callers of the 32-bit dlls come with a 4-byte aligned stack and any x87 mode.
flags_x32    := $(flags_x64) -msse2 -mfpmath=sse -mstackrealign

# Wine's headers do not know WebAssembly: they are configured for a machine with 32-bit pointers, and their assembly is
# removed.
sources := build/sources
flags_web    := $(filter-out -g -Wall -Wextra,$(common)) -O2 -msimd128 $(wine_inc) -D__ARMEL__ -D__arm__ '-D__asm__(...)=' -Wno-everything \
                -I$(sources)/zlib -I$(sources)/jansson/src -I$(sources)/jansson/android -Ibuild/web/include -DXXH_INLINE_ALL

# The libraries come from the same sources.
flags_arm64  := $(common) -g1 -Werror -O2 $(elf) -I$(sources)/zlib -I$(sources)/jansson/src -I$(sources)/jansson/android\
                -I$(sources)/cmocka/include -Ibuild/arm64/include -DHALCYON_NO_WINDOW

kernel_flags := -fno-math-errno -fno-trapping-math
# Keeps loops over lanes loops: selects stay whole (no branches in them), short loops are not unrolled
# before the vectorizer has seen them.
lane_loops   := -fno-thread-jumps -fno-tree-pre --param max-completely-peel-times=1
level_scalar := -DKERNEL_LEVEL=0 -msse2 -mfpmath=sse -fno-tree-vectorize -fno-tree-slp-vectorize
level_sse2   := -DKERNEL_LEVEL=1 -msse2 -mfpmath=sse
level_avx2   := -DKERNEL_LEVEL=2 -mavx2 -mf16c
level_avx512 := -DKERNEL_LEVEL=3 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mf16c \
                -mprefer-vector-width=512
# Debuggers get lines and names of kernels: describing variables takes a third of the compiler's time, and four fifths of an object.
kernel_native := -g1 -O3 $(lane_loops)
kernel_asan   := -O1 -DKERNEL_LOOPS
kernel_fuzz   := -O1 -DKERNEL_LOOPS
kernel_x32    := -g1 -O3 $(lane_loops)
kernel_web    := -O3
level_web_scalar := -DKERNEL_LEVEL=0 -fno-vectorize -fno-slp-vectorize
level_simd128    := -DKERNEL_LEVEL=1
kernel_arm64  := -O3 $(lane_loops)
level_arm64_scalar := -DKERNEL_LEVEL=0 -fno-tree-vectorize -fno-tree-slp-vectorize
level_neon    := -DKERNEL_LEVEL=1
ifeq ($(machine),aarch64)
level_native_scalar := $(level_arm64_scalar)
level_asan_scalar   := $(level_arm64_scalar)
level_fuzz_scalar   := $(level_arm64_scalar)
endif
# Windows aligns the stack to 16 bytes: spilled AVX registers need unaligned moves.
kernel_x64    := -g1 -O3 $(lane_loops) -Wa,-muse-unaligned-vector-move

# A hundred test programs that hold the driver each are linked in a third of the time.
quick_link := $(if $(shell command -v ld.lld),-fuse-ld=lld)

libs_elf := -lz -lm -pthread $(LDFLAGS)
libs_zydis := $(if $(filter 0,$(JIT)),,-lZydis)
libs_tools := -lpng -ljansson -lxxhash
libs_pe  := -lz -static -static-libgcc

# --- compiling ----------------------------------------------------------------------

# $(1): flavour. $$< is compiled with the flags of its flavour and, for kernels, of its level.
define compile_rules
build/$(1)/obj/%.o: %.c Makefile
	@mkdir -p $$(@D)
	@echo "  $(1)  $$<"
	@$$(or $$(compiler_$(1)),$$(CC_$(1))) $$(flags_$(1)) $$(suite_flags) -MMD -MP -c -o $$@ $$<
endef
# $(1): flavour, $(2): CPU level
define kernel_rules
build/$(1)/obj/%.$(2).o: %.c Makefile
	@mkdir -p $$(@D)
	@echo "  $(1)  $$< ($(2))"
	@$$(or $$(compiler_$(1)),$$(CC_$(1))) $$(flags_$(1)) $$(kernel_flags) $$(kernel_$(1)) $$(or $$(level_$(1)_$(2)),$$(level_$(2))) -DKERNEL_SUFFIX=_$(2) -MMD -MP -c -o $$@ $$<
endef
flavours := native asan fuzz x64 x32 arm64 web
# windows.h is nine tenths of what a file for Windows takes to compile, and half of what others that include it do: folders that need it
# get it precompiled. (Not with clang, so that no file comes to depend on it.)
windows_src := $(wildcard $(foreach f,bench/wine caps client ddi examples hal inspect library replay runtime tests/reports tests/runtime tests/stage umd,\
               $f/*.c $f/*/*.c $f/*/*/*.c))
windows_src := $(filter-out $(call kernels,$(windows_src)),$(windows_src))
define windows_rules
windows_$(1) := build/$(1)/obj/d3d/windows_first.h
$$(windows_$(1)).gch: d3d/windows_first.h Makefile
	@mkdir -p $$(@D)
	@echo "  $(1)  $$<"
	@cp $$< $$(windows_$(1)) && $$(CC_$(1)) $$(flags_$(1)) -x c-header -o $$@ $$<
$$(call objects,$(1),$$(windows_src)): $$(windows_$(1)).gch
$$(call objects,$(1),$$(windows_src)): private flags_$(1) += -include $$(windows_$(1))
endef
$(foreach f,native asan x64 x32 arm64,$(eval $(call windows_rules,$f)))
# The folder of libstb-dev, which holds nothing but headers of that library: /usr/include is not for mingw.
build/x64/obj/runtime/common/window/screenshot.o: flags_x64 += -isystem /usr/include/stb
build/x32/obj/runtime/common/window/screenshot.o: flags_x32 += -isystem /usr/include/stb
$(foreach f,$(flavours),$(eval $(call compile_rules,$f)))
# One object of each driver is compiled again when the choice of JIT has changed, so that programs are linked again.
build/jit: FORCE
	@mkdir -p build && { [ "$$(cat $@ 2>/dev/null)" = '$(JIT)' ] || echo '$(JIT)' >$@; }
FORCE:
.PHONY: FORCE
$(foreach f,$(flavours),build/$f/obj/hal/driver.o): build/jit
$(foreach f,$(flavours),$(foreach l,$(call levels_of,$f),$(eval $(call kernel_rules,$f,$l))))

link = @echo "  $(word 2,$(subst /, ,$@))  $@" && mkdir -p $(@D) &&

# --- native programs (also under the sanitizers) ----------------------------------------

# Tools and tests hold the driver themselves, so that a debugger or sanitizer sees all of it; they
# still speak to it through the DDI alone (client/client.c).
build/tests/suites.def: $(suites_src) Makefile
	@mkdir -p $(@D) && printf 'SUITE(%s)\n' $(basename $(notdir $(suites_src))) >$@.part && mv $@.part $@
define elf_programs
$$(call objects,$(1),$$(wildcard library/*.c) tests/unit/test_library.c): private flags_$(1) += -Iinclude
driver_$(1) := $$(call objects,$(1),$$(driver_src))
inside_$(1) := $$(driver_$(1)) $$(call objects,$(1),$$(client_src) $$(umd_src) $$(bridge_src))
stage_$(1)  := $$(call objects,$(1),$$(stage_src))
build/$(1)/dp2: $$(call objects,$(1),$$(tool_src)) $$(inside_$(1))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) -o $$@ $$^ $$(libs_tools) $$(libs_elf)
build/$(1)/halcyon: $$(call objects,$(1),$$(launcher_src) base/json/json.c $$(wildcard base/options/*.c base/*.c))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) -o $$@ $$^ -ljansson $$(libs_elf)
build/$(1)/tests/test_launcher_pe: $$(call objects,$(1),launcher/pe.c)
build/$(1)/tests/%: build/$(1)/obj/tests/unit/%.o $$(stage_$(1)) $$(inside_$(1))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) $(quick_link) -o $$@ $$^ -lcmocka $$(libs_elf)
$$(call objects,$(1),$$(suites_src)): private suite_flags = -Dmain=$$(basename $$(@F))_main
build/$(1)/obj/tests/unit/unit.o: build/tests/suites.def
build/$(1)/tests/unit: $$(call objects,$(1),tests/unit/unit.c $$(suites_src) tests/unit/kernels/vec16.c) $$(stage_$(1)) $$(inside_$(1))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) $(quick_link) -o $$@ $$^ -lcmocka $$(libs_zydis) $$(libs_elf)
$$(patsubst tests/unit/%.c,build/$(1)/tests/%,$$(suites_src)): build/$(1)/tests/unit
	@ln -f $$< $$@
$$(patsubst tests/unit/%.c,build/$(1)/tests/%,$$(wildcard tests/unit/test_rt_*.c)): build/$(1)/tests/%: build/$(1)/obj/tests/unit/%.o \
                      $$(call objects,$(1),$$(rt_src)) $$(stage_$(1)) $$(inside_$(1))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) $(quick_link) -o $$@ $$^ -lcmocka $$(libs_elf)
$$(patsubst tests/unit/%.c,build/$(1)/tests/%,$$(wildcard tests/unit/test_inspect_*.c tests/unit/test_tool_*.c)): build/$(1)/tests/%: build/$(1)/obj/tests/unit/%.o \
                      $$(call objects,$(1),$$(filter-out tools/main.c,$$(tool_src))) $$(stage_$(1)) $$(inside_$(1))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) $(quick_link) -o $$@ $$^ -lcmocka $$(libs_tools) $$(libs_elf)
# Allocations of the objects fail where the test asks for it.
build/$(1)/tests/test_library: $$(call objects,$(1),tests/unit/test_library.c $$(filter-out $$(client_src) $$(umd_src),$$(library_src))) $$(inside_$(1))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) $(quick_link) $$(addprefix -Wl$$(comma)--wrap=,malloc calloc realloc posix_memalign) -o $$@ $$^ -lcmocka -lxxhash $$(libs_elf)
build/$(1)/tests/golden: $$(call objects,$(1),$$(golden_src)) $$(inside_$(1))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) -o $$@ $$^ $$(libs_elf)
build/$(1)/tests/scenes: $$(call objects,$(1),$$(scenes_src)) $$(inside_$(1))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) -o $$@ $$^ $$(libs_tools) $$(libs_elf)
unit_$(1) := $$(patsubst tests/unit/%.c,build/$(1)/tests/%,$$(unit_src)) \
             build/$(1)/tests/golden build/$(1)/tests/scenes
endef
$(eval $(call elf_programs,native))
$(eval $(call elf_programs,asan))

# The library stays loaded until the program ends: threads of the driver may still run in it.
link_library := -shared -Wl,-soname,libhalcyon.so.0 -Wl,--version-script=library/libhalcyon.map -Wl,-z,defs -Wl,-z,nodelete
build/native/libhalcyon.so.0: $(call objects,native,$(driver_src) $(library_src)) library/libhalcyon.map
	$(link) $(CC_native) $(link_library) -o $@ $(filter %.o,$^) -lxxhash $(libs_elf)
build/native/libhalcyon.so: build/native/libhalcyon.so.0
	@ln -sf $(<F) $@
# The build of JIT=0 from the same objects, for a test.
without_jit := build/native/without-jit
inside_without_jit := $(call objects,native,$(driver_with_0) $(client_src) $(umd_src) $(bridge_src))
$(without_jit)/libhalcyon.so: $(call objects,native,$(driver_with_0) $(library_src)) library/libhalcyon.map
	$(link) $(CC_native) $(link_library) -o $@ $(filter %.o,$^) -lxxhash $(libs_elf)
$(without_jit)/dp2: $(call objects,native,$(tool_src)) $(inside_without_jit)
	$(link) $(CC_native) $(flags_native) -o $@ $^ $(libs_tools) $(libs_elf)
$(without_jit)/golden: $(call objects,native,$(golden_src)) $(inside_without_jit)
	$(link) $(CC_native) $(flags_native) -o $@ $^ $(libs_elf)
build/native/obj/bench/catalogue/scenes_mesh.o: private flags_native += -Ibuild/shaders
build/native/obj/bench/catalogue/scenes_mesh.o: $(patsubst %,build/shaders/%.h,$(wildcard bench/catalogue/shaders/*.[vp]sa))
build/native/bench: $(call objects,native,$(bench_src)) $(inside_native)
	$(link) $(CC_native) $(flags_native) -o $@ $^ $(libs_elf)

# Preloaded by tests/fault/run.py.
build/native/fail.so: tests/fault/fail.c
	$(link) $(CC_native) $(flags_native) -fvisibility=default -shared -o $@ $^ -ldl

# Fuzz targets: by gcc with a mutator of our own, from objects that other tests need too, for `make test`; by clang with libFuzzer, whose
# objects nothing else needs, for long runs (tests/fuzz/fuzz.mk).
inside_fuzz := $(call objects,fuzz,$(driver_src) $(client_src) $(umd_src) $(bridge_src))
stage_fuzz  := $(call objects,fuzz,$(stage_src))
# $(1): flavour, $(2): object with main, $(3): flag for a library that has it
define fuzz_programs
build/$(1)/fuzz_%: build/$(1)/obj/tests/fuzz/fuzz_%.o $(2) $$(stage_$(1)) $$(inside_$(1))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) $(3) -o $$@ $$^ $$(libs_elf)
build/$(1)/fuzz_import: build/$(1)/obj/tests/fuzz/fuzz_import.o $(2) $$(call objects,$(1),$$(wildcard base/*.c bytecode/*.c) \
                        $$(patsubst %,tools/import/%.c,arguments calls container methods objects report snappy translate values))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) $(3) -o $$@ $$^ $$(libs_elf)
build/$(1)/fuzz_inspect: build/$(1)/obj/tests/fuzz/fuzz_inspect.o $(2) $$(call objects,$(1),$$(filter-out tools/main.c,$$(tool_src))) $$(inside_$(1))
	$$(link) $$(CC_$(1)) $$(flags_$(1)) $(3) -o $$@ $$^ $$(libs_tools) $$(libs_elf)
fuzz_$(1) := $$(patsubst tests/fuzz/%.c,build/$(1)/%,$$(fuzz_src))
endef
$(eval $(call fuzz_programs,asan,build/asan/obj/tests/fuzz/standalone.o))
$(eval $(call fuzz_programs,fuzz,,-fsanitize=fuzzer))

# --- Windows dlls and programs ------------------------------------------------------------

# Shaders of programs, which include them as lists of numbers
build/shaders/%.h: % build/native/dp2
	@mkdir -p $(@D)
	@build/native/dp2 shader $< --check >$@.rules || { cat $@.rules; exit 1; }
	@build/native/dp2 shader $< --tokens | sed 's/[0-9a-f]\{8\}/0x&,/g' >$@
shader_headers := $(patsubst %,build/shaders/%.h,$(shader_texts))

# 32-bit stdcall names lose their decoration on export (--kill-at), as everyone expects of a d3d8.dll. The same sources give the
# same dlls, without the time of linking.
dll_flags := -Wl,--kill-at -Wl,--no-insert-timestamp
define pe_programs
build/$(1)/halcyon.dll: $$(call objects,$(1),$$(driver_src) $$(client_src) $$(umd_src))
	$$(link) $$(CC_$(1)) -shared $$(dll_flags) -o $$@ $$^ $$(libs_pe)
build/$(1)/d3d8.dll: $$(call objects,$(1),$$(runtime_src) $$(d3d8_src)) runtime/d3d8/d3d8.def
build/$(1)/d3d9.dll: $$(call objects,$(1),$$(runtime_src) $$(d3d9_src)) runtime/d3d9/d3d9.def
build/$(1)/ddraw.dll: $$(call objects,$(1),$$(runtime_src) $$(ddraw_src)) runtime/ddraw/ddraw.def
build/$(1)/d3d8.dll build/$(1)/d3d9.dll build/$(1)/ddraw.dll:
	$$(link) $$(CC_$(1)) -shared $$(dll_flags) -Wl,--enable-stdcall-fixup -o $$@ $$^ \
	    -lgdi32 -luser32 -ldxguid -luuid $$(libs_pe)
# mingw-w64 has no 64-bit import library of d3d8
build/$(1)/obj/libd3d8.a: Makefile
	@mkdir -p $$(@D)
	@printf 'LIBRARY d3d8.dll\nEXPORTS\n%s\n' $$(create8_$(1)) >$$(@D)/d3d8.def
	@$$(CC_$(1):gcc-posix=dlltool) -k -d $$(@D)/d3d8.def -l $$@
build/$(1)/%.exe: build/$(1)/obj/examples/%.o $$(call objects,$(1),$$(example_shared)) \
                  build/$(1)/obj/libd3d8.a
	$$(link) $$(CC_$(1)) -o $$@ $$^ -lgdi32 -luser32 -ldxguid -luuid $$(libs_pe)
build/$(1)/halcyon-picture.exe: build/$(1)/obj/launcher/picture/picture.o build/$(1)/obj/libd3d8.a
	$$(link) $$(CC_$(1)) -mwindows -Wl,--no-insert-timestamp -o $$@ $$^ -lgdi32 -luser32 $$(libs_pe)
build/$(1)/halcyon-import.exe: $$(call objects,$(1),$$(import_player_src))
	$$(link) $$(CC_$(1)) -Wl,--no-insert-timestamp -o $$@ $$^ -lgdi32 -luser32 -ldxguid -luuid $$(libs_pe)
build/$(1)/landscape.exe: $$(call objects,$(1),$$(filter-out examples/landscape.c,$$(wildcard examples/landscape*.c)))
$$(patsubst %,build/$(1)/%.exe,$(example9_names)): build/$(1)/%.exe: build/$(1)/obj/examples/%.o $$(call objects,$(1),$$(example9_shared))
	$$(link) $$(CC_$(1)) -o $$@ $$^ -ld3d9 -lgdi32 -luser32 -ldxguid -luuid $$(libs_pe)
# (-ldxguid would bring the identifiers of Direct3D into the program, by which halcyon run would think that it uses them)
$$(patsubst %,build/$(1)/%.exe,$(example_ddraw_names)): build/$(1)/%.exe: build/$(1)/obj/examples/%.o $$(call objects,$(1),examples/window.c)
	$$(link) $$(CC_$(1)) -o $$@ $$^ -lddraw -lgdi32 -luser32 $$(libs_pe)
build/$(1)/henge.exe: $$(call objects,$(1),$$(filter-out examples/henge.c,$$(wildcard examples/henge*.c)))
build/$(1)/courtyard.exe: $$(call objects,$(1),$$(filter-out examples/courtyard.c,$$(wildcard examples/courtyard*.c)))
build/$(1)/obj/examples/henge_shaders.o build/$(1)/obj/examples/courtyard_frame.o build/$(1)/obj/bench/catalogue/scenes_mesh.o \
    $$(filter build/$(1)/obj/bench/wine/scenes9_%,$$(call objects,$(1),$$(bench_wine9_src))): $$(shader_headers)
build/$(1)/bench-wine9.exe: $$(call objects,$(1),$$(bench_wine9_src))
	$$(link) $$(CC_$(1)) -o $$@ $$^ -ld3d9 -lgdi32 -luser32 -ldxguid -luuid $$(libs_pe)
build/$(1)/bench-wine7.exe: $$(call objects,$(1),$$(bench_wine7_src))
	$$(link) $$(CC_$(1)) -o $$@ $$^ -lddraw -lgdi32 -luser32 -luuid $$(libs_pe)
build/$(1)/bench-wine.exe: $$(call objects,$(1),$$(bench_wine_src)) build/$(1)/obj/libd3d8.a
	$$(link) $$(CC_$(1)) -o $$@ $$^ -lgdi32 -luser32 -ldxguid -luuid $$(libs_pe)
# As an archive: a program has those of them that it calls, so that one of Direct3D 9 does not import d3d8.dll.
build/$(1)/obj/tests/runtime/libshared.a: $$(call objects,$(1),$$(wine_test_shared))
	@rm -f $$@ && $$(CC_$(1):gcc-posix=ar) rcs $$@ $$^
build/$(1)/test_%.exe: build/$(1)/obj/tests/runtime/test_%.o build/$(1)/obj/tests/runtime/libshared.a build/$(1)/obj/libd3d8.a
	$$(link) $$(CC_$(1)) -o $$@ $$^ -ld3d9 -lgdi32 -luser32 -lpsapi -ldxguid -luuid $$(libs_pe)
build/$(1)/fuzz9.exe: $$(call objects,$(1),$$(wine_fuzz_src)) build/$(1)/obj/tests/runtime/libshared.a
	$$(link) $$(CC_$(1)) -o $$@ $$^ -ld3d9 -lgdi32 -luser32 -lpsapi -ldxguid -luuid $$(libs_pe)
build/$(1)/fuzz7.exe: $$(call objects,$(1),$$(wine_fuzz7_src)) build/$(1)/obj/tests/runtime/libshared.a
	$$(link) $$(CC_$(1)) -o $$@ $$^ -lgdi32 -luser32 -lpsapi -ldxguid -luuid $$(libs_pe)
build/$(1)/obj/tests/reports/libshared.a: $$(call objects,$(1),$$(report_shared))
	@rm -f $$@ && $$(CC_$(1):gcc-posix=ar) rcs $$@ $$^
build/$(1)/report_%.exe: build/$(1)/obj/tests/reports/report_%.o build/$(1)/obj/tests/reports/libshared.a build/$(1)/obj/tests/runtime/libshared.a build/$(1)/obj/libd3d8.a
	$$(link) $$(CC_$(1)) -o $$@ $$^ -ld3d9 -lgdi32 -luser32 -lpsapi -ldxguid -luuid $$(libs_pe)
# Shaders on all levels and as generated code, in the instruction set and with the calling convention of the platform
build/$(1)/obj/cmocka.o: $$(sources)/cmocka.unpacked Makefile
	@mkdir -p $$(@D)
	@$$(CC_$(1)) -O2 -w -I$$(sources)/cmocka/include -DHAVE_STDINT_H -DHAVE_INTTYPES_H -DHAVE_TIME_H -DHAVE_STRUCT_TIMESPEC -c -o $$@ $$(sources)/cmocka/src/cmocka.c
build/$(1)/obj/tests/unit/test_shader_levels.o: private flags_$(1) += -I$$(sources)/cmocka/include
build/$(1)/obj/tests/unit/test_shader_levels.o: | $$(sources)/cmocka.unpacked
build/$(1)/test_shader_levels.exe: build/$(1)/obj/tests/unit/test_shader_levels.o build/$(1)/obj/cmocka.o $$(call objects,$(1),$$(driver_src))
	$$(link) $$(CC_$(1)) -o $$@ $$^ $$(libs_pe)
wine_tests_$(1) := build/$(1)/test_shader_levels.exe $$(patsubst tests/runtime/%.c,build/$(1)/%.exe,$$(wine_test_src)) build/$(1)/fuzz9.exe build/$(1)/fuzz7.exe \
                   $$(patsubst tests/reports/%.c,build/$(1)/%.exe,$$(report_src))
examples_$(1) := $$(patsubst %,build/$(1)/%.exe,$$(example_names) $$(example9_names) $$(example_ddraw_names))
dlls_$(1) := build/$(1)/halcyon.dll build/$(1)/d3d8.dll build/$(1)/d3d9.dll build/$(1)/ddraw.dll
picture_$(1) := build/$(1)/halcyon-picture.exe $(if $(filter x64,$(1)),build/x64/halcyon-import.exe)
endef
create8_x64 := Direct3DCreate8
create8_x32 := Direct3DCreate8@4
$(eval $(call pe_programs,x64))
$(eval $(call pe_programs,x32))

# --- WebAssembly ----------------------------------------------------------------------------

# Libraries, from Debian's packages of their sources; downloads are kept (`make clean`).
source_packages := zlib jansson cmocka
zlib_src    := $(addprefix zlib/,adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)
jansson_src := $(addprefix jansson/src/,dump.c error.c hashtable.c hashtable_seed.c load.c memory.c pack_unpack.c strbuffer.c strconv.c utf.c value.c)
cmocka_src  := cmocka/src/cmocka.c
# $(call library_objects,SOURCES)
library_objects = $(patsubst %.c,build/web/obj/sources/%.o,$(1))
$(sources)/%.unpacked: scripts/fetch-source
	@echo "  source  $*"
	@rm -rf $(sources)/$* && scripts/fetch-source $* $(sources)/$* && touch $@
build/web/include/xxhash.h: /usr/include/xxhash.h
	@mkdir -p $(@D) && cp $< $@
# (what configure scripts would find out is said by the flags below)
build/web/include/jansson_private_config.h build/web/include/config.h:
	@mkdir -p $(@D) && touch $@
build/web/compiler.flags:
	@mkdir -p $(@D) && $(CC_web) --cflags >$@
web_ready := build/web/compiler.flags $(patsubst %,$(sources)/%.unpacked,$(source_packages)) $(addprefix build/web/include/,xxhash.h jansson_private_config.h config.h)
build/web/obj/sources/%.o: $(web_ready) Makefile
	@mkdir -p $(@D)
	@echo "  web  $(sources)/$*.c"
	@$(compiler_web) -O2 -Wno-everything -Ibuild/web/include -I$(sources)/jansson/android -I$(sources)/cmocka/include $(library_flags) -c -o $@ $(sources)/$*.c
$(call library_objects,$(jansson_src)): library_flags := -DHAVE_STDINT_H -DHAVE_UNISTD_H
$(call library_objects,$(cmocka_src)): library_flags := -D_UINTPTR_T -DHAVE_STDINT_H -DHAVE_SETJMP_H -DHAVE_STRSIGNAL -DHAVE_SIGNAL_H -DHAVE_TIME_H -DHAVE_CLOCK_REALTIME
unit_web_src := $(patsubst %,tests/unit/%.c,test_raster_kernels test_kernel_definitions test_shader_levels test_vec16)
tests_web_src := $(golden_src) $(unit_web_src) tests/unit/kernels/vec16.c
web_objects := $(call objects,web,$(sort $(web_src) $(driver_src) $(client_src) $(umd_src) $(bridge_src) $(stage_src) $(tests_web_src)))
$(web_objects): | $(web_ready)
$(call objects,web,$(unit_web_src)): private flags_web += -D_UINTPTR_T -I$(sources)/cmocka/include

# The main program of dp2 is a function of the module.
build/web/obj/tools/main.o: private flags_web += -Dmain=dp2_main
web_link := -O2 -s TOTAL_STACK=1048576 -s ALLOW_MEMORY_GROWTH=1 -s MAXIMUM_MEMORY=2147483648
# Functions that may be on the stack while a request pauses: those between web_run and the session's question whether to
# continue.
pausing_src := $(filter $(inspect_src) tools/%.c web/%.c,$(web_src))
web_pauses := -s ASYNCIFY=1 -s ASYNCIFY_STACK_SIZE=65536 -s ASYNCIFY_IMPORTS=web_pause -s ASYNCIFY_ONLY=@build/web/pausing.txt
build/web/pausing.txt: $(call objects,web,$(pausing_src))
	@llvm-nm-14 --defined-only --format=just-symbols $^ | sed -n 's/^[a-z_][a-z0-9_]*$$/&/p' | sort -u >$@
build/web/halcyon.js: build/web/pausing.txt
build/web/halcyon.js: $(call objects,web,$(web_src)) $(call library_objects,$(zlib_src) $(jansson_src)) web/engine/library.js web/engine/snapshots.js web/engine/engine.js
	$(link) $(CC_web) $(web_link) $(filter %.o,$^) -o $@ --js-library web/engine/library.js --post-js web/engine/snapshots.js --post-js web/engine/engine.js \
	    -s MODULARIZE=1 -s EXPORT_NAME=Halcyon -s FILESYSTEM=0 -s ENVIRONMENT=web,worker,node -Wl,--wrap=client_driver_init \
	    -s EXPORTED_FUNCTIONS=_web_run,_web_put,_web_data,_web_size,_web_remove,_web_session_frame,_malloc,_free -s EXPORTED_RUNTIME_METHODS=ccall \
	    $(web_pauses)
build/web/halcyon.wasm: build/web/halcyon.js ;

# Programs for node, which have its files.
web_test_link := $(web_link) --pre-js tests/web/node.js -s NODERAWFS=1 -s ENVIRONMENT=node -s EXIT_RUNTIME=1
unit_web := $(patsubst tests/unit/%.c,build/web/tests/%.js,$(unit_web_src))
build/web/tests/golden.js $(unit_web): tests/web/node.js
build/web/tests/test_vec16.js: $(call objects,web,tests/unit/kernels/vec16.c)
build/web/tests/golden.js: $(call objects,web,$(golden_src) $(driver_src) $(client_src) $(umd_src) $(bridge_src)) $(call library_objects,$(zlib_src))
	$(link) $(CC_web) $(web_test_link) -o $@ $(filter %.o,$^)
build/web/tests/%.js: build/web/obj/tests/unit/%.o $(call objects,web,$(stage_src) $(driver_src) $(client_src) $(umd_src) $(bridge_src)) $(call library_objects,$(zlib_src) $(cmocka_src))
	$(link) $(CC_web) $(web_test_link) -o $@ $(filter %.o,$^)
# The same tests with native kernels and the order of evaluation of clang, which gives them the same random numbers.
build/web/native/%: tests/unit/%.c $(stage_native) $(inside_native)
	@mkdir -p build/web/obj
	$(link) $(CC_fuzz) $(common) -O2 $(elf) -Wno-everything -MMD -MP -MF build/web/obj/native-$*.d -o $@ $(filter %.c %.o,$^) -lcmocka $(libs_elf)
tests_web := build/web/tests/golden.js $(unit_web) \
             $(addprefix build/web/native/,test_raster_kernels test_shader_levels)

# --- 64-bit ARM -------------------------------------------------------------------------------

# Native there; here an emulator runs it (tests/run arm64). There is no generator of machine code for this machine.
arm64_libraries = $(patsubst %.c,build/arm64/obj/sources/%.o,$(1))
arm64_ready := $(patsubst %,$(sources)/%.unpacked,$(source_packages)) $(addprefix build/arm64/include/,xxhash.h jansson_private_config.h config.h)
build/arm64/include/xxhash.h: /usr/include/xxhash.h
	@mkdir -p $(@D) && { printf '#ifndef XXH_INLINE_ALL\n#define XXH_INLINE_ALL\n#endif\n' && cat $<; } >$@
build/arm64/include/jansson_private_config.h build/arm64/include/config.h:
	@mkdir -p $(@D) && touch $@
build/arm64/obj/sources/%.o: $(arm64_ready) Makefile
	@mkdir -p $(@D)
	@echo "  arm64  $(sources)/$*.c"
	@$(CC_arm64) -O2 -w -fPIC -Ibuild/arm64/include -I$(sources)/zlib -I$(sources)/jansson/android -I$(sources)/cmocka/include \
	    $(library_flags) -DHAVE_STDINT_H -DHAVE_INTTYPES_H -DHAVE_UNISTD_H -c -o $@ $(sources)/$*.c
$(call arm64_libraries,$(cmocka_src)): library_flags := -DHAVE_SETJMP_H -DHAVE_STRSIGNAL -DHAVE_SIGNAL_H -DHAVE_TIME_H -DHAVE_STRUCT_TIMESPEC -DHAVE_CLOCK_REALTIME
arm64_tool_src := $(filter-out replay/picture_png.c,$(tool_src)) $(wildcard tests/arm64/*.c)
inside_arm64 := $(call objects,arm64,$(driver_with_0) $(client_src) $(umd_src) $(bridge_src)) $(call arm64_libraries,$(zlib_src))
$(call objects,arm64,$(wildcard library/*.c)): private flags_arm64 += -Iinclude
$(call objects,arm64,$(sort $(driver_with_0) $(library_src) $(client_src) $(umd_src) $(bridge_src) $(arm64_tool_src) $(golden_src) $(unit_web_src))): | $(arm64_ready)
build/arm64/libhalcyon.so: $(call objects,arm64,$(driver_with_0) $(library_src)) $(call arm64_libraries,$(zlib_src)) library/libhalcyon.map
	$(link) $(CC_arm64) $(link_library) -o $@ $(filter %.o,$^) -lm -pthread
build/arm64/dp2: $(call objects,arm64,$(arm64_tool_src)) $(inside_arm64) $(call arm64_libraries,$(jansson_src))
	$(link) $(CC_arm64) -o $@ $^ -lm -pthread
build/arm64/tests/golden: $(call objects,arm64,$(golden_src)) $(inside_arm64)
	$(link) $(CC_arm64) -o $@ $^ -lm -pthread
build/arm64/tests/test_vec16: $(call objects,arm64,tests/unit/kernels/vec16.c)
build/arm64/tests/%: build/arm64/obj/tests/unit/%.o $(call objects,arm64,$(stage_src)) $(inside_arm64) $(call arm64_libraries,$(cmocka_src))
	$(link) $(CC_arm64) -o $@ $(filter %.o,$^) -lm -pthread
arm64_programs := build/arm64/libhalcyon.so build/arm64/dp2 build/arm64/tests/golden $(patsubst tests/unit/%.c,build/arm64/tests/%,$(unit_web_src))

# --- the page ---------------------------------------------------------------------------------

# `dp2 view` puts a capture into it. npm takes what package-lock.json says, with hashes, and runs no scripts of packages.
web_page_src := $(wildcard $(addprefix web/,*.html *.css *.ts *.tsx) $(addprefix web/*/,*.html *.css *.ts *.tsx *.dp2s))
web_packages := web/node_modules/.package-lock.json
$(web_packages): web/package.json web/package-lock.json
	@echo "  web  npm ci"
	@cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && touch ../$@
build/web/view.html: $(web_packages) web/build.mjs web/bundle.mjs web/tsconfig.json $(web_page_src) build/web/halcyon.js build/web/halcyon.wasm
	@echo "  web  $@"
	@cd web && npx tsc --noEmit && node build.mjs ../build/web ../build/web

# The playground: lessons, documents, and the words of the text form.
build/web/tokens.json: build/native/dp2
	@mkdir -p $(@D) && $< tokens --json --words >$@.part && mv $@.part $@
build/web/lessons.json: web/lessons/lessons.py $(wildcard web/lessons/*/*) docs/tutorial.md $(wildcard examples/dp2/*.dp2s)
	@mkdir -p $(@D) && web/lessons/lessons.py >$@.part && mv $@.part $@
build/web/playground/index.html: build/web/view.html web/playground/build.mjs build/web/tokens.json build/web/lessons.json $(wildcard docs/*.md docs/reference/*.md)
	@echo "  web  $@"
	@cd web && node playground/build.mjs ../build/web ../build/web/tokens.json ../build/web/lessons.json ../build/web/playground

# --- goals ----------------------------------------------------------------------------------

.PHONY: all native x64 x32 web arm64 arm64-test tests setup setup-web setup-arm64 demo check check-programs test bench bench-wine bench-peers gallery fuzz-short install install-library uninstall dlls deb deb-test farm-test ddraw-programs release clean distclean help
native: build/native/libhalcyon.so build/native/dp2 build/native/halcyon
dlls: $(dlls_x64) $(dlls_x32) $(picture_x64) $(picture_x32)
x64: $(dlls_x64) $(picture_x64) $(examples_x64)
x32: $(dlls_x32) $(picture_x32) $(examples_x32)
web: setup-web
	+@$(MAKE) --no-print-directory build/web/view.html build/web/playground/index.html
all: native x64 x32
tests: all $(wine_tests_x64) $(wine_tests_x32) $(unit_native) $(unit_asan) build/asan/dp2 build/asan/halcyon $(fuzz_asan) build/native/bench build/native/fail.so \
       $(addprefix $(without_jit)/,libhalcyon.so dp2 golden) \
       build/web/view.html build/web/playground/index.html $(tests_web) $(arm64_programs)

setup:
	@scripts/install-packages
setup-web: setup
	@scripts/install-packages scripts/packages-web.txt build

setup-arm64: setup
	@scripts/install-packages scripts/packages-arm64.txt all
arm64: setup-arm64
	+@$(MAKE) --no-print-directory build/arm64/libhalcyon.so build/arm64/dp2
arm64-test: setup-arm64
	+@$(MAKE) --no-print-directory $(arm64_programs) build/native/dp2 build/native/tests/test_raster_kernels build/native/tests/test_shader_levels
	@tests/run demo && tests/arm64/test_arm64.py build/demo/*.capture

# These install what the machine lacks first, hence a second make that finds it.
demo: setup
	+@$(MAKE) --no-print-directory all
	@scripts/demo
check-programs: build/native/dp2 build/native/halcyon $(unit_native)
check: setup
	+@$(MAKE) --no-print-directory check-programs
	@tests/run check
test: setup setup-web setup-arm64
	@scripts/install-packages scripts/packages-web.txt tests
	+@$(MAKE) --no-print-directory tests
	@tests/run
bench: setup
	+@$(MAKE) --no-print-directory build/native/bench
	@build/native/bench
bench-wine: setup
	+@$(MAKE) --no-print-directory $(dlls_x64) build/x64/ddraw.dll $(addprefix build/x64/,bench-wine7.exe bench-wine.exe bench-wine9.exe)
	@scripts/bench-wine $(BENCH_FLAGS)
bench-peers: setup
	+@$(MAKE) --no-print-directory $(dlls_x64) build/x64/bench-wine.exe build/x64/bench-wine9.exe
	@scripts/bench-peers $(BENCH_FLAGS)
gallery: setup
	+@$(MAKE) --no-print-directory build/native/dp2
	@scripts/gallery
fuzz-short: setup
	+@$(MAKE) --no-print-directory $(fuzz_asan)
	@tests/run fuzz

# Programs lose their symbols on the way; STRIP=no keeps them, STRIP=dlls keeps those of native programs.
strip_native := strip
strip_x64    := $(CC_x64:gcc-posix=strip)
strip_x32    := $(CC_x32:gcc-posix=strip)
# $(call install_program,FLAVOUR): `install`, with the strip that knows the flavour's format
install_program = install $(if $(filter no $(if $(filter native,$(1)),dlls),$(STRIP)),,-s --strip-program=$(strip_$(1)))
# The texts, with everything that they link to
texts := README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE docs examples/dp2 examples/embedding include/halcyon.h \
         $(wildcard web/lessons/*.md web/lessons/[0-9]*/*)
root  := $(DESTDIR)$(PREFIX)
appstream := io.github.halcyon.dp2.metainfo.xml
LIBDIR ?= $(PREFIX)/lib
# in LIBDIR: the library under its version, and the names by which programs and the linker find it
library_names := libhalcyon.so.$(VERSION) libhalcyon.so.0 libhalcyon.so
install: native dlls install-library
	install -d $(root)/bin $(root)/lib/halcyon/x64 $(root)/lib/halcyon/x32 $(root)/share/doc/halcyon
	$(call install_program,native) build/native/dp2 build/native/halcyon $(root)/bin/
	$(call install_program,x64) -m 644 $(dlls_x64) $(picture_x64) $(root)/lib/halcyon/x64/
	$(call install_program,x32) -m 644 $(dlls_x32) $(picture_x32) $(root)/lib/halcyon/x32/
	install -D -m 644 halcyon.conf $(root)/share/halcyon/halcyon.conf
	$(if $(wildcard build/web/view.html),install -D -m 644 build/web/view.html $(root)/share/halcyon/view.html)
	install -d $(root)/share/man/man1 $(root)/share/man/man5
	for page in dp2.1 halcyon.1 halcyon.conf.5; do \
	    sed 's|/usr/local|$(PREFIX)|g' tools/man/$$page >$(root)/share/man/man$${page##*.}/$$page && \
	    chmod 644 $(root)/share/man/man$${page##*.}/$$page || exit 1; done
	install -d $(root)/share/bash-completion/completions $(root)/share/zsh/site-functions $(root)/share/fish/vendor_completions.d
	install -m 644 tools/completion/dp2 tools/completion/halcyon $(root)/share/bash-completion/completions/
	install -m 644 tools/completion/_dp2 tools/completion/_halcyon $(root)/share/zsh/site-functions/
	install -m 644 tools/completion/dp2.fish tools/completion/halcyon.fish $(root)/share/fish/vendor_completions.d/
	install -D -m 644 packaging/halcyon-capture.xml $(root)/share/mime/packages/halcyon-capture.xml
	install -D -m 644 packaging/$(appstream) $(root)/share/metainfo/$(appstream)
	install -D packaging/open-capture $(root)/lib/halcyon/open-capture
	install -d $(root)/share/applications
	sed 's|@PREFIX@|$(PREFIX)|' packaging/halcyon-capture.desktop >$(root)/share/applications/halcyon-capture.desktop
	chmod 644 $(root)/share/applications/halcyon-capture.desktop
	find $(texts) -type f -exec install -D -m 644 {} $(root)/share/doc/halcyon/{} \;
	ln -sf ../../halcyon/halcyon.conf $(root)/share/doc/halcyon/halcyon.conf
install-library: build/native/libhalcyon.so
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig
	$(call install_program,native) -m 644 build/native/libhalcyon.so.0 $(DESTDIR)$(LIBDIR)/$(firstword $(library_names))
	ln -sf $(firstword $(library_names)) $(DESTDIR)$(LIBDIR)/libhalcyon.so.0
	ln -sf libhalcyon.so.0 $(DESTDIR)$(LIBDIR)/libhalcyon.so
	install -D -m 644 include/halcyon.h $(root)/include/halcyon.h
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' library/halcyon.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/halcyon.pc
	chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/halcyon.pc
uninstall:
	rm -f $(addprefix $(root)/bin/,dp2 halcyon) $(addprefix $(root)/share/man/,man1/dp2.1 man1/halcyon.1 man5/halcyon.conf.5) \
	    $(addprefix $(root)/share/bash-completion/completions/,dp2 halcyon) $(addprefix $(root)/share/zsh/site-functions/,_dp2 _halcyon) \
	    $(addprefix $(root)/share/fish/vendor_completions.d/,dp2.fish halcyon.fish) \
	    $(addprefix $(DESTDIR)$(LIBDIR)/,$(library_names) pkgconfig/halcyon.pc) $(root)/include/halcyon.h \
	    $(addprefix $(root)/share/,mime/packages/halcyon-capture.xml metainfo/$(appstream) applications/halcyon-capture.desktop)
	rm -rf $(root)/lib/halcyon $(root)/share/halcyon $(root)/share/doc/halcyon

# The archive for players: the dlls for both kinds of programs and dp2, without their symbols, and the texts. Dates,
# owners, modes and the order of files are fixed, and strip writes no date into dlls (-p), so that the same sources give
# the same archive.
release_name := halcyon-$(VERSION)
release_dir  := build/release/$(release_name)
release_date = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null),0)
# Programs of the archive start on any Linux of that machine: they are linked with everything, except for the window of dp2 play, whose
# library has to be that of the system.
static := build/native/static
$(static)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@$(CC_native) $(flags_native) -DHALCYON_NO_WINDOW -c -o $@ $<
$(static)/dp2: $(call objects,native,$(filter-out tools/play/window.c,$(tool_src))) $(static)/obj/tools/play/window.o $(inside_native)
	$(link) $(CC_native) $(flags_native) -static -o $@ $^ $(libs_tools) $(libs_elf) 2>$@.log || { cat $@.log; exit 1; }
$(static)/halcyon: $(call objects,native,$(launcher_src) base/json/json.c $(wildcard base/options/*.c base/*.c))
	$(link) $(CC_native) $(flags_native) -static -o $@ $^ -ljansson $(libs_elf) 2>$@.log || { cat $@.log; exit 1; }
release: dlls $(static)/dp2 $(static)/halcyon build/web/view.html build/web/playground/index.html
	@rm -rf $(release_dir) && mkdir -p $(release_dir)/x64 $(release_dir)/x32 $(release_dir)/linux $(release_dir)/man
	@cp $(dlls_x64) $(picture_x64) $(release_dir)/x64/ && cp $(dlls_x32) $(picture_x32) $(release_dir)/x32/ && cp $(static)/dp2 $(static)/halcyon $(release_dir)/linux/
	@$(strip_x64) -pD --strip-debug $(release_dir)/x64/*
	@$(strip_x32) -pD --strip-debug $(release_dir)/x32/*
	@chmod 644 $(release_dir)/x64/* $(release_dir)/x32/*
	@$(strip_native) -R .note.gnu.build-id $(release_dir)/linux/dp2 $(release_dir)/linux/halcyon
	@cp tools/man/* $(release_dir)/man/
	@install -D -m 644 build/web/view.html $(release_dir)/web/view.html && cp -r build/web/playground $(release_dir)/web/
	@cp --parents -r $(texts) halcyon.conf $(release_dir)/
	@tar -C build/release --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=@$(release_date) \
	    -cf - $(release_name) | gzip -9n >$(release_dir).tar.gz
	@cd build/release && sha256sum $(release_name).tar.gz >$(release_name).tar.gz.sha256
	@echo "  $(release_dir).tar.gz"

# dp2 farm as an array job of Slurm, whose controller and nodes run here for the test (needs root).
farm-test: setup build/native/dp2
	@scripts/install-packages scripts/packages-farm.txt test
	@tests/farm/test_slurm.py
	@tests/cli/test_farm.py

# Programs of others for ddraw.dll, from Debian's sources: tests/ddraw-programs/README.md.
ddraw-programs: setup
	@scripts/install-packages scripts/packages-ddraw.txt build
	@tests/ddraw-programs/build

# Debian packages, in build/deb; deb-test installs them in chroots of bookworm and trixie (10 GB, needs root and the network).
# (build-deb has no + before it, or make -n would replace the packages; debhelper chooses the number of jobs.)
deb: setup setup-web
	@scripts/install-packages scripts/packages-deb.txt build
	+@$(MAKE) --no-print-directory build/web/view.html
	@packaging/build-deb build/deb
	@tests/release/test_packages.py build/deb
deb-test: deb
	@scripts/install-packages scripts/packages-deb.txt test
	+@$(MAKE) --no-print-directory build/x64/primitives.exe build/x32/primitives.exe
	@packaging/test-deb build/deb

# Downloads are kept, so that the next run needs no network.
clean:
	@[ ! -d build ] || find build -mindepth 1 -maxdepth 1 ! -name wine-d3d-tests ! -name sources -exec rm -rf {} +
distclean:
	rm -rf build

help:
	@echo 'make             build everything: build/native, build/x64, build/x32'
	@echo 'make native      the dp2 tool and libhalcyon.so only'
	@echo 'make arm64       dp2 and libhalcyon.so for 64-bit ARM, by a cross compiler; make arm64-test runs them in an emulator'
	@echo 'make web         the page of dp2 view and the playground: build/web/view.html, build/web/playground (emscripten, node)'
	@echo 'make demo        run the examples under Wine, capture, replay, compare; pictures in build/demo'
	@echo 'make check       the quick tests, natively: less than a minute on two idle cores'
	@echo 'make test        the whole test suite'
	@echo 'make bench       benchmark of the native build'
	@echo 'make bench-wine  benchmarks under Wine, in turns with its own d3d8 and d3d9; BENCH_FLAGS="--rounds 5"'
	@echo 'make bench-peers the same next to the newest Wine, Mesa and DXVK, in a chroot (2 GB, needs root); BENCH_FLAGS likewise'
	@echo 'make gallery     docs/gallery.md: the rasterizer state in pictures'
	@echo 'make fuzz-short  a short fixed-seed round of every fuzz target'
	@echo 'make setup       install missing Debian packages (demo, test, bench do it themselves)'
	@echo 'make install     PREFIX=/usr/local DESTDIR= STRIP=no (keep symbols); make uninstall: the reverse'
	@echo 'make JIT=0 ...   any of these without the generator of machine code'
	@echo 'make release     build/release/$(release_name).tar.gz: dlls of both kinds, dp2, settings, documents'
	@echo 'make farm-test   dp2 farm as a job of Slurm, with a controller and two nodes on this machine (needs root)'
	@echo 'make deb         Debian packages in build/deb; make deb-test tries them in chroots of bookworm and trixie'
	@echo 'make clean       remove everything built; make distclean: downloads under build/ too'

-include $(shell find build/*/obj -name '*.d' -type f 2>/dev/null)
