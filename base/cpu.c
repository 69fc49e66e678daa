/* SPDX-License-Identifier: MIT */
/*
 * Detects the CPU's level and the number of CPUs. A level counts only if the operating
 * system saves its registers too (XCR0), which virtual machines and old kernels do not always do.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* CPU_COUNT */
#endif
#include "base/base.h"

#include <string.h>
#ifdef _WIN32
#include <windows.h>
#elif !defined(__wasm__)
#include <sched.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#define MAX_THREADS              64

#define LEVEL_NAME(NUMBER, name) #name,
static const char *const level_names[CPU_LEVEL_COUNT] = {CPU_LEVELS(LEVEL_NAME)};

#ifdef __wasm__

/* A module with vector code cannot be loaded without vector support. */
enum cpu_level cpu_level_detected(void)
{
    return CPU_SIMD128;
}

#elif defined(__aarch64__)

enum cpu_level cpu_level_detected(void)
{
    return CPU_NEON;
}

#else

/* Intel SDM vol. 1, 13.3: bit 1 SSE, 2 AVX, 5-7 AVX-512 state. The levels from AVX2 on use conversions of halves as well,
 * which each processor with AVX2 has. */
static uint32_t enabled_register_state(void)
{
    uint32_t eax, ebx, ecx, edx;

    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_OSXSAVE) || !(ecx & bit_F16C))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    return eax;
}

enum cpu_level cpu_level_detected(void)
{
    const uint32_t avx_state = 0x06, avx512_state = 0xe6;
    const uint32_t avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
    uint32_t eax, ebx, ecx, edx, state;

    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(edx & bit_SSE2))
        return CPU_SCALAR;
    state = enabled_register_state();
    if ((state & avx_state) != avx_state || !__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !(ebx & bit_AVX2))
        return CPU_SSE2;
    if ((state & avx512_state) != avx512_state || (ebx & avx512) != avx512)
        return CPU_AVX2;
    return CPU_AVX512;
}

#endif

enum cpu_level cpu_level_selected(void)
{
    enum cpu_level detected = cpu_level_detected();
    const char *wanted = config_string("cpu");

    for (int i = 0; i < CPU_LEVEL_COUNT; i++)
        if (!strcmp(wanted, level_names[i]))
            return BASE_MIN((enum cpu_level)i, detected);
    return detected;
}

const char *cpu_level_name(enum cpu_level level)
{
    return (unsigned)level < CPU_LEVEL_COUNT ? level_names[level] : "unknown";
}

/* CPUs this process may run on, which in a container are fewer than the machine has. */
static unsigned usable_cpus(void)
{
#ifdef _WIN32
    DWORD_PTR process, machine;

    if (!GetProcessAffinityMask(GetCurrentProcess(), &process, &machine))
        return 1;
    return (unsigned)__builtin_popcountll(process);
#elif defined(__wasm__)
    return 1;
#else
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set))
        return 1;
    return (unsigned)CPU_COUNT(&set);
#endif
}

unsigned cpu_thread_count(void)
{
    unsigned threads = (unsigned)config_int("threads");

    if (!threads)
        threads = usable_cpus();
    return BASE_MAX(1, BASE_MIN(threads, MAX_THREADS));
}
