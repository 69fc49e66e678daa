/* SPDX-License-Identifier: MIT */
/* Measures whole frames of the catalogue's scenes and compares their times with the marks. */
#include "bench/frames.h"

#include "bench/canvas_stage.h"
#include "bench/catalogue/catalogue.h"
#include "bench/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SCENES  20
#define WARM_FRAMES 2
#define SHOT_FRAME  5
/* Compared measurements alternate, and a ratio is the median of the turns' ratios, because the clock of a shared
 * machine changes from second to second, by up to a half. */
#define TURNS 5

enum { PRESENT, READBACK, ENDINGS };
enum { SMALL, LARGE, SIZES };

static const unsigned sizes[SIZES][2] = {{640, 480}, {1920, 1080}};

/* A pixel may cost this many times as much in the large size, and a triangle among many as one among few. */
#define PIXEL_MARK    1.10
#define TRIANGLE_MARK 1.15

static const unsigned triangle_counts[] = {10000, 40000, 200000, 1000000, 2000000};
#define TRIANGLE_ROWS ARRAY_COUNT(triangle_counts)
#define TRIANGLES     "triangles" /* the rows' name on the command line */

/* Seconds per frame, in each turn; 0: not measured. */
struct times {
    double turn[TURNS];
};

struct frames {
    unsigned threads;
    unsigned turns; /* TURNS, or 1: whether everything runs is the only question */
    double seconds;
    struct times frame[MAX_SCENES][SIZES][ENDINGS];
    struct times empty; /* the clear, to be subtracted from the times of triangles */
    struct times triangles[TRIANGLE_ROWS];
};

/* --- measuring ---------------------------------------------------------------------------- */

/* A turn's share of `seconds`. */
static double time_frames(struct stage_canvas *board, void (*draw)(struct canvas *canvas, unsigned frame),
                          bool readback, const struct frames *how)
{
    unsigned frame = 0, count = 0;

    for (; frame < WARM_FRAMES; frame++) {
        draw(&board->canvas, frame);
        stage_canvas_end_frame(board, readback);
    }
    const double start = bench_seconds(how->threads);
    double now = start;

    for (; now - start < how->seconds / TURNS && !board->stage.failed; now = bench_seconds(how->threads), count++) {
        draw(&board->canvas, frame++);
        stage_canvas_end_frame(board, readback);
    }
    return board->stage.failed || !count ? 0 : (now - start) / count;
}

static void report(const struct stage_canvas *board, const char *name)
{
    if (board->stage.failed)
        fprintf(stderr, "%s: %s: 0x%08x\n", name, board->stage.failed, (unsigned)board->stage.error);
}

static void measure_scene(const struct catalogue_scene *scene, unsigned size, unsigned turn, const struct frames *how,
                          struct times *results)
{
    struct stage_canvas board;

    if (stage_canvas_open(&board, sizes[size][0], sizes[size][1], scene->samples)) {
        catalogue_open(&board.canvas, scene);
        for (unsigned ending = 0; ending < ENDINGS; ending++)
            results[ending].turn[turn] = time_frames(&board, scene->draw, ending == READBACK, how);
    }
    report(&board, scene->name);
    stage_canvas_close(&board);
}

/* 0 triangles: only the clear. */
static double measure_triangles(unsigned triangles, const struct frames *how)
{
    struct stage_canvas board;
    double seconds = 0;

    if (stage_canvas_open(&board, sizes[SMALL][0], sizes[SMALL][1], 0)) {
        catalogue_open(&board.canvas, NULL);
        catalogue_create_patches(&board.canvas, triangles);
        seconds = time_frames(&board, catalogue_draw_patches, false, how);
    }
    report(&board, TRIANGLES);
    stage_canvas_close(&board);
    return seconds;
}

static void measure(void *result)
{
    struct frames *frames = result;

    for (unsigned i = 0; i < catalogue_scene_count && i < MAX_SCENES; i++)
        if (bench_is_wanted(catalogue_scenes[i].name))
            for (unsigned turn = 0; turn < frames->turns; turn++)
                for (unsigned size = 0; size < SIZES; size++)
                    measure_scene(&catalogue_scenes[i], size, turn, frames, frames->frame[i][size]);
    if (!bench_is_wanted(TRIANGLES))
        return;
    for (unsigned turn = 0; turn < frames->turns; turn++) {
        frames->empty.turn[turn] = measure_triangles(0, frames);
        for (unsigned i = 0; i < TRIANGLE_ROWS; i++)
            frames->triangles[i].turn[turn] = measure_triangles(triangle_counts[i], frames);
    }
}

