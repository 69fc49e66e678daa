/* SPDX-License-Identifier: MIT */
/*
 * Depth and stencil of whole 8x8 blocks. Functions are chosen, and their data prepared, once per state. They do not
 * interpolate or load anything that the state does not need. The definition is raster_depth_stencil for the block's
 * groups.
 */
#include "raster/block_mask.h"
#include "raster/kernels/depth_chunks.h"
#include "raster/kernels/lanes.h"

/* --- depth -------------------------------------------------------------------------------------- */

/* The kind of test that a function is compiled for: constants, so that each function keeps only the code it needs. */
struct block_kind {
    unsigned bytes; /* of a word: 4 with 24 bits of depth on top, or 2 of depth alone */
    unsigned func;
    bool depth, stencil; /* tested */
};

static inline void depth_rows_init(struct depth_rows *rows, const struct scene_primitive *primitive, int x, int y,
                                   const float offset[2])
{
    const struct scene_plane2 *depth = &primitive->depth;

    chunk_places_init(&rows->places, primitive, x, y, offset);
    chunk_plane_init(&rows->plane, &rows->places, depth->a[0], depth->dx[0], depth->dy[0]);
}

/* The same for a sample of a group, whose pixels are one chunk: sample s of `lanes`. */
static inline void depth_rows_of_sample(struct depth_rows *rows, const struct scene_primitive *primitive, int x, int y,
                                        const struct raster_sample_lanes *lanes, unsigned s)
{
    const struct scene_plane2 *depth = &primitive->depth;
    const vecf ox = vecf_splat((float)x - primitive->reference_x), oy = vecf_splat((float)y - primitive->reference_y);

    FOR_REGISTERS {
        rows->places.x[i] = vecf_add(ox, vecf_load(&lanes->x[s * GROUP_LANES + i * VEC]));
        rows->places.y[i] = vecf_add(oy, vecf_load(&lanes->y[s * GROUP_LANES + i * VEC]));
    }
    chunk_plane_init(&rows->plane, &rows->places, depth->a[0], depth->dx[0], depth->dy[0]);
}

static inline uint32_t lanes_greater(struct chunk a, struct chunk b)
{
    uint32_t lanes = 0;

    FOR_REGISTERS
        lanes |= veci_greater(a.v[i], b.v[i]) << i * VEC;
    return lanes;
}

static inline uint32_t lanes_equal(struct chunk a, struct chunk b)
{
    uint32_t lanes = 0;

    FOR_REGISTERS
        lanes |= veci_equal(a.v[i], b.v[i]) << i * VEC;
    return lanes;
}

/* Lanes for which `a func b`; beyond the lanes there may be bits. */
static inline __attribute__((always_inline)) uint32_t lanes_compare(unsigned func, struct chunk a, struct chunk b)
{
    switch (func) {
    case RASTER_LESS:
        return lanes_greater(b, a);
    case RASTER_EQUAL:
        return lanes_equal(a, b);
    case RASTER_LEQUAL:
        return ~lanes_greater(a, b);
    case RASTER_GREATER:
        return lanes_greater(a, b);
    case RASTER_NOTEQUAL:
        return ~lanes_equal(a, b);
    case RASTER_GEQUAL:
        return ~lanes_greater(b, a);
    default:
        return func == RASTER_ALWAYS ? ~0u : 0;
    }
}

/* --- stencil ------------------------------------------------------------------------------------ */

/* Lanes whose stencil passes. */
static inline uint32_t stencil_compare(const struct raster_stencil_test *test, struct chunk word)
{
    const uint32_t top = 0x80000000u; /* with this bit flipped, unsigned numbers compare as signed ones do */
    struct chunk distance, span;

    FOR_REGISTERS {
        distance.v[i] =
            veci_xor(veci_sub(veci_splat(test->from), veci_and(word.v[i], veci_splat(test->mask))), veci_splat(top));
        span.v[i] = veci_splat(test->span ^ top);
    }
    return ~lanes_greater(distance, span) ^ test->negate;
}

/* The lesser and the greater of signed numbers. */
static inline veci veci_least(veci a, veci b)
{
    return veci_select(veci_greater(a, b), b, a);
}
static inline veci veci_greatest(veci a, veci b)
{
    return veci_select(veci_greater(a, b), a, b);
}

