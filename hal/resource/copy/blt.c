/* SPDX-License-Identifier: MIT */
/*
 * Copies between surfaces: rectangles with conversion and stretching (Blt, BLT token), and the copies of whole
 * textures and volumes that the stream asks for (TEXBLT, VOLUMEBLT; docs/reference/device-state.md, section 12; copies
 * of buffers: hal/resource/buffer.c). They are executed at once, in order with the draws: pending scenes are finished first, except for one
 * that only clears the source.
 */
#include "hal/resource/copy/blt.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/resource/texture_renaming.h"
#include "hal/resource/copy/fill.h"
#include "hal/resource/copy/rows.h"
#include "hal/resource/feedback.h"
#include "hal/resource/copy/samples.h"
#include "hal/resource/surface.h"
#include "hal/resource/texture.h"
#include "hal/scene.h"
#include "raster/format/planar.h"

#include <stdlib.h>
#include <string.h>

static const struct raster_format_info *blt_format_info(const struct hal_surface *surface)
{
    return raster_format_info(surface->format);
}

static bool is_picture(const struct hal_surface *surface)
{
    return surface->format != RASTER_FORMAT_NONE && surface->base.memory && surface->base.bytes;
}

/* --- same format, block by block ------------------------------------------------------------ */

/* A box in texels: [0] left and right, [1] top and bottom, [2] front and back. */
struct box {
    int64_t from[3], to[3];
};

static unsigned size_of(const struct hal_surface *surface, unsigned axis)
{
    return axis == 0 ? surface->width : axis == 1 ? surface->height : surface->depth;
}

/* Clips a box and its destination so that both lie inside their surfaces. False: nothing is left. */
static bool clip_copy(const struct hal_surface *destination, int64_t to[3], const struct hal_surface *source,
                      struct box *box)
{
    for (unsigned axis = 0; axis < 3; axis++) {
        int64_t cut = BASE_MAX(-box->from[axis], -to[axis]);
        int64_t room;
        if (cut > 0) {
            box->from[axis] += cut;
            to[axis] += cut;
        }
        box->to[axis] = BASE_MIN(box->to[axis], (int64_t)size_of(source, axis));
        room = (int64_t)size_of(destination, axis) - to[axis];
        box->to[axis] = BASE_MIN(box->to[axis], box->from[axis] + room);
        if (box->to[axis] <= box->from[axis])
            return false;
    }
    return true;
}

static bool covers_all(const struct hal_surface *destination, const int64_t to[3], const struct box *box)
{
    for (unsigned axis = 0; axis < 3; axis++)
        if (to[axis] != 0 || box->to[axis] - box->from[axis] != (int64_t)size_of(destination, axis))
            return false;
    return true;
}

/* Copies pixels with a pending clear by a fill; the clear stays pending. Both boxes are inside; formats are equal. */
static bool copy_clear(struct hal_surface *destination, const int64_t to[3], struct hal_surface *source,
                       const struct box *box)
{
    const struct raster_format_info *info = blt_format_info(source);
    const RECT rect = {(LONG)to[0], (LONG)to[1], (LONG)(to[0] + box->to[0] - box->from[0]),
                       (LONG)(to[1] + box->to[1] - box->from[1])};
    uint8_t texel[RASTER_TEXEL_BYTES];

    if (!source->pending || destination == source || source->depth > 1 || destination->depth > 1 ||
        destination->samples || info->block_width != 1 || info->block_height != 1)
        return false;
    hal_surface_acquire(destination, true, HAL_FLUSH_BLIT); /* which may draw the clear */
    return hal_surface_copy_clear(source, texel) && SUCCEEDED(hal_surface_fill_texel(destination, &rect, texel));
}

