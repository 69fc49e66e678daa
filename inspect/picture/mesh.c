/* SPDX-License-Identifier: MIT */
/* The primitives of a draw, observed between the vertex stage and the rasterizer; their vertices are fetched once
 * more. */
#include "inspect/picture/mesh.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/context.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/draw.h"
#include "hal/vertex/index.h"
#include "hal/vertex/vertex.h"
#include "inspect/internal.h"
#include "inspect/pixel/near.h"
#include "raster/frontend.h"

#include <stdlib.h>
#include <string.h>

struct mesh {
    bool (*give)(void *user, const struct inspect_primitive *primitive);
    void *user;
    struct inspect_lacks *lacks; /* NULL: not wanted */
    bool ended;
    uint32_t first, count; /* primitives of the parts before, and of this part */
    uint32_t parts;
    struct inspect_format format;
    struct hal_source source; /* of the part at hand */
    float fetched[3][INSPECT_MAX_ELEMENTS][4];
    struct inspect_primitive primitive;
};

/* --- as fetched ---------------------------------------------------------------------------------- */

/* All elements of the vertex, as the vertex stage reads them. */
static void fetch(const struct mesh *mesh, uint32_t vertex, float (*fetched)[4])
{
    struct hal_span span = {.count = 1, .padded = 4, .number = {vertex, vertex, vertex, vertex}};
    hal_lanes lanes[4];

    hal_span_check(&span, &mesh->source);
    for (unsigned e = 0; e < mesh->format.count; e++) {
        hal_fetch(&mesh->source, mesh->format.element[e].component, &span, lanes);
        for (unsigned c = 0; c < 4; c++)
            fetched[e][c] = lanes[c][0];
    }
}

static void fetch_corners(struct mesh *mesh, const struct hal_observed_primitive *primitive)
{
    const struct hal_draw *draw = primitive->draw;
    uint64_t corner[3] = {0};

    inspect_corners_of(draw->type, primitive->number, corner);
    for (unsigned c = 0; c < primitive->corners; c++) {
        struct inspect_corner *out = &mesh->primitive.corner[c];
        uint32_t number;

        out->index = draw->indices ? hal_draw_index(draw, corner[c]) : 0;
        out->vertex = draw->base + (draw->indices ? (int64_t)out->index : (int64_t)corner[c]);
        number = hal_source_number(&mesh->source, out->vertex);
        out->missing = inspect_corner_lacks_data(primitive, c);
        fetch(mesh, number, mesh->fetched[c]);
        out->fetched = (const float(*)[4])mesh->fetched[c];
    }
}

/* --- after processing ---------------------------------------------------------------------------- */

void inspect_fill_in_corner(struct inspect_corner *corner, const struct hal_vertex *vertex,
                            const struct raster_vertex *position)
{
    *corner = (struct inspect_corner){.has_window = !(vertex->outcode & (HAL_OUT_W | HAL_OUT_BAD))};
    memcpy(corner->clip, vertex->position, sizeof(corner->clip));
    if (corner->has_window)
        memcpy(corner->window, (const float[4]){position->x, position->y, position->z, position->rhw},
               sizeof(corner->window));
    corner->outside = vertex->outcode & (HAL_OUT_REJECT | HAL_OUT_GUARD);
    corner->point_size = vertex->point_size;
    memcpy(corner->input, position->input, sizeof(corner->input));
}

static void judge(struct inspect_primitive *out, const struct hal_observed_primitive *primitive)
{
    out->verdict = inspect_fate(primitive, &out->planes);
    if (out->verdict == INSPECT_NO_AREA)
        for (unsigned c = 0; c < primitive->corners; c++)
            out->verdict = out->corner[c].missing ? INSPECT_NO_DATA : out->verdict;
}

static bool mesh_primitive(void *user, const struct hal_observed_primitive *primitive, unsigned times)
{
    struct mesh *mesh = user;
    struct inspect_primitive *out = &mesh->primitive;

    if (times)
        return false;
    mesh->count = BASE_MAX(mesh->count, primitive->number + 1);
    out->part = mesh->parts - 1;
    out->number = mesh->first + primitive->number;
    out->corners = primitive->corners;
    out->inputs = primitive->context->raster->state.input_count;
    for (unsigned c = 0; c < primitive->corners; c++)
        inspect_fill_in_corner(&out->corner[c], primitive->vertex[c], primitive->position[c]);
    fetch_corners(mesh, primitive);
    judge(out, primitive);
    mesh->ended |= !mesh->ended && !mesh->give(mesh->user, out);
    return true;
}

static bool mesh_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct mesh *mesh = user;

    (void)primitives;
    if (mesh->lacks)
        inspect_note_lacks(mesh->lacks, context, draw);
    mesh->first += mesh->count;
    mesh->count = 0;
    mesh->parts++;
    mesh->format.indexed = draw->indices != NULL;
    mesh->format.transformed = draw->layout->transformed;
    mesh->format.tessellated = draw->tessellated;
    mesh->format.count = inspect_list_elements(draw->layout, mesh->format.element);
    hal_source_bind(&mesh->source, draw->layout, draw->buffers);
    return true;
}

static void mesh_skipped(void *user, struct hal_context *context, const struct hal_draw *draw, enum hal_skip why)
{
    struct mesh *mesh = user;

    if (mesh->lacks)
        inspect_note_skip(mesh->lacks, context, draw, why);
}

static void mesh_vertices(void *user, uint32_t count)
{
    (void)user;
    (void)count;
}

bool inspect_mesh(struct inspect *session, uint32_t action,
                  bool (*primitive)(void *user, const struct inspect_primitive *primitive), void *user,
                  struct inspect_lacks *lacks, struct capture_error *error)
{
    struct mesh *mesh = calloc(1, sizeof(*mesh));
    const struct hal_observer observer = {
        .user = mesh,
        .draw = mesh_draw,
        .skipped = mesh_skipped,
        .vertices = mesh_vertices,
        .primitive = mesh_primitive,
    };
    bool done;

    if (!mesh)
        return inspect_fail(error, "out of memory");
    mesh->give = primitive;
    mesh->user = user;
    mesh->lacks = lacks;
    if (lacks)
        lacks->count = 0;
    mesh->primitive.format = &mesh->format;
    done = inspect_seek(session, action, error);
    if (done && inspect_action(session, action)->kind != INSPECT_DRAW)
        done = inspect_fail(error, "that is not a draw, but a %s",
                            inspect_kind_name(inspect_action(session, action)->kind));
    if (done) {
        inspect_observe(session, &observer);
        done = inspect_step(session, NULL, error);
        inspect_observe(session, NULL);
    }
    free(mesh);
    return done;
}
