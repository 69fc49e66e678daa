/* SPDX-License-Identifier: MIT */
/* The command: which scenes to compare, and how; reports differences with as few steps as possible. */
#include "tests/scenes/scenes.h"

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: scenes [OPTION...]\n"
    "\n"
    "Plays random scenes through the driver interfaces, each with several numbers of threads, CPU levels and splits of "
    "the\n"
    "work, and compares all that can be seen: colour, depth, stencil, feedback maps, answers of queries. Some scenes "
    "go\n"
    "through captures as well: recorded and replayed, recorded from a frame on, as text and back.\n"
    "\n"
    "  -s, --seed N       the first scene (default: 1)\n"
    "  -n, --count N      how many scenes (default: 400)\n"
    "  -m, --minutes N    run for this long instead\n"
    "      --settings N   drivers to compare with the first one, of each scene (default: 3; 0: all)\n"
    "      --captures N   one scene in N goes through captures (default: 8; 0: none)\n"
    "  -k, --keep DIR     write what fails (with --only, the scene) as captures into this folder\n"
    "      --only         one scene alone, with all settings; prints its steps\n"
    "      --skip MASK    leave these steps out (bits, as a failure tells them)\n"
    "  -h, --help\n"
    "\n"
    "Exit status: 0 equal, 1 different, 2 error.\n"
    "\n"
    "examples:\n"
    "  scenes --minutes 60 --seed 100000 --keep /tmp\n"
    "  scenes --only --seed 4711\n";

#define MAX_SETTINGS 40
#define MAX_FAILURES 10

struct options {
    uint64_t seed, count, skipped;
    double minutes;
    unsigned settings, captures;
    const char *keep;
    bool only;
};

static struct settings all_settings[MAX_SETTINGS];
static unsigned settings_count;
static struct worker *workers[MAX_SETTINGS]; /* started when they are needed */

/* The first driver is the reference: one thread, scenes as large as they get. */
static void list_settings(void)
{
    static const unsigned threads[] = {1, 2, 3, 4, 8};
    const unsigned levels = cpu_level_detected() + 1;

    all_settings[settings_count++] = (struct settings){1, cpu_level_detected(), 0, false};
    for (unsigned split = 0; split < 2; split++)
        for (unsigned t = 0; t < ARRAY_COUNT(threads); t++)
            for (unsigned level = 0; level < levels; level++)
                if (settings_count < MAX_SETTINGS && (split || t || level != levels - 1))
                    all_settings[settings_count++] = (struct settings){
                        threads[t], (enum cpu_level)level, split * (17 + settings_count), settings_count % 3 == 1};
}

static struct worker *worker_of(unsigned n)
{
    if (!workers[n])
        workers[n] = worker_start(&all_settings[n], NULL, NULL);
    return workers[n];
}

static void stop_workers(void)
{
    for (unsigned n = 0; n < MAX_SETTINGS; n++) {
        if (workers[n])
            worker_stop(workers[n]);
        workers[n] = NULL;
    }
}

/* --- comparing ---------------------------------------------------------------------------------------------- */

/* The first record that differs; -1 if none does. */
static long first_difference(const struct result *a, const struct result *b)
{
    const uint32_t count = BASE_MIN(a->count, b->count);

    for (uint32_t i = 0; i < count; i++)
        if (a->records[i].hash != b->records[i].hash || strcmp(a->records[i].name, b->records[i].name))
            return (long)i;
    return a->count != b->count || a->failed != b->failed ? (long)count : -1;
}

/* Plays an order with two drivers. Returns the result of first_difference. */
static long compare(const struct order *order, unsigned a, unsigned b, struct result *result_a, struct result *result_b)
{
    if (!worker_send(worker_of(a), order) || !worker_send(worker_of(b), order))
        return 0;
    const bool received = worker_receive(workers[a], result_a, NULL),
               other = worker_receive(workers[b], result_b, NULL);
    if (!received || !other)
        return 0;
    return first_difference(result_a, result_b);
}

/* Tries several times, because threads need not meet in the same way each time. */
static bool still_differs(const struct order *order, unsigned a, unsigned b)
{
    static struct result result_a, result_b;

    for (unsigned tries = 0; tries < 3; tries++) {
        const long at = compare(order, a, b, &result_a, &result_b);

        if (result_a.failed == 1 || result_b.failed == 1)
            stop_workers();
        if (at >= 0)
            return true;
    }
    return false;
}