/* One slice, whose rectangle grows to whole samples of chroma. `columns` and `rows`: of the box, in texels. */
static void copy_planes(struct hal_surface *destination, const int64_t to[3], const struct hal_surface *source,
                        const int64_t from[3], unsigned columns, unsigned rows, struct raster *raster)
{
    struct d3d_plane in[D3D_MOST_PLANES], out[D3D_MOST_PLANES];
    const unsigned count = raster_planes(source->format, source->pitch, source->height, in);

    raster_planes(destination->format, destination->pitch, destination->height, out);
    for (unsigned i = 0; i < count; i++) {
        const unsigned side = in[i].side;
        const size_t x = (size_t)from[0] / side, y = (size_t)from[1] / side;
        const size_t to_x = (size_t)to[0] / side, to_y = (size_t)to[1] / side;
        const size_t right = d3d_plane_samples(&in[i], (unsigned)from[0] + columns);
        const size_t bottom = d3d_plane_samples(&in[i], (unsigned)from[1] + rows);
        const struct hal_rows copied = {
            .to = destination->base.memory + (size_t)to[2] * destination->slice_pitch + out[i].offset +
                  to_y * out[i].pitch + to_x * out[i].bytes,
            .from = source->base.memory + (size_t)from[2] * source->slice_pitch + in[i].offset + y * in[i].pitch +
                    x * in[i].bytes,
            .to_pitch = out[i].pitch,
            .from_pitch = in[i].pitch,
            .bytes = BASE_MIN(right - x, d3d_plane_samples(&out[i], destination->width) - to_x) * in[i].bytes,
            .count = BASE_MIN(bottom - y, d3d_plane_samples(&out[i], destination->height) - to_y),
        };
        hal_copy_rows(&copied, raster);
    }
}

/* Both boxes are inside; formats are equal. Block formats: the box grows to whole blocks. */
static HRESULT copy_box(struct hal_surface *destination, const int64_t to[3], struct hal_surface *source,
                        const struct box *box)
{
    const struct raster_format_info *info = blt_format_info(source);
    size_t bw = info->block_width, bh = info->block_height;
    size_t left = (size_t)box->from[0] / bw, right = ((size_t)box->to[0] + bw - 1) / bw;
    size_t top = (size_t)box->from[1] / bh, bottom = ((size_t)box->to[1] + bh - 1) / bh;
    size_t x = (size_t)to[0] / bw, y = (size_t)to[1] / bh;
    size_t columns = BASE_MIN(right - left, (destination->width + bw - 1) / bw - x);
    size_t rows = BASE_MIN(bottom - top, (destination->height + bh - 1) / bh - y);
    size_t slices = (size_t)(box->to[2] - box->from[2]);
    bool backward = destination == source && to[2] > box->from[2];

    if (source->samples && source->samples == destination->samples) {
        const RECT rect = {(LONG)box->from[0], (LONG)box->from[1], (LONG)box->to[0], (LONG)box->to[1]};

        return hal_samples_copy(destination, (unsigned)to[0], (unsigned)to[1], source, &rect) ? DD_OK
                                                                                              : DDERR_OUTOFMEMORY;
    }
    if (copy_clear(destination, to, source, box))
        return DD_OK;
    if (covers_all(destination, to, box))
        hal_texture_rename(destination);
    /* The threads that drew the source help to copy it. */
    struct raster *raster = source->pending ? source->pending->raster : NULL;
    hal_surface_acquire(source, false, hal_flush_of_blit(destination));
    hal_surface_acquire(destination, true, HAL_FLUSH_BLIT);
    for (size_t i = 0; i < slices; i++) {
        size_t z = backward ? slices - 1 - i : i;
        if (info->kind == RASTER_KIND_PLANAR) {
            copy_planes(destination, (int64_t[3]){to[0], to[1], to[2] + (int64_t)z}, source,
                        (int64_t[3]){box->from[0], box->from[1], box->from[2] + (int64_t)z},
                        (unsigned)(box->to[0] - box->from[0]), (unsigned)(box->to[1] - box->from[1]), raster);
            continue;
        }
        const struct hal_rows copied = {
            .to = destination->base.memory + ((size_t)to[2] + z) * destination->slice_pitch + y * destination->pitch +
                  x * info->block_bytes,
            .from = source->base.memory + ((size_t)box->from[2] + z) * source->slice_pitch + top * source->pitch +
                    left * info->block_bytes,
            .to_pitch = destination->pitch,
            .from_pitch = source->pitch,
            .bytes = columns * info->block_bytes,
            .count = rows,
        };
        hal_copy_rows(&copied, raster);
    }
    hal_surface_touch(destination);
    return DD_OK;
}

