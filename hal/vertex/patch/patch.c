/* SPDX-License-Identifier: MIT */
/*
 * DRAWRECTPATCH and DRAWTRIPATCH, and the table of patches under the application's handles
 * (docs/reference/device-state.md, section 5). The table keeps control points, so that streams may change after a patch
 * was defined; triangles are generated for each draw, because segment counts may differ. One table serves both kinds: a
 * handle used with the other token is deleted first.
 */
#include "hal/vertex/patch/patch.h"

#include "base/assert.h"
#include "base/base.h"
#include "d3d/ddi.h"
#include "d3d/dp2_tokens.h"
#include "dp2/dp2.h"
#include "hal/context.h"
#include "hal/dp2_fields.h"
#include "base/map.h"
#include "hal/driver.h"
#include "hal/observer.h"
#include "hal/renderer.h"
#include "hal/resources.h"
#include "hal/scene.h"
#include "hal/state/dirty.h"
#include "hal/state/state.h"
#include "hal/state/values.h"
#include "hal/tokens.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/front_end.h"
#include "hal/vertex/prim.h"
#include "hal/vertex/skip.h"
#include "hal/vertex/stream.h"
#include "hal/work.h"
#include "shader/shader.h"

#include <stdlib.h>
#include <string.h>

struct patch_entry {
    struct patch_entry *newer, *older;
    uint32_t handle;
    size_t bytes; /* of the entry, with its share of a table that is a quarter full at least */
    /* Only patch_net_bytes of it are allocated, followed by its points. */
    struct patch_net net;
};

/* --- kept patches ------------------------------------------------------------------- */

struct hal_patches *hal_patches_get(struct hal_resources *resources)
{
    if (!resources->patches) {
        struct hal_patches *patches = mem_calloc(1, sizeof(*patches));

        if (!patches)
            return NULL;
        base_map_init(&patches->map, UINT32_MAX);
        resources->patches = patches;
    }
    return resources->patches;
}

void hal_patches_destroy(struct hal_patches *patches)
{
    if (!patches)
        return;
    base_map_clear(&patches->map);
    patch_mesh_free(&patches->mesh);
    free(patches->vertices.memory);
    free(patches->points.memory);
    free(patches->weights.memory);
    free(patches->indices.memory);
    free(patches);
}

static void unlink_entry(struct hal_patches *patches, struct patch_entry *entry)
{
    *(entry->newer ? &entry->newer->older : &patches->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &patches->oldest) = entry->newer;
}

static void link_newest(struct hal_patches *patches, struct patch_entry *entry)
{
    entry->newer = NULL;
    entry->older = patches->newest;
    *(patches->newest ? &patches->newest->newer : &patches->oldest) = entry;
    patches->newest = entry;
}

void hal_patch_delete(struct hal_patches *patches, uint32_t handle)
{
    struct patch_entry *entry = patches ? base_map_take(&patches->map, handle) : NULL;

    if (entry) {
        unlink_entry(patches, entry);
        patches->bytes -= entry->bytes;
        free(entry);
    }
}

/* Makes an entry for the net, with room for this many words, which the caller fills in; frees the least recently drawn
 * patches if necessary. NULL: out of memory. */
static struct patch_entry *make_entry(struct hal_patches *patches, uint32_t handle, const struct patch_net *net,
                                      size_t words)
{
    const size_t head = (offsetof(struct patch_entry, net) + patch_net_bytes(net) + 3) & ~(size_t)3;
    const size_t bytes = head + words * sizeof(float);
    const size_t share = bytes + 4 * sizeof(struct base_map_slot);

    while (patches->oldest && share > PATCH_MAX_BYTES - patches->bytes) {
        log_once(LOG_WARN, 0, "patch %#x dropped: there are %zu bytes in patches", (unsigned)patches->oldest->handle,
                 PATCH_MAX_BYTES);
        hal_patch_delete(patches, patches->oldest->handle);
    }
    struct patch_entry *entry =
        share <= PATCH_MAX_BYTES - patches->bytes ? base_map_make(&patches->map, handle, bytes) : NULL;

    if (entry) {
        entry->handle = handle;
        entry->bytes = share;
        memcpy(&entry->net, net, patch_net_bytes(net));
        entry->net.points = (const float *)((const char *)entry + head);
        patches->bytes += share;
        BASE_ASSERT(patches->bytes <= PATCH_MAX_BYTES);
        link_newest(patches, entry);
    }
    return entry;
}

