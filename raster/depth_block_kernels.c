/* SPDX-License-Identifier: MIT */
/*
 * Depth and stencil of whole 8x8 blocks: functions chosen, and what they need of the state prepared, once per state.
 * They work on chunks of two rows of eight pixels, which are whole vectors in memory. What the state leaves out is
 * neither interpolated nor loaded. What raster_depth_stencil makes of the block's groups is the definition.
 */
#include "raster/block_mask.h"
#include "raster/depth.h"
#include "raster/lanes.h"

#define ROW    8 /* pixels */
#define CHUNKS 4 /* of G lanes: x in the lower three bits of a lane, y above */

/* --- memory ----------------------------------------------------------------------------------- */

/* Two rows of words to lanes and back, in whole vectors as load_pixels. */
static inline void load_words(const uint8_t *p, size_t pitch, uint32_t v[G])
{
#if KERNEL_LEVEL == 3
    const __m512i upper = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)p));

    _mm512_storeu_si512(v, _mm512_inserti64x4(upper, _mm256_loadu_si256((const __m256i *)(p + pitch)), 1));
#else
    memcpy(v, p, ROW * sizeof(*v));
    memcpy(v + ROW, p + pitch, ROW * sizeof(*v));
#endif
}

static inline void store_words(uint8_t *p, size_t pitch, const uint32_t v[G])
{
#if KERNEL_LEVEL == 3
    const __m512i rows = _mm512_loadu_si512(v);

    _mm256_storeu_si256((__m256i *)p, _mm512_castsi512_si256(rows));
    _mm256_storeu_si256((__m256i *)(p + pitch), _mm512_extracti64x4_epi64(rows, 1));
#else
    memcpy(p, v, ROW * sizeof(*v));
    memcpy(p + pitch, v + ROW, ROW * sizeof(*v));
#endif
}

/* Of 16 bits each. */
static inline void load_short_words(const uint8_t *p, size_t pitch, uint32_t v[G])
{
    uint16_t half[G];

    memcpy(half, p, ROW * sizeof(*half));
    memcpy(half + ROW, p + pitch, ROW * sizeof(*half));
    LANES
        v[l] = half[l];
}

static inline void store_short_words(uint8_t *p, size_t pitch, const uint32_t v[G])
{
    uint16_t half[G];

    LANES
        half[l] = (uint16_t)v[l];
    memcpy(p, half, ROW * sizeof(*half));
    memcpy(p + pitch, half + ROW, ROW * sizeof(*half));
}

/* --- depth -------------------------------------------------------------------------------------- */

/* What a function is made for: constants, so that each keeps what it needs. */
struct block_kind {
    unsigned bytes; /* of a word: 4 with 24 bits of depth on top, or 2 of depth alone */
    unsigned func;
    bool depth, stencil; /* tested */
};

/* The plane of depth over a chunk: what does not change from row to row. */
struct depth_rows {
    float base[G], y[G], dy;
};

static inline void depth_rows_init(struct depth_rows *rows, const struct scene_primitive *primitive, int x, int y,
                                   const float offset[2])
{
    const float ox = (float)x - primitive->reference_x + offset[0];
    const float oy = (float)y - primitive->reference_y + offset[1];
    const float a = primitive->depth.a[0], dx = primitive->depth.dx[0];

    rows->dy = primitive->depth.dy[0];
    LANES
    {
        rows->base[l] = a + (ox + (float)(int32_t)(l % ROW)) * dx;
        rows->y[l] = oy + (float)(int32_t)(l / ROW);
    }
}

/* Depth as the words hold it; the rows are those of the next chunk then. */
static inline void depth_rows_next(struct depth_rows *rows, unsigned bytes, uint32_t value[G])
{
    LANES
    {
        float z = saturate(rows->base[l] + rows->y[l] * rows->dy);

        value[l] = bytes == 4 ? depth_to_24(z) : (uint32_t)(int32_t)((double)z * 65535.0 + 0.5);
        rows->y[l] += 2.0f;
    }
}

/* --- stencil ------------------------------------------------------------------------------------ */