/* --- tables -------------------------------------------------------------------------------- */

static double least(const struct times *times)
{
    double best = times->turn[0];

    for (unsigned turn = 1; turn < TURNS; turn++)
        best = BASE_MIN(best, times->turn[turn]);
    return best;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(struct times times)
{
    qsort(times.turn, TURNS, sizeof(*times.turn), ascending);
    return times.turn[TURNS / 2];
}

static void print_head(const struct frames *frames, unsigned count)
{
    printf(
        "\nMilliseconds a frame, ended as Present asks for it and by a copy into the program's memory.\n\n%-2s %-16s",
        "", "scene");
    for (unsigned size = 0; size < SIZES; size++)
        for (unsigned i = 0; i < count; i++) {
            char title[32];

            snprintf(title, sizeof(title), "%ux%u/%u", sizes[size][0], sizes[size][1], frames[i].threads);
            printf("  %-16s", title);
        }
    printf("\n");
}

static void print_frames(const struct frames *frames, unsigned count)
{
    print_head(frames, count);
    for (unsigned s = 0; s < catalogue_scene_count; s++) {
        if (!frames[0].frame[s][SMALL][PRESENT].turn[0])
            continue;
        printf("%-2s %-16s", catalogue_scenes[s].letter, catalogue_scenes[s].name);
        for (unsigned size = 0; size < SIZES; size++)
            for (unsigned i = 0; i < count; i++)
                printf("  %7.3f %7.3f ", 1e3 * least(&frames[i].frame[s][size][PRESENT]),
                       1e3 * least(&frames[i].frame[s][size][READBACK]));
        printf("\n");
    }
}

/* Prints "1.03x met", or a gap where nothing was measured; returns false if the mark is missed. */
static bool print_ratio(double ratio, double mark)
{
    if (!(ratio > 0)) {
        printf("  %-12s", "-");
        return true;
    }
    printf("  %5.2fx %-6s", ratio, ratio <= mark ? "met" : "MISSED");
    return ratio <= mark;
}

/* The cost as a multiple of the cost in the small size. */
static double pixel_ratio(const struct frames *frames, unsigned scene)
{
    const double area = (double)sizes[LARGE][0] * sizes[LARGE][1] / (sizes[SMALL][0] * sizes[SMALL][1]);
    const struct times(*times)[ENDINGS] = frames->frame[scene]; /* by size */
    struct times ratios;

    for (unsigned turn = 0; turn < TURNS; turn++)
        ratios.turn[turn] = times[LARGE][PRESENT].turn[turn] / (area * times[SMALL][PRESENT].turn[turn]);
    return median(ratios);
}

static bool print_pixels(const struct frames *frames, unsigned count)
{
    bool good = true;

    printf("\nTime per pixel in the large size compared with the small one; the mark is %.2fx. Threads:", PIXEL_MARK);
    for (unsigned i = 0; i < count; i++)
        printf(" %u", frames[i].threads);
    printf("\n\n");
    for (unsigned s = 0; s < catalogue_scene_count; s++) {
        if (!catalogue_scenes[s].fills || !frames[0].frame[s][SMALL][PRESENT].turn[0])
            continue;
        printf("%-2s %-16s", catalogue_scenes[s].letter, catalogue_scenes[s].name);
        for (unsigned i = 0; i < count; i++)
            good &= print_ratio(pixel_ratio(&frames[i], s), PIXEL_MARK);
        printf("\n");
    }
    return good;
}

static double seconds_a_triangle(const struct frames *frames, unsigned row, unsigned turn)
{
    return (frames->triangles[row].turn[turn] - frames->empty.turn[turn]) / triangle_counts[row];
}

static bool print_triangles(const struct frames *frames, unsigned count)
{
    bool good = true;

    if (!frames[0].triangles[0].turn[0])
        return true;
    printf("\nTime per triangle, nanoseconds, without that of an empty frame, compared with the first row; the mark is "
           "%.2fx.\n\n",
           TRIANGLE_MARK);
    for (unsigned t = 0; t < TRIANGLE_ROWS; t++) {
        printf("%9u triangles", triangle_counts[t]);
        for (unsigned i = 0; i < count; i++) {
            struct times each, ratios;

            for (unsigned turn = 0; turn < TURNS; turn++) {
                each.turn[turn] = seconds_a_triangle(&frames[i], t, turn);
                ratios.turn[turn] = each.turn[turn] / seconds_a_triangle(&frames[i], 0, turn);
            }
            printf("  %8.1f", 1e9 * least(&each));
            good &= print_ratio(median(ratios), TRIANGLE_MARK);
        }
        printf("\n");
    }
    return good;
}

/* Turns that were not taken are those that were. */
static void repeat_turns(struct frames *frames)
{
    struct times *times[] = {&frames->frame[0][0][0], &frames->empty, frames->triangles};
    const unsigned counts[] = {MAX_SCENES * SIZES * ENDINGS, 1, TRIANGLE_ROWS};

    for (unsigned k = 0; k < ARRAY_COUNT(times); k++)
        for (unsigned i = 0; i < counts[k]; i++)
            for (unsigned turn = frames->turns; turn < TURNS; turn++)
                times[k][i].turn[turn] = times[k][i].turn[0];
}

bool bench_frames(enum cpu_level level, double seconds, bool once)
{
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned turns = once ? 1 : TURNS;
    struct frames frames[2] = {{.threads = 1, .turns = turns, .seconds = seconds},
                               {.threads = (unsigned)cpus, .turns = turns, .seconds = seconds}};
    const unsigned count = cpus > 1 ? 2 : 1;
    bool wanted = bench_is_wanted(TRIANGLES), good;

    for (unsigned i = 0; i < catalogue_scene_count; i++)
        wanted |= bench_is_wanted(catalogue_scenes[i].name);
    if (!wanted)
        return true;
    for (unsigned i = 0; i < count; i++) {
        fprintf(stderr, "measuring frames, %s, %u threads\n", cpu_level_name(level), frames[i].threads);
        if (!bench_in_child(level, frames[i].threads, measure, &frames[i], sizeof(frames[i]))) {
            fprintf(stderr, "bench: the run failed\n");
            return false;
        }
        repeat_turns(&frames[i]);
    }
    print_frames(frames, count);
    good = print_pixels(frames, count);
    return print_triangles(frames, count) && good;
}

/* --- one scene -------------------------------------------------------------------------------- */

static bool write_picture(struct stage_canvas *board, const char *path)
{
    const unsigned width = board->canvas.width, height = board->canvas.height;
    uint8_t *rgb = malloc((size_t)3 * width * height);
    FILE *file = rgb && stage_read_rgb(&board->stage, rgb) ? fopen(path, "wb") : NULL;
    bool good = file && fprintf(file, "P6\n%u %u\n255\n", width, height) > 0 &&
                fwrite(rgb, 3, (size_t)width * height, file) == (size_t)width * height;

    if (file)
        good &= !fclose(file);
    free(rgb);
    return good;
}

int bench_one_scene(const char *name, unsigned width, unsigned height, double seconds, const char *shot)
{
    const struct catalogue_scene *scene = catalogue_find(name);
    const struct frames how = {.threads = 0, .seconds = seconds};
    struct stage_canvas board;
    bool good = true;

    if (!scene) {
        fprintf(stderr, "bench: no scene %s\n", name);
        return 2;
    }
    if (stage_canvas_open(&board, width, height, scene->samples)) {
        catalogue_open(&board.canvas, scene);
        if (shot) {
            scene->draw(&board.canvas, SHOT_FRAME);
            good = write_picture(&board, shot);
        } else {
            for (unsigned ending = 0; ending < ENDINGS; ending++)
                printf("%s, %s: %.3f ms a frame\n", name, ending == PRESENT ? "present" : "readback",
                       1e3 * time_frames(&board, scene->draw, ending == READBACK, &how));
        }
    }
    report(&board, name);
    good &= !board.stage.failed;
    stage_canvas_close(&board);
    return good ? 0 : 2;
}
