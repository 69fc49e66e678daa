/* SPDX-License-Identifier: MIT */
/*
 * Sampler feedback compared with an oracle, over draws. A scalar sampler lists every texel that it reads with a weight
 * above zero for every covered pixel; the map must hold exactly the regions of these texels. The colour proves that the
 * list is right: the weighted sum of the listed texels must equal the program's sample. Random triangles over sizes,
 * levels, regions, kinds of textures and texels, filters, addresses, the forms of sampling instructions, and what the
 * map records: reads; requests, which are the reads of a texture that has the map's size and holds nothing back;
 * writes.
 *
 *     test_feedback_draw [--count N]        N draws (default 6000)
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "raster/sample/feedback.h"
#include "raster/sample/lod.h"
#include "shader/shader.h"
#include "tests/random.h"
#include "tests/unit/rounds.h"

#define SIDE       24 /* of the target, pixels */
#define MAX_SIDE   64 /* of a texture, texels */
#define MAX_TAPS   256
#define MAX_LAYERS 16 /* faces, slices */

static unsigned draw_count = 6000;
/* --- the scalar sampler --------------------------------------------------------------------------------- */

struct tap {
    unsigned layer, level;
    int x, y; /* -1: the border */
    double weight;
};

struct taps {
    struct tap tap[MAX_TAPS];
    unsigned count;
};

static float clamped(float v, float low, float high)
{
    v = v > low ? v : low;
    return v < high ? v : high;
}

/* The coordinate in texels, after the address mode. */
static float texels(unsigned mode, float u, float size)
{
    float t = clamped(u, -1048576.0f, 1048576.0f);

    if (mode == RASTER_WRAP)
        return (t - floorf(t)) * size;
    if (mode == RASTER_MIRROR) {
        t -= 2.0f * floorf(t * 0.5f);
        return (1.0f - fabsf(1.0f - t)) * size;
    }
    if (mode == RASTER_MIRROR_ONCE) {
        t = fabsf(clamped(u, -2.0f, 2.0f)) * size;
        return t < size + 1.0f ? t : size + 1.0f;
    }
    return clamped(u * size, -1.0f, size + 1.0f);
}

static int address(unsigned mode, int i, int size)
{
    if (mode == RASTER_WRAP)
        return (i + size) % size;
    if (i >= 0 && i < size)
        return i;
    return mode == RASTER_BORDER ? -1 : i < 0 ? 0 : size - 1;
}

/* One or two texels of an axis and their weights; returns how many. */
static unsigned axis_taps(unsigned mode, bool linear, float u, unsigned size, int index[2], double weight[2])
{
    float s = texels(mode, u, (float)size);
    int n = (int)size, place;

    if (!linear) {
        index[0] = address(mode, ((int)floorf(s * 256.0f + 512.5f) >> 8) - 2, n);
        weight[0] = 1.0;
        return 1;
    }
    /* in 1/256 texel, from the first texel's centre; added up as the kernels do, so that ties fall on the same side */
    place = (int)floorf(s * 256.0f + (768.0f - 128.0f + 0.5f)) - 768;
    index[0] = address(mode, place >> 8, n);
    index[1] = address(mode, (place >> 8) + 1, n);
    weight[1] = (place & 255) / 256.0;
    weight[0] = 1.0 - weight[1];
    return place & 255 ? 2 : 1;
}

/* The texels of a slice, or of the border instead (`layer` < 0). */
static void layer_taps(const struct raster_sampler *s, int layer, unsigned level, bool linear, float u, float v,
                       double weight, struct taps *out)
{
    bool cube = s->texture->kind == RASTER_TEXTURE_CUBE;
    int x[2], y[2];
    double wx[2], wy[2];
    unsigned nx = axis_taps(cube ? RASTER_CLAMP : s->address[0], linear, u, s->texture->level[level].width, x, wx);
    unsigned ny = axis_taps(cube ? RASTER_CLAMP : s->address[1], linear, v, s->texture->level[level].height, y, wy);

    for (unsigned j = 0; j < ny; j++)
        for (unsigned i = 0; i < nx; i++) {
            bool outside = x[i] < 0 || y[j] < 0 || layer < 0;

            assert_true(out->count < MAX_TAPS);
            out->tap[out->count++] = (struct tap){layer < 0 ? 0 : (unsigned)layer, level, outside ? -1 : x[i],
                                                  outside ? -1 : y[j], weight * wx[i] * wy[j]};
        }
}

