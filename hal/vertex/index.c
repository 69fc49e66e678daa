/* SPDX-License-Identifier: MIT */
/*
 * Which vertices a chunk of primitives uses: numbers in the source from indices or from the order of vertices, then
 * slots among the processed ones. Indices are read once: the memory belongs to the program and may change meanwhile.
 * Beyond its end indices are zeros.
 */
#include "hal/vertex/index.h"

#include "base/assert.h"
#include "base/base.h"
#include "base/simd/simd4.h"
#include "d3d/ddi.h"
#include "dp2/dp2.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/stream.h"

#include <string.h>

/* Number of the draw's vertex that is the chunk's i-th. */
uint64_t hal_chunk_vertex(uint32_t type, uint32_t first_primitive, uint32_t i)
{
    static const uint8_t step[] = {0, 1, 2, 1, 3, 1, 1};

    if (type == D3DPT_TRIANGLEFAN && i == 0)
        return 0;
    return (uint64_t)first_primitive * step[type] + i;
}

uint32_t hal_draw_index(const struct hal_draw *draw, uint64_t n)
{
    const uint64_t at =
        draw->index_step ? n / 3 * draw->index_step + n % 3 * draw->index_stride : n * draw->index_stride;
    const uint8_t *p = draw->indices + (size_t)at;
    uint8_t bytes[sizeof(uint32_t)] = {0};

    BASE_ASSERT(draw->indices);
    if (at + draw->index_stride <= draw->index_bytes)
        return draw->index_stride == 2 ? dp2_read_u16(p) : dp2_read_u32(p);
    if (at < draw->index_bytes)
        memcpy(bytes, p, draw->index_bytes - (size_t)at);
    return dp2_read_u32(bytes);
}

static uint32_t vertex_number(const struct hal_draw *draw, const struct hal_source *source, uint64_t n)
{
    return hal_source_number(source, draw->base + (draw->indices ? (int64_t)hal_draw_index(draw, n) : (int64_t)n));
}

void hal_triangle_corners(const struct hal_draw *draw, const struct hal_source *source, uint32_t number,
                          uint32_t corners[3])
{
    const bool list = draw->type == D3DPT_TRIANGLELIST, fan = draw->type == D3DPT_TRIANGLEFAN;
    const unsigned odd = !list && !fan && number & 1;
    const uint64_t i = list ? 3 * (uint64_t)number : number;
    const uint64_t n[3] = {i + fan, i + 1 + odd + fan, fan ? 0 : i + 2 - odd};

    for (unsigned c = 0; c < 3; c++)
        corners[c] = vertex_number(draw, source, n[c]);
}

/* --- packed indices ----------------------------------------------------------------- */

#define INDEX_LANES 8
typedef uint16_t index_vector __attribute__((vector_size(2 * INDEX_LANES)));
typedef uint32_t number_vector __attribute__((vector_size(4 * INDEX_LANES)));

struct number_range {
    uint32_t low, high;
};

static void index_widen(struct number_range *range, uint32_t number)
{
    range->low = BASE_MIN(range->low, number);
    range->high = BASE_MAX(range->high, number);
}

/* Converts 16-bit indices to numbers and finds their range. */
static struct number_range read_words(const uint8_t *indices, uint32_t *numbers, uint32_t count)
{
    struct number_range range = {UINT32_MAX, 0};
    index_vector low = ~(index_vector){0}, high = {0};
    uint32_t i = 0;

    for (; i + INDEX_LANES <= count; i += INDEX_LANES) {
        index_vector v;

        memcpy(&v, indices + 2 * (size_t)i, sizeof(v));
        const index_vector below = (index_vector)(v < low), above = (index_vector)(v > high);

        low = (v & below) | (low & ~below);
        high = (v & above) | (high & ~above);
        const number_vector wide = __builtin_convertvector(v, number_vector);

        memcpy(&numbers[i], &wide, sizeof(wide));
    }
    for (unsigned l = 0; l < INDEX_LANES && i > 0; l++) {
        index_widen(&range, low[l]);
        index_widen(&range, high[l]);
    }
    for (; i < count; i++) {
        numbers[i] = dp2_read_u16(indices + 2 * (size_t)i);
        index_widen(&range, numbers[i]);
    }
    return range;
}

static struct number_range read_longs(const uint8_t *indices, uint32_t *numbers, uint32_t count)
{
    struct number_range range = {UINT32_MAX, 0};

    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = dp2_read_u32(indices + 4 * (size_t)i);
        index_widen(&range, numbers[i]);
    }
    return range;
}

/* Modulo 2^32. */
static void add_to_numbers(uint32_t *numbers, uint32_t count, uint32_t addend)
{
    uint32_t i = 0;

    for (; addend && i + SIMD4_LANES <= count; i += SIMD4_LANES)
        int4_store(&numbers[i], int4_add(int4_load(&numbers[i]), int4_splat((int32_t)addend)));
    for (; addend && i < count; i++)
        numbers[i] += addend;
}

/* Packed indices that are all inside the buffer and name vertices inside the streams. False: they are not. */
static bool number_packed(const struct hal_draw *draw, const struct hal_source *source, uint32_t first_primitive,
                          uint32_t *numbers, uint32_t count, struct number_range *range)
{
    if (!draw->indices || draw->index_step || draw->type == D3DPT_TRIANGLEFAN || count == 0)
        return false;
    const uint64_t at = hal_chunk_vertex(draw->type, first_primitive, 0) * draw->index_stride;

    if (at + (uint64_t)count * draw->index_stride > draw->index_bytes)
        return false;
    const uint8_t *indices = draw->indices + (size_t)at;

    *range = draw->index_stride == 2 ? read_words(indices, numbers, count) : read_longs(indices, numbers, count);
    if (draw->base + range->low < 0 || draw->base + range->high >= (int64_t)source->count)
        return false;
    BASE_ASSERT(source->count <= HAL_MAX_SOURCE_VERTICES);
    add_to_numbers(numbers, count, (uint32_t)draw->base);
    range->low += (uint32_t)draw->base;
    range->high += (uint32_t)draw->base;
    return true;
}

/* --- all kinds ---------------------------------------------------------------------- */

void hal_number_vertices(const struct hal_draw *draw, const struct hal_source *source, uint32_t first_primitive,
                         uint32_t *numbers, uint32_t count, uint32_t *lowest, uint32_t *highest)
{
    struct number_range range = {UINT32_MAX, 0};

    if (!number_packed(draw, source, first_primitive, numbers, count, &range)) {
        range = (struct number_range){UINT32_MAX, 0};
        for (uint32_t i = 0; i < count; i++) {
            numbers[i] = vertex_number(draw, source, hal_chunk_vertex(draw->type, first_primitive, i));
            index_widen(&range, numbers[i]);
        }
    }
    *lowest = range.low;
    *highest = range.high;
}

void hal_numbers_to_slots(uint32_t *numbers, uint32_t count, uint32_t lowest)
{
    add_to_numbers(numbers, count, 0u - lowest);
}

uint32_t hal_highest_slot(const uint32_t *slots, uint32_t count)
{
    int4 highest = int4_zero(); /* slots have few bits: signed is sufficient */
    uint32_t i = 0, most = 0;

    for (; i + SIMD4_LANES <= count; i += SIMD4_LANES)
        highest = int4_max(highest, int4_load(&slots[i]));
    for (unsigned l = 0; l < SIMD4_LANES; l++) {
        BASE_ASSERT(highest[l] >= 0);
        most = BASE_MAX(most, (uint32_t)highest[l]);
    }
    for (; i < count; i++)
        most = BASE_MAX(most, slots[i]);
    return most;
}