bool patch_reserve(struct patch_memory *m, size_t bytes)
{
    if (m->bytes < bytes) {
        free(m->memory);
        m->memory = malloc(bytes);
        m->bytes = m->memory ? bytes : 0;
    }
    return m->bytes >= bytes;
}

/* --- definitions -------------------------------------------------------------------- */

/* The control points of a description: row r, column c is vertex
 * (first_row + r) * stride + first_column + c. */
struct grid {
    uint64_t first_row, first_column, stride;
};

static bool describe_rectangle(struct patch_net *net, struct grid *grid, const uint8_t *info)
{
    grid->first_column = DP2_FIELD(info, D3DRECTPATCH_INFO, StartVertexOffsetWidth);
    grid->first_row = DP2_FIELD(info, D3DRECTPATCH_INFO, StartVertexOffsetHeight);
    net->width = DP2_FIELD(info, D3DRECTPATCH_INFO, Width);
    net->height = DP2_FIELD(info, D3DRECTPATCH_INFO, Height);
    grid->stride = DP2_FIELD(info, D3DRECTPATCH_INFO, Stride);
    net->basis = DP2_FIELD(info, D3DRECTPATCH_INFO, Basis);
    net->degree = DP2_FIELD(info, D3DRECTPATCH_INFO, Order);
    if (patch_curve_exists(net->basis, net->degree, net->width) &&
        patch_curve_exists(net->basis, net->degree, net->height) && net->width <= PATCH_MAX_SIDE &&
        net->height <= PATCH_MAX_SIDE && (uint64_t)net->width * net->height <= PATCH_MAX_CONTROL_POINTS)
        return true;
    log_once(LOG_WARN, net->basis << 24 ^ net->degree << 16 ^ net->width << 8 ^ net->height,
             "rectangular patch skipped: no such surface: %u x %u control points, basis %u, degree "
             "%u",
             (unsigned)net->width, (unsigned)net->height, (unsigned)net->basis, (unsigned)net->degree);
    return false;
}

static bool describe_triangle(struct patch_net *net, struct grid *grid, const uint8_t *info)
{
    const uint32_t given = DP2_FIELD(info, D3DTRIPATCH_INFO, NumVertices);

    *grid = (struct grid){.first_column = DP2_FIELD(info, D3DTRIPATCH_INFO, StartVertexOffset)};
    net->triangle = true;
    net->basis = DP2_FIELD(info, D3DTRIPATCH_INFO, Basis);
    net->degree = DP2_FIELD(info, D3DTRIPATCH_INFO, Order);
    net->width = (net->degree + 1) * (net->degree + 2) / 2;
    net->height = 1;
    if (net->basis == 0 && (net->degree == 1 || net->degree == 3 || net->degree == 5) && given >= net->width)
        return true;
    log_once(LOG_WARN, net->basis << 24 ^ net->degree << 16 ^ given,
             "triangular patch skipped: no such surface: %u control points, basis %u, degree %u", (unsigned)given,
             (unsigned)net->basis, (unsigned)net->degree);
    return false;
}

/* The vertex that is control point `number`; HAL_MAX_SOURCE_VERTICES: it is in no stream's memory. */
static int64_t control_vertex(const struct patch_net *net, const struct grid *grid, uint32_t number)
{
    /* All operands are below 2^33: the product may need more than 64 bits, hence the first test. */
    const uint64_t row = grid->first_row + number / net->width;
    uint64_t vertex;

    if (row && grid->stride > (uint64_t)INT64_MAX / 2 / row)
        return HAL_MAX_SOURCE_VERTICES;
    vertex = row * grid->stride + grid->first_column + number % net->width;
    return (int64_t)BASE_MIN(vertex, (uint64_t)HAL_MAX_SOURCE_VERTICES);
}

static void patch_net_read_points(const struct patch_net *net, const struct grid *grid, const struct hal_source *source,
                                  float *points)
{
    const uint32_t count = net->width * net->height;
    struct hal_span span;

    span.split = 0;
    for (uint32_t done = 0; done < count; done += span.count) {
        span.count = BASE_MIN(count - done, (uint32_t)HAL_BATCH);
        span.padded = (span.count + 3) & ~3u;
        for (unsigned i = 0; i < span.padded; i++)
            span.number[i] = hal_source_number(source, control_vertex(net, grid, done + BASE_MIN(i, span.count - 1)));
        hal_span_check(&span, source);
        patch_fetch(&net->format, source, &span, points + (size_t)done * net->format.control_words);
    }
}