static void level_taps(const struct raster_sampler *s, unsigned face, unsigned level, bool linear, float u, float v,
                       float w, double weight, struct taps *out)
{
    int z[2];
    double wz[2];
    unsigned slices;

    if (s->texture->kind != RASTER_TEXTURE_VOLUME) {
        layer_taps(s, (int)face, level, linear, u, v, weight, out);
        return;
    }
    slices = axis_taps(s->address[2], linear, w, s->texture->level[level].depth, z, wz);
    for (unsigned i = 0; i < slices; i++)
        layer_taps(s, z[i], level, linear, u, v, weight * wz[i], out);
}

/* How a quad is sampled: level of detail, probes, and the side along which they lie. */
struct choice {
    float lod, along[2];
    int probes;
};

static void fragment_taps(const struct raster_sampler *s, unsigned layer, float u, float v, float w,
                          const struct choice *c, struct taps *out)
{
    unsigned last = s->texture->level_count - 1, base = BASE_MIN(s->base_level, last);
    bool mipped = s->mip_filter != RASTER_FILTER_NONE;
    float finest = (float)s->feedback_clamp / 256.0f;
    bool asks = !s->texture->level[0].texels && s->feedback_clamp; /* requests alone */
    float asked = asks && !(c->lod > finest) ? finest : c->lod;
    float lod = mipped ? clamped(asked, (float)base, (float)last) : asked;
    bool magnified = !(lod > 0.0f);
    bool linear = (magnified ? s->mag_filter : s->min_filter) >= RASTER_FILTER_LINEAR;
    unsigned fixed = magnified || !mipped ? 0 : (unsigned)floorf(lod * 256.0f + 0.5f), level = base;
    double next = 0.0;

    if (mipped && !magnified && s->mip_filter == RASTER_FILTER_POINT)
        level = BASE_MIN((fixed + 128) / 256, last);
    if (mipped && !magnified && s->mip_filter == RASTER_FILTER_LINEAR) {
        level = BASE_MIN(fixed / 256, last);
        next = level < last ? fixed % 256 / 256.0 : 0.0;
    }
    out->count = 0;
    for (int k = 0; k < c->probes; k++) {
        float offset = c->probes > 1 ? raster_probe_offset(k, c->probes) : 0.0f;
        float pu = u + offset * c->along[0], pv = v + offset * c->along[1];

        level_taps(s, layer, level, linear, pu, pv, w, (1.0 - next) / c->probes, out);
        if (next > 0.0)
            level_taps(s, layer, level + 1, linear, pu, pv, w, next / c->probes, out);
    }
}

static struct choice choose(const struct raster_sampler *s, const float dx[3], const float dy[3])
{
    float w = (float)s->texture->level[0].width, h = (float)s->texture->level[0].height;
    float d = (float)s->texture->level[0].depth;
    bool volume = s->texture->kind == RASTER_TEXTURE_VOLUME;
    struct raster_footprint f = raster_footprint_of(dx[0] * w, dx[1] * h, dy[0] * w, dy[1] * h);
    const float *along = f.x2 >= f.y2 ? dx : dy;
    struct choice c = {.probes = 1, .along = {along[0], along[1]}};

