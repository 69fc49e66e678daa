/* SPDX-License-Identifier: MIT */
/*
 * Registers of 16-bit numbers (base/simd/simd.h): each operation of each CPU level, the scalar one among them, against
 * its definition in real numbers. Random numbers and the limits of 16 bits; conversions from and to bytes for all
 * values.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random.h"
#include "tests/unit/vec16_levels.h"

#define ROUNDS                      4000

#define RUN_OF_LEVEL(NUMBER, level) vec16_run_##level,
static void (*const run_level[CPU_LEVEL_COUNT])(const struct vec16_input *in,
                                                struct vec16_output *out) = {CPU_LEVELS(RUN_OF_LEVEL)};

static const char *const names[VEC16_OPS] = {"add",     "sub",   "adds",        "subs",     "mul",        "mul_low",
                                             "right",   "min",   "max",         "greater",  "select",     "dot3",
                                             "swizzle", "splat", "splat_pixel", "of_words", "of_channels"};

static int16_t some_number(void)
{
    static const int16_t ends[] = {0,      1,      -1,    2,     255,    16383,  16384,
                                   -16384, -16385, 32766, 32767, -32766, -32767, -32768};
    const uint32_t r = random_word();

    return r & 3 ? (int16_t)(r >> 16) : ends[(r >> 2) % ARRAY_COUNT(ends)];
}

static void fill_input(struct vec16_input *in)
{
    for (unsigned p = 0; p < VEC16_PIXELS; p++) {
        for (unsigned i = 0; i < 4; i++) {
            in->a[p][i] = some_number();
            in->b[p][i] = some_number();
            in->mask[p][i] = some_number();
            in->channel[i][p] = some_number();
            if (in->a[p][i] == -32768 && in->b[p][i] == -32768) /* no product has both */
                in->b[p][i] = -32767;
        }
        in->words[p] = random_word();
    }
    for (unsigned i = 0; i < 4; i++)
        in->order[i] = (uint8_t)(random_word() % 4);
    in->shift = random_word() % 16;
}

/* --- definitions ------------------------------------------------------------------------------------------- */

static double held(double v)
{
    return fmin(fmax(v, -32768.0), 32767.0);
}

/* To the nearest integer, ties up. */
static double nearest(double v)
{
    return floor(v + 0.5);
}

/* The lower 16 bits of a number. */
static int16_t modulo(double v)
{
    const double rest = v - 65536.0 * floor(v / 65536.0);

    return (int16_t)(rest < 32768.0 ? rest : rest - 65536.0);
}

static int16_t dot_of(const int16_t a[4], const int16_t b[4])
{
    double sum = 0.0;

    for (unsigned i = 0; i < 3; i++)
        sum += a[i] * floor(b[i] / 2.0);
    return (int16_t)held(nearest(sum / 16384.0));
}

static int16_t wanted(const struct vec16_input *in, enum vec16_op op, unsigned p, unsigned i)
{
    const int16_t a = in->a[p][i], b = in->b[p][i];

    switch (op) {
    case VEC16_OP_ADD:
        return modulo((double)a + b);
    case VEC16_OP_SUB:
        return modulo((double)a - b);
    case VEC16_OP_ADDS:
        return (int16_t)held((double)a + b);
    case VEC16_OP_SUBS:
        return (int16_t)held((double)a - b);
    case VEC16_OP_MUL:
        return (int16_t)nearest((double)a * b / 32768.0);
    case VEC16_OP_MUL_LOW:
        return modulo((double)a * b);
    case VEC16_OP_RIGHT:
        return (int16_t)floor(ldexp(a, -(int)in->shift));
    case VEC16_OP_MIN:
        return b < a ? b : a;
    case VEC16_OP_MAX:
        return b > a ? b : a;
    case VEC16_OP_GREATER:
        return a > b ? -1 : 0;
    case VEC16_OP_SELECT:
        return (int16_t)((in->mask[p][i] & b) | (~in->mask[p][i] & a));
    case VEC16_OP_DOT3:
        return dot_of(in->a[p], in->b[p]);
    case VEC16_OP_SWIZZLE:
        return in->a[p][in->order[i]];
    case VEC16_OP_SPLAT:
        return in->a[0][0];
    case VEC16_OP_SPLAT_PIXEL:
        return in->a[0][i];
    case VEC16_OP_OF_WORDS:
        return (int16_t)floor((in->words[p] >> 8 * i & 255) * 128.5);
    default:
        return (int16_t)in->channel[i][p];
    }
}

