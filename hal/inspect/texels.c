/* SPDX-License-Identifier: MIT */
/*
 * The texels of a texture read, with their weights. A feedback map of the finest regions tells which parts of the
 * texture the lane reads. Then the same sampler reads a texture of the same shape that is 0 except for one texel, which
 * gives the weight of that texel. So positions and weights are the sampler's own. Samplers of narrow states record
 * nothing where they read in whole numbers: there, rectangles of ones are halved as long as they have weight.
 */
#include "base/base.h"
#include "hal/inspect/tracer.h"
#include "raster/kernels/kernels.h"
#include "raster/narrow.h"
#include "raster/sample/feedback.h"

#include <stdlib.h>
#include <string.h>

#define REGION     4                 /* texels on a side of a region of the map, the least there is */
#define MOST_BYTES ((size_t)2 << 30) /* of a texture of zeros */
#define CHANNELS   4

_Static_assert((int)HAL_RUN_CUBE == RASTER_TEXTURE_CUBE && (int)HAL_RUN_VOLUME == RASTER_TEXTURE_VOLUME, "kinds");
_Static_assert((int)HAL_RUN_BIASED == RASTER_LOD_BIASED && (int)HAL_RUN_GIVEN == RASTER_LOD_GIVEN &&
                   (int)HAL_RUN_GRADIENTS == RASTER_LOD_GRADIENTS,
               "modes of levels of detail");

/* --- what was read --------------------------------------------------------------------------------- */

/* Addresses of raster/sample/sample.h are those of Direct3D less 1; filters are the same. */
static struct hal_run_sampler describe_sampler(const struct raster_sampler *sampler)
{
    struct hal_run_sampler out = {
        .mag_filter = sampler->mag_filter,
        .min_filter = sampler->min_filter,
        .mip_filter = sampler->mip_filter,
        .max_anisotropy = sampler->max_anisotropy,
        .base_level = sampler->base_level,
        .lod_bias = sampler->lod_bias,
        .srgb = sampler->srgb,
        .fetch4 = sampler->fetch4 != RASTER_FETCH4_OFF,
    };

    for (unsigned c = 0; c < 3; c++)
        out.address[c] = (uint8_t)(sampler->address[c] + 1);
    return out;
}

void tracer_note_fetch(struct hal_tracer *t, unsigned number, unsigned group_count,
                       const float (*coordinate)[RASTER_LANES], enum raster_lod_mode mode,
                       const float (*lod)[RASTER_LANES])
{
    const struct raster_sampler *sampler = &t->binding->sampler[number];
    const struct raster_texture *texture = sampler->texture;
    const unsigned rows = mode == RASTER_LOD_COMPUTED ? 0 : mode == RASTER_LOD_GRADIENTS ? 6 : 1;
    struct hal_run_fetch *fetch = &t->fetch;

    (void)group_count;
    *fetch = (struct hal_run_fetch){.sampler = number,
                                    .surface = t->surface[number],
                                    .bound = texture != NULL,
                                    .state = describe_sampler(sampler),
                                    .axes = raster_texture_axes(texture),
                                    .mode = (enum hal_run_lod)mode,
                                    .level = -1.0f};
    if (texture) {
        fetch->kind = (enum hal_run_texture)texture->kind;
        fetch->width = texture->level[0].width;
        fetch->height = texture->level[0].height;
        fetch->depth = texture->kind == RASTER_TEXTURE_VOLUME ? texture->level[0].depth : 1;
        fetch->levels = texture->level_count;
        fetch->state.compares = texture->depth == RASTER_DEPTH_COMPARED;
    }
    for (unsigned c = 0; c < fetch->axes; c++)
        memcpy(fetch->coordinate[c], &coordinate[c][t->first], t->run.lanes * sizeof(float));
    for (unsigned c = 0; c < rows; c++)
        memcpy(fetch->lod[c], &lod[c][t->first], t->run.lanes * sizeof(float));
    t->has_fetch = true;
}