static HRESULT copy_clipped(struct hal_surface *destination, int64_t x, int64_t y, int64_t z,
                            struct hal_surface *source, struct box box)
{
    int64_t to[3] = {x, y, z};
    if (is_picture(destination) && is_picture(source) && clip_copy(destination, to, source, &box))
        return copy_box(destination, to, source, &box);
    return DD_OK;
}

/* --- rectangles ------------------------------------------------------------------------------ */

static bool rect_is_inside(const RECT *rect, const struct hal_surface *surface)
{
    return rect->left >= 0 && rect->top >= 0 && rect->left <= rect->right && rect->top <= rect->bottom &&
           (uint32_t)rect->right <= surface->width && (uint32_t)rect->bottom <= surface->height;
}

static RECT rect_or_all(const RECT *rect, const struct hal_surface *surface)
{
    if (rect)
        return *rect;
    return (RECT){0, 0, (LONG)surface->width, (LONG)surface->height};
}

/* --- stretching and conversion
 * -------------------------------------------------------------------- */

/* The destination as the scaler needs it. */
static struct hal_scale scale_to(const struct hal_surface *destination, const RECT *to, const RECT *from, bool linear)
{
    return (struct hal_scale){
        .source_width = (uint32_t)(from->right - from->left),
        .source_height = (uint32_t)(from->bottom - from->top),
        .to = *to,
        .linear = linear,
        .memory = destination->base.memory,
        .pitch = destination->pitch,
        .format = destination->format,
    };
}

static struct raster_planar planar_of(const struct hal_surface *surface)
{
    return (struct raster_planar){surface->format, surface->base.memory, surface->pitch, surface->height};
}

/* Texels from the left and top edge of the block. */
static void decode_blocks(const struct hal_surface *source, unsigned left, unsigned top, uint32_t *texels,
                          unsigned width, unsigned height)
{
    const struct raster_format_info *info = blt_format_info(source);
    const struct raster_planar planar = planar_of(source);

    if (info->kind == RASTER_KIND_PLANAR)
        raster_decode_planar(&planar, left, top, texels, (size_t)width * 4, width, height);
    else
        raster_decode(source->format,
                      source->base.memory + (size_t)(top / info->block_height) * source->pitch +
                          (size_t)(left / info->block_width) * info->block_bytes,
                      source->pitch, texels, (size_t)width * 4, width, height, NULL);
}

/* The source rectangle converted to words from any format. NULL: out of memory. */
static uint32_t *decode_rect(struct hal_surface *source, const RECT *rect)
{
    const struct raster_format_info *info = blt_format_info(source);
    unsigned left = (unsigned)rect->left / info->block_width * info->block_width;
    unsigned top = (unsigned)rect->top / info->block_height * info->block_height;
    unsigned width = (unsigned)rect->right - left, height = (unsigned)rect->bottom - top;
    size_t skip_x = (unsigned)rect->left - left, skip_y = (unsigned)rect->top - top;
    uint32_t *texels = mem_calloc((size_t)width * height, sizeof(*texels));
    if (!texels)
        return NULL;
    decode_blocks(source, left, top, texels, width, height);
    if (skip_x || skip_y) {
        size_t used = width - skip_x;
        for (size_t y = skip_y; y < height; y++)
            memmove(texels + (y - skip_y) * used, texels + y * width + skip_x, used * 4);
    }
    return texels;
}

HRESULT hal_scaled_blt_finish(struct hal_scaled_blt *blt)
{
    struct hal_scale scale = blt->scale;
    HRESULT hr;

    scale.source = (const uint8_t *)blt->texels;
    scale.source_pitch = (size_t)scale.source_width * 4;
    scale.source_format = RASTER_FORMAT_A8R8G8B8;
    hr = hal_scale_colors(&scale);
    free(blt->texels);
    blt->texels = NULL;
    return hr;
}

/* Everything but the destination's pixels. Both surfaces have been acquired or their state is
 * known. */
static bool take_texels(struct hal_scaled_blt *blt, struct hal_surface *destination, const RECT *to,
                        struct hal_surface *source, const RECT *from, bool linear)
{
    *blt =
        (struct hal_scaled_blt){.texels = decode_rect(source, from), .scale = scale_to(destination, to, from, linear)};
    return blt->texels != NULL;
}