    f.x2 += volume ? dx[2] * d * (dx[2] * d) : 0.0f;
    f.y2 += volume ? dy[2] * d * (dy[2] * d) : 0.0f;
    if (s->min_filter == RASTER_FILTER_ANISOTROPIC && s->max_anisotropy > 1 && !volume)
        c.probes = raster_anisotropy(f, (float)s->max_anisotropy, &c.lod);
    else
        c.lod = 0.5f * raster_log2(f.x2 > f.y2 ? f.x2 : f.y2);
    c.lod += s->lod_bias;
    return c;
}

/* The face of a direction and the place on it; `face` < 0: find the face. */
static int on_cube(const float d[3], int face, float *u, float *v)
{
    float ax = fabsf(d[0]), ay = fabsf(d[1]), az = fabsf(d[2]), s, t, m;

    if (face < 0)
        face = az >= ax && az >= ay ? (d[2] < 0 ? 5 : 4) : ay >= ax ? (d[1] < 0 ? 3 : 2) : (d[0] < 0 ? 1 : 0);
    m = face % 2 ? -d[face / 2] : d[face / 2];
    s = face == 0 ? -d[2] : face == 1 ? d[2] : face == 5 ? -d[0] : d[0];
    t = face == 2 ? d[2] : face == 3 ? -d[2] : -d[1];
    *u = 0.5f * (s / m + 1.0f);
    *v = 0.5f * (t / m + 1.0f);
    return face;
}

/* --- one draw ------------------------------------------------------------------------------------------------ */

enum form { FORM_IMPLICIT, FORM_BIAS, FORM_LEVEL, FORM_GRADIENT, FORM_COUNT };

struct scene {
    enum form form;
    struct raster_texture texture;
    struct raster_sampler sampler;
    struct raster_sampler recorded; /* what is in the map: `sampler`, or the same without limits on a larger texture */
    uint32_t *texels[RASTER_MAX_LEVELS]; /* of all faces */
    struct raster_feedback_desc desc;
    struct raster_feedback *map;
    unsigned region_width, region_height;
    uint8_t expected[MAX_LAYERS][RASTER_MAX_LEVELS][MAX_SIDE / 4][MAX_SIDE / 4];
    double worst; /* difference of colours */
    unsigned long fragments;
    const void *program; /* of the real executor */
    raster_shade_fn shade;
};

static double channel(const struct scene *s, const struct tap *t, unsigned c)
{
    static const unsigned shift[4] = {16, 8, 0, 24};
    const struct raster_texture_level *l = &s->texture.level[t->level];
    size_t at = t->layer * l->slice + (size_t)t->y * l->pitch + (size_t)t->x;
    double v;

    if (t->x < 0)
        return (double)s->sampler.border[c];
    if (s->texture.is_wide)
        return (double)((const float *)l->texels)[at * 4 + c];
    v = l->texels[at] >> shift[c] & 255;
    return s->texture.is_signed ? (v - 128.0) / 127.0 : v / 255.0;
}

/* The change in x and y that the program gives a lane; on a cube it moves the lane's direction. */
static void given_gradients(const struct scene *s, const struct raster_batch *b, unsigned lane, float dx[3],
                            float dy[3])
{
    float at[3], moved[2][3], place[3][2];
    int face;

    for (unsigned c = 0; c < 3; c++) {
        at[c] = b->input[0][c][lane];
        moved[0][c] = at[c] + b->input[1][c][lane];
        moved[1][c] = at[c] + b->input[2][c][lane];
    }
    for (unsigned i = 0; i < 3; i++) {
        dx[i] = b->input[1][i][lane];
        dy[i] = b->input[2][i][lane];
    }
    if (s->texture.kind != RASTER_TEXTURE_CUBE)
        return;
    face = on_cube(at, -1, &place[0][0], &place[0][1]);
    on_cube(moved[0], face, &place[1][0], &place[1][1]);
    on_cube(moved[1], face, &place[2][0], &place[2][1]);
    for (unsigned i = 0; i < 2; i++) {
        dx[i] = place[1][i] - place[0][i];
        dy[i] = place[2][i] - place[0][i];
    }
}

/* The sampling parameters of lane l of a quad, from the program's instruction. u, v: places of the quad's lanes, on a
 * cube on that lane's face. */
