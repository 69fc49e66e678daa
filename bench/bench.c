/* SPDX-License-Identifier: MIT */
/*
 * Measures the native driver through its interface. Every variant (SIMD width and threads) runs in its own process,
 * because the driver reads its configuration once. The first variant, scalar code on one thread, is the baseline; the
 * others are printed as multiples of it.
 *
 * usage: bench [--seconds S] [--check] [SCENE...]    (a scene is chosen by the beginning of its name)
 *        bench --once [SCENE...]    (draws each scene once, at the machine's own level: does everything run?)
 *        bench [--seconds S] [--size WxH] [--shot FILE] --scene SCENE    (one of bench/catalogue/ alone, in this process)
 *        bench --trace FOLDER [SCENE...]    (records the costs of the parts of their frames for bench/simulate)
 *
 * Exit status: 0; 1 with --check if a mark is missed; 2 if something failed.
 */
#include "bench/blits.h"
#include "bench/child.h"
#include "bench/executors.h"
#include "bench/frames.h"
#include "bench/generation.h"
#include "bench/limits.h"
#include "bench/scenes.h"
#include "bench/traces.h"
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_VARIANTS 8

struct variant {
    enum cpu_level level;
    unsigned threads;
    double rounds[48]; /* per second, by scene; 0: not measured */
    double lanes[16];  /* per second, by program; 0: not measured */
};

static double seconds = 0.4;
static char **wanted;
static int wanted_count;

bool bench_is_wanted(const char *name)
{
    for (int i = 0; i < wanted_count; i++)
        if (!strncmp(name, wanted[i], strlen(wanted[i])))
            return true;
    return wanted_count == 0;
}

/* Rounds per second: the best of three attempts. */
static double measure(const struct bench_scene *scene, unsigned threads)
{
    double best = 0;
    struct stage stage;

    if (stage_open_samples(&stage, BENCH_WIDTH, BENCH_HEIGHT, scene->target ? scene->target : D3DFMT_X8R8G8B8,
                           D3DFMT_D24S8, scene->samples)) {
        scene->prepare(&stage);
        stage_clear(&stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0, 1, 0);
        scene->round(&stage);
        stage_finish(&stage);
        for (unsigned attempt = 0; attempt < 3; attempt++) {
            double start = bench_seconds(threads), now = start;
            unsigned rounds = 0;

            for (; now - start < seconds / 3; now = bench_seconds(threads), rounds++) {
                scene->round(&stage);
                stage_finish(&stage);
            }
            best = BASE_MAX(best, rounds / (now - start));
        }
    }
    if (stage.failed)
        fprintf(stderr, "%s: %s: 0x%08x\n", scene->name, stage.failed, (unsigned)stage.error);
    stage_close(&stage);
    return best;
}

static void measure_variant(void *result)
{
    struct variant *variant = result;

    for (unsigned i = 0; i < bench_scene_count; i++)
        variant->rounds[i] = bench_is_wanted(bench_scenes[i].name) ? measure(&bench_scenes[i], variant->threads) : 0;
    for (unsigned i = 0; i < bench_program_count; i++)
        variant->lanes[i] =
            variant->threads == 1 && bench_is_wanted(bench_programs[i]) ? bench_program(i, variant->level, seconds) : 0;
}

static unsigned choose_variants(struct variant *variants, bool once)
{
    enum cpu_level best = cpu_level_detected();
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned count = 0;

    for (int level = once ? (int)best : CPU_SCALAR; level <= (int)best; level++)
        variants[count++] = (struct variant){.level = (enum cpu_level)level, .threads = 1};
    for (unsigned threads = 2; threads <= cpus && count < MAX_VARIANTS; threads *= 2)
        variants[count++] = (struct variant){.level = best, .threads = threads};
    return count;
}