void tracer_note_narrow_fetch(struct hal_tracer *t, unsigned number, const float (*coordinate)[RASTER_LANES],
                              bool affine)
{
    struct hal_run_fetch *fetch = &t->fetch;

    tracer_note_fetch(t, number, 0, coordinate, RASTER_LOD_COMPUTED, NULL);
    t->affine = affine;
    for (unsigned c = 0; c < 2; c++) {
        memcpy(t->given[c], &coordinate[c][t->first], sizeof(t->given[c]));
        for (unsigned l = 0; affine && l < RASTER_QUAD_LANES; l++)
            fetch->coordinate[c][l] =
                (float)((const int32_t *)coordinate[c])[t->first + l] * (1.0f / (float)RASTER_AFFINE_ONE);
    }
}

/* --- reading it again ------------------------------------------------------------------------------ */

/* The quad of the read, in all lanes of a group. Narrow: as the draw's sampler reads it, with whole numbers if they are given. */
struct read_again {
    _Alignas(64) float coordinate[3][RASTER_LANES], lod[6][RASTER_LANES], result[4][RASTER_LANES];
    enum raster_lod_mode mode;
    unsigned lane;
    bool narrow, affine;
};

static void prepare(struct read_again *again, const struct hal_tracer *t, const struct hal_run_fetch *fetch)
{
    *again = (struct read_again){0};
    again->mode = (enum raster_lod_mode)fetch->mode;
    again->lane = t->run.lane;
    again->narrow = t->run.narrow;
    again->affine = t->run.narrow && t->affine;
    for (unsigned l = 0; l < RASTER_GROUP_LANES; l++) {
        const unsigned from = BASE_MIN(l % RASTER_QUAD_LANES, t->run.lanes - 1);

        for (unsigned c = 0; c < 3; c++)
            memcpy(&again->coordinate[c][l], again->affine && c < 2 ? &t->given[c][from] : &fetch->coordinate[c][from],
                   sizeof(float));
        for (unsigned c = 0; c < 6; c++)
            again->lod[c][l] = fetch->lod[c][from];
    }
}

static void read_narrow(struct read_again *again, const struct raster_sampler *sampler)
{
    _Alignas(64) int16_t pixels[4 * RASTER_LANES];

    const struct raster_kernels *k = raster_kernels_for(CPU_SCALAR);
    const struct raster_narrow_reads reads = k->choose_narrow_reads(sampler);

    k->sample_narrow(sampler, &reads, 1, (const float(*)[RASTER_LANES])again->coordinate,
                     again->affine ? NARROW_AFFINE : NARROW_FLOATS, 0, pixels);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < RASTER_GROUP_LANES; l++)
            again->result[c][l] = narrow_channel(pixels, 1, l, c);
}

static void read_texture(struct read_again *again, const struct raster_sampler *sampler)
{
    if (again->narrow) {
        read_narrow(again, sampler);
        return;
    }
    raster_kernels_for(CPU_SCALAR)
        ->sample_lod(sampler, 1, (const float(*)[RASTER_LANES])again->coordinate, again->mode,
                     (const float(*)[RASTER_LANES])again->lod, again->result);
}

/* --- shapes ------------------------------------------------------------------------------------------ */

static size_t layers_of(const struct raster_texture *texture, unsigned level)
{
    return texture->kind == RASTER_TEXTURE_CUBE     ? 6
           : texture->kind == RASTER_TEXTURE_VOLUME ? texture->level[level].depth
                                                    : 1;
}

/* A texture of the same levels, each with room for its texels in one piece; memory NULL: how much that is. Narrow: of bytes. */
static size_t shape_impulse(struct raster_texture *impulse, const struct raster_texture *texture, bool narrow,
                            float *memory)
{
    size_t used = 0;

    *impulse = (struct raster_texture){.kind = texture->kind, .level_count = texture->level_count, .is_wide = !narrow};
    for (unsigned l = 0; l < texture->level_count; l++) {
        struct raster_texture_level *level = &impulse->level[l];

        *level = texture->level[l];
        level->pitch = level->width;
        level->slice = level->width * level->height;
        level->texels = memory ? (const uint32_t *)(const void *)(memory + used) : NULL;
        used += (narrow ? 1 : CHANNELS) * (size_t)level->slice * layers_of(texture, l);
    }
    return used * sizeof(float);
}