/* Looks up the streams of the control points, as those of a draw of points. */
static void bind_points(const struct hal_renderer *renderer, const struct hal_layout *layout, struct hal_draw *draw,
                        struct hal_source *source)
{
    *draw = (struct hal_draw){.layout = layout, .type = D3DPT_POINTLIST};
    for (uint32_t left = layout->streams; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);

        hal_stream_find_memory(renderer->state, renderer->resources, i, &draw->buffers[i]);
        if (!draw->buffers[i].data)
            log_once(LOG_WARN, i, "a patch reads stream %u, which has no buffer: its elements are 0", i);
    }
    hal_source_bind(source, layout, draw->buffers);
}

/* Reports what the control points lack. */
static void report_points(const struct hal_renderer *renderer, const struct patch_net *net, const struct grid *grid,
                          const struct hal_source *source, struct hal_draw *draw)
{
    const struct hal_observer *observer = renderer->scene->driver->observer;
    const int64_t first = control_vertex(net, grid, 0);
    const int64_t last = control_vertex(net, grid, net->width * net->height - 1);

    prim_log_beyond(source, hal_source_number(source, first), hal_source_number(source, last));
    draw->base = first;
    if (observer && observer->tessellates)
        observer->tessellates(observer->user, renderer->owner, draw, (uint64_t)(last - first) + 1);
}

/* Room for the control points: an entry of the table, or scratch if the handle is 0 or the patch is too large to be
 * kept. NULL: out of memory. */
static float *place_points(struct hal_patches *patches, uint32_t handle, const struct patch_net *net)
{
    const size_t words = (size_t)net->width * net->height * net->format.control_words;
    struct patch_entry *entry = handle ? make_entry(patches, handle, net, words) : NULL;

    if (entry)
        return (float *)entry->net.points;
    if (handle)
        log_once(LOG_WARN, 0, "patch %#x drawn but not kept: no memory", (unsigned)handle);
    return patch_reserve(&patches->points, words * sizeof(float)) ? patches->points.memory : NULL;
}

/* Reads the description and the streams; the net to draw, or NULL. */
static const struct patch_net *patch_define_net(struct hal_renderer *renderer, uint32_t handle, bool triangle,
                                                const uint8_t *info)
{
    struct hal_patches *patches = renderer->resources->patches;
    const struct hal_layout *layout =
        hal_stream_layout(renderer->front, renderer->state, &renderer->resources->shaders);
    struct patch_net *net = &patches->dynamic;
    struct hal_source source;
    struct hal_draw draw;
    struct grid grid;

    memset(net, 0, sizeof(*net));
    if (!layout) {
        hal_skip_without_layout(renderer);
        return NULL;
    }
    if (!(triangle ? describe_triangle(net, &grid, info) : describe_rectangle(net, &grid, info))) {
        hal_skip_observe(renderer, NULL, HAL_SKIP_NO_SURFACE);
        return NULL;
    }
    if (!layout->component[HAL_POSITION].type) {
        hal_skip_draw(renderer, NULL, HAL_SKIP_NO_POSITIONS, 0);
        return NULL;
    }
    bind_points(renderer, layout, &draw, &source);
    patch_format_derive(&net->format, layout);
    if (!hal_work_spend(&renderer->scene->work, (uint64_t)net->width * net->height * net->format.control_words,
                        HAL_WORK_PATCH_TERM))
        return NULL;
    float *points = place_points(patches, handle, net);

    if (!points) {
        hal_work_lacks_memory(&renderer->scene->work, "control points of a patch");
        hal_patch_delete(patches, handle);
        return NULL;
    }
    report_points(renderer, net, &grid, &source, &draw);
    patch_net_read_points(net, &grid, &source, points);
    net->points = points;
    return net;
}

/* --- drawing ------------------------------------------------------------------------ */

void hal_patches_draw(struct hal_renderer *renderer, const struct patch_format *format,
                      const struct shader_program *program, uint32_t count, const uint32_t *indices, uint32_t triangles)
{
    struct hal_patches *patches = renderer->resources->patches;
    struct hal_source source;
    uint32_t drawn;
    struct hal_draw draw = {
        .layout = &patches->layout,
        .program = program,
        .type = D3DPT_TRIANGLELIST,
        .primitives = triangles,
        .indices = (const uint8_t *)indices,
        .index_bytes = 3 * (size_t)triangles * sizeof(*indices),
        .index_stride = sizeof(*indices),
        .tessellated = true,
    };

    draw.buffers[0] = (struct hal_stream_memory){
        .data = patches->vertices.memory, .bytes = (size_t)count * format->words * 4, .stride = format->words * 4u};
    if (memcmp(&patches->layout, &format->layout, hal_layout_bytes(&format->layout)) != 0) {
        memcpy(&patches->layout, &format->layout, hal_layout_bytes(&format->layout));
        renderer->front->dirty |= HAL_DIRTY_VERTEX_FORMAT;
    }
    if (prim_begin_draw(renderer, &draw, &source, &drawn))
        prim_draw(renderer, &draw, &source, drawn);
}