static inline void stencil_change(const struct raster_stencil_change *change, uint32_t lanes, struct chunk *word)
{
    const veci keep = veci_splat(change->keep), flip = veci_splat(change->flip), add = veci_splat(change->add);
    const veci low = veci_splat((uint32_t)change->low), high = veci_splat((uint32_t)change->high);
    const veci write = veci_splat(change->write), rest = veci_splat(~change->write);

    FOR_REGISTERS {
        veci fresh = veci_add(veci_xor(veci_and(word->v[i], keep), flip), add);

        fresh = veci_least(veci_greatest(fresh, low), high);
        fresh = veci_or(veci_and(word->v[i], rest), veci_and(fresh, write));
        word->v[i] = veci_select(lanes >> i * VEC, fresh, word->v[i]);
    }
}

/* The seven operations as ((s & keep) ^ flip) + add within low..high; the write mask drops carries. */
static void prepare_change(struct raster_stencil_change *change, unsigned op, const struct raster_stencil *st,
                           int32_t max)
{
    *change = (struct raster_stencil_change){
        .keep = op == RASTER_ZERO || op == RASTER_REPLACE ? 0 : (uint32_t)max,
        .flip = op == RASTER_INVERT ? (uint32_t)max : 0,
        .add = op == RASTER_REPLACE                         ? st->ref & (uint32_t)max
               : op == RASTER_INCR_SAT || op == RASTER_INCR ? 1u
               : op == RASTER_DECR_SAT || op == RASTER_DECR ? ~0u
                                                            : 0,
        .low = op == RASTER_DECR_SAT ? 0 : INT32_MIN,
        .high = op == RASTER_INCR_SAT ? max : INT32_MAX,
        .write = op == RASTER_KEEP ? 0 : st->write_mask & (uint32_t)max,
    };
}

/* `a func b` as an interval of a - b, which is -255..255, or as the outside of an interval. */
static void prepare_compare(struct raster_stencil_test *test, const struct raster_stencil *st, uint32_t max)
{
    static const struct {
        int16_t low;
        uint16_t span;
        bool outside;
    } intervals[] = {
        [RASTER_NEVER] = {-255, 510, true},   [RASTER_LESS] = {-255, 254, false},   [RASTER_EQUAL] = {0, 0, false},
        [RASTER_LEQUAL] = {-255, 255, false}, [RASTER_GREATER] = {1, 254, false},   [RASTER_NOTEQUAL] = {0, 0, true},
        [RASTER_GEQUAL] = {0, 255, false},    [RASTER_ALWAYS] = {-255, 510, false},
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
    } else { /* this side has no test: all pass, nothing changes */
        prepare_compare(test, &(struct raster_stencil){.func = RASTER_ALWAYS}, max);
        test->fail.write = test->zfail.write = test->pass.write = 0;
    }
}