void tracer_free_finder(struct texel_finder *finder)
{
    raster_feedback_destroy(finder->map);
    free(finder->memory);
    *finder = (struct texel_finder){0};
}

static bool make_finder(struct texel_finder *finder, const struct raster_texture *texture, bool narrow)
{
    const struct raster_texture_level *top = &texture->level[0];
    const struct raster_feedback_desc desc = {
        .kind = FEEDBACK_MIP_REGION_USED,
        .width = top->width,
        .height = top->height,
        .level_count = texture->level_count,
        .layer_count = texture->kind == RASTER_TEXTURE_CUBE ? 6 : 1,
        .region_width = REGION,
        .region_height = REGION,
        .depth = texture->kind == RASTER_TEXTURE_VOLUME ? top->depth : 0,
        .cube = texture->kind == RASTER_TEXTURE_CUBE,
    };
    size_t bytes;

    if (finder->texture == texture)
        return true;
    tracer_free_finder(finder);
    finder->map = raster_feedback_create(&desc);
    if (!finder->map)
        return false;
    finder->texture = texture;
    bytes = shape_impulse(&finder->impulse, texture, narrow, NULL);
    finder->memory = bytes <= MOST_BYTES ? mem_calloc(bytes, 1) : NULL;
    if (finder->memory)
        shape_impulse(&finder->impulse, texture, narrow, finder->memory);
    return finder->memory || bytes > MOST_BYTES;
}

/* --- texels ------------------------------------------------------------------------------------------ */

struct search {
    struct hal_run_fetch *fetch;
    const struct raster_sampler *sampler;
    struct texel_finder *finder;
    struct raster_sampler impulse; /* the sampler with the texture of zeros */
    struct read_again again;
    size_t capacity;
    float weights, levels; /* sums over texels: of weights, of weight times level */
    bool failed;
};

static float *impulse_at(const struct search *s, const struct hal_run_texel *texel)
{
    const struct raster_texture_level *level = &s->finder->impulse.level[texel->level];
    const size_t first = (size_t)((const float *)(const void *)level->texels - s->finder->memory);

    return s->finder->memory + first +
           CHANNELS * ((size_t)texel->layer * level->slice + (size_t)texel->y * level->pitch + texel->x);
}

/* A single texel, read through the same sampler as a texture of one texel; outside: the border's colour instead. */
static void read_value(const struct search *s, const uint32_t *texels, bool outside, float value[4])
{
    struct raster_texture one = *s->sampler->texture;
    struct raster_sampler point = *s->sampler;
    struct read_again again = s->again;

    one.kind = RASTER_TEXTURE_2D;
    one.level_count = 1;
    one.level[0] =
        (struct raster_texture_level){.texels = texels, .width = 1, .height = 1, .depth = 1, .pitch = 1, .slice = 1};
    point.texture = &one;
    point.feedback = NULL;
    point.fetch4 = RASTER_FETCH4_OFF;
    point.base_level = 0;
    point.mag_filter = point.min_filter = RASTER_FILTER_POINT;
    point.mip_filter = RASTER_FILTER_NONE;
    point.max_anisotropy = 1;
    memset(point.address, outside ? RASTER_BORDER : RASTER_CLAMP, sizeof(point.address));
    again.mode = RASTER_LOD_COMPUTED;
    again.affine = false;
    for (unsigned c = 0; c < 2; c++)
        for (unsigned l = 0; l < RASTER_GROUP_LANES; l++)
            again.coordinate[c][l] = outside ? 2.5f : 0.5f;
    read_texture(&again, &point);
    for (unsigned c = 0; c < 4; c++)
        value[c] = again.result[c][again.lane];
}

