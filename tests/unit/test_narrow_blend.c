/* SPDX-License-Identifier: MIT */
/*
 * Blending of narrow states against exact arithmetic, drawn through the rasterizer: all products of two bytes, all
 * colours with all alphas, each pair of factors, each operation; and the accumulated error of 64 blends. With
 * TEST_ERRORS=1 it prints the errors given in docs/narrow-colour.md.
 */
#include "tests/random.h"
#include "tests/unit/narrow_canvas.h"
#include "tests/unit/rounds.h"

/* The largest difference of bytes from exact results, which are not rounded to bytes. */
struct errors {
    double largest, sum;
    uint64_t count;
};

static void add_error(struct errors *e, double error)
{
    e->largest = fmax(e->largest, fabs(error));
    e->sum += fabs(error);
    e->count++;
}

static void print_errors(const char *what, const struct errors *e)
{
    if (getenv("TEST_ERRORS"))
        printf("errors %-40s largest %.4f mean %.4f\n", what, e->largest, e->sum / (double)e->count);
}

/* Runs a test at all levels of this machine, or at the first and the last. */
static void at_levels(bool all, void (*test)(struct canvas *c, enum cpu_level level))
{
    const unsigned last = cpu_level_detected();

    for (unsigned n = 0; n <= last; n += all || !last ? 1 : last) {
        struct canvas *c = canvas_create((enum cpu_level)n, 1);

        test(c, (enum cpu_level)n);
        canvas_destroy(c);
    }
}

/* --- products ------------------------------------------------------------------------------------------------ */

static uint32_t gray_of_column(const void *test, int x, int y)
{
    (void)test, (void)y;
    return (uint32_t)x * 0x01010101u;
}

/* The column times the row: DST_COLOR, ZERO. */
static void check_products(struct canvas *c, enum cpu_level level)
{
    struct errors e = {0};

    c->word = gray_of_column;
    canvas_blend(c, RASTER_BLEND_DST_COLOR, RASTER_BLEND_ZERO, RASTER_BLEND_ADD);
    for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++)
        c->color[n] = n / CANVAS_SIDE * 0x01010101u;
    canvas_fill(c);
    for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++) {
        const unsigned a = n % CANVAS_SIDE, b = n / CANVAS_SIDE;

        for (unsigned i = 0; i < 4; i++) {
            const int got = canvas_byte(c->color[n], i);

            if ((a == 255 || b == 255) && got != (int)BASE_MIN(a, b))
                fail_msg("%s: %u * %u is %d", cpu_level_name(level), a, b, got);
            if (fabs(got - a * b / 255.0) > 1.0)
                fail_msg("%s: %u * %u is %d, not %f", cpu_level_name(level), a, b, got, a * b / 255.0);
            add_error(&e, got - a * b / 255.0);
        }
    }
    if (level == CPU_SCALAR)
        print_errors("product of two bytes", &e);
}

static void test_products(void **state)
{
    (void)state;
    at_levels(true, check_products);
}

/* --- one colour over another ------------------------------------------------------------------------------------ */

static uint32_t gray_with_alpha(const void *test, int x, int y)
{
    (void)test;
    return (uint32_t)x * 0x010101u | (uint32_t)y << 24;
}

static const uint8_t some_bytes[] = {0, 1, 2, 63, 127, 128, 200, 254, 255};

/* Colours by column, alphas by row, over one colour. */
static void check_alpha_blend(struct canvas *c, enum cpu_level level)
{
    struct errors e = {0};

    c->word = gray_with_alpha;
    canvas_blend(c, RASTER_BLEND_SRC_ALPHA, RASTER_BLEND_INV_SRC_ALPHA, RASTER_BLEND_ADD);
    for (unsigned k = 0; k < ARRAY_COUNT(some_bytes); k++) {
        const int d = some_bytes[k];

        for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++)
            c->color[n] = (uint32_t)d * 0x01010101u;
        canvas_fill(c);
        for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++) {
            const int s = (int)(n % CANVAS_SIDE), a = (int)(n / CANVAS_SIDE), got = canvas_byte(c->color[n], 0);
            const double exact = (s * a + d * (255 - a)) / 255.0;

            if (fabs(got - exact) > 1.0 || (a == 255 && got != s) || ((a == 0 || s == d) && got != d))
                fail_msg("%s: %d with alpha %d over %d is %d, not %f", cpu_level_name(level), s, a, d, got, exact);
            add_error(&e, got - exact);
        }
    }
    if (level == CPU_SCALAR)
        print_errors("blend SRC_ALPHA, INV_SRC_ALPHA", &e);
}

static void test_alpha_blend(void **state)
{
    (void)state;
    at_levels(true, check_alpha_blend);
}

/* --- any blend -------------------------------------------------------------------------------------------------- */

static uint32_t words[2][CANVAS_SIDE * CANVAS_SIDE]; /* the source colour, and the target below it */

static uint32_t picture_word(const void *test, int x, int y)
{
    (void)test;
    return words[0][y * CANVAS_SIDE + x];
}