/* Lanes whose stencil passes. */
static inline uint32_t stencil_compare(const struct raster_stencil_test *test, const uint32_t word[G])
{
    const uint32_t mask = test->mask, from = test->from, span = test->span;
    int32_t inside[G];

    LANES
        inside[l] = from - (word[l] & mask) <= span ? -1 : 0;
    return sign_bits(inside) ^ test->negate;
}

static inline void stencil_change(const struct raster_stencil_change *change, uint32_t lanes, uint32_t word[G])
{
    const uint32_t keep = change->keep, flip = change->flip, add = change->add, write = change->write;
    const int32_t low = change->low, high = change->high;
    uint32_t select[G];

    lane_select(lanes, select);
    LANES
    {
        int32_t fresh = (int32_t)(((word[l] & keep) ^ flip) + add);
        uint32_t take = select[l] & write;

        fresh = fresh > low ? fresh : low;
        fresh = fresh < high ? fresh : high;
        word[l] = (word[l] & ~take) | ((uint32_t)fresh & take);
    }
}

/* How the seven operations become ((s & keep) ^ flip) + add within low..high; the write mask drops what carries. */
static void prepare_change(struct raster_stencil_change *change, unsigned op, const struct raster_stencil *st, int32_t max)
{
    *change = (struct raster_stencil_change){
        .keep = op == RASTER_ZERO || op == RASTER_REPLACE ? 0 : (uint32_t)max,
        .flip = op == RASTER_INVERT ? (uint32_t)max : 0,
        .add = op == RASTER_REPLACE                            ? st->ref & (uint32_t)max
               : op == RASTER_INCR_SAT || op == RASTER_INCR    ? 1u
               : op == RASTER_DECR_SAT || op == RASTER_DECR    ? ~0u
                                                               : 0,
        .low = op == RASTER_DECR_SAT ? 0 : INT32_MIN,
        .high = op == RASTER_INCR_SAT ? max : INT32_MAX,
        .write = op == RASTER_KEEP ? 0 : st->write_mask & (uint32_t)max,
    };
}

/* `a func b` as an interval of a - b, which is -255..255, or what lies outside it. */
static void prepare_compare(struct raster_stencil_test *test, const struct raster_stencil *st, uint32_t max)
{
    static const struct {
        int16_t low;
        uint16_t span;
        bool outside;
    } intervals[] = {
        [RASTER_NEVER] = {-255, 510, true},    [RASTER_LESS] = {-255, 254, false},  [RASTER_EQUAL] = {0, 0, false},
        [RASTER_LEQUAL] = {-255, 255, false},  [RASTER_GREATER] = {1, 254, false},  [RASTER_NOTEQUAL] = {0, 0, true},
        [RASTER_GEQUAL] = {0, 255, false},     [RASTER_ALWAYS] = {-255, 510, false},
    };
    const unsigned func = st->func & 7;

    test->always = func == RASTER_ALWAYS;
    test->mask = st->mask & max;
    test->from = (st->ref & st->mask & max) - (uint32_t)(int32_t)intervals[func].low;
    test->span = intervals[func].span;
    test->negate = intervals[func].outside ? 0xffff : 0;
}

static void prepare_stencil(struct raster_stencil_test *test, const struct raster_stencil *st, uint32_t max)
{
    if (st->enable) {
        prepare_compare(test, st, max);
        prepare_change(&test->fail, st->fail, st, (int32_t)max);
        prepare_change(&test->zfail, st->zfail, st, (int32_t)max);
        prepare_change(&test->pass, st->pass, st, (int32_t)max);
    } else { /* of this side: all pass, nothing changes */
        prepare_compare(test, &(struct raster_stencil){.func = RASTER_ALWAYS}, max);
        test->fail.write = test->zfail.write = test->pass.write = 0;
    }
}

/* --- blocks --------------------------------------------------------------------------------------- */