static const uint32_t *texel_of(const struct raster_texture *texture, const struct hal_run_texel *texel)
{
    const struct raster_texture_level *level = &texture->level[texel->level];
    const unsigned words = texture->is_half ? CHANNELS / 2 : texture->is_wide ? CHANNELS : 1;

    return level->texels + words * ((size_t)texel->layer * level->slice + (size_t)texel->y * level->pitch + texel->x);
}

static void add_texel(struct search *s, const struct hal_run_texel *found)
{
    struct hal_run_fetch *fetch = s->fetch;

    fetch->texel_count++;
    if (found->weight > 0.0f) {
        s->weights += found->weight;
        s->levels += found->weight * (float)found->level;
    }
    if (fetch->texel_count > HAL_RUN_TEXELS)
        return;
    if (fetch->texel_count > s->capacity) {
        const size_t capacity = 2 * s->capacity + 16;
        struct hal_run_texel *bigger = mem_realloc(fetch->texels, capacity, sizeof(*bigger));

        s->failed |= !bigger;
        if (!bigger) {
            fetch->texel_count--;
            return;
        }
        fetch->texels = bigger;
        s->capacity = capacity;
    }
    fetch->texels[fetch->texel_count - 1] = *found;
    read_value(s, texel_of(s->sampler->texture, found), false, fetch->texels[fetch->texel_count - 1].value);
}

/* Adds a texel that was the only nonzero one when the sampler read. */
static void add_weighed(struct search *s, struct hal_run_texel texel)
{
    const bool fetch4 = s->sampler->fetch4 != RASTER_FETCH4_OFF;

    for (unsigned c = 0; c < (fetch4 ? 4 : 1); c++) {
        texel.weight = s->again.result[c][s->again.lane];
        texel.channel = fetch4 ? (int)c : -1;
        if (texel.weight != 0.0f)
            add_texel(s, &texel);
    }
}

/* One texel, which is 1 in all components while the sampler reads. */
static void weigh(struct search *s, struct hal_run_texel texel)
{
    float *at = s->finder->memory ? impulse_at(s, &texel) : NULL;

    if (!at) {
        texel.weight = -1.0f;
        add_texel(s, &texel);
        return;
    }
    for (unsigned c = 0; c < CHANNELS; c++)
        at[c] = 1.0f;
    read_texture(&s->again, &s->impulse);
    for (unsigned c = 0; c < CHANNELS; c++)
        at[c] = 0.0f;
    add_weighed(s, texel);
}

static void weigh_region(struct search *s, unsigned level, unsigned layer, unsigned column, unsigned row)
{
    const struct raster_texture_level *shape = &s->sampler->texture->level[level];

    for (unsigned i = 0; i < REGION * REGION; i++) {
        const struct hal_run_texel texel = {.level = level,
                                            .layer = layer,
                                            .x = column * REGION + i % REGION,
                                            .y = row * REGION + i / REGION,
                                            .channel = -1};

        if (texel.x < shape->width && texel.y < shape->height)
            weigh(s, texel);
    }
}

static void weigh_layer(struct search *s, unsigned level, unsigned layer)
{
    const unsigned columns = raster_feedback_columns(s->finder->map, level);
    const unsigned rows = raster_feedback_rows(s->finder->map, level);
    uint8_t *used = mem_calloc(columns, rows);
    const struct feedback_pixels pixels = {.bytes = used, .pitch = columns, .width = columns, .height = rows};

    s->failed |= !used;
    if (!used)
        return;
    raster_feedback_decode_used(s->finder->map, layer, level, NULL, 0, 0, &pixels);
    for (unsigned i = 0; i < columns * rows; i++)
        if (used[i])
            weigh_region(s, level, layer, i % columns, i / columns);
    free(used);
}

/* --- texels of narrow states ------------------------------------------------------------------------- */

/* Texels of a level and layer side by side. */
struct rectangle {
    unsigned level, layer, x, y, width, height;
};

static void fill(const struct search *s, const struct rectangle *r, int byte)
{
    const struct raster_texture_level *level = &s->finder->impulse.level[r->level];
    const size_t first = (size_t)((const float *)(const void *)level->texels - s->finder->memory);
    float *layer = s->finder->memory + first + (size_t)r->layer * level->slice;

    for (unsigned y = r->y; y < r->y + r->height; y++)
        memset(layer + (size_t)y * level->pitch + r->x, byte, r->width * sizeof(*layer));
}