/* --- blocks --------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) uint64_t block_by_groups(const struct raster_depth_test *test,
                                                                      const struct raster_surface *depth,
                                                                      const struct scene_primitive *primitive, int x,
                                                                      int y, const float offset[2], uint64_t mask,
                                                                      bool from_w)
{
    const float ox = (float)x - primitive->reference_x + offset[0];
    const float oy = (float)y - primitive->reference_y + offset[1];
    uint64_t pass = 0;

    for (unsigned g = 0; g < 4; g++) {
        const int gx = (int)(g & 1) * 4, gy = (int)(g >> 1) * 4;
        const uint32_t bits = (uint32_t)(mask >> (g * GROUP_LANES)) & 0xffff;
        float z[GROUP_LANES];

        if (!bits)
            continue;
        if (from_w)
            w_depth_lanes(primitive, ox + (float)gx, oy + (float)gy, z);
        else
            depth_lanes(primitive, ox + (float)gx, oy + (float)gy, z);
        pass |=
            (uint64_t)KERNEL(raster_depth_stencil)(test->state, depth, x + gx, y + gy, z, bits, primitive->front_facing)
            << (g * GROUP_LANES);
    }
    return pass;
}

static uint64_t block_any(const struct raster_depth_test *test, const struct raster_surface *depth,
                          const struct scene_primitive *primitive, int x, int y, const float offset[2], uint64_t mask)
{
    return block_by_groups(test, depth, primitive, x, y, offset, mask, false);
}

static uint64_t block_any_w(const struct raster_depth_test *test, const struct raster_surface *depth,
                            const struct scene_primitive *primitive, int x, int y, const float offset[2], uint64_t mask)
{
    return block_by_groups(test, depth, primitive, x, y, offset, mask, true);
}

/* One chunk: the lanes of `bits` that pass; the words changed. */
static inline __attribute__((always_inline)) uint32_t test_chunk(const struct raster_depth_test *test,
                                                                 const struct raster_stencil_test *stencil,
                                                                 struct block_kind kind, const struct depth_rows *plane,
                                                                 unsigned c, uint32_t bits, struct chunk *word,
                                                                 bool *changed)
{
    const unsigned below = kind.bytes == 4 ? 8 : 0; /* bits under the depth of a word */
    uint32_t stencil_pass = bits, pass;
    struct chunk value;

    if (kind.stencil && !stencil->always)
        stencil_pass &= stencil_compare(stencil, *word);
    pass = stencil_pass;
    if (kind.depth) {
        struct chunk stored;

        value = depth_values(plane, c, kind.bytes);
        FOR_REGISTERS
            stored.v[i] = veci_right(word->v[i], below);
        pass &= lanes_compare(kind.func, value, stored);
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
        FOR_REGISTERS {
            const veci fresh =
                veci_or(veci_left(value.v[i], below), veci_and(word->v[i], veci_splat((1u << below) - 1)));

            word->v[i] = veci_select(pass >> i * VEC, fresh, word->v[i]);
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

    BASE_ASSERT(raster_format_info(depth->format)->block_bytes == kind.bytes);
    if ((unsigned)x + ROW > depth->width || (unsigned)y + ROW > depth->height)
        return block_any(test, depth, primitive, x, y, offset, mask);
    if (kind.depth)
        depth_rows_init(&plane, primitive, x, y, offset);
    for (unsigned c = 0; c < CHUNKS; c++, p += 2 * depth->pitch) {
        const uint32_t bits = (uint32_t)(rows >> (c * GROUP_LANES)) & 0xffff;
        bool changed = false;

        if (!bits)
            continue;
        struct chunk word = kind.bytes == 4 ? load_words(p, depth->pitch) : load_short_words(p, depth->pitch);
        pass |= (uint64_t)test_chunk(test, stencil, kind, &plane, c, bits, &word, &changed) << (c * GROUP_LANES);
        if (!changed)
            continue;
        if (kind.bytes == 4)
            store_words(p, depth->pitch, word);
        else
            store_short_words(p, depth->pitch, word);
    }
    return pass == rows ? mask : pass ? block_mask_to_morton(pass) : 0;
}

/* `a func b` of two registers, for VEC lanes; beyond them there may be bits. */
static inline __attribute__((always_inline)) uint32_t words_compare(unsigned func, veci a, veci b)
{
    switch (func) {
    case RASTER_LESS:
        return veci_greater(b, a);
    case RASTER_EQUAL:
        return veci_equal(a, b);
    case RASTER_LEQUAL:
        return ~veci_greater(a, b);
    case RASTER_GREATER:
        return veci_greater(a, b);
    case RASTER_NOTEQUAL:
        return ~veci_equal(a, b);
    case RASTER_GEQUAL:
        return ~veci_greater(b, a);
    default:
        return func == RASTER_ALWAYS ? ~0u : 0;
    }
}

/* Skips short registers without lanes to test. Long registers are not checked first: the branch would often be
 * mispredicted, and they overlap. */
#define SKIPS_REGISTERS (VEC <= 4)

/* test_samples for 24 bits of depth and no stencil, without branches from sample to sample. Always inlined with constant
 * `func`, `samples` and `writes`. */
static inline __attribute__((always_inline)) uint64_t depth_24_samples(unsigned func, unsigned samples, bool writes,
                                                                       uint8_t *words,
                                                                       const struct scene_primitive *primitive, int x,
                                                                       int y, const struct raster_sample_lanes *lanes,
                                                                       uint64_t mask)
{
    const vecf ox = vecf_splat((float)x - primitive->reference_x), oy = vecf_splat((float)y - primitive->reference_y);
    const vecf a = vecf_splat(primitive->depth.a[0]), dx = vecf_splat(primitive->depth.dx[0]),
               dy = vecf_splat(primitive->depth.dy[0]);
    uint64_t pass = 0;

    UNROLLED
    for (unsigned s = 0; s < samples; s++)
        FOR_REGISTERS {
            const unsigned l = s * GROUP_LANES + i * VEC;
            const uint32_t bits = (uint32_t)(mask >> l) & ((1u << VEC) - 1);

            if (SKIPS_REGISTERS && !bits)
                continue;
            const vecf px = vecf_add(ox, vecf_load(&lanes->x[l])), py = vecf_add(oy, vecf_load(&lanes->y[l]));
            const vecf z = vecf_saturate(vecf_add(vecf_add(a, vecf_mul(px, dx)), vecf_mul(py, dy)));
            const veci value =
                veci_truncate(vecf_add(vecf_mul(z, vecf_splat(DEPTH_24_SCALE)), vecf_splat(DEPTH_24_ROUND)));
            const veci word = veci_load(words + l * sizeof(uint32_t));
            const uint32_t passed = bits & words_compare(func, value, veci_right(word, 8));
            const veci fresh = veci_or(veci_left(value, 8), veci_and(word, veci_splat(0xff)));

            pass |= (uint64_t)passed << l;
            if (writes)
                veci_store(words + l * sizeof(uint32_t), veci_select(passed, fresh, word));
        }
    return pass;
}

static inline __attribute__((always_inline)) uint64_t any_depth_24_samples(
    const struct raster_depth_test *test, unsigned func, uint8_t *words, const struct scene_primitive *primitive, int x,
    int y, const struct raster_sample_lanes *lanes, uint64_t mask)
{
    if (lanes->samples == 4)
        return test->writes_depth ? depth_24_samples(func, 4, true, words, primitive, x, y, lanes, mask)
                                  : depth_24_samples(func, 4, false, words, primitive, x, y, lanes, mask);
    return test->writes_depth ? depth_24_samples(func, 2, true, words, primitive, x, y, lanes, mask)
                              : depth_24_samples(func, 2, false, words, primitive, x, y, lanes, mask);
}

static inline __attribute__((always_inline)) uint64_t test_samples(const struct raster_depth_test *test,
                                                                   struct block_kind kind, uint8_t *words,
                                                                   const struct scene_primitive *primitive, int x,
                                                                   int y, const struct raster_sample_lanes *lanes,
                                                                   uint64_t mask)
{
    const struct raster_stencil_test *stencil = &test->stencil[primitive->front_facing];
    uint64_t pass = 0;

    if (kind.bytes == 4 && kind.depth && !kind.stencil)
        return any_depth_24_samples(test, kind.func, words, primitive, x, y, lanes, mask);
    for (unsigned s = 0; s < lanes->samples; s++, words += GROUP_LANES * kind.bytes) {
        const uint32_t bits = (uint32_t)(mask >> (s * GROUP_LANES)) & 0xffff;
        struct depth_rows plane;
        bool changed = false;

        if (!bits)
            continue;
        if (kind.depth)
            depth_rows_of_sample(&plane, primitive, x, y, lanes, s);
        struct chunk word =
            kind.bytes == 4 ? load_words(words, ROW * kind.bytes) : load_short_words(words, ROW * kind.bytes);
        pass |= (uint64_t)test_chunk(test, stencil, kind, &plane, 0, bits, &word, &changed) << (s * GROUP_LANES);
        if (!changed)
            continue;
        if (kind.bytes == 4)
            store_words(words, ROW * kind.bytes, word);
        else
            store_short_words(words, ROW * kind.bytes, word);
    }
    return pass;
}

static inline __attribute__((always_inline)) uint64_t samples_by_groups(const struct raster_depth_test *test,
                                                                        uint8_t *words,
                                                                        const struct scene_primitive *primitive, int x,
                                                                        int y, const struct raster_sample_lanes *lanes,
                                                                        uint64_t mask, bool from_w)
{
    const unsigned bytes = raster_format_info(test->format)->block_bytes;
    struct raster_surface group = {
        .pixels = words, .pitch = 4 * bytes, .width = 4, .height = 4, .format = test->format};
    const uint64_t lanes_mask = block_mask_groups_to_morton(mask);
    uint64_t pass = 0;

    for (unsigned s = 0; s < lanes->samples; s++, group.pixels += GROUP_LANES * bytes) {
        const float ox = (float)x - primitive->reference_x + lanes->x[s * GROUP_LANES];
        const float oy = (float)y - primitive->reference_y + lanes->y[s * GROUP_LANES];
        const uint32_t bits = (uint32_t)(lanes_mask >> (s * GROUP_LANES)) & 0xffff;
        float z[GROUP_LANES];

        if (!bits)
            continue;
        if (from_w)
            w_depth_lanes(primitive, ox, oy, z);
        else
            depth_lanes(primitive, ox, oy, z);
        pass |= (uint64_t)KERNEL(raster_depth_stencil)(test->state, &group, 0, 0, z, bits, primitive->front_facing)
                << (s * GROUP_LANES);
    }
    return block_mask_groups_to_rows(pass);
}

static uint64_t any_samples(const struct raster_depth_test *test, uint8_t *words,
                            const struct scene_primitive *primitive, int x, int y,
                            const struct raster_sample_lanes *lanes, uint64_t mask)
{
    return samples_by_groups(test, words, primitive, x, y, lanes, mask, false);
}

static uint64_t any_w_samples(const struct raster_depth_test *test, uint8_t *words,
                              const struct scene_primitive *primitive, int x, int y,
                              const struct raster_sample_lanes *lanes, uint64_t mask)
{
    return samples_by_groups(test, words, primitive, x, y, lanes, mask, true);
}

/* A test of blocks, and one of samples. */
#define BLOCK_FUNCTION(name, ...)                                                                                     \
    static uint64_t name(const struct raster_depth_test *test, const struct raster_surface *depth,                    \
                         const struct scene_primitive *primitive, int x, int y, const float offset[2], uint64_t mask) \
    {                                                                                                                 \
        return test_block(test, (struct block_kind){__VA_ARGS__}, depth, primitive, x, y, offset, mask);              \
    }                                                                                                                 \
    static uint64_t name##_samples(const struct raster_depth_test *test, uint8_t *words,                              \
                                   const struct scene_primitive *primitive, int x, int y,                             \
                                   const struct raster_sample_lanes *lanes, uint64_t mask)                            \
    {                                                                                                                 \
        return test_samples(test, (struct block_kind){__VA_ARGS__}, words, primitive, x, y, lanes, mask);             \
    }
#define BLOCK_FUNCTIONS(func)                                        \
    BLOCK_FUNCTION(d24_##func, 4, RASTER_##func, true, false)        \
    BLOCK_FUNCTION(d24_stencil_##func, 4, RASTER_##func, true, true) \
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

static uint64_t pass_all_samples(const struct raster_depth_test *test, uint8_t *words,
                                 const struct scene_primitive *primitive, int x, int y,
                                 const struct raster_sample_lanes *lanes, uint64_t mask)
{
    (void)test, (void)words, (void)primitive, (void)x, (void)y, (void)lanes;
    return mask;
}

struct depth_functions {
    raster_depth_fn run;
    raster_depth_samples_fn run_samples;
};

#define FUNCTIONS(name) name, name##_samples
#define BY_FUNC(kind)                                                                                     \
    {                                                                                                     \
        [RASTER_NEVER] = {FUNCTIONS(kind##_NEVER)}, [RASTER_LESS] = {FUNCTIONS(kind##_LESS)},             \
        [RASTER_EQUAL] = {FUNCTIONS(kind##_EQUAL)}, [RASTER_LEQUAL] = {FUNCTIONS(kind##_LEQUAL)},         \
        [RASTER_GREATER] = {FUNCTIONS(kind##_GREATER)}, [RASTER_NOTEQUAL] = {FUNCTIONS(kind##_NOTEQUAL)}, \
        [RASTER_GEQUAL] = {FUNCTIONS(kind##_GEQUAL)}, [RASTER_ALWAYS] = {FUNCTIONS(kind##_ALWAYS)},       \
    }

static struct depth_functions choose_functions(const struct raster_depth_test *test)
{
    static const struct depth_functions d24[] = BY_FUNC(d24), d24_stencil[] = BY_FUNC(d24_stencil),
                                        d16[] = BY_FUNC(d16), only_stencil = {FUNCTIONS(stencil_only)},
                                        none = {FUNCTIONS(pass_all)}, any = {block_any, any_samples},
                                        any_w = {block_any_w, any_w_samples};
    const bool depth = test->tests_depth, stencil = test->tests_stencil;
    const bool is_24 = test->format == RASTER_FORMAT_D24S8 || test->format == RASTER_FORMAT_D24X8 ||
                       test->format == RASTER_FORMAT_D24X4S4;

    if (test->state->depth_from_w && (depth || test->state->depth_bounds))
        return any_w;
    if (test->state->depth_bounds)
        return any;
    if (!depth && !stencil)
        return none;
    if (is_24)
        return !depth ? only_stencil : stencil ? d24_stencil[test->func] : d24[test->func];
    return test->format == RASTER_FORMAT_D16 ? d16[test->func] : any;
}

void KERNEL(raster_choose_depth)(const struct raster_draw_state *state, enum raster_format format,
                                 struct raster_depth_test *test)
{
    const uint32_t max = raster_stencil_mask(format);
    const unsigned func = state->depth_func & 7;

    *test = (struct raster_depth_test){
        .state = state,
        .format = format,
        .tests_depth = state->depth_test && (func != RASTER_ALWAYS || state->depth_write),
        .tests_stencil = max && (state->stencil.enable || state->two_sided_stencil),
        .writes_depth = state->depth_test && state->depth_write,
        .func = (uint8_t)func,
    };
    const struct depth_functions functions = choose_functions(test);

    test->run = functions.run;
    test->run_samples = functions.run_samples;
    if (!test->tests_stencil)
        return;
    prepare_stencil(&test->stencil[0], state->two_sided_stencil ? &state->stencil_back : &state->stencil, max);
    prepare_stencil(&test->stencil[1], &state->stencil, max);
}
