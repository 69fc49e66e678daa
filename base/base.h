/* SPDX-License-Identifier: MIT */
/*
 * Platform layer; knows nothing about Direct3D: log, configuration, CPU level, memory, clock. Every other folder may
 * include this header; it includes nothing else of the project. Functions may be called from any thread unless their
 * comment says otherwise.
 */
#ifndef HALCYON_BASE_H
#define HALCYON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define BASE_MIN(a, b) ((a) < (b) ? (a) : (b))
#define BASE_MAX(a, b) ((a) > (b) ? (a) : (b))

#if defined(__GNUC__)
#define BASE_PRINTF(format_index, first) __attribute__((format(gnu_printf, format_index, first)))
#else
#define BASE_PRINTF(format_index, first)
#endif

/* --- log: HALCYON_LOG_LEVEL, HALCYON_LOG_PATH ------------------------------ */

enum log_level { LOG_NONE, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG_TRACE };

/* One line (a newline is added), prefixed with level and dll. Cheap when the level is off. */
void log_write(enum log_level level, const char *format, ...) BASE_PRINTF(2, 3);
bool log_enabled(enum log_level level);

/* Logs like log_write, but only the first time this call site is reached with this `key` (a token
 * number, a format...): "unsupported X" is logged once, not every frame. */
void log_once(enum log_level level, uint32_t key, const char *format, ...) BASE_PRINTF(3, 4);

#define log_error(...) log_write(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  log_write(LOG_WARN, __VA_ARGS__)
#define log_info(...)  log_write(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log_write(LOG_DEBUG, __VA_ARGS__)

/* --- configuration: default < halcyon.conf < environment ------------------- */

/* The keys of halcyon.conf; one table in base/config.c holds name, default and help text. `name` is
 * the part after HALCYON_, in lower case: "threads", "capture". The string returned stays valid for
 * the life of the process; "" when unset. */
const char *config_string(const char *name);
int config_int(const char *name);
bool config_bool(const char *name);
/* Neither the file nor the environment has set the option. */
bool config_is_default(const char *name);

/* Reads file and environment (once; later calls do nothing) and logs version, module, CPU level, thread count and every
 * setting with its source at info level. */
void base_init(const char *module_name);

/* --- CPU -------------------------------------------------------------------- */

/* The levels; each includes the requirements of all previous ones: X(NUMBER, name). */
#ifdef __wasm__
#define CPU_LEVELS(X)     \
    X(CPU_SCALAR, scalar) \
    X(CPU_SIMD128, simd128)
#elif defined(__aarch64__)
#define CPU_LEVELS(X)     \
    X(CPU_SCALAR, scalar) \
    X(CPU_NEON, neon)
#else
#define CPU_LEVELS(X)     \
    X(CPU_SCALAR, scalar) \
    X(CPU_SSE2, sse2)     \
    X(CPU_AVX2, avx2)     \
    X(CPU_AVX512, avx512)
#endif

#define CPU_LEVEL_NUMBER(NUMBER, name) NUMBER,
enum cpu_level { CPU_LEVELS(CPU_LEVEL_NUMBER) CPU_LEVEL_COUNT };
/* The first level whose programs become machine code. */
#if defined(__x86_64__) || defined(__i386__)
#define CPU_GENERATED CPU_AVX2
#else
#define CPU_GENERATED CPU_LEVEL_COUNT
#endif

enum cpu_level cpu_level_detected(void); /* what the machine (and its OS) can run */
enum cpu_level cpu_level_selected(void); /* detected, lowered by HALCYON_CPU */
const char *cpu_level_name(enum cpu_level level);
unsigned cpu_thread_count(void); /* HALCYON_THREADS, or the number of CPUs; 1..64 */

/* False: the platform has no threads except for the caller's. */
static inline bool cpu_has_threads(void)
{
#ifdef __wasm__
    return false;
#else
    return true;
#endif
}

/* For loops that wait for another thread. */
static inline void cpu_pause(void)
{
#if defined(__aarch64__)
    __asm__ volatile("yield");
#elif !defined(__wasm__)
    __builtin_ia32_pause();
#endif
}

/* --- memory ------------------------------------------------------------------- */

/* NULL on failure or when count * size overflows. Zeroed. Release with free(). */
void *mem_calloc(size_t count, size_t size);
/* Room for `count` elements of `size` bytes and `extra` bytes; NULL on failure or when that overflows. NOT zeroed. */
void *mem_alloc(size_t count, size_t size, size_t extra);
/* Contents kept, new part NOT zeroed. NULL on failure (old block stays valid). */
void *mem_realloc(void *old, size_t count, size_t size);
/* A buffer of bytes with room for `more` bytes after the first `length`: `old` itself, or, if *capacity is less, a larger
 * one, whose size becomes *capacity. NULL on failure or when the sum overflows; then `old` is still valid. */
void *mem_grow(void *old, size_t *capacity, size_t length, size_t more);
/* 64-byte aligned, zeroed. Release with mem_free_aligned. */
void *mem_alloc_aligned(size_t bytes);
void mem_free_aligned(void *p);

/* Seconds of a monotonic clock, for statistics. */
double clock_seconds(void);

#endif
