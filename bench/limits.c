/* SPDX-License-Identifier: MIT */
/* Measures how fast memset writes a target, the rate of the time stamp counter, and the cost of coverage. */
#include "bench/limits.h"
#include "bench/scenes.h"
#include "raster/kernels/kernels.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#define SECONDS 0.1

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* 32-bit pixels per second that memset writes to a target, over and over. */
static double written_pixels(void)
{
    const size_t pixels = (size_t)BENCH_WIDTH * BENCH_HEIGHT;
    uint32_t *target = mem_alloc_aligned(pixels * 4);
    double start, now;
    unsigned rounds = 0;

    if (!target)
        return 0;
    memset(target, 1, pixels * 4);
    for (start = now = cpu_seconds(); now - start < SECONDS; now = cpu_seconds(), rounds++) {
        memset(target, (int)(rounds & 255), pixels * 4);
        __asm__ volatile("" : : "r"(target) : "memory");
    }
    mem_free_aligned(target);
    return rounds * (double)pixels / (now - start);
}

/* Steps of the time stamp counter in a nanosecond. */
static double counter_rate(void)
{
    const double start = clock_seconds();
    const uint64_t ticks = __rdtsc();

    while (clock_seconds() - start < 0.02)
        ;
    return (double)(__rdtsc() - ticks) / ((clock_seconds() - start) * 1e9);
}

/* A triangle whose three edges all cross blocks of the tile: coverage alone, nanoseconds per listed block. */
static double cover_cost(enum cpu_level level)
{
    const struct raster_kernels *kernels = raster_kernels_for(level);
    const struct raster_rect area = {0, 0, RASTER_TILE_SIZE, RASTER_TILE_SIZE};
    /* (2, 3), (60, 10), (20, 62) */
    struct raster_tile_edges edges = {.c = {-160 * 256 + 255, 3976 * 256, -1126 * 256 + 255},
                                      .dx = {58 * 256, -40 * 256, -18 * 256},
                                      .dy = {7 * 256, 52 * 256, -59 * 256},
                                      .mask = 7};
    struct raster_row row[RASTER_ROW_BLOCKS];
    uint64_t blocks = 0;
    double start, now;

    for (start = now = cpu_seconds(); now - start < SECONDS; now = cpu_seconds())
        for (unsigned i = 0; i < 1000; i++) {
            edges.c[0] ^= 1; /* nothing to keep from the last round */
            blocks += kernels->cover_triangle(&edges, &area, row);
        }
    return (now - start) * 1e9 / (double)blocks;
}

void bench_print_limits(enum cpu_level level, double flat_fill)
{
    const double written = written_pixels();
    const double scalar = cover_cost(CPU_SCALAR), wide = cover_cost(level);

    printf("\nLimits, 1 thread. memset writes %.0f Mpixels/s to a target", written * 1e-6);
    if (flat_fill > 0)
        printf(", flat fill reaches %.0f %% of it", 100 * flat_fill / written);
    printf(".\nCoverage of an 8x8 block: %.1f ns (%.0f cycles), scalar code %.1f times as much.\n", wide,
           wide * counter_rate(), scalar / wide);
}
