/* SPDX-License-Identifier: MIT */
/*
 * The list of kernels (RASTER_KERNELS) slot by slot: every CPU level against the scalar variant on random input with
 * forced extremes, in the manner of checkasm; a kernel without a row here does not compile. All memory that a run may
 * write is compared, so stray writes are found too. A difference is reported with the seed of its round, the parameters
 * and the first lane or pixel that differs. tests/unit/test_kernel_definitions.c compares scalar kernels with their
 * definitions.
 *
 * KERNEL_ONLY=NAME runs one kernel, KERNEL_SEED=NUMBER begins with that seed, KERNEL_BENCH=1 prints nanoseconds per
 * run, TEST_DIGESTS=1 prints digests of the scalar kernels' results, for comparison with another build.
 */
#include "base/digest.h"
#include "raster/format/depth.h"
#include "raster/kernels/kernels.h"
#include "raster/sample/feedback.h"
#include "tests/unit/kernel_inputs.h"
#include "tests/unit/kernel_inputs_keyed.h"
#include "tests/unit/kernel_inputs_narrow.h"
#include "tests/unit/rounds.h"

/* --- comparing the levels ---------------------------------------------------------------------------------- */

typedef void (*run_kernel)(const struct raster_kernels *kernels, struct scratch *scratch);

#define KERNEL_ROW(result, name, parameters) {#name, fill_##name, run_##name},
static const struct kernel_case {
    const char *name;
    void (*fill)(struct scratch *s);
    run_kernel run;
} cases[] = {RASTER_KERNELS(KERNEL_ROW)};

static struct scratch *new_scratch(void)
{
    struct scratch *s = mem_alloc_aligned(sizeof(*s));

    memset(s, 0, sizeof(*s));
    s->batch.group_count = 4;
    return s;
}

/* The memory that a kernel may write. */
#define PART(field) offsetof(struct scratch, field), sizeof(((struct scratch *)0)->field)
static const struct {
    const char *name;
    size_t offset, bytes, element;
    bool holds_floats;
} parts[] = {
    {"batch.covered", PART(batch.covered), 8, false},
    {"batch.z, lane", PART(batch.z), 4, true},
    {"batch.w, lane", PART(batch.w), 4, true},
    {"batch.input, 64 (4 input + component) + lane", PART(batch.input), 4, true},
    {"batch.color, 64 (4 target + component) + lane", PART(batch.color), 4, true},
    {"batch.packed, 64 target + lane", PART(batch.packed), 4, false},
    {"pixels, byte", PART(pixels), 1, false},
    {"returned", PART(returned), 8, false},
    {"cover, byte", PART(cover), 1, false},
    {"row, byte", PART(row), 1, false},
    {"marks, region", PART(marks), 1, false},
};