/* A byte that is mostly one of the two limits. */
static uint32_t some_byte(void)
{
    const uint32_t r = random_word();

    return r & 3 ? r >> 24 : r & 4 ? 255 : 0;
}

static void random_pictures(void)
{
    for (unsigned n = 0; n < 2 * CANVAS_SIDE * CANVAS_SIDE; n++)
        words[n / (CANVAS_SIDE * CANVAS_SIDE)][n % (CANVAS_SIDE * CANVAS_SIDE)] =
            some_byte() | some_byte() << 8 | some_byte() << 16 | some_byte() << 24;
}

static void check_blend(struct canvas *c, enum cpu_level level, struct errors *e)
{
    const struct raster_blend *blend = &c->state.blend;

    memcpy(c->color, words[1], sizeof(c->color));
    canvas_fill(c);
    for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++)
        for (unsigned i = 0; i < 4; i++) {
            const double exact = exact_blend(blend, words[0][n], words[1][n], i);
            const int got = canvas_byte(c->color[n], i);

            if (fabs(got - exact) > 1.0)
                fail_msg("%s: factors %u, %u, operation %u: number %u of %08x over %08x is %d, not %f",
                         cpu_level_name(level), blend->src_color, blend->dst_color, blend->op_color, i,
                         (unsigned)words[0][n], (unsigned)words[1][n], got, exact);
            add_error(e, got - exact);
        }
}

static void check_blends(struct canvas *c, enum cpu_level level)
{
    struct errors e = {0};

    c->word = picture_word;
    random_seed = 11;
    for (unsigned src = RASTER_BLEND_ZERO; src <= RASTER_BLEND_SRC_ALPHA_SAT; src++)
        for (unsigned dst = RASTER_BLEND_ZERO; dst <= RASTER_BLEND_SRC_ALPHA_SAT; dst++) {
            if ((src + dst) % 8 == 0)
                random_pictures();
            if ((src + dst) % fewer_rounds()) /* each factor remains in a pair */
                continue;
            canvas_blend(c, src, dst, RASTER_BLEND_ADD);
            check_blend(c, level, &e);
        }
    if (level == CPU_SCALAR)
        print_errors("all other blends of two factors", &e);
    for (unsigned op = RASTER_BLEND_SUBTRACT; op <= RASTER_BLEND_MAX; op++) {
        random_pictures();
        canvas_blend(c, RASTER_BLEND_SRC_ALPHA, RASTER_BLEND_INV_DST_COLOR, op);
        check_blend(c, level, &e);
    }
}

static void test_blends(void **state)
{
    (void)state;
    at_levels(true, check_blends);
}

/* --- 64 blends --------------------------------------------------------------------------------------------------- */

#define REPEATS 64

/*
 * Drift: the difference of a target from one that is blended in exact arithmetic and rounded to the nearest byte after
 * each blend, like any target of bytes. One blend adds an error of less than 1/50 of a byte, so the two may stop at
 * different bytes where a blend moves half a byte; the smaller alpha is, the more such bytes there are.
 */
static int most_drift(int alpha)
{
    return alpha == 1 ? 3 : alpha >= 2 && alpha <= 4 ? 2 : 1;
}

/* The nearest byte of one colour over another; no such quotient is a tie. */
static int exact_over(int s, int alpha, int d)
{
    return ((s * alpha + d * (255 - alpha)) * 2 + 255) / 510;
}

/* The same colour over another one, 64 times: all colours with all alphas. With alpha 0, or with the target's own
 * colour, nothing moves; each blend leads towards the colour, never away from it or past it. */
static void check_repeats(struct canvas *c, enum cpu_level level)
{
    static uint8_t exact[CANVAS_SIDE * CANVAS_SIDE], before[CANVAS_SIDE * CANVAS_SIDE];
    struct errors e = {0};

    c->word = gray_with_alpha;
    canvas_blend(c, RASTER_BLEND_SRC_ALPHA, RASTER_BLEND_INV_SRC_ALPHA, RASTER_BLEND_ADD);
    for (unsigned k = 0; k < ARRAY_COUNT(some_bytes); k++) {
        const int first = some_bytes[k];

        memset(c->color, first, sizeof(c->color));
        memset(exact, first, sizeof(exact));
        memset(before, first, sizeof(before));
        for (unsigned blend = 1; blend <= REPEATS; blend++) {
            canvas_fill(c);
            for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++) {
                const int s = (int)(n % CANVAS_SIDE), a = (int)(n / CANVAS_SIDE), got = canvas_byte(c->color[n], 0);

                exact[n] = (uint8_t)exact_over(s, a, exact[n]);
                if (abs(got - exact[n]) > most_drift(a) || ((a == 0 || s == first) && got != first) ||
                    got < BASE_MIN(before[n], s) || got > BASE_MAX(before[n], s))
                    fail_msg("%s: blend %u of %d with alpha %d over %d is %d, after %d; exactly %u",
                             cpu_level_name(level), blend, s, a, first, got, before[n], exact[n]);
                before[n] = (uint8_t)got;
                if (blend == REPEATS)
                    add_error(&e, got - exact[n]);
            }
        }
    }
    if (level == CPU_SCALAR)
        print_errors("drift of 64 blends of one colour", &e);
}