/* Leaves out steps, in ever smaller pieces, as long as the difference remains. */
static void reduce(struct order *order, unsigned steps, unsigned a, unsigned b)
{
    for (unsigned size = steps / 2; size; size /= 2) {
        for (unsigned first = 0; first < steps; first += size) {
            struct order less = *order;
            const uint64_t piece = size < 64 ? (UINT64_C(1) << size) - 1 : ~UINT64_C(0);

            less.skipped |= piece << first;
            if (less.skipped != order->skipped && still_differs(&less, a, b))
                *order = less;
        }
    }
}

static void print_bytes(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = count; i > 0; i--)
        printf("%02x", bytes[i - 1]);
}

/* The record that differs, as both drivers have it. */
static void print_pixels(const struct order *order, long at, unsigned a, unsigned b)
{
    static struct result result;
    uint8_t *bytes[2] = {malloc(SCENE_WANTED_BYTES), malloc(SCENE_WANTED_BYTES)};
    struct order asked = *order;
    uint32_t different = 0, first = 0, texels = 0, columns = 1;
    const struct record *record = &result.records[at];

    asked.wanted = (uint32_t)at;
    for (unsigned tries = 0; tries < 10 && !different && bytes[0] && bytes[1]; tries++) { /* threads meet by chance */
        for (unsigned i = 0; i < 2; i++)
            if (!worker_send(worker_of(i ? b : a), &asked) || !worker_receive(workers[i ? b : a], &result, bytes[i]))
                goto done;
        if ((uint32_t)at >= result.count || !record->texel_bytes)
            goto done;
        texels = result.byte_count / record->texel_bytes;
        columns = record->row_bytes / record->texel_bytes;
        for (uint32_t i = texels; i > 0; i--) {
            const size_t offset = (size_t)(i - 1) * record->texel_bytes;

            if (memcmp(bytes[0] + offset, bytes[1] + offset, record->texel_bytes)) {
                different++;
                first = i - 1;
            }
        }
    }
    if (!different) {
        printf("  %s, after step %u; not each time\n", record->name, (unsigned)record->step);
        goto done;
    }
    printf("  %s of format %u, after step %u: %u of %u texels, first (%u, %u): ", record->name,
           (unsigned)record->format, (unsigned)record->step, (unsigned)different, (unsigned)texels,
           (unsigned)(first % columns), (unsigned)(first / columns));
    print_bytes(bytes[0] + (size_t)first * record->texel_bytes, record->texel_bytes);
    printf(", ");
    print_bytes(bytes[1] + (size_t)first * record->texel_bytes, record->texel_bytes);
    printf("\n");
done:
    free(bytes[0]);
    free(bytes[1]);
}

static void print_story(const struct order *order, const struct result *result)
{
    for (uint32_t n = 0; n < result->steps; n++)
        if (!(order->skipped >> n & 1))
            printf("  %2u %s\n", (unsigned)n, result->story[n]);
    if (result->story[SCENE_MAX_STEPS - 1][0])
        printf("  -- %s\n", result->story[SCENE_MAX_STEPS - 1]);
}

static void keep_capture(const struct options *options, const struct order *order, unsigned a)
{
    static struct result result;
    char path[1024];

    if (!options->keep)
        return;
    snprintf(path, sizeof(path), "%s/scene-%" PRIu64 ".capture", options->keep, order->seed);
    if (captures_record(order, &all_settings[a], path, NULL, &result))
        printf("  %s\n", path);
}

static void tell_failure(const struct options *options, const struct order *failed, unsigned a, unsigned b)
{
    static struct result result_a, result_b;
    struct order order = *failed;

    printf("seed %" PRIu64 ": differs\n  %s\n  %s\n", order.seed, settings_text(&all_settings[a]),
           settings_text(&all_settings[b]));
    stop_workers(); /* fresh drivers: does the difference depend on earlier scenes? */
    if (!still_differs(&order, a, b)) {
        printf("  not alone: only after other scenes, or not each time\n");
        return;
    }
    compare(&order, a, b, &result_a, &result_b);
    reduce(&order, result_a.steps, a, b);
    long at = -1;
    for (unsigned tries = 0; tries < 4 && at < 0; tries++)
        at = compare(&order, a, b, &result_a, &result_b);
    printf("  again: --only --seed %" PRIu64 " --skip %#" PRIx64 "\n", order.seed, order.skipped);
    print_story(&order, &result_a);
    if (result_a.failed || result_b.failed)
        printf("  failures: %s; %s\n", result_a.failed ? result_a.failure : "none",
               result_b.failed ? result_b.failure : "none");
    else if (at >= 0)
        print_pixels(&order, at, a, b);
    stop_workers();
    keep_capture(options, &order, a);
}

/* --- scenes --------------------------------------------------------------------------------------------------- */

/* The drivers of this scene: each scene gets others, so that all are used. */
static unsigned other_of(const struct options *options, uint64_t seed, unsigned i)
{
    const unsigned others = settings_count - 1;

    return 1 + (options->settings ? (unsigned)((seed * options->settings + i) * 7 % others) : i);
}