/* Rows are read in place, unless the destination is written there or a texel is not a whole number of bytes. */
static HRESULT convert(struct hal_surface *destination, const RECT *to, struct hal_surface *source, const RECT *from,
                       bool linear)
{
    const struct raster_format_info *info = blt_format_info(source);
    struct hal_scale scale = scale_to(destination, to, from, linear);
    struct hal_scaled_blt blt;

    if (destination != source && info->kind == RASTER_KIND_PACKED) {
        scale.source = source->base.memory + (size_t)from->top * source->pitch + (size_t)from->left * info->block_bytes;
        scale.source_pitch = source->pitch;
        scale.source_format = source->format;
        return hal_scale_colors(&scale);
    }
    if (!take_texels(&blt, destination, to, source, from, linear))
        return DDERR_OUTOFMEMORY;
    return hal_scaled_blt_finish(&blt);
}

/* The bytes of a rectangle, row after row, for a destination that lies on its source. NULL: out of memory. */
static uint8_t *copy_raw(const struct hal_surface *source, const RECT *from)
{
    const size_t bytes = blt_format_info(source)->block_bytes, row = (size_t)(from->right - from->left) * bytes;
    uint8_t *copy = mem_alloc((size_t)(from->bottom - from->top), row, 0);

    for (LONG y = from->top; copy && y < from->bottom; y++)
        memcpy(copy + (size_t)(y - from->top) * row,
               source->base.memory + (size_t)y * source->pitch + (size_t)from->left * bytes, row);
    return copy;
}

/* Depth and other formats without colours: nearest texels, not converted. NULL has no texels. */
static HRESULT stretch_raw(struct hal_surface *destination, const RECT *to, struct hal_surface *source,
                           const RECT *from)
{
    uint32_t width = (uint32_t)(to->right - to->left), height = (uint32_t)(to->bottom - to->top);
    uint32_t source_width = (uint32_t)(from->right - from->left);
    uint32_t source_height = (uint32_t)(from->bottom - from->top);
    size_t bytes = blt_format_info(source)->block_bytes, pitch = source->pitch;
    const uint8_t *texels;
    uint8_t *copy = NULL;

    if (blt_format_info(source)->block_width != 1 || blt_format_info(source)->block_height != 1)
        return DDERR_NOSTRETCHHW;
    texels = source->base.memory + (size_t)from->top * pitch + (size_t)from->left * bytes;
    if (destination == source && bytes) {
        texels = copy = copy_raw(source, from);
        pitch = source_width * bytes;
        if (!copy)
            return DDERR_OUTOFMEMORY;
    }
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *in = texels + hal_make_tap(y, height, source_height, false).first * pitch;
        uint8_t *out = destination->base.memory + ((size_t)to->top + y) * destination->pitch + (size_t)to->left * bytes;

        for (uint32_t x = 0; x < width; x++)
            memcpy(out + x * bytes, in + hal_make_tap(x, width, source_width, false).first * bytes, bytes);
    }
    free(copy);
    return DD_OK;
}

/* --- the same in floats, when one side has channels of more than 8 bits
 * ---------------------------- */

/* Row y of the source as floats; `texels` has room for the rows of a block. Returns where it
 * begins. */
static const float *decode_row_wide(const struct hal_surface *source, const RECT *rect, uint32_t y, float *texels)
{
    const struct raster_format_info *info = blt_format_info(source);
    unsigned left = (unsigned)rect->left / info->block_width * info->block_width;
    unsigned row = (unsigned)rect->top + y, top = row / info->block_height * info->block_height;
    unsigned width = (unsigned)rect->right - left;
    size_t pitch = (size_t)width * 4;
    if (info->kind == RASTER_KIND_PLANAR) {
        const struct raster_planar planar = planar_of(source);

        raster_decode_planar_wide(&planar, left, row, texels, pitch * sizeof(*texels), width, 1);
        return texels + ((size_t)rect->left - left) * 4;
    }
    raster_decode_wide(source->format,
                       source->base.memory + (size_t)(top / info->block_height) * source->pitch +
                           (size_t)(left / info->block_width) * info->block_bytes,
                       source->pitch, texels, pitch * sizeof(*texels), width, row - top + 1, NULL);
    return texels + (row - top) * pitch + ((size_t)rect->left - left) * 4;
}