static void test_repeats(void **state)
{
    (void)state;
    at_levels(false, check_repeats);
}

/* Another colour each time, with alphas of at least 1/8: the next blends remove the error of earlier ones. */
static void check_sequence(struct canvas *c, enum cpu_level level)
{
    static uint8_t exact[CANVAS_SIDE * CANVAS_SIDE][3];
    struct errors e = {0};

    c->word = picture_word;
    random_seed = 12;
    canvas_blend(c, RASTER_BLEND_SRC_ALPHA, RASTER_BLEND_INV_SRC_ALPHA, RASTER_BLEND_ADD);
    random_pictures();
    memcpy(c->color, words[1], sizeof(c->color));
    for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++)
        for (unsigned i = 0; i < 3; i++)
            exact[n][i] = (uint8_t)canvas_byte(words[1][n], i);
    for (unsigned blend = 1; blend <= REPEATS; blend++) {
        random_pictures();
        for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++)
            words[0][n] |= words[0][n] >> 24 < 32 ? UINT32_C(32) << 24 : 0;
        canvas_fill(c);
        for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++)
            for (unsigned i = 0; i < 3; i++) {
                const int s = canvas_byte(words[0][n], i), a = canvas_byte(words[0][n], 3),
                          got = canvas_byte(c->color[n], i);

                exact[n][i] = (uint8_t)exact_over(s, a, exact[n][i]);
                if (abs(got - exact[n][i]) > 1)
                    fail_msg("%s: blend %u, of %d with alpha %d: %d, not %u", cpu_level_name(level), blend, s, a, got,
                             exact[n][i]);
                add_error(&e, got - exact[n][i]);
            }
    }
    if (level == CPU_SCALAR)
        print_errors("drift of 64 blends of random colours", &e);
}

static void test_sequence(void **state)
{
    (void)state;
    at_levels(false, check_sequence);
}

/* Plain sums of 64 colours: exact. */
static void check_sums(struct canvas *c, enum cpu_level level)
{
    c->word = gray_of_column;
    canvas_blend(c, RASTER_BLEND_ONE, RASTER_BLEND_ONE, RASTER_BLEND_ADD);
    for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++)
        c->color[n] = n / CANVAS_SIDE * 0x01010101u;
    for (unsigned blend = 1; blend <= REPEATS; blend++) {
        canvas_fill(c);
        for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++) {
            const unsigned sum = BASE_MIN(blend * (n % CANVAS_SIDE) + n / CANVAS_SIDE, 255u);

            if (c->color[n] != sum * 0x01010101u)
                fail_msg("%s: %u times %u added to %u is %08x", cpu_level_name(level), blend, n % CANVAS_SIDE,
                         n / CANVAS_SIDE, (unsigned)c->color[n]);
        }
    }
}

static void test_sums(void **state)
{
    (void)state;
    at_levels(false, check_sums);
}

/* Sums of products, SRC_ALPHA, ONE: the error of a sum is that of all its products. One in 300 is so near a tie that it
 * becomes the other byte. */
static void check_light(struct canvas *c, enum cpu_level level)
{
    unsigned others = 0;
    struct errors e = {0};

    c->word = gray_with_alpha;
    canvas_blend(c, RASTER_BLEND_SRC_ALPHA, RASTER_BLEND_ONE, RASTER_BLEND_ADD);
    memset(c->color, 0, sizeof(c->color));
    for (unsigned blend = 1; blend <= REPEATS; blend++) {
        canvas_fill(c);
        for (unsigned n = 0; n < CANVAS_SIDE * CANVAS_SIDE; n++) {
            const int s = (int)(n % CANVAS_SIDE), a = (int)(n / CANVAS_SIDE), got = canvas_byte(c->color[n], 0);
            const double exact = fmin(blend * s * a / 255.0, 255.0);

            others += blend == 1 && got != exact_over(s, a, 0);
            if (fabs(got - exact) > 0.52 * blend)
                fail_msg("%s: %u times %d with alpha %d is %d, not %f", cpu_level_name(level), blend, s, a, got, exact);
            if (blend == 1)
                add_error(&e, got - exact);
        }
    }
    assert_in_range(others, 0, CANVAS_SIDE * CANVAS_SIDE / 300);
    if (level == CPU_SCALAR)
        print_errors("blend SRC_ALPHA, ONE", &e);
}

static void test_light(void **state)
{
    (void)state;
    at_levels(false, check_light);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products), cmocka_unit_test(test_alpha_blend), cmocka_unit_test(test_blends),
        cmocka_unit_test(test_repeats),  cmocka_unit_test(test_sequence),    cmocka_unit_test(test_sums),
        cmocka_unit_test(test_light),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