static bool weighs_nothing(const struct search *s)
{
    float sum = 0.0f;

    for (unsigned c = 0; c < CHANNELS; c++)
        sum += s->again.result[c][s->again.lane];
    return sum == 0.0f;
}

/* Finds the texels of a rectangle that the lane reads. */
static void weigh_rectangle(struct search *s, const struct rectangle *r)
{
    struct rectangle first = *r, second = *r;

    fill(s, r, 0xff);
    read_texture(&s->again, &s->impulse);
    fill(s, r, 0);
    if (weighs_nothing(s))
        return;
    if (r->width == 1 && r->height == 1) {
        add_weighed(s, (struct hal_run_texel){.level = r->level, .layer = r->layer, .x = r->x, .y = r->y});
        return;
    }
    if (r->width > r->height) {
        first.width = r->width / 2;
        second.x += first.width;
        second.width -= first.width;
    } else {
        first.height = r->height / 2;
        second.y += first.height;
        second.height -= first.height;
    }
    weigh_rectangle(s, &first);
    weigh_rectangle(s, &second);
}

/* --- the border -------------------------------------------------------------------------------------- */

/* Only the border is 1. */
static void weigh_border(struct search *s)
{
    struct raster_sampler border = s->impulse;

    for (unsigned c = 0; c < 4; c++)
        border.border[c] = 1.0f;
    read_texture(&s->again, &border);
    s->fetch->border = s->again.result[0][s->again.lane];
    read_value(s, s->sampler->texture->level[0].texels, true, s->fetch->border_value);
}

static void mark(struct search *s)
{
    struct raster_sampler marking = *s->sampler;

    raster_feedback_clear(s->finder->map);
    marking.feedback = s->finder->map;
    marking.feedback_mode = RASTER_FEEDBACK_READS;
    raster_kernels_for(CPU_SCALAR)
        ->sample_recorded(&marking, 1, (const float(*)[RASTER_LANES])s->again.coordinate, s->again.mode,
                          (const float(*)[RASTER_LANES])s->again.lod, UINT64_C(1) << s->again.lane, s->again.result);
}

static void find_texels(struct search *s)
{
    const struct raster_texture *texture = s->sampler->texture;

    if (!s->again.narrow)
        mark(s);
    for (unsigned level = 0; level < texture->level_count; level++)
        for (unsigned layer = 0; layer < layers_of(texture, level); layer++) {
            const struct raster_texture_level *shape = &texture->level[level];
            const struct rectangle whole = {level, layer, 0, 0, shape->width, shape->height};

            if (!s->again.narrow)
                weigh_layer(s, level, layer);
            else if (s->finder->memory)
                weigh_rectangle(s, &whole);
        }
}

bool tracer_find_texels(struct hal_tracer *t, struct hal_run_fetch *fetch)
{
    const struct raster_sampler *sampler = &t->binding->sampler[fetch->sampler];
    const struct raster_texture *texture = sampler->texture;
    const bool is_read = texture && (!sampler->feedback || sampler->feedback_mode != RASTER_FEEDBACK_WRITES);
    struct search s = {.fetch = fetch, .sampler = sampler, .finder = &t->finder[fetch->sampler]};

    fetch->bound &= is_read;
    if (!is_read)
        return true;
    if (!make_finder(s.finder, texture, t->run.narrow))
        return false;
    prepare(&s.again, t, fetch);
    s.impulse = *sampler;
    s.impulse.texture = &s.finder->impulse;
    s.impulse.feedback = NULL;
    s.impulse.srgb = false;
    memset(s.impulse.border, 0, sizeof(s.impulse.border));
    find_texels(&s);
    if (s.finder->memory)
        weigh_border(&s);
    fetch->has_texels = !t->run.narrow || s.finder->memory;
    if (s.weights > 0.0f)
        fetch->level = s.levels / s.weights;
    return !s.failed;
}