/* Makes all NaNs the same: their sign is up to the machine, except on x86. */
static void unify_nans(struct scratch *s)
{
    for (unsigned i = 0; i < ARRAY_COUNT(parts); i++)
        for (size_t at = 0; parts[i].holds_floats && at < parts[i].bytes; at += sizeof(uint32_t)) {
            uint8_t *place = (uint8_t *)s + parts[i].offset + at;
            uint32_t word;

            memcpy(&word, place, sizeof(word));
            word = (word & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : word;
            memcpy(place, &word, sizeof(word));
        }
}

static uint64_t digest_parts(const struct scratch *given, uint64_t digest)
{
    static struct scratch copy;
    const struct scratch *s = &copy;

    memcpy(&copy, given, sizeof(copy));
    unify_nans(&copy);
    for (unsigned i = 0; i < ARRAY_COUNT(parts); i++)
        digest = digest_of((const uint8_t *)s + parts[i].offset, parts[i].bytes, digest);
    return digest;
}

/* Names the first value that differs, by array and lane. */
static void print_difference(const struct scratch *want, const struct scratch *got)
{
    const uint8_t *a = (const uint8_t *)want, *b = (const uint8_t *)got;
    size_t at = 0;

    while (a[at] == b[at])
        at++;
    for (unsigned i = 0; i < ARRAY_COUNT(parts); i++) {
        uint64_t x = 0, y = 0;
        const size_t index = (at - parts[i].offset) / parts[i].element,
                     from = parts[i].offset + index * parts[i].element;

        if (at < parts[i].offset || at >= parts[i].offset + parts[i].bytes)
            continue;
        memcpy(&x, a + from, parts[i].element);
        memcpy(&y, b + from, parts[i].element);
        print_error("  %s %zu: scalar %llx, got %llx\n", parts[i].name, index, (unsigned long long)x,
                    (unsigned long long)y);
        return;
    }
    print_error("  byte %zu of the input has changed\n", at);
}

/* Adds the scalar kernel's results to the digest, if a digest is requested. */
static void compare_levels(const struct kernel_case *c, uint32_t seed, unsigned round, const struct scratch *input,
                           uint64_t *digest)
{
    static struct scratch want, got;

    memcpy(&want, input, sizeof(want));
    c->run(raster_kernels_for(CPU_SCALAR), &want);
    if (digest)
        *digest = digest_parts(&want, digest_parts(input, *digest));
    for (unsigned level = CPU_SCALAR + 1; level <= (unsigned)cpu_level_detected(); level++) {
        memcpy(&got, input, sizeof(got));
        c->run(raster_kernels_for((enum cpu_level)level), &got);
#if !defined(__x86_64__) && !defined(__i386__) /* which NaN an operation gives depends on the order of its operands */
        unify_nans(&want);
        unify_nans(&got);
#endif
        if (!memcmp(&want, &got, sizeof(want)))
            continue;
        print_given(input);
        print_difference(&want, &got);
        fail_msg("%s: %s differs from scalar in round %u (KERNEL_ONLY=%s KERNEL_SEED=%u repeats it)", c->name,
                 cpu_level_name((enum cpu_level)level), round, c->name, (unsigned)seed);
    }
}

/* Is the kernel among the requested ones? */
static bool is_wanted(const struct kernel_case *c)
{
    const char *only = getenv("KERNEL_ONLY");

    return !only || !strcmp(only, c->name);
}

static void start_seed(unsigned index)
{
    const char *seed = getenv("KERNEL_SEED");

    random_seed = seed ? (uint32_t)strtoul(seed, NULL, 0) : (3 + index + first_round(ROUNDS)) * 2654435761u;
    random_seed += !random_seed;
}

static void test_levels_agree(void **state)
{
    const bool has_digests = getenv("TEST_DIGESTS");

    (void)state;
    for (unsigned i = 0; i < ARRAY_COUNT(cases); i++) {
        struct scratch *s = new_scratch();
        uint64_t digest = 0;

        start_seed(i);
        for (unsigned round = first_round(ROUNDS); round < end_round(ROUNDS) && is_wanted(&cases[i]); round++) {
            const uint32_t seed = random_seed;

            memset(s, 0, sizeof(*s));
            s->batch.group_count = 4;
            cases[i].fill(s);
            compare_levels(&cases[i], seed, round, s, has_digests ? &digest : NULL);
        }
        if (has_digests)
            printf("digest %s %016llx\n", cases[i].name, (unsigned long long)digest);
        mem_free_aligned(s);
    }
}

/* --- timing ---------------------------------------------------------------------------------------------------- */

#define BENCH_INPUTS 32
#define BENCH_RUNS   300

/* The mean of the best times for some inputs, in nanoseconds per run. */
static double time_kernel(const struct kernel_case *c, enum cpu_level level, struct scratch *input, unsigned index)
{
    static struct scratch work;
    double sum = 0.0;

    start_seed(index);
    for (unsigned i = 0; i < BENCH_INPUTS; i++) {
        double best = 1e9;

        memset(input, 0, sizeof(*input));
        input->batch.group_count = 4;
        c->fill(input);
        memcpy(&work, input, sizeof(work));
        for (unsigned repeat = 0; repeat < 5; repeat++) {
            const double start = clock_seconds();

            for (unsigned run = 0; run < BENCH_RUNS; run++)
                c->run(raster_kernels_for(level), &work);
            best = BASE_MIN(best, clock_seconds() - start);
        }
        sum += best / BENCH_RUNS;
    }
    return sum / BENCH_INPUTS * 1e9;
}

/* With KERNEL_BENCH: a line for each kernel, a column for each level. */
static void test_speed(void **state)
{
    struct scratch *s;

    (void)state;
    if (!getenv("KERNEL_BENCH"))
        return;
    s = new_scratch();
    print_message("%-28s", "nanoseconds a run");
    for (unsigned level = 0; level <= (unsigned)cpu_level_detected(); level++)
        print_message("%10s", cpu_level_name((enum cpu_level)level));
    print_message("\n");
    for (unsigned i = 0; i < ARRAY_COUNT(cases); i++) {
        if (!is_wanted(&cases[i]))
            continue;
        print_message("%-28s", cases[i].name);
        for (unsigned level = 0; level <= (unsigned)cpu_level_detected(); level++)
            print_message("%10.1f", time_kernel(&cases[i], (enum cpu_level)level, s, i));
        print_message("\n");
    }
    mem_free_aligned(s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_agree),
        cmocka_unit_test(test_speed),
    };

    random_seed = 3;
    make_texture();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