static void draw_net(struct hal_renderer *renderer, const struct patch_net *net, const float segments[4])
{
    struct hal_patches *patches = renderer->resources->patches;
    struct patch_mesh *mesh = &patches->mesh;
    const bool continuous = renderer->state->render_state[D3DRS_PATCHEDGESTYLE] == 1 /* D3DPATCHEDGE_CONTINUOUS */;

    if (!(net->triangle ? patch_mesh_triangle(mesh, segments, continuous)
                        : patch_mesh_rectangle(mesh, segments, continuous)) ||
        !patch_reserve(&patches->vertices, (size_t)mesh->place_count * net->format.words * sizeof(float))) {
        hal_work_lacks_memory(&renderer->scene->work, "a patch");
        return;
    }
    const uint64_t terms = net->triangle ? net->width : (net->degree + 1) * (net->degree + 1);

    /* a generated normal is two tangents of three terms each, sometimes twice */
    const uint64_t words = net->format.floats + (net->format.has_normal ? 12u : 0u) + 4;

    if (!hal_work_spend(&renderer->scene->work, mesh->place_count * words * terms, HAL_WORK_PATCH_TERM))
        return;
    for (uint32_t i = 0; i < mesh->place_count; i++)
        patch_evaluate(net, &mesh->places[i], (float *)patches->vertices.memory + (size_t)i * net->format.words);
    hal_patches_draw(
        renderer, &net->format,
        hal_stream_program(renderer->front, renderer->state, &renderer->resources->shaders, &net->format.layout),
        mesh->place_count, mesh->indices, mesh->triangle_count);
}

/* The net that a token names, by the table in docs/reference/device-state.md, section 5; NULL: nothing to draw. */
static const struct patch_net *find_net(struct hal_renderer *renderer, uint32_t handle, bool triangle,
                                        const uint8_t *info)
{
    struct hal_patches *patches = renderer->resources->patches;
    struct patch_entry *entry = handle ? base_map_get(&patches->map, handle) : NULL;

    if (entry && (info || entry->net.triangle != triangle)) {
        hal_patch_delete(patches, handle);
        entry = NULL;
    }
    if (info)
        return patch_define_net(renderer, handle, triangle, info);
    if (!entry) {
        log_once(LOG_WARN, handle, "patch %#x is unknown and not described: skipped", (unsigned)handle);
        hal_skip_observe(renderer, NULL, HAL_SKIP_UNKNOWN_PATCH);
        return NULL;
    }
    unlink_entry(patches, entry);
    link_newest(patches, entry);
    return &entry->net;
}

static HRESULT draw_patches(struct hal_renderer *renderer, const struct dp2_command *command, bool triangle)
{
    struct dp2_entry entry = {0};

    if (!hal_patches_get(renderer->resources))
        return DDERR_OUTOFMEMORY;
    while (dp2_next_entry(command, &entry)) {
        const uint32_t handle = DP2_FIELD(entry.head, D3DHAL_DP2DRAWRECTPATCH, Handle);
        const uint32_t flags = DP2_FIELD(entry.head, D3DHAL_DP2DRAWRECTPATCH, Flags);
        const unsigned edges = triangle ? 3 : 4;
        const uint8_t *info = entry.data;
        float segments[4];

        for (unsigned i = 0; i < 4; i++)
            segments[i] = hal_render_state_float(renderer->state, D3DRS_PATCHSEGMENTS);
        if (flags & RTPATCHFLAG_HASSEGS) {
            memcpy(segments, entry.data, edges * sizeof(float));
            info += edges * sizeof(float);
        }
        const struct patch_net *net = find_net(renderer, handle, triangle, flags & RTPATCHFLAG_HASINFO ? info : NULL);

        if (net)
            draw_net(renderer, net, segments);
    }
    return DD_OK;
}

HRESULT hal_token_rect_patch(struct hal_context *context, const struct dp2_command *command)
{
    return draw_patches(hal_context_renderer(context), command, false);
}

HRESULT hal_token_tri_patch(struct hal_context *context, const struct dp2_command *command)
{
    return draw_patches(hal_context_renderer(context), command, true);
}