static struct choice lane_choice(const struct scene *s, const struct raster_sampler *sampler,
                                 const struct raster_batch *b, unsigned first, unsigned l, const float *u,
                                 const float *v)
{
    const float *w = &b->input[0][2][first];
    float dx[3] = {u[1] - u[0], v[1] - v[0], w[1] - w[0]}, dy[3] = {u[2] - u[0], v[2] - v[0], w[2] - w[0]};
    struct choice c;

    if (s->form == FORM_LEVEL)
        return (struct choice){.lod = b->input[0][3][first + l] + sampler->lod_bias, .probes = 1};
    if (s->form == FORM_GRADIENT)
        given_gradients(s, b, first + l, dx, dy);
    c = choose(sampler, dx, dy);
    if (s->form == FORM_BIAS)
        c.lod += b->input[0][3][first + l];
    return c;
}

static void expect_marks(struct scene *s, const struct taps *taps)
{
    for (unsigned i = 0; i < taps->count; i++) {
        const struct tap *t = &taps->tap[i];

        if (t->x >= 0)
            s->expected[t->layer][t->level][t->y / s->region_height][t->x / s->region_width] = 1;
    }
}

static void expect_color(struct scene *s, const struct raster_batch *b, unsigned lane, const struct taps *taps)
{
    s->fragments++;
    if (s->sampler.feedback_mode == RASTER_FEEDBACK_WRITES) {
        for (unsigned c = 0; c < 4; c++)
            s->worst = fmax(s->worst, fabs((c == 3) - (double)b->color[0][c][lane]));
        return;
    }
    for (unsigned c = 0; c < (s->texture.opaque ? 3u : 4u); c++) {
        double sum = 0.0;

        for (unsigned i = 0; i < taps->count; i++)
            sum += taps->tap[i].weight * channel(s, &taps->tap[i], c);
        s->worst = fmax(s->worst, fabs(sum - (double)b->color[0][c][lane]));
    }
}

/* sampler: s->sampler for the colour, or s->recorded for the map. */
static void look_at_quad(struct scene *s, const struct raster_sampler *sampler, const struct raster_batch *b,
                         unsigned first, unsigned covered)
{
    for (unsigned l = 0; l < 4; l++) {
        float u[4], v[4];
        struct taps taps;
        int face = 0;

        if (!(covered >> l & 1))
            continue;
        for (unsigned k = 0; k < 5; k++) { /* the lane itself first: what lies between lanes is measured on its face */
            const unsigned lane = k ? k - 1 : l;
            const float d[3] = {b->input[0][0][first + lane], b->input[0][1][first + lane],
                                b->input[0][2][first + lane]};

            u[lane] = d[0];
            v[lane] = d[1];
            if (s->texture.kind == RASTER_TEXTURE_CUBE)
                face = on_cube(d, k ? face : -1, &u[lane], &v[lane]);
        }
        const struct choice c = lane_choice(s, sampler, b, first, l, u, v);
        fragment_taps(sampler, (unsigned)face, u[l], v[l], b->input[0][2][first + l], &c, &taps);
        if (sampler == &s->recorded)
            expect_marks(s, &taps);
        else
            expect_color(s, b, first + l, &taps);
    }
}

/* Replaces the program: runs it, and asks the scalar sampler about the same batch. One thread draws. */
static void watched_shade(const void *program, struct raster_batch *batch)
{
    struct scene *s = (struct scene *)program;
    uint64_t covered = batch->covered;

    s->shade(s->program, batch);
    for (unsigned first = 0; first < batch->group_count * RASTER_GROUP_LANES; first += 4)
        if (covered >> first & 15) {
            look_at_quad(s, &s->sampler, batch, first, covered >> first & 15);
            look_at_quad(s, &s->recorded, batch, first, covered >> first & 15);
        }
}

/* --- programs --------------------------------------------------------------------------------------------------- */