static uint64_t block_any(const struct raster_depth_test *test, const struct raster_surface *depth,
                          const struct scene_primitive *primitive, int x, int y, const float offset[2], uint64_t mask)
{
    const float ox = (float)x - primitive->reference_x + offset[0];
    const float oy = (float)y - primitive->reference_y + offset[1];
    uint64_t pass = 0;

    for (unsigned g = 0; g < 4; g++) {
        const int gx = (int)(g & 1) * 4, gy = (int)(g >> 1) * 4;
        const uint32_t bits = (uint32_t)(mask >> (g * G)) & 0xffff;
        float z[G];

        if (!bits)
            continue;
        depth_lanes(primitive, ox + (float)gx, oy + (float)gy, z);
        pass |= (uint64_t)KERNEL(raster_depth_stencil)(test->state, depth, x + gx, y + gy, z, bits,
                                                       primitive->front_facing)
                << (g * G);
    }
    return pass;
}

/* One chunk: the lanes of `bits` that pass; the words changed. */
static inline __attribute__((always_inline)) uint32_t test_chunk(const struct raster_depth_test *test,
                                                                 const struct raster_stencil_test *stencil,
                                                                 struct block_kind kind, const uint32_t value[G],
                                                                 uint32_t bits, uint32_t word[G], bool *changed)
{
    uint32_t stencil_pass = bits, pass;

    if (kind.stencil && !stencil->always)
        stencil_pass &= stencil_compare(stencil, word);
    pass = stencil_pass;
    if (kind.depth) {
        uint32_t stored[G];

        LANES
            stored[l] = kind.bytes == 4 ? word[l] >> 8 : word[l];
        pass &= compare_lanes(kind.func, value, stored);
    }
    if (kind.stencil) {
        const uint32_t fail = bits & ~stencil_pass, zfail = stencil_pass & ~pass;

        if (stencil->fail.write && fail) {
            stencil_change(&stencil->fail, fail, word);
            *changed = true;
        }
        if (kind.depth && stencil->zfail.write && zfail) {
            stencil_change(&stencil->zfail, zfail, word);
            *changed = true;
        }
        if (stencil->pass.write && pass) {
            stencil_change(&stencil->pass, pass, word);
            *changed = true;
        }
    }
    if (kind.depth && test->writes_depth && pass) {
        uint32_t select[G];

        lane_select(pass, select);
        LANES
        {
            uint32_t take = kind.bytes == 4 ? select[l] & 0xffffff00u : select[l];

            word[l] = (word[l] & ~take) | ((kind.bytes == 4 ? value[l] << 8 : value[l]) & take);
        }
        *changed = true;
    }
    return pass;
}

static inline __attribute__((always_inline)) uint64_t test_block(const struct raster_depth_test *test,
                                                                 struct block_kind kind,
                                                                 const struct raster_surface *depth,
                                                                 const struct scene_primitive *primitive, int x, int y,
                                                                 const float offset[2], uint64_t mask)
{
    const struct raster_stencil_test *stencil = &test->stencil[primitive->front_facing];
    const uint64_t rows = mask == ~UINT64_C(0) ? mask : block_mask_to_rows(mask);
    uint8_t *p = depth->pixels + (size_t)y * depth->pitch + (size_t)x * kind.bytes;
    struct depth_rows plane;
    uint64_t pass = 0;

    if ((unsigned)x + ROW > depth->width || (unsigned)y + ROW > depth->height)
        return block_any(test, depth, primitive, x, y, offset, mask);
    if (kind.depth)
        depth_rows_init(&plane, primitive, x, y, offset);
    for (unsigned c = 0; c < CHUNKS; c++, p += 2 * depth->pitch) {
        const uint32_t bits = (uint32_t)(rows >> (c * G)) & 0xffff;
        uint32_t word[G], value[G];
        bool changed = false;

        if (kind.depth)
            depth_rows_next(&plane, kind.bytes, value);
        if (!bits)
            continue;
        if (kind.bytes == 4)
            load_words(p, depth->pitch, word);
        else
            load_short_words(p, depth->pitch, word);
        pass |= (uint64_t)test_chunk(test, stencil, kind, value, bits, word, &changed) << (c * G);
        if (!changed)
            continue;
        if (kind.bytes == 4)
            store_words(p, depth->pitch, word);
        else
            store_short_words(p, depth->pitch, word);
    }
    return pass == rows ? mask : pass ? block_mask_to_morton(pass) : 0;
}