static inline float blt_between(float a, float b, uint32_t weight)
{
    return weight ? a + (b - a) * ((float)weight / 256.0f) : a;
}

static void sample_row_wide(float *row, const float *upper, const float *lower, const struct hal_tap *columns,
                            uint32_t width, uint32_t weight)
{
    for (uint32_t x = 0; x < width; x++) {
        struct hal_tap c = columns[x];
        for (unsigned i = 0; i < 4; i++) {
            size_t first = (size_t)c.first * 4 + i, second = (size_t)c.second * 4 + i;
            float a = blt_between(upper[first], upper[second], c.weight);
            row[4 * x + i] = blt_between(a, weight ? blt_between(lower[first], lower[second], c.weight) : a, weight);
        }
    }
}

/* A blit within one surface: all source rows are read before the first is written. */
static HRESULT convert_wide(struct hal_surface *destination, const RECT *to, struct hal_surface *source,
                            const RECT *from, bool linear)
{
    uint32_t width = (uint32_t)(to->right - to->left), height = (uint32_t)(to->bottom - to->top);
    uint32_t source_width = (uint32_t)(from->right - from->left);
    uint32_t source_height = (uint32_t)(from->bottom - from->top);
    size_t decoded = ((size_t)source_width + 3) * 4 * 4; /* four rows, left edge on a block */
    size_t rows = destination == source ? height : 1;
    float *texels[2] = {mem_calloc(decoded, sizeof(float)), mem_calloc(decoded, sizeof(float))};
    struct hal_tap *columns = mem_calloc(width, sizeof(*columns));
    float *out = mem_calloc(rows * width, 4 * sizeof(*out));
    uint8_t *first = destination->base.memory + (size_t)to->top * destination->pitch +
                     (size_t)to->left * blt_format_info(destination)->block_bytes;
    HRESULT hr = DDERR_OUTOFMEMORY;

    if (!texels[0] || !texels[1] || !columns || !out)
        goto done;
    for (uint32_t x = 0; x < width; x++)
        columns[x] = hal_make_tap(x, width, source_width, linear);
    for (uint32_t y = 0; y < height; y++) {
        struct hal_tap line = hal_make_tap(y, height, source_height, linear);
        const float *upper = decode_row_wide(source, from, line.first, texels[0]);
        const float *lower = line.weight ? decode_row_wide(source, from, line.second, texels[1]) : upper;
        float *row = out + (rows > 1 ? (size_t)y * width * 4 : 0);
        sample_row_wide(row, upper, lower, columns, width, line.weight);
        if (rows == 1)
            raster_encode_wide(destination->format, row, 0, first + y * destination->pitch, 0, width, 1);
    }
    if (rows > 1)
        raster_encode_wide(destination->format, out, (size_t)width * 4 * sizeof(*out), first, destination->pitch, width,
                           height);
    hr = DD_OK;
done:
    free(out);
    free(columns);
    free(texels[1]);
    free(texels[0]);
    return hr;
}

/* Unsigned colours of any layout, into formats that are neither compressed nor paired. */
static bool is_convertible(const struct hal_surface *destination, const struct hal_surface *source)
{
    const struct raster_format_info *to = blt_format_info(destination), *from = blt_format_info(source);
    bool readable =
        from->kind == RASTER_KIND_PACKED || from->kind == RASTER_KIND_BLOCK || from->kind == RASTER_KIND_PAIR ||
        from->kind == RASTER_KIND_PLANAR ||
        (from->kind == RASTER_KIND_WIDE && from->type != RASTER_SNORM && from->type != RASTER_SNORM_UNORM_ALPHA);
    return readable && (to->kind == RASTER_KIND_PACKED ||
                        (to->kind == RASTER_KIND_WIDE && (to->type == RASTER_UNORM || to->type == RASTER_FLOAT)));
}

