/* SPDX-License-Identifier: MIT */
/* The parts of dp2 compare: matching of sequences, measuring of pictures (tools/compare/, replay/picture.h). */
#include "tools/compare/align.h"
#include "replay/picture.h"
#include "tests/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { LONGEST = 40 };

/* The length of the longest common subsequence, by the definition. */
static size_t common_length(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count)
{
    size_t table[LONGEST + 1][LONGEST + 1] = {0};

    for (size_t i = 1; i <= a_count; i++)
        for (size_t j = 1; j <= b_count; j++)
            table[i][j] = a[i - 1] == b[j - 1]                ? table[i - 1][j - 1] + 1
                          : table[i - 1][j] > table[i][j - 1] ? table[i - 1][j]
                                                              : table[i][j - 1];
    return table[a_count][b_count];
}

static void the_longest_common_subsequence_is_found(void **state)
{
    uint32_t seed = 1;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        uint64_t a[LONGEST], b[LONGEST];
        const size_t a_count = random_next(&seed) % (LONGEST + 1), b_count = random_next(&seed) % (LONGEST + 1);
        const uint32_t letters = 1 + random_next(&seed) % 8;
        size_t match[LONGEST], found = 0, last = 0;

        for (size_t i = 0; i < a_count; i++)
            a[i] = random_next(&seed) % letters;
        for (size_t i = 0; i < b_count; i++)
            b[i] = random_next(&seed) % letters;
        assert_true(align_sequences(a, a_count, b, b_count, match));
        for (size_t i = 0; i < a_count; i++) {
            if (match[i] == ALIGN_NONE)
                continue;
            assert_true(match[i] < b_count && (found == 0 || match[i] > last));
            assert_int_equal(a[i], b[match[i]]);
            last = match[i];
            found++;
        }
        assert_int_equal(found, common_length(a, a_count, b, b_count));
    }
}

/* Sequences with little in common take bounded memory; common beginnings and ends match. */
static void strangers_match_at_their_ends(void **state)
{
    enum { MANY = 20000 };
    uint64_t *a = malloc(MANY * sizeof(*a)), *b = malloc(MANY * sizeof(*b));
    size_t *match = malloc(MANY * sizeof(*match));

    (void)state;
    assert_true(a && b && match);
    for (size_t i = 0; i < MANY; i++) {
        a[i] = i;
        b[i] = i < 10 || i > MANY - 10 ? i : MANY + i;
    }
    assert_true(align_sequences(a, MANY, b, MANY, match));
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(match[i], a[i] == b[i] ? i : ALIGN_NONE);
    free(a);
    free(b);
    free(match);
}

static void pictures_are_measured(void **state)
{
    uint32_t a[6] = {0xff000000, 0xff102030, 0xffffffff, 0xff808080, 0xff010101, 0x80000000};
    uint32_t b[6] = {0xff000000, 0xff102030, 0xfffffffc, 0xff808a80, 0xff010101, 0x82000000};
    struct player_picture left = {3, 2, a};
    const struct player_picture right = {3, 2, b};
    struct picture_numbers n = picture_compare(&left, &right, 0);

    (void)state;
    assert_int_equal(n.pixels, 6);
    assert_int_equal(n.different, 3); /* one of them in alpha alone */
    assert_int_equal(n.largest, 10);
    assert_true(fabs(n.mean - 13.0 / 18) < 1e-12 && fabs(n.rms - sqrt(109.0 / 18)) < 1e-12);
    assert_true(n.left == 0 && n.top == 0 && n.right == 3 && n.bottom == 2);
    n = picture_compare(&left, &right, 3);
    assert_int_equal(n.different, 1);
    assert_true(n.left == 0 && n.top == 1 && n.right == 1 && n.bottom == 2);
    n = picture_compare(&left, &right, 10);
    assert_true(n.different == 0 && n.largest == 10 && n.right == 0 && n.bottom == 0);
    picture_difference(&left, &right, 3);
    assert_int_equal(a[0], 0xff000000);
    assert_int_equal(a[2], 0xff3f3f3f); /* a quarter of white: it counts as equal */
    assert_int_equal(a[3], 0xff006800); /* 64 + 4 * 10 */
}

static void png_files_come_back(void **state)
{
    char path[] = "/tmp/halcyon-compare-XXXXXX", why[128];
    uint32_t pixels[4] = {0xff112233, 0xffffffff, 0xff000000, 0xff804020};
    const struct player_picture picture = {2, 2, pixels};
    struct player_picture back;
    bool missing;
    const int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    assert_true(picture_write_png(&picture, path, why, sizeof(why)));
    assert_true(picture_read_png(path, &back, why, sizeof(why), &missing));
    assert_true(back.width == 2 && back.height == 2 && memcmp(back.pixels, pixels, sizeof(pixels)) == 0);
    free(back.pixels);
    assert_int_equal(truncate(path, 60), 0);
    assert_false(picture_read_png(path, &back, why, sizeof(why), &missing));
    assert_true(!missing && !back.pixels && why[0]);
    close(file);
    unlink(path);
    assert_false(picture_read_png(path, &back, why, sizeof(why), &missing));
    assert_true(missing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_common_subsequence_is_found),
        cmocka_unit_test(strangers_match_at_their_ends),
        cmocka_unit_test(pictures_are_measured),
        cmocka_unit_test(png_files_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