#define DCL_TEXCOORD(n) 0x0200001f, 0x80000005 | (n) << 16, 0x900f0000 | (n)
#define COMMON(dimension) \
    0xffff0300, DCL_TEXCOORD(0), DCL_TEXCOORD(1), DCL_TEXCOORD(2), 0x0200001f, dimension, 0xa00f0800
#define FINISH 0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff
#define FLAT   0x90000000u
#define CUBE   0x98000000u
#define VOLUME 0xa0000000u

/* clang-format off */
#define FORMS(dimension)                                                                                    \
    {                                                                                                       \
        [FORM_IMPLICIT] = {COMMON(dimension), 0x03000042, 0x800f0000, 0x90e40000, 0xa0e40800, FINISH},      \
        [FORM_BIAS] = {COMMON(dimension), 0x03020042, 0x800f0000, 0x90e40000, 0xa0e40800, FINISH},          \
        [FORM_LEVEL] = {COMMON(dimension), 0x0300005f, 0x800f0000, 0x90e40000, 0xa0e40800, FINISH},         \
        [FORM_GRADIENT] = {COMMON(dimension), 0x0500005d, 0x800f0000, 0x90e40000, 0xa0e40800, 0x90e40001,   \
                           0x90e40002, FINISH},                                                             \
    }
/* clang-format on */
static const uint32_t code[3][FORM_COUNT][32] = {FORMS(FLAT), FORMS(CUBE), FORMS(VOLUME)}; /* by raster_texture_kind */

struct programs {
    struct shader_program *shader[3][FORM_COUNT];
    struct shader_binding *binding[3][FORM_COUNT];
};

static void make_programs(struct programs *p)
{
    const struct shader_constants none = {0};

    memset(p, 0, sizeof(*p));
    for (unsigned kind = 0; kind < 3; kind++)
        for (unsigned form = 0; form < FORM_COUNT; form++) {
            struct shader_error error;
            struct shader_program *program = shader_compile(code[kind][form], 32, &error);

            assert_non_null(program);
            p->shader[kind][form] = program;
            p->binding[kind][form] = shader_bind(mem_alloc_aligned(shader_binding_size(program, 0)), program, &none);
            for (unsigned k = 0; k < program->input_count; k++)
                p->binding[kind][form]->input[k] = program->input[k].index;
        }
}

static void free_programs(struct programs *p)
{
    for (unsigned kind = 0; kind < 3; kind++)
        for (unsigned form = 0; form < FORM_COUNT; form++) {
            mem_free_aligned(p->binding[kind][form]);
            shader_destroy(p->shader[kind][form]);
        }
}

static void use_program(struct scene *s, struct programs *p, enum cpu_level level)
{
    struct shader_binding *b = p->binding[s->texture.kind][s->form];

    b->sample = raster_sample_lod_kernel(level);
    if (b->program->samplers)
        b->sampler[0] = s->sampler;
    s->program = b;
    s->shade = shader_pixel_executor(level);
}

/* --- random scenes ------------------------------------------------------------------------------------------------ */