static HRESULT blt_check(const struct hal_surface *destination, const RECT *to, const struct hal_surface *source,
                         const RECT *from)
{
    if (!is_picture(destination) || !is_picture(source))
        return DDERR_INVALIDPIXELFORMAT;
    if (!rect_is_inside(to, destination) || !rect_is_inside(from, source))
        return DDERR_INVALIDRECT;
    return DD_OK;
}

bool hal_scaled_blt_take(struct hal_scaled_blt *blt, struct hal_surface *destination, const RECT *to,
                         struct hal_surface *source, const RECT *from)
{
    bool same_size;
    if (FAILED(blt_check(destination, to, source, from)) || to->left == to->right || to->top == to->bottom ||
        from->left == from->right || from->top == from->bottom)
        return false;
    same_size = to->right - to->left == from->right - from->left && to->bottom - to->top == from->bottom - from->top;
    if ((same_size && destination->format == source->format) || !is_convertible(destination, source) ||
        raster_format_is_wide(destination->format) || raster_format_is_wide(source->format))
        return false;
    hal_surface_acquire(source, false, hal_flush_of_blit(destination));
    return take_texels(blt, destination, to, source, from, false);
}

/* Indices among colours are levels of grey: no driver applies a palette in a blit (Wine's test_p8_blit on Windows). */
static HRESULT convert_indices(struct hal_surface *destination, const RECT *to, const struct hal_surface *source,
                               const RECT *from, bool linear)
{
    struct hal_surface grey = *source;

    grey.format = RASTER_FORMAT_L8;
    if (!is_convertible(destination, &grey))
        return DDERR_INVALIDPIXELFORMAT;
    if (raster_format_is_wide(destination->format))
        return convert_wide(destination, to, &grey, from, linear);
    return convert(destination, to, &grey, from, linear);
}

HRESULT hal_surface_blt(struct hal_surface *destination, const RECT *destination_rect, struct hal_surface *source,
                        const RECT *source_rect, bool linear)
{
    RECT to = rect_or_all(destination_rect, destination);
    RECT from = rect_or_all(source_rect, source);
    bool same_size;
    HRESULT hr = blt_check(destination, &to, source, &from);
    if (FAILED(hr))
        return hr;
    if (to.left == to.right || to.top == to.bottom || from.left == from.right || from.top == from.bottom)
        return DD_OK;
    if (hal_is_feedback(destination) || hal_is_feedback(source))
        return hal_feedback_blt(destination, &to, source, &from);
    if (destination->format == RASTER_FORMAT_NULL || source->format == RASTER_FORMAT_NULL)
        return DD_OK; /* no pixels come or go */
    same_size = to.right - to.left == from.right - from.left && to.bottom - to.top == from.bottom - from.top;
    if (same_size && destination->format == source->format) {
        struct box box = {{from.left, from.top, 0}, {from.right, from.bottom, 1}};
        return copy_clipped(destination, to.left, to.top, 0, source, box);
    }
    hal_surface_acquire(source, false, hal_flush_of_blit(destination));
    hal_surface_acquire(destination, true, HAL_FLUSH_BLIT);
    if (is_convertible(destination, source) &&
        (raster_format_is_wide(destination->format) || raster_format_is_wide(source->format)))
        hr = convert_wide(destination, &to, source, &from, linear);
    else if (is_convertible(destination, source))
        hr = convert(destination, &to, source, &from, linear);
    else if (destination->format == source->format)
        hr = stretch_raw(destination, &to, source, &from);
    else if (source->format == RASTER_FORMAT_P8)
        hr = convert_indices(destination, &to, source, &from, linear);
    else
        hr = DDERR_INVALIDPIXELFORMAT;
    hal_surface_touch(destination);
    return hr;
}

/* --- whole textures
 * ----------------------------------------------------------------------------------- */

static bool same_shape(const struct hal_surface *a, const struct hal_surface *b)
{
    return a->width == b->width && a->height == b->height && a->depth == b->depth;
}

/* The chain that a handle names: from this part on, in its face; the first surface of a cube names all faces.
 */
struct chain {
    struct hal_surface *surface;       /* where it begins */
    const struct hal_texture *texture; /* that this is a part of; NULL: it is alone */
    unsigned face, level, levels, faces;
};