/* False: a difference, or a call was refused that should have succeeded. */
static bool play(const struct options *options, const struct order *order)
{
    static struct result reference, result;
    const unsigned others = options->settings ? BASE_MIN(options->settings, settings_count - 1) : settings_count - 1;
    bool same = true;

    worker_send(worker_of(0), order);
    for (unsigned i = 0; i < others; i++)
        worker_send(worker_of(other_of(options, order->seed, i)), order);
    if (!worker_receive(workers[0], &reference, NULL) || reference.failed) {
        printf("seed %" PRIu64 ": %s (%#x)\n", order->seed, reference.failure, (unsigned)reference.failed);
        print_story(order, &reference);
        stop_workers();
        return false;
    }
    unsigned different = 0;
    for (unsigned i = 0; i < others; i++) {
        const unsigned n = other_of(options, order->seed, i);
        const bool received = worker_receive(workers[n], &result, NULL);

        if (!different && (!received || first_difference(&reference, &result) >= 0))
            different = n;
    }
    if (options->only)
        print_story(order, &reference);
    if (options->only && !different)
        keep_capture(options, order, 0);
    if (different) {
        tell_failure(options, order, 0, different);
        same = false;
    }
    return same;
}

static bool through_captures(const struct options *options, const struct order *order)
{
    const char *folder = getenv("TMPDIR");

    if (!options->captures || (!options->only && order->seed % options->captures))
        return true;
    return captures_check(order, &all_settings[other_of(options, order->seed, 0)], folder ? folder : "/tmp");
}

static int run(const struct options *options)
{
    const double end = clock_seconds() + 60 * options->minutes;
    uint64_t done = 0, failures = 0, captures = 0;

    list_settings();
    while (failures < MAX_FAILURES && (options->minutes > 0 ? clock_seconds() < end : done < options->count)) {
        const struct order order = {options->seed + done, options->skipped, SCENE_NO_RECORD};
        const bool same = play(options, &order);

        captures += options->captures && order.seed % options->captures == 0;
        failures += !same || !through_captures(options, &order);
        done++;
        fflush(stdout);
    }
    stop_workers();
    printf("%" PRIu64 " scenes (seeds %" PRIu64 " to %" PRIu64 "), %" PRIu64 " through captures, %u settings: %" PRIu64
           " differ\n",
           done, options->seed, options->seed + done - 1, captures, settings_count, failures);
    return failures != 0;
}

/* --- options ---------------------------------------------------------------------------------------------------- */

static bool number_of(const char *text, uint64_t *value)
{
    char *end;

    *value = strtoull(text, &end, 0);
    return end != text && !*end;
}

int main(int argc, char **argv)
{
    enum { OPT_SETTINGS = 256, OPT_CAPTURES, OPT_ONLY, OPT_SKIP };
    static const struct option names[] = {
        {"seed", required_argument, NULL, 's'},
        {"count", required_argument, NULL, 'n'},
        {"minutes", required_argument, NULL, 'm'},
        {"settings", required_argument, NULL, OPT_SETTINGS},
        {"captures", required_argument, NULL, OPT_CAPTURES},
        {"keep", required_argument, NULL, 'k'},
        {"only", no_argument, NULL, OPT_ONLY},
        {"skip", required_argument, NULL, OPT_SKIP},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct options options = {.seed = 1, .count = 400, .settings = 3, .captures = 8};
    uint64_t value = 0;
    int option;

    while ((option = getopt_long(argc, argv, "s:n:m:k:h", names, NULL)) != -1) {
        if (optarg && option != 'k' && option != 'm' && !number_of(optarg, &value)) {
            fprintf(stderr, "scenes: '%s' is not a number\n", optarg);
            return 2;
        }
        switch (option) {
        case 's':
            options.seed = value;
            break;
        case 'n':
            options.count = value;
            break;
        case 'm':
            options.minutes = strtod(optarg, NULL);
            break;
        case OPT_SETTINGS:
            options.settings = (unsigned)value;
            break;
        case OPT_CAPTURES:
            options.captures = (unsigned)value;
            break;
        case 'k':
            options.keep = optarg;
            break;
        case OPT_ONLY:
            options.only = true;
            break;
        case OPT_SKIP:
            options.skipped = value;
            break;
        case 'h':
            fputs(help, stdout);
            return 0;
        default:
            fprintf(stderr, "Try 'scenes --help'.\n");
            return 2;
        }
    }
    if (options.only) {
        options.count = 1;
        options.settings = 0;
    }
    signal(SIGPIPE, SIG_IGN);
    return run(&options);
}