#define BLOCK_FUNCTION(name, ...)                                                                                      \
    static uint64_t name(const struct raster_depth_test *test, const struct raster_surface *depth,                     \
                         const struct scene_primitive *primitive, int x, int y, const float offset[2], uint64_t mask)  \
    {                                                                                                                  \
        return test_block(test, (struct block_kind){__VA_ARGS__}, depth, primitive, x, y, offset, mask);               \
    }
#define BLOCK_FUNCTIONS(func)                                                                                          \
    BLOCK_FUNCTION(d24_##func, 4, RASTER_##func, true, false)                                                          \
    BLOCK_FUNCTION(d24_stencil_##func, 4, RASTER_##func, true, true)                                                   \
    BLOCK_FUNCTION(d16_##func, 2, RASTER_##func, true, false)

BLOCK_FUNCTIONS(NEVER)
BLOCK_FUNCTIONS(LESS)
BLOCK_FUNCTIONS(EQUAL)
BLOCK_FUNCTIONS(LEQUAL)
BLOCK_FUNCTIONS(GREATER)
BLOCK_FUNCTIONS(NOTEQUAL)
BLOCK_FUNCTIONS(GEQUAL)
BLOCK_FUNCTIONS(ALWAYS)
BLOCK_FUNCTION(stencil_only, 4, RASTER_ALWAYS, false, true)

/* A test that cannot fail and changes nothing. */
static uint64_t pass_all(const struct raster_depth_test *test, const struct raster_surface *depth,
                         const struct scene_primitive *primitive, int x, int y, const float offset[2], uint64_t mask)
{
    (void)test, (void)depth, (void)primitive, (void)x, (void)y, (void)offset;
    return mask;
}

#define BY_FUNC(kind)                                                                                                  \
    {                                                                                                                  \
        [RASTER_NEVER] = kind##_NEVER, [RASTER_LESS] = kind##_LESS, [RASTER_EQUAL] = kind##_EQUAL,                     \
        [RASTER_LEQUAL] = kind##_LEQUAL, [RASTER_GREATER] = kind##_GREATER, [RASTER_NOTEQUAL] = kind##_NOTEQUAL,       \
        [RASTER_GEQUAL] = kind##_GEQUAL, [RASTER_ALWAYS] = kind##_ALWAYS,                                              \
    }

static raster_depth_fn choose_function(const struct raster_depth_test *test, enum raster_format format)
{
    static const raster_depth_fn d24[] = BY_FUNC(d24), d24_stencil[] = BY_FUNC(d24_stencil), d16[] = BY_FUNC(d16);
    const bool depth = test->tests_depth, stencil = test->tests_stencil;
    const bool is_24 = format == RASTER_FORMAT_D24S8 || format == RASTER_FORMAT_D24X8 || format == RASTER_FORMAT_D24X4S4;

    if (test->state->depth_bounds)
        return block_any;
    if (!depth && !stencil)
        return pass_all;
    if (is_24)
        return !depth ? stencil_only : stencil ? d24_stencil[test->func] : d24[test->func];
    return format == RASTER_FORMAT_D16 ? d16[test->func] : block_any;
}

void KERNEL(raster_choose_depth)(const struct raster_draw_state *state, enum raster_format format,
                                 struct raster_depth_test *test)
{
    const uint32_t max = raster_stencil_mask(format);
    const unsigned func = state->depth_func & 7;

    *test = (struct raster_depth_test){
        .state = state,
        .tests_depth = state->depth_test && (func != RASTER_ALWAYS || state->depth_write),
        .tests_stencil = max && (state->stencil.enable || state->two_sided_stencil),
        .writes_depth = state->depth_test && state->depth_write,
        .func = (uint8_t)func,
    };
    test->run = choose_function(test, format);
    if (!test->tests_stencil)
        return;
    prepare_stencil(&test->stencil[0], state->two_sided_stencil ? &state->stencil_back : &state->stencil, max);
    prepare_stencil(&test->stencil[1], &state->stencil, max);
}
