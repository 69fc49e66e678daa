/* SPDX-License-Identifier: MIT */
/*
 * Measures the native driver through its interface. Every variant (SIMD width and threads) runs in
 * a process of its own, because the driver reads its configuration once; the first one, scalar code
 * on one thread, is the baseline that the others are told in multiples of.
 *
 * usage: bench [--seconds S | --trace FOLDER] [SCENE...]    (a scene is chosen by the beginning of its name)
 *
 * --trace measures nothing: what the parts of some rounds of each scene cost goes to FOLDER/SCENE.trace, for bench/simulate.
 */
#include "bench/executors.h"
#include "bench/limits.h"
#include "bench/scenes.h"
#include "base/base.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_VARIANTS 8

struct variant {
    enum cpu_level level;
    unsigned threads;
    double rounds[32]; /* per second, by scene; 0: not measured */
    double lanes[16];  /* per second, by program; 0: not measured */
};

static double seconds = 0.4;
static char **wanted;
static int wanted_count;

static bool is_wanted(const char *name)
{
    for (int i = 0; i < wanted_count; i++)
        if (!strncmp(name, wanted[i], strlen(wanted[i])))
            return true;
    return wanted_count == 0;
}

/* Of one thread the processor's time is taken, so that what else the machine does hardly counts. */
static double seconds_now(unsigned threads)
{
    struct timespec now;

    clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void draw_round(const struct bench_scene *scene, struct stage *stage)
{
    scene->round(stage);
    stage_finish(stage);
}

/* A stage on which the scene has been drawn once. */
static bool open_scene(const struct bench_scene *scene, struct stage *stage)
{
    if (!stage_open_samples(stage, BENCH_WIDTH, BENCH_HEIGHT, D3DFMT_X8R8G8B8, D3DFMT_D24S8, scene->samples))
        return false;
    scene->prepare(stage);
    stage_clear(stage, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0, 1, 0);
    draw_round(scene, stage);
    return true;
}

static void close_scene(const struct bench_scene *scene, struct stage *stage)
{
    if (stage->failed)
        fprintf(stderr, "%s: %s: 0x%08x\n", scene->name, stage->failed, (unsigned)stage->error);
    stage_close(stage);
}

/* Rounds per second: the best of three attempts. */
static double measure(const struct bench_scene *scene, unsigned threads)
{
    double best = 0;
    struct stage stage;

    if (open_scene(scene, &stage)) {
        for (unsigned attempt = 0; attempt < 3; attempt++) {
            double start = seconds_now(threads), now = start;
            unsigned rounds = 0;

            for (; now - start < seconds / 3; now = seconds_now(threads), rounds++)
                draw_round(scene, &stage);
            best = BASE_MAX(best, rounds / (now - start));
        }
    }
    close_scene(scene, &stage);
    return best;
}

#define TRACE_ROUNDS 7

/* In a process of its own: draws some rounds while the driver records what they cost. */
static void trace_child(const struct bench_scene *scene, const char *folder)
{
    char path[1024], name[64];
    struct stage stage;

    snprintf(name, sizeof(name), "%s", scene->name);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '-';
    snprintf(path, sizeof(path), "%s/%s.trace", folder, name);
    remove(path);
    setenv("HALCYON_TRACE", path, 1);
    if (open_scene(scene, &stage))
        for (unsigned i = 0; i < TRACE_ROUNDS; i++)
            draw_round(scene, &stage);
    const bool failed = stage.failed;
    close_scene(scene, &stage);
    exit(failed);
}

static bool trace_scenes(const char *folder)
{
    bool good = true;

    for (unsigned i = 0; i < bench_scene_count; i++) {
        int status;

        if (!is_wanted(bench_scenes[i].name))
            continue;
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0)
            trace_child(&bench_scenes[i], folder);
        good &= child > 0 && waitpid(child, &status, 0) == child && status == 0;
    }
    return good;
}

