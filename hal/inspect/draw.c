/* SPDX-License-Identifier: MIT */
/* The vertex side of a draw: what it reads, its vertices as fetched, and its primitives before clipping. */
#include "base/assert.h"
#include "base/base.h"
#include "hal/context.h"
#include "hal/handles.h"
#include "hal/inspect.h"
#include "hal/inspect/internal.h"
#include "hal/resource/surface.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/index.h"
#include "hal/vertex/stream.h"
#include "raster/raster.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(HAL_INSPECT_COMPONENTS == HAL_COMPONENT_COUNT, "components of the fixed function");
_Static_assert(HAL_INSPECT_POSITION == HAL_POSITION, "of them positions");
_Static_assert(HAL_INSPECT_ELEMENTS == HAL_COMPONENT_COUNT + HAL_MAX_NAMED, "room for all elements");
_Static_assert(HAL_INSPECT_STREAMS == HAL_MAX_STREAMS, "all streams");
_Static_assert(HAL_INSPECT_PLANES == HAL_MAX_CLIP_PLANES, "all planes of the user");

/* --- elements ------------------------------------------------------------------------------------ */

const char *hal_inspect_component_name(unsigned component)
{
    static const char *const names[HAL_COMPONENT_COUNT] = {
        "position",   "blend weight", "blend index", "normal",     "point size", "diffuse",
        "specular",   "texcoord 0",   "texcoord 1",  "texcoord 2", "texcoord 3", "texcoord 4",
        "texcoord 5", "texcoord 6",   "texcoord 7",  "position 2", "normal 2",
    };

    return component < HAL_COMPONENT_COUNT ? names[component] : NULL;
}

static struct hal_inspect_element element_of(unsigned component, unsigned type, unsigned stream, unsigned offset)
{
    static const char *const types[HAL_ELEMENT_COUNT] = {
        "-",       "FLOAT1",  "FLOAT2",  "FLOAT3",   "FLOAT4",   "D3DCOLOR", "UBYTE4", "SHORT2",    "SHORT4",
        "UBYTE4N", "SHORT2N", "SHORT4N", "USHORT2N", "USHORT4N", "UDEC3",    "DEC3N",  "FLOAT16_2", "FLOAT16_4",
    };

    BASE_ASSERT(type < HAL_ELEMENT_COUNT);
    return (struct hal_inspect_element){
        .type = types[type],
        .component = (uint8_t)component,
        .count = (uint8_t)hal_element_components(type),
        .stream = (uint8_t)stream,
        .offset = (uint16_t)offset,
    };
}

unsigned inspect_list_layout(const struct hal_layout *layout, struct hal_inspect_element list[HAL_INSPECT_ELEMENTS])
{
    unsigned count = 0;

    for (unsigned c = 0; c < HAL_COMPONENT_COUNT; c++)
        if (layout->components >> c & 1)
            list[count++] =
                element_of(c, layout->component[c].type, layout->component[c].stream, layout->component[c].offset);
    for (unsigned i = 0; i < layout->named_count; i++) {
        const struct hal_named_element *e = &layout->named[i];

        list[count] = element_of(HAL_FIRST_NAMED + i, e->type, e->stream, e->offset);
        list[count].usage = e->usage;
        list[count++].usage_index = e->index;
    }
    return count;
}

/* --- draws --------------------------------------------------------------------------------------- */

/* The resource of a handle, if its memory is `data` (NULL: any memory); NULL: none. */
static struct hal_resource *resource_with(const struct hal_context *context, uint32_t handle, const uint8_t *data)
{
    struct hal_resource *resource = hal_resource_of(&context->resources, handle);

    return resource && (!data || resource->memory == data) ? resource : NULL;
}

static void describe_streams(const struct hal_context *context, const struct hal_draw *draw,
                             struct hal_inspect_draw *out)
{
    for (uint32_t left = draw->layout->streams; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const struct hal_stream_memory *buffer = &draw->buffers[i];

        out->stream[i] = (struct hal_inspect_stream){
            .is_read = true,
            .is_bound = buffer->data != NULL,
            .bytes = buffer->bytes,
            .offset = buffer->offset,
            .stride = buffer->stride,
            .divider = buffer->divider,
            .period = buffer->period,
            .vertex_bytes = draw->layout->stream_bytes[i],
            .stated_stride = context->state.stream[i].stride,
            .surface = resource_with(context, context->state.stream[i].handle, buffer->data),
            .memory = buffer->data,
        };
    }
}

static void describe_indices(const struct hal_context *context, const struct hal_draw *draw,
                             struct hal_inspect_draw *out)
{
    struct hal_resource *buffer = resource_with(context, context->state.index_handle, NULL);
    const bool is_bound =
        buffer && buffer->memory && draw->indices == buffer->memory + BASE_MIN(draw->index_offset, buffer->bytes);