/* A whole texture, or its resident part. */
static void random_texture(struct scene *s)
{
    struct raster_texture *t = &s->texture;
    bool requests = random_below(3) == 0;
    unsigned width = 1 + random_below(MAX_SIDE), height = 1 + random_below(MAX_SIDE), depth = 1, layers = 1, missing;

    memset(t, 0, sizeof(*t));
    s->sampler.feedback_mode = !requests         ? RASTER_FEEDBACK_READS
                               : random_below(3) ? RASTER_FEEDBACK_REQUESTS
                                                 : RASTER_FEEDBACK_WRITES;
    t->kind = random_below(6) ? RASTER_TEXTURE_2D : random_below(2) ? RASTER_TEXTURE_CUBE : RASTER_TEXTURE_VOLUME;
    if (t->kind == RASTER_TEXTURE_CUBE) {
        layers = 6;
        height = width;
    } else if (t->kind == RASTER_TEXTURE_VOLUME) {
        depth = 1 + random_below(MAX_LAYERS);
    }
    t->is_wide = random_below(4) == 0;
    t->is_signed = !t->is_wide && random_below(5) == 0;
    t->opaque = random_below(3) == 0;
    missing = s->sampler.feedback_mode == RASTER_FEEDBACK_REQUESTS ? random_below(3) : 0;
    t->level_count = 1 + random_below(4);
    s->desc = (struct raster_feedback_desc){FEEDBACK_MIP_REGION_USED,
                                            width,
                                            height,
                                            t->level_count + missing,
                                            layers,
                                            4,
                                            4,
                                            t->kind == RASTER_TEXTURE_VOLUME ? depth : 0,
                                            t->kind == RASTER_TEXTURE_CUBE};
    for (unsigned l = 0; l < t->level_count; l++) {
        struct raster_texture_level *level = &t->level[l];
        unsigned w = BASE_MAX(width >> (l + missing), 1u), h = BASE_MAX(height >> (l + missing), 1u);
        unsigned d = BASE_MAX(depth >> (l + missing), 1u), words;

        *level = (struct raster_texture_level){.width = w, .height = h, .depth = d, .pitch = w, .slice = w * h};
        words = level->slice * layers * d * (t->is_wide ? 4 : 1);
        s->texels[l] = mem_alloc_aligned(words * 4 + 64);
        for (unsigned i = 0; i < words; i++)
            if (t->is_wide)
                ((float *)s->texels[l])[i] = random_between(-1.0f, 1.0f);
            else
                s->texels[l][i] = (random_below(65536) << 16 | random_below(65536)) | (t->is_signed ? 0x01010101u : 0);
        level->texels = s->texels[l];
    }
}

static unsigned random_region(unsigned side)
{
    unsigned region = 4;

    while (region * 4 <= side && random_below(2))
        region *= 2;
    return region;
}

static void random_sampler(struct scene *s)
{
    struct raster_sampler *sampler = &s->sampler;

    s->region_width = s->desc.region_width = random_region(s->desc.width);
    s->region_height = s->desc.region_height = random_region(s->desc.height);
    s->map = raster_feedback_create(&s->desc);
    assert_non_null(s->map);
    sampler->texture = &s->texture;
    for (unsigned a = 0; a < 3; a++)
        sampler->address[a] = (uint8_t)random_below(5);
    sampler->mag_filter = (uint8_t)(1 + random_below(3));
    sampler->min_filter = (uint8_t)(1 + random_below(3));
    sampler->mip_filter = (uint8_t)random_below(3);
    sampler->max_anisotropy = (uint8_t)(1 + random_below(16));
    sampler->base_level = (uint8_t)(random_below(3) ? 0 : random_below(4));
    sampler->lod_bias = random_below(2) ? 0.0f : random_between(-1.5f, 1.5f);
    sampler->feedback = s->map;
    for (unsigned c = 0; c < 4; c++)
        sampler->border[c] = s->texture.is_signed || s->texture.is_wide ? 0.0f : (float)random_below(256) / 255.0f;
    s->recorded = *sampler;
    if (sampler->feedback_mode == RASTER_FEEDBACK_READS)
        return;
    sampler->feedback_clamp = random_below(2) ? 0 : (uint16_t)(random_below(1024) & 0x3fff);
    s->recorded.feedback_clamp = sampler->feedback_clamp;
    s->recorded.texture = raster_feedback_shape(s->map);
    s->recorded.base_level = 0;
    if (sampler->feedback_mode == RASTER_FEEDBACK_WRITES)
        sampler->texture = s->recorded.texture;
}