static void run_child(struct variant *variant, int output)
{
    char number[16];

    snprintf(number, sizeof(number), "%u", variant->threads);
    setenv("HALCYON_THREADS", number, 1);
    setenv("HALCYON_CPU", cpu_level_name(variant->level), 1);
    for (unsigned i = 0; i < bench_scene_count; i++)
        variant->rounds[i] = is_wanted(bench_scenes[i].name) ? measure(&bench_scenes[i], variant->threads) : 0;
    for (unsigned i = 0; i < bench_program_count; i++)
        variant->lanes[i] =
            variant->threads == 1 && is_wanted(bench_programs[i]) ? bench_program(i, variant->level, seconds) : 0;
    if (write(output, variant, sizeof(*variant)) != sizeof(*variant))
        _exit(2);
    _exit(0);
}

static bool run_variant(struct variant *variant)
{
    int ends[2], status;
    bool good;
    pid_t child;

    if (pipe(ends))
        return false;
    fflush(NULL);
    child = fork();
    if (child == 0)
        run_child(variant, ends[1]);
    close(ends[1]);
    good = child > 0 && read(ends[0], variant, sizeof(*variant)) == sizeof(*variant);
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && good && status == 0;
}

static unsigned choose_variants(struct variant *variants)
{
    enum cpu_level best = cpu_level_detected();
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned count = 0;

    for (int level = CPU_SCALAR; level <= (int)best; level++)
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

/* How fast the scene is, in multiples of the one without what it adds. */
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
        if (!is_wanted(bench_programs[p]))
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
        if (!is_wanted(bench_scenes[s].name))
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

/* Seconds a pixel, by the scene's name; 0: not measured. */
static double pixel_cost(const struct variant *variant, const char *name)
{
    for (unsigned s = 0; s < bench_scene_count; s++)
        if (!strcmp(bench_scenes[s].name, name) && variant->rounds[s] > 0)
            return 1 / (variant->rounds[s] * bench_scenes[s].pixels);
    return 0;
}

/* Of the widest variant with one thread. */
static void print_ratios(const struct variant *variant)
{
    printf("\nCost of a pixel beside another's, %s, 1 thread.\n\n%-21s %9s   %-14s %6s   %s\n",
           cpu_level_name(variant->level), "scene", "ns", "beside", "ratio", "mark");
    for (unsigned i = 0; i < bench_ratio_count; i++) {
        const struct bench_ratio *ratio = &bench_ratios[i];
        double cost = pixel_cost(variant, ratio->scene), beside = pixel_cost(variant, ratio->beside);

        if (!cost || !beside)
            continue;
        printf("%-21s %9.2f   %-14s %5.2fx", ratio->scene, cost * 1e9, ratio->beside, cost / beside);
        if (ratio->mark)
            printf("   %.1fx %s", ratio->mark, cost <= ratio->mark * beside ? "met" : "MISSED");
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    struct variant variants[MAX_VARIANTS];
    const char *folder = NULL;
    unsigned count;

    if (argc > 2 && !strcmp(argv[1], "--trace")) {
        folder = argv[2];
        argc -= 2;
        argv += 2;
    } else if (argc > 2 && !strcmp(argv[1], "--seconds")) {
        seconds = strtod(argv[2], NULL);
        argc -= 2;
        argv += 2;
    }
    if (argc > 1 && argv[1][0] == '-') {
        fprintf(stderr, "usage: bench [--seconds S | --trace FOLDER] [SCENE...]\n");
        return 2;
    }
    wanted = argv + 1;
    wanted_count = argc - 1;
    if (folder)
        return trace_scenes(folder) ? 0 : 2;
    count = choose_variants(variants);
    for (unsigned i = 0; i < count; i++) {
        fprintf(stderr, "measuring %s, %u threads\n", cpu_level_name(variants[i].level), variants[i].threads);
        if (!run_variant(&variants[i])) {
            fprintf(stderr, "bench: the run failed\n");
            return 2;
        }
    }
    print_table(variants, count);
    for (unsigned i = count; i-- > 0;) {
        if (variants[i].threads == 1) {
            double cost = pixel_cost(&variants[i], "flat fill");

            print_ratios(&variants[i]);
            bench_print_limits(variants[i].level, cost ? 1 / cost : 0);
            break;
        }
    }
    print_programs(variants, count);
    return 0;
}