    out->indexed = draw->indices != NULL;
    out->index_stride = draw->index_stride;
    out->index_step = draw->index_step;
    out->index_bytes = draw->index_bytes;
    out->index_begin = is_bound ? draw->index_offset : 0;
    out->index_surface = is_bound ? buffer : NULL;
    out->index_surface_bytes = is_bound ? buffer->bytes : draw->index_bytes;
}

void hal_inspect_draw(const struct hal_context *context, const struct hal_draw *draw, struct hal_inspect_draw *out)
{
    const struct hal_layout *layout = draw->layout;

    *out = (struct hal_inspect_draw){
        .draw = draw,
        .type = draw->type,
        .primitives = draw->primitives,
        .most = HAL_MAX_PRIMITIVES,
        .base = draw->base,
        .transformed = layout->transformed,
        .tessellated = draw->tessellated,
        .position_stream = layout->component[HAL_POSITION].type ? layout->component[HAL_POSITION].stream : -1,
        .pixel_shader = context->state.pixel_shader,
    };
    if (draw->program)
        out->vertex_shader =
            context->state.is_declaration ? context->state.vertex_function : context->state.vertex_shader;
    describe_streams(context, draw, out);
    describe_indices(context, draw, out);
    out->element_count = inspect_list_layout(layout, out->element);
}

uint32_t hal_inspect_index(const struct hal_draw *draw, uint64_t n)
{
    return hal_draw_index(draw, n);
}

/* --- vertices as fetched ------------------------------------------------------------------------- */

struct hal_inspect_source {
    struct hal_source source;
};

struct hal_inspect_source *hal_inspect_source_create(void)
{
    return mem_calloc(1, sizeof(struct hal_inspect_source));
}

void hal_inspect_source_destroy(struct hal_inspect_source *source)
{
    free(source);
}

void hal_inspect_source_bind(struct hal_inspect_source *source, const struct hal_draw *draw)
{
    hal_source_bind(&source->source, draw->layout, draw->buffers);
}

void hal_inspect_fetch(const struct hal_inspect_source *source, int64_t vertex, unsigned component, float value[4])
{
    const uint32_t number = hal_source_number(&source->source, vertex);
    struct hal_span span = {.count = 1, .padded = 4, .number = {number, number, number, number}};
    hal_lanes lanes[4];

    hal_span_check(&span, &source->source);
    hal_fetch(&source->source, component, &span, lanes);
    for (unsigned c = 0; c < 4; c++)
        value[c] = lanes[c][0];
}

/* --- primitives ---------------------------------------------------------------------------------- */

static void describe_corner(const struct hal_context *context, const struct hal_vertex *vertex,
                            const struct raster_vertex *position, struct hal_inspect_corner *out)
{
    *out = (struct hal_inspect_corner){
        .has_window = !(vertex->outcode & (HAL_OUT_W | HAL_OUT_BAD)),
        .outcode = vertex->outcode,
        .point_size = vertex->point_size,
        .slot = (uint32_t)(vertex - context->renderer.front->vertices),
        .input = (const float(*)[4])position->input,
    };
    memcpy(out->clip, vertex->position, sizeof(out->clip));
    memcpy(out->plane, vertex->plane, sizeof(out->plane));
    if (out->has_window)
        memcpy(out->window, (const float[4]){position->x, position->y, position->z, position->rhw},
               sizeof(out->window));
}

static bool is_culled(const struct raster *raster, const struct hal_observed_primitive *primitive, uint8_t cull)
{
    const struct raster_vertex *const *p = primitive->position;

    return cull != RASTER_CULL_NONE &&
           (raster_front_facing(raster, p[0], p[1], p[2]) ? RASTER_CULL_FRONT : RASTER_CULL_BACK) & cull;
}

void hal_inspect_primitive(const struct hal_observed_primitive *primitive, struct hal_inspect_primitive *out)
{
    const struct hal_context *context = primitive->context;
    const struct hal_projection *projection = &context->renderer.front->projection;

    *out = (struct hal_inspect_primitive){
        .number = primitive->number,
        .corners = primitive->corners,
        .all = UINT32_MAX,
        .reject = primitive->reject,
        .has_area = true,
        .view = {projection->half_width, projection->half_height, projection->x, projection->y, projection->transformed,
                 projection->near_open, projection->far_open, projection->user_planes},
    };
    for (unsigned c = 0; c < primitive->corners; c++) {
        describe_corner(context, primitive->vertex[c], primitive->position[c], &out->corner[c]);
        out->any |= out->corner[c].outcode;
        out->all &= out->corner[c].outcode;
    }
    if (out->corners == 3 && !(out->any & (HAL_OUT_CLIP | HAL_OUT_BAD))) {
        out->has_area = raster_has_area(context->scene.raster, primitive->position[0], primitive->position[1],
                                        primitive->position[2]);
        out->is_culled =
            is_culled(context->scene.raster, primitive, inspect_raster_state(context)->rasterizer.cull_mode);
    }
}