static void print_row(const char *name, const char *unit, double amount, const struct variant *variants, unsigned count,
                      unsigned scene)
{
    printf("%-19s %-7s", name, unit);
    for (unsigned i = 0; i < count; i++) {
        double value = amount * variants[i].rounds[scene] * 1e-6;

        if (i == 0)
            printf(" %9.4g     ", value);
        else
            printf(" %9.4g %4.1fx", value,
                   variants[0].rounds[scene] > 0 ? variants[i].rounds[scene] / variants[0].rounds[scene] : 0.0);
    }
    printf("\n");
}

/* The speed of the scene, as a multiple of the speed of the scene without its addition. */
static void print_cost(const struct variant *variants, unsigned count, unsigned scene)
{
    unsigned without = 0;

    while (without < bench_scene_count && strcmp(bench_scenes[without].name, bench_scenes[scene].without))
        without++;
    if (without == bench_scene_count || !variants[0].rounds[without])
        return;
    printf("  of %-15s %-6s", bench_scenes[without].name + strcspn(bench_scenes[without].name, " ") + 1, "");
    for (unsigned i = 0; i < count; i++)
        printf(" %8.2fx%*s", variants[i].rounds[scene] / variants[i].rounds[without], 6, "");
    printf("\n");
}

static void print_programs(const struct variant *variants, unsigned count)
{
    printf("\nExecutors of the shader IR alone, millions of lanes (pixels, vertices) per second.\n\n");
    for (unsigned p = 0; p < bench_program_count; p++) {
        if (!bench_is_wanted(bench_programs[p]))
            continue;
        printf("%-37s", bench_programs[p]);
        for (unsigned i = 0; i < count && variants[i].threads == 1; i++) {
            printf(" %7.4g", variants[i].lanes[p] * 1e-6);
            if (i > 0 && variants[0].lanes[p] > 0)
                printf(" %4.1fx", variants[i].lanes[p] / variants[0].lanes[p]);
        }
        printf("\n");
    }
}

static void print_table(const struct variant *variants, unsigned count)
{
    printf("\nMillions per second at %ux%u; ratios to the baseline \"%s, 1 thread\" of this run.\n\n", BENCH_WIDTH,
           BENCH_HEIGHT, cpu_level_name(variants[0].level));
    printf("%-27s", "scene");
    for (unsigned i = 0; i < count; i++) {
        char title[24];

        snprintf(title, sizeof(title), "%s/%u", cpu_level_name(variants[i].level), variants[i].threads);
        printf(" %-14s", title);
    }
    printf("\n");
    for (unsigned s = 0; s < bench_scene_count; s++) {
        if (!bench_is_wanted(bench_scenes[s].name))
            continue;
        if (bench_scenes[s].vertices > 0) {
            print_row(bench_scenes[s].name, "vertic.", bench_scenes[s].vertices, variants, count, s);
            continue;
        }
        print_row(bench_scenes[s].name, "pixels", bench_scenes[s].pixels, variants, count, s);
        print_row("", "triang.", bench_scenes[s].triangles, variants, count, s);
        if (bench_scenes[s].without)
            print_cost(variants, count, s);
    }
}

/* Seconds per pixel, by the scene's name; 0: not measured. */
static double pixel_cost(const struct variant *variant, const char *name)
{
    for (unsigned s = 0; s < bench_scene_count; s++)
        if (!strcmp(bench_scenes[s].name, name) && variant->rounds[s] > 0)
            return 1 / (variant->rounds[s] * bench_scenes[s].pixels);
    return 0;
}

/* Prints the costs of the widest variant with one thread. Returns false if a mark is missed. */
static bool print_ratios(const struct variant *variant)
{
    bool good = true;

    printf("\nCost of a pixel compared with another's, %s, 1 thread.\n\n%-21s %9s   %-14s %6s   %s\n",
           cpu_level_name(variant->level), "scene", "ns", "compared with", "ratio", "mark");
    for (unsigned i = 0; i < bench_ratio_count; i++) {
        const struct bench_ratio *ratio = &bench_ratios[i];
        double cost = pixel_cost(variant, ratio->scene), beside = pixel_cost(variant, ratio->beside);
        const bool met = cost <= ratio->mark * beside;

        if (!cost || !beside)
            continue;
        printf("%-21s %9.2f   %-14s %5.2fx", ratio->scene, cost * 1e9, ratio->beside, cost / beside);
        if (ratio->mark) {
            printf("   %.1fx %s", ratio->mark, met ? "met" : "MISSED");
            good &= met;
        }
        printf("\n");
    }
    return good;
}