static struct chain chain_of(struct hal_surface *surface)
{
    const struct hal_texture *texture = surface->texture;
    struct chain chain = {surface, texture, 0, surface->level, texture ? texture->level_count : 1, 1};
    if (hal_surface_is_top(surface))
        chain.faces = hal_surface_faces(surface);
    else
        chain.face = surface->face < texture->face_count ? surface->face : 0;
    return chain;
}

static struct hal_surface *blt_part(const struct chain *chain, unsigned face, unsigned level)
{
    if (level >= chain->levels)
        return NULL;
    return chain->texture ? chain->texture->parts[chain->face + face][level] : chain->surface;
}

static int64_t shift_up(int64_t v, unsigned levels)
{
    return (v + ((int64_t)1 << levels) - 1) >> levels;
}

/* The box of the top level on a level below; never empty. */
static struct box box_at(const struct box *box, unsigned levels)
{
    struct box result;
    for (unsigned axis = 0; axis < 3; axis++) {
        result.from[axis] = box->from[axis] >> levels;
        result.to[axis] = shift_up(box->to[axis], levels);
        if (result.to[axis] <= result.from[axis])
            result.to[axis] = result.from[axis] + 1;
    }
    return result;
}

/* Copies one face, beginning with the first level of the source that has the size of a level of the destination. */
static void copy_face(const struct chain *destination, const struct chain *source, unsigned face, const int64_t to[3],
                      const struct box *box)
{
    unsigned s = source->level, d = destination->level;
    struct hal_surface *out = blt_part(destination, face, d), *in = blt_part(source, face, s);
    while (in && out && !same_shape(in, out))
        if (in->width > out->width || in->height > out->height || in->depth > out->depth)
            in = blt_part(source, face, ++s);
        else
            out = blt_part(destination, face, ++d);
    while (in && out && same_shape(in, out)) {
        unsigned below = s - source->level;
        copy_clipped(out, to[0] >> below, to[1] >> below, to[2] >> below, in, box_at(box, below));
        if (hal_surface_top(out)->makes_levels) /* the driver generates the other levels from the first */
            break;
        in = blt_part(source, face, ++s);
        out = blt_part(destination, face, ++d);
    }
}

static HRESULT copy_chain(struct hal_surface *destination, struct hal_surface *source, const int64_t to[3],
                          const struct box *box)
{
    struct chain out = chain_of(destination), in = chain_of(source);
    if (destination->format != source->format || !is_picture(destination) || !is_picture(source)) {
        log_warn("texture copy %u -> %u: formats %u and %u differ or are unusable", (unsigned)source->base.handle,
                 (unsigned)destination->base.handle, (unsigned)source->d3d_format, (unsigned)destination->d3d_format);
        return DDERR_INVALIDPIXELFORMAT;
    }
    if (hal_is_feedback(source))
        return hal_feedback_blt(destination, NULL, source, NULL);
    for (unsigned face = 0; face < BASE_MIN(out.faces, in.faces); face++)
        copy_face(&out, &in, face, to, box);
    return DD_OK;
}

HRESULT hal_texture_blt(struct hal_surface *destination, struct hal_surface *source, int x, int y,
                        const RECT *source_rect)
{
    RECT rect = rect_or_all(source_rect, source);
    struct box box = {{rect.left, rect.top, 0}, {rect.right, rect.bottom, source->depth}};
    int64_t to[3] = {x, y, 0};
    if (rect.right <= rect.left || rect.bottom <= rect.top)
        return DD_OK;
    return copy_chain(destination, source, to, &box);
}

HRESULT hal_volume_blt(struct hal_surface *destination, struct hal_surface *source, unsigned x, unsigned y, unsigned z,
                       const D3DBOX *source_box)
{
    struct box box = {{0, 0, 0}, {source->width, source->height, source->depth}};
    int64_t to[3] = {x, y, z};
    if (source_box)
        box = (struct box){{source_box->Left, source_box->Top, source_box->Front},
                           {source_box->Right, source_box->Bottom, source_box->Back}};
    for (unsigned axis = 0; axis < 3; axis++)
        if (box.to[axis] <= box.from[axis])
            return DD_OK;
    return copy_chain(destination, source, to, &box);
}