/* Coordinates that vary by about 2^-3 to 2^3 texels per pixel, in perspective; directions for cubes. */
static void random_vertex(const struct scene *s, struct raster_vertex *v, float scale)
{
    bool cube = s->texture.kind == RASTER_TEXTURE_CUBE;

    memset(v, 0, sizeof(*v));
    v->x = random_between(0.0f, SIDE);
    v->y = random_between(0.0f, SIDE);
    v->z = 0.5f;
    v->rhw = random_below(2) ? 1.0f : random_between(0.25f, 2.0f);
    for (unsigned c = 0; c < 3; c++)
        v->input[0][c] = cube ? random_between(-1.0f, 1.0f) : random_between(-scale, scale);
    v->input[0][3] = random_between(-2.0f, 4.0f);
    for (unsigned i = 1; i < 3; i++)
        for (unsigned c = 0; c < 3; c++)
            v->input[i][c] = random_between(-scale, scale) * (1.0f / 16.0f);
}

static void draw_state(struct scene *s, raster_shade_fn shade, const void *program, struct raster_draw_state *state)
{
    (void)s;
    memset(state, 0, sizeof(*state));
    state->rasterizer.fill_front = state->rasterizer.fill_back = RASTER_FILL_SOLID;
    state->rasterizer.flatshade_first = true;
    state->viewport = (struct raster_rect){0, 0, SIDE, SIDE};
    state->depth_max = 1.0f;
    state->color_write_mask[0] = 15;
    state->sample_mask = 0xffff;
    state->shade = shade;
    state->program = program;
    state->input_count = 3;
    for (unsigned i = 0; i < 3; i++)
        state->input_mask[i] = 15;
}

static void compare(const struct scene *s, unsigned draw)
{
    for (unsigned level = 0; level < s->desc.level_count; level++)
        for (unsigned layer = 0; layer < raster_feedback_layers(s->map, level); layer++) {
            uint8_t used[MAX_SIDE / 4][MAX_SIDE / 4];
            struct feedback_pixels out = {&used[0][0], MAX_SIDE / 4, MAX_SIDE / 4, MAX_SIDE / 4};

            raster_feedback_decode_used(s->map, layer, level, NULL, 0, 0, &out);
            for (unsigned y = 0; y < raster_feedback_rows(s->map, level); y++)
                for (unsigned x = 0; x < raster_feedback_columns(s->map, level); x++)
                    if ((used[y][x] != 0) != (s->expected[layer][level][y][x] != 0))
                        fail_msg("draw %u, form %u, layer %u level %u region (%u, %u): read %d, marked %d", draw,
                                 s->form, layer, level, x, y, s->expected[layer][level][y][x], used[y][x]);
        }
}

static void free_scene(struct scene *s)
{
    for (unsigned l = 0; l < s->texture.level_count; l++)
        mem_free_aligned(s->texels[l]);
    raster_feedback_destroy(s->map);
}

static void test_random_draws(void **unused)
{
    static uint32_t pixels[SIDE * SIDE];
    const struct raster_targets targets = {
        .color[0] = {(uint8_t *)pixels, SIDE * 4, SIDE, SIDE, RASTER_FORMAT_A8R8G8B8, 0}};
    struct raster *raster = raster_create(cpu_level_detected(), 1);
    struct scene *s = mem_calloc(1, sizeof(*s));
    struct programs programs;
    unsigned long fragments = 0;

    (void)unused;
    make_programs(&programs);
    raster_set_targets(raster, &targets);
    for (unsigned draw = 0; draw < draw_count; draw++) {
        struct raster_draw_state state;
        struct raster_vertex v[3];
        float scale = (float)(1u << random_below(7)) / 16.0f;

        memset(s, 0, sizeof(*s));
        s->form = (enum form)random_below(FORM_COUNT);
        random_texture(s);
        random_sampler(s);
        use_program(s, &programs, (enum cpu_level)random_below(cpu_level_detected() + 1u));
        draw_state(s, watched_shade, s, &state);
        raster_set_state(raster, &state);
        for (unsigned i = 0; i < 3; i++)
            random_vertex(s, &v[i], scale);
        raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], 7);
        raster_flush(raster);
        compare(s, draw);
        if (!(s->worst < 2e-3))
            fail_msg("draw %u, form %u, kind %u wide %d signed %d address %u %u filters %u %u %u of %u: the texels "
                     "listed do not "
                     "make the colour (off by %g)",
                     draw, s->form, s->texture.kind, s->texture.is_wide, s->texture.is_signed, s->sampler.address[0],
                     s->sampler.address[1], s->sampler.mag_filter, s->sampler.min_filter, s->sampler.mip_filter,
                     s->sampler.max_anisotropy, s->worst);
        fragments += s->fragments;
        free_scene(s);
    }
    assert_true(fragments > draw_count * 10ul);
    print_message("%u draws, %lu fragments\n", draw_count, fragments);
    free_programs(&programs);
    raster_destroy(raster);
    free(s);
}