/* The byte of a number: nearest to n / 32768, at least 0. */
static uint32_t byte_of(int16_t n)
{
    return (uint32_t)fmax(nearest(n * 255.0 / 32768.0), 0.0);
}

/* --- tests --------------------------------------------------------------------------------------------------- */

static void check_pixels(const struct vec16_input *in, const struct vec16_output *out, enum cpu_level level)
{
    for (unsigned op = 0; op < VEC16_OPS; op++)
        for (unsigned p = 0; p < VEC16_PIXELS; p++)
            for (unsigned i = 0; i < 4; i++)
                if (out->result[op][p][i] != wanted(in, (enum vec16_op)op, p, i))
                    fail_msg("%s, vec16_%s: number %u of pixel %u is %d, not %d; of %d and %d", cpu_level_name(level),
                             names[op], i, p, out->result[op][p][i], wanted(in, (enum vec16_op)op, p, i), in->a[p][i],
                             in->b[p][i]);
}

static void check_words(const struct vec16_input *in, const struct vec16_output *out, enum cpu_level level)
{
    for (unsigned p = 0; p < VEC16_PIXELS; p++) {
        uint32_t word = 0;

        for (unsigned i = 0; i < 4; i++)
            word |= byte_of(in->a[p][i]) << 8 * i;
        if (out->words[p] != word)
            fail_msg("%s, vec16_words: pixel %u is %08x, not %08x", cpu_level_name(level), p, (unsigned)out->words[p],
                     (unsigned)word);
        for (unsigned i = 0; i < 4; i++)
            if (out->channel[i][p] != in->a[p][i])
                fail_msg("%s, vec16_channels: number %u of pixel %u is %d, not %d", cpu_level_name(level), i, p,
                         (int)out->channel[i][p], in->a[p][i]);
    }
}

static void test_operations(void **state)
{
    static struct vec16_input in;
    static struct vec16_output out;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill_input(&in);
        for (unsigned level = 0; level <= (unsigned)cpu_level_detected(); level++) {
            memset(&out, 0x55, sizeof(out));
            run_level[level](&in, &out);
            check_pixels(&in, &out, (enum cpu_level)level);
            check_words(&in, &out, (enum cpu_level)level);
        }
    }
}

/* All numbers become bytes, and all bytes survive the round trip. */
static void test_bytes(void **state)
{
    static struct vec16_input in;
    static struct vec16_output out;

    (void)state;
    for (unsigned level = 0; level <= (unsigned)cpu_level_detected(); level++) {
        for (int32_t n = -32768; n < 32768; n += VEC16_PIXELS * 4) {
            for (int32_t k = 0; k < VEC16_PIXELS * 4; k++)
                in.a[k / 4][k % 4] = (int16_t)(n + k);
            run_level[level](&in, &out);
            check_words(&in, &out, (enum cpu_level)level);
        }
        for (uint32_t byte = 0; byte < 256; byte += 4) {
            for (unsigned p = 0; p < VEC16_PIXELS; p++)
                in.words[p] = (byte * 0x01010101u + 0x03020100u) ^ (p & 1 ? 0xffffffffu : 0);
            run_level[level](&in, &out);
            memcpy(in.a, out.result[VEC16_OP_OF_WORDS], sizeof(in.a));
            run_level[level](&in, &out);
            assert_memory_equal(out.words, in.words, sizeof(in.words));
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_bytes),
    };

    random_seed = 5;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
