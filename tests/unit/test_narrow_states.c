/* SPDX-License-Identifier: MIT */
/*
 * Random narrow states through the driver: all CPU levels and numbers of threads give the same bits, which differ from
 * those of the same states in floats by no more than docs/narrow-colour.md says. A driver reads its settings once, so
 * each set of settings needs a process.
 */
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/digest.h"
#include "tests/unit/narrow_states.h"
#include "tests/unit/rounds.h"

#define NUMBERS 1500
/* The number of pixels that may have any value in a state with discontinuities; over all states, one pixel in ten
 * thousand. */
#define MOST_JUMPS 12

static const struct {
    unsigned level, threads;
} settings[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {3, 3}, {2, 4}, {0, 2}};
#define SETTINGS ARRAY_COUNT(settings)

/* The pictures of the processes. */
static struct shared {
    struct picture narrow[NUMBERS], floats[NUMBERS]; /* of the first settings */
    uint64_t digest[SETTINGS][NUMBERS];              /* of narrow states */
    struct state_facts facts[NUMBERS];
} * shared;

/* The states to draw: the number of the first, and how many there are. */
static unsigned first, count;

static int draw_all(unsigned n)
{
    static struct picture picture;
    struct states *s = mem_calloc(1, sizeof(*s));
    char threads[16];

    snprintf(threads, sizeof(threads), "%u", settings[n].threads);
    setenv("HALCYON_THREADS", threads, 1);
    setenv("HALCYON_CPU", cpu_level_name((enum cpu_level)settings[n].level), 1);
    states_open(s);
    for (unsigned i = 0; i < count; i++) {
        states_draw(s, first + i, false, &picture);
        shared->digest[n][i] = digest_of(&picture, sizeof(picture), 0);
        if (n > 0)
            continue;
        shared->narrow[i] = picture;
        shared->facts[i] = s->facts;
        states_draw(s, first + i, true, &shared->floats[i]);
    }
    states_close(s);
    free(s);
    return 0;
}

static int draw_in_processes(void **state)
{
    (void)state;
    first = first_round(NUMBERS);
    count = end_round(NUMBERS) - first;
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    for (unsigned n = 0; n < SETTINGS; n++) {
        int status = 1;

        if (settings[n].level > (unsigned)cpu_level_detected()) {
            memcpy(shared->digest[n], shared->digest[0], sizeof(shared->digest[n]));
            continue;
        }
        const pid_t child = fork();
        if (child == 0)
            _exit(draw_all(n));
        assert_true(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    return 0;
}

static void test_settings_agree(void **state)
{
    (void)state;
    for (unsigned i = 0; i < count; i++)
        for (unsigned n = 1; n < SETTINGS; n++)
            if (shared->digest[n][i] != shared->digest[0][i])
                fail_msg("state %u: %s with %u threads draws other pixels than scalar", first + i,
                         cpu_level_name((enum cpu_level)settings[n].level), settings[n].threads);
}

/* The tolerance for channel c of a pixel compared with floats, out of 255: 1, a step of the target, and the
 * amplification by operations. */
static double bound_of(const struct state_facts *f, unsigned c)
{
    const unsigned bits = raster_format_info(f->format)->bits[c];

    return bits ? 1.0 + 255.0 / ((1 << bits) - 1) + (f->gain - 1.0) : 0.0;
}

/* Errors of the states of a kind, in steps of their channels. */
struct errors {
    double sum, largest;
    uint64_t channels;
};

/* Counts the pixels outside of the tolerance. */
static unsigned compare_pictures(const struct picture *narrow, const struct picture *floats,
                                 const struct state_facts *f, struct errors *e)
{
    unsigned far_away = 0;

    for (unsigned i = 0; i < PICTURE_WIDTH * PICTURE_HEIGHT; i++) {
        bool is_far = false;

        for (unsigned c = 0; c < 4; c++) {
            const unsigned shift = c == 3 ? 24 : 16 - 8 * c;
            const int d = abs((int)(narrow->word[i] >> shift & 255) - (int)(floats->word[i] >> shift & 255));

            if (d > bound_of(f, c)) {
                is_far = true;
                continue;
            }
            const double steps = d / 255.0 * ((1 << raster_format_info(f->format)->bits[c]) - 1);

            e->sum += steps;
            e->largest = fmax(e->largest, steps);
            e->channels += raster_format_info(f->format)->bits[c] != 0;
        }
        far_away += is_far;
    }
    return far_away;
}

/* With TEST_ERRORS=1 it prints the differences given in docs/narrow-colour.md. */
static void print_errors(const struct errors errors[3])
{
    static const char *const kinds[] = {"8 bits a channel", "the same, operations that enlarge",
                                        "fewer bits a channel"};

    for (unsigned kind = 0; kind < 3 && getenv("TEST_ERRORS"); kind++)
        printf("errors states, %-34s largest %.1f mean %.4f\n", kinds[kind], errors[kind].largest,
               errors[kind].sum / (double)errors[kind].channels);
}

static void test_near_floats(void **state)
{
    struct errors errors[3] = {{0}};
    unsigned different = 0, jumps = 0;

    (void)state;
    for (unsigned i = 0; i < count; i++) {
        const struct picture *narrow = &shared->narrow[i], *floats = &shared->floats[i];
        const struct state_facts *f = &shared->facts[i];
        const unsigned kind = raster_format_info(f->format)->bits[0] < 8 ? 2 : f->gain > 1.0;
        const unsigned far_away = compare_pictures(narrow, floats, f, &errors[kind]);

        if (far_away > (f->jumps ? MOST_JUMPS : 0))
            fail_msg("state %u: %u pixels are far from floats", first + i, far_away);
        jumps += far_away;
        different += memcmp(narrow, floats, sizeof(*narrow)) != 0;
    }
    print_errors(errors);
    assert_true(jumps < count * PICTURE_WIDTH * PICTURE_HEIGHT / 10000);
    assert_true(different > count / 3); /* else the states were not narrow */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_agree),
        cmocka_unit_test(test_near_floats),
    };

    return cmocka_run_group_tests(tests, draw_in_processes, NULL);
}