/* --- threads and SIMD levels ------------------------------------------------------------------------------------------ */

/* Many triangles at once over many tiles: a digest of the map. */
static uint64_t digest(enum cpu_level level, unsigned threads, uint32_t seed)
{
    enum { WIDE = 512 };
    uint32_t *pixels = mem_calloc(WIDE * WIDE, 4);
    const struct raster_targets targets = {
        .color[0] = {(uint8_t *)pixels, WIDE * 4, WIDE, WIDE, RASTER_FORMAT_A8R8G8B8, 0}};
    struct raster *raster = raster_create(level, threads);
    struct scene *s = mem_calloc(1, sizeof(*s));
    struct programs programs;
    struct raster_draw_state state;
    uint64_t hash = 1469598103934665603u;

    random_seed = seed;
    make_programs(&programs);
    s->form = (enum form)(seed % FORM_COUNT);
    random_texture(s);
    random_sampler(s);
    use_program(s, &programs, level);
    draw_state(s, s->shade, s->program, &state);
    state.viewport = (struct raster_rect){0, 0, WIDE, WIDE};
    raster_set_targets(raster, &targets);
    raster_set_state(raster, &state);
    for (unsigned i = 0; i < 12; i++) {
        struct raster_vertex v[3];

        for (unsigned k = 0; k < 3; k++) {
            random_vertex(s, &v[k], 0.25f);
            v[k].x *= (float)WIDE / SIDE;
            v[k].y *= (float)WIDE / SIDE;
        }
        raster_triangle(raster, &v[0], &v[1], &v[2], &v[0], 7);
    }
    raster_flush(raster);
    for (unsigned l = 0; l < s->desc.level_count; l++)
        for (unsigned layer = 0; layer < raster_feedback_layers(s->map, l); layer++) {
            uint8_t used[MAX_SIDE / 4][MAX_SIDE / 4] = {{0}};
            struct feedback_pixels out = {&used[0][0], MAX_SIDE / 4, MAX_SIDE / 4, MAX_SIDE / 4};

            raster_feedback_decode_used(s->map, layer, l, NULL, 0, 0, &out);
            for (size_t i = 0; i < sizeof(used); i++)
                hash = (hash ^ (&used[0][0])[i]) * 1099511628211u;
        }
    free_scene(s);
    free_programs(&programs);
    raster_destroy(raster);
    free(s);
    free(pixels);
    return hash;
}

static void test_threads_and_levels(void **unused)
{
    (void)unused;
    for (uint32_t seed = 100 + first_round(20); seed < 100 + end_round(20); seed++) {
        uint64_t first = digest(CPU_SCALAR, 1, seed);

        for (unsigned level = 0; level <= cpu_level_detected(); level++)
            for (unsigned threads = 1; threads <= 4; threads *= 2)
                if (digest((enum cpu_level)level, threads, seed) != first)
                    fail_msg("seed %u: CPU level %u with %u threads marks otherwise", seed, level, threads);
    }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_draws),
        cmocka_unit_test(test_threads_and_levels),
    };

    random_seed += first_round(draw_count);
    draw_count = end_round(draw_count) - first_round(draw_count);
    if (argc == 3 && !strcmp(argv[1], "--count"))
        draw_count = (unsigned)strtoul(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
