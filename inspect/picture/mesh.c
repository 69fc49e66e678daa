/* SPDX-License-Identifier: MIT */
/* The primitives of a draw, observed between the vertex stage and the rasterizer; their vertices are fetched once
 * more. */
#include "inspect/picture/mesh.h"

#include "base/base.h"
#include "d3d/ddi.h"
#include "hal/inspect.h"
#include "inspect/internal.h"
#include "inspect/pixel/near.h"

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
    unsigned inputs;
    struct hal_inspect_draw draw; /* the part at hand */
    struct hal_inspect_source *source;
    float fetched[3][INSPECT_MAX_ELEMENTS][4];
    struct inspect_primitive primitive;
};

/* --- as fetched ---------------------------------------------------------------------------------- */

static void fetch_corners(struct mesh *mesh, const struct hal_inspect_primitive *primitive)
{
    const struct hal_inspect_draw *draw = &mesh->draw;
    uint64_t corner[3] = {0};

    inspect_corners_of(draw->type, primitive->number, corner);
    for (unsigned c = 0; c < primitive->corners; c++) {
        struct inspect_corner *out = &mesh->primitive.corner[c];

        out->index = draw->indexed ? hal_inspect_index(draw->draw, corner[c]) : 0;
        out->vertex = draw->base + (draw->indexed ? (int64_t)out->index : (int64_t)corner[c]);
        out->missing = inspect_corner_lacks_data(draw, primitive->number, c);
        for (unsigned e = 0; e < mesh->format.count; e++)
            hal_inspect_fetch(mesh->source, out->vertex, mesh->format.element[e].component, mesh->fetched[c][e]);
        out->fetched = (const float(*)[4])mesh->fetched[c];
    }
}

/* --- after processing ---------------------------------------------------------------------------- */

void inspect_fill_in_corner(struct inspect_corner *corner, const struct hal_inspect_corner *processed)
{
    *corner = (struct inspect_corner){.has_window = processed->has_window};
    memcpy(corner->clip, processed->clip, sizeof(corner->clip));
    memcpy(corner->window, processed->window, sizeof(corner->window));
    corner->outside = processed->outcode & (HAL_OUT_REJECT | HAL_OUT_GUARD);
    corner->point_size = processed->point_size;
    memcpy(corner->input, processed->input, sizeof(corner->input));
}

static void set_fate(struct inspect_primitive *out, const struct hal_inspect_primitive *primitive)
{
    out->verdict = inspect_fate(primitive, &out->planes);
    if (out->verdict == INSPECT_NO_AREA)
        for (unsigned c = 0; c < primitive->corners; c++)
            out->verdict = out->corner[c].missing ? INSPECT_NO_DATA : out->verdict;
}

static bool mesh_primitive(void *user, const struct hal_observed_primitive *observed, unsigned times)
{
    struct mesh *mesh = user;
    struct inspect_primitive *out = &mesh->primitive;
    struct hal_inspect_primitive primitive;

    if (times)
        return false;
    hal_inspect_primitive(observed, &primitive);
    mesh->count = BASE_MAX(mesh->count, primitive.number + 1);
    out->part = mesh->parts - 1;
    out->number = mesh->first + primitive.number;
    out->corners = primitive.corners;
    out->inputs = mesh->inputs;
    for (unsigned c = 0; c < primitive.corners; c++)
        inspect_fill_in_corner(&out->corner[c], &primitive.corner[c]);
    fetch_corners(mesh, &primitive);
    set_fate(out, &primitive);
    mesh->ended |= !mesh->ended && !mesh->give(mesh->user, out);
    return true;
}

static bool mesh_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct mesh *mesh = user;
    struct hal_inspect_pixels pixels;

    (void)primitives;
    hal_inspect_draw(context, draw, &mesh->draw);
    hal_inspect_pixels(context, &pixels);
    mesh->inputs = pixels.input_count;
    if (mesh->lacks)
        inspect_note_lacks(mesh->lacks, &mesh->draw);
    mesh->first += mesh->count;
    mesh->count = 0;
    mesh->parts++;
    mesh->format.indexed = mesh->draw.indexed;
    mesh->format.transformed = mesh->draw.transformed;
    mesh->format.tessellated = mesh->draw.tessellated;
    mesh->format.count = mesh->draw.element_count;
    for (unsigned e = 0; e < mesh->format.count; e++)
        inspect_name_element(&mesh->draw.element[e], &mesh->format.element[e]);
    hal_inspect_source_bind(mesh->source, draw);
    return true;
}

static void mesh_skipped(void *user, struct hal_context *context, const struct hal_draw *draw, enum hal_skip why)
{
    struct mesh *mesh = user;

    if (mesh->lacks)
        inspect_note_skip(mesh->lacks, context, draw, why);
}

static void mesh_tessellates(void *user, struct hal_context *context, const struct hal_draw *draw, uint64_t points)
{
    struct mesh *mesh = user;

    if (mesh->lacks)
        inspect_note_tessellated(mesh->lacks, context, draw, points);
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
    struct mesh *mesh = mem_calloc(1, sizeof(*mesh));
    const struct hal_observer observer = {
        .user = mesh,
        .draw = mesh_draw,
        .skipped = mesh_skipped,
        .tessellates = mesh_tessellates,
        .vertices = mesh_vertices,
        .primitive = mesh_primitive,
    };
    bool done;

    if (mesh)
        mesh->source = hal_inspect_source_create();
    if (!mesh || !mesh->source) {
        free(mesh);
        return inspect_no_memory(error);
    }
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
    hal_inspect_source_destroy(mesh->source);
    free(mesh);
    return done;
}
