/* SPDX-License-Identifier: MIT */
/* Runs the operations on registers of 16-bit numbers at one level, over the pixels of a test (test_vec16.c). */
#include "base/simd/simd.h"
#include "raster/kernels/kernels.h"
#include "raster/narrow.h"
#include "tests/unit/vec16_levels.h"

/* Converts pixels to the order in which registers have them, and back: the order in which words are loaded. */
static void to_registers(const vec16_pixels pixels, int16_t *out)
{
    for (unsigned p = 0; p < VEC16_PIXELS; p++)
        memcpy(out + 4 * narrow_place(VEC, p), pixels[p], sizeof(pixels[p]));
}

static void from_registers(const int16_t *numbers, vec16_pixels out)
{
    for (unsigned p = 0; p < VEC16_PIXELS; p++)
        memcpy(out[p], numbers + 4 * narrow_place(VEC, p), sizeof(out[p]));
}

/* Operations from register to register. */
static void run_operations(const struct vec16_input *in, struct vec16_output *out)
{
    _Alignas(64) int16_t a[VEC16_PIXELS * 4], b[VEC16_PIXELS * 4], mask[VEC16_PIXELS * 4];
    static _Alignas(64) int16_t result[VEC16_OP_OF_WORDS][VEC16_PIXELS * 4];
    const struct vec16_order order = vec16_order(in->order);

    to_registers(in->a, a);
    to_registers(in->b, b);
    to_registers(in->mask, mask);
    for (unsigned n = 0; n < VEC16_PIXELS * 4; n += VEC16) {
        const vec16 x = vec16_load(a + n), y = vec16_load(b + n);
        const vec16 v[VEC16_OP_OF_WORDS] = {
            [VEC16_OP_ADD] = vec16_add(x, y),
            [VEC16_OP_SUB] = vec16_sub(x, y),
            [VEC16_OP_ADDS] = vec16_adds(x, y),
            [VEC16_OP_SUBS] = vec16_subs(x, y),
            [VEC16_OP_MUL] = vec16_mul(x, y),
            [VEC16_OP_MUL_LOW] = vec16_mul_low(x, y),
            [VEC16_OP_RIGHT] = vec16_right(x, in->shift),
            [VEC16_OP_MIN] = vec16_min(x, y),
            [VEC16_OP_MAX] = vec16_max(x, y),
            [VEC16_OP_GREATER] = vec16_greater(x, y),
            [VEC16_OP_SELECT] = vec16_select(vec16_load(mask + n), y, x),
            [VEC16_OP_DOT3] = vec16_dot3(x, y),
            [VEC16_OP_SWIZZLE] = vec16_swizzle(x, &order),
            [VEC16_OP_SPLAT] = vec16_splat(in->a[0][0]),
            [VEC16_OP_SPLAT_PIXEL] = vec16_splat_pixel(in->a[0]),
        };

        for (unsigned op = 0; op < VEC16_OP_OF_WORDS; op++)
            vec16_store(result[op] + n, v[op]);
    }
    for (unsigned op = 0; op < VEC16_OP_OF_WORDS; op++)
        from_registers(result[op], out->result[op]);
}

/* From words and channels to pixels, and from pixels to words. */
static void run_conversions(const struct vec16_input *in, struct vec16_output *out)
{
    _Alignas(64) int16_t a[VEC16_PIXELS * 4], words[VEC16_PIXELS * 4], channels[VEC16_PIXELS * 4];

    to_registers(in->a, a);
    for (unsigned l = 0; l < VEC16_PIXELS; l += VEC) {
        veci channel[4];
        vec16 v[NARROW_REGISTERS], w[NARROW_REGISTERS], c[NARROW_REGISTERS];

        vec16_of_words(veci_load(&in->words[l]), w);
        vec16_of_channels(veci_load(&in->channel[0][l]), veci_load(&in->channel[1][l]), veci_load(&in->channel[2][l]),
                          veci_load(&in->channel[3][l]), c);
        for (unsigned i = 0; i < NARROW_REGISTERS; i++) {
            vec16_store(words + 4 * l + i * VEC16, w[i]);
            vec16_store(channels + 4 * l + i * VEC16, c[i]);
            v[i] = vec16_load(a + 4 * l + i * VEC16);
        }
        veci_store(&out->words[l], vec16_words(v));
        vec16_channels(v, channel);
        for (unsigned i = 0; i < 4; i++)
            veci_store(&out->channel[i][l], channel[i]);
    }
    from_registers(words, out->result[VEC16_OP_OF_WORDS]);
    from_registers(channels, out->result[VEC16_OP_OF_CHANNELS]);
}

void KERNEL(vec16_run)(const struct vec16_input *in, struct vec16_output *out)
{
    run_operations(in, out);
    run_conversions(in, out);
}