/* Measures scenes that have work in each round; returns true if their marks are met. */
static bool bench_rounds(bool once, bool *failed)
{
    struct variant variants[MAX_VARIANTS];
    const unsigned count = choose_variants(variants, once);
    bool good = true;

    for (unsigned i = 0; i < count; i++) {
        fprintf(stderr, "measuring %s, %u threads\n", cpu_level_name(variants[i].level), variants[i].threads);
        *failed |=
            !bench_in_child(variants[i].level, variants[i].threads, measure_variant, &variants[i], sizeof(variants[i]));
        if (*failed) {
            fprintf(stderr, "bench: the run failed\n");
            return false;
        }
    }
    print_table(variants, count);
    for (unsigned i = count; i-- > 0;) {
        if (variants[i].threads == 1) {
            double cost = pixel_cost(&variants[i], "flat fill");

            good = print_ratios(&variants[i]);
            bench_print_limits(variants[i].level, cost ? 1 / cost : 0);
            break;
        }
    }
    print_programs(variants, count);
    return good;
}

static bool any_round_wanted(void)
{
    bool wanted_any = false;

    for (unsigned i = 0; i < bench_scene_count; i++)
        wanted_any |= bench_is_wanted(bench_scenes[i].name);
    for (unsigned i = 0; i < bench_program_count; i++)
        wanted_any |= bench_is_wanted(bench_programs[i]);
    return wanted_any;
}

static bool any_generation_wanted(void)
{
    bool wanted_any = false;

    for (unsigned i = 0; i < bench_generation_count; i++)
        wanted_any |= bench_is_wanted(bench_generations[i]);
    return wanted_any;
}

static int usage(void)
{
    fprintf(stderr, "usage: bench [--seconds S] [--check] [SCENE...]\n"
                    "       bench --once [SCENE...]\n"
                    "       bench [--seconds S] [--size WxH] [--shot FILE] --scene SCENE\n"
                    "       bench --trace FOLDER [SCENE...]\n");
    return 2;
}

int main(int argc, char **argv)
{
    const char *scene = NULL, *shot = NULL, *folder = NULL;
    unsigned width = 640, height = 480;
    bool check = false, once = false, good = true, failed = false;
    int i = 1;

    for (; i < argc && argv[i][0] == '-'; i++)
        if (!strcmp(argv[i], "--check"))
            check = true;
        else if (!strcmp(argv[i], "--once"))
            once = true;
        else if (i + 1 == argc)
            return usage();
        else if (!strcmp(argv[i], "--seconds"))
            seconds = strtod(argv[++i], NULL);
        else if (!strcmp(argv[i], "--scene"))
            scene = argv[++i];
        else if (!strcmp(argv[i], "--shot"))
            shot = argv[++i];
        else if (!strcmp(argv[i], "--trace"))
            folder = argv[++i];
        else if (strcmp(argv[i], "--size") || sscanf(argv[++i], "%ux%u", &width, &height) != 2)
            return usage();
    if (once)
        seconds = 1e-9;
    if (scene)
        return bench_one_scene(scene, width, height, seconds, shot);
    wanted = argv + i;
    wanted_count = argc - i;
    if (folder)
        return bench_traces(folder) ? 0 : 2;
    if (any_round_wanted())
        good = bench_rounds(once, &failed);
    if (any_generation_wanted())
        for (enum cpu_level level = CPU_GENERATED; level <= cpu_level_detected(); level++) {
            printf("\nMaking machine code, %s, 1 thread: the least of %.1f s.\n\n", cpu_level_name(level), seconds);
            bench_print_generations(level, seconds);
        }
    good &= bench_blits(cpu_level_detected(), seconds);
    good &= bench_frames(cpu_level_detected(), seconds, once);
    return failed ? 2 : check && !good ? 1 : 0;
}
