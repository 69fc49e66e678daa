/* SPDX-License-Identifier: MIT */
/* The primitives of a draw, seen on their way from the vertex stage to the rasterizer. */
#include "inspect/mesh.h"

#include "base/base.h"
#include "hal/context.h"
#include "hal/vertex/clip.h"
#include "hal/vertex/vertex.h"
#include "inspect/internal.h"
#include "raster/frontend.h"

#include <string.h>

struct mesh {
    bool (*give)(void *user, const struct inspect_primitive *primitive);
    void *user;
    bool ended;
    uint32_t first, count; /* primitives of the parts before, and of this part */
    struct inspect_primitive primitive;
};

static void fill_in_corner(struct inspect_corner *corner, const struct hal_vertex *vertex,
                           const struct raster_vertex *position)
{
    *corner = (struct inspect_corner){.missing = vertex->outcode & HAL_OUT_MISSING};
    if (corner->missing)
        return;
    corner->has_window = !(vertex->outcode & (HAL_OUT_W | HAL_OUT_BAD));
    memcpy(corner->clip, vertex->position, sizeof(corner->clip));
    if (corner->has_window)
        memcpy(corner->window, (const float[4]){position->x, position->y, position->z, position->rhw},
               sizeof(corner->window));
    corner->outside = vertex->outcode & (HAL_OUT_REJECT | HAL_OUT_GUARD);
    corner->point_size = vertex->point_size;
    memcpy(corner->input, position->input, sizeof(corner->input));
}

static bool is_culled(const struct hal_observed_primitive *primitive)
{
    struct raster *raster = primitive->context->raster;
    const bool front = primitive->corners == 3 && raster_front_facing(raster, primitive->position[0],
                                                                      primitive->position[1], primitive->position[2]);

    return primitive->corners == 3 &&
           raster->state.rasterizer.cull_mode & (front ? RASTER_CULL_FRONT : RASTER_CULL_BACK);
}

static void judge(struct inspect_primitive *out, const struct hal_observed_primitive *primitive)
{
    uint32_t any = 0, all = primitive->corners == 3 ? primitive->reject : HAL_OUT_REJECT & ~(uint32_t)HAL_OUT_VIEW;

    for (unsigned c = 0; c < primitive->corners; c++) {
        any |= primitive->vertex[c]->outcode;
        all &= primitive->vertex[c]->outcode;
    }
    out->planes = 0;
    if (any & HAL_OUT_MISSING) {
        out->verdict = INSPECT_MISSING;
    } else if (all) {
        out->verdict = INSPECT_OUTSIDE;
        out->planes = all;
    } else if (any & (HAL_OUT_CLIP | HAL_OUT_BAD)) {
        out->verdict = INSPECT_CLIPPED;
        out->planes = any & HAL_OUT_CLIP;
    } else {
        out->verdict = is_culled(primitive) ? INSPECT_CULLED : INSPECT_WRITTEN;
    }
}

static bool mesh_primitive(void *user, const struct hal_observed_primitive *primitive, unsigned times)
{
    struct mesh *mesh = user;
    struct inspect_primitive *out = &mesh->primitive;

    if (times)
        return false;
    mesh->count = BASE_MAX(mesh->count, primitive->number + 1);
    out->number = mesh->first + primitive->number;
    out->corners = primitive->corners;
    out->inputs = primitive->context->raster->state.input_count;
    for (unsigned c = 0; c < primitive->corners; c++)
        fill_in_corner(&out->corner[c], primitive->vertex[c], primitive->position[c]);
    judge(out, primitive);
    mesh->ended |= !mesh->ended && !mesh->give(mesh->user, out);
    return true;
}

static bool mesh_draw(void *user, struct hal_context *context, const struct hal_draw *draw, uint32_t primitives)
{
    struct mesh *mesh = user;

    (void)context;
    (void)draw;
    (void)primitives;
    mesh->first += mesh->count;
    mesh->count = 0;
    return true;
}

static void mesh_vertices(void *user, uint32_t count)
{
    (void)user;
    (void)count;
}

bool inspect_mesh(struct inspect *session, uint32_t action,
                  bool (*primitive)(void *user, const struct inspect_primitive *primitive), void *user,
                  struct capture_error *error)
{
    struct mesh mesh = {.give = primitive, .user = user};
    const struct hal_observer observer = {
        .user = &mesh,
        .draw = mesh_draw,
        .vertices = mesh_vertices,
        .primitive = mesh_primitive,
    };
    bool done;

    if (!inspect_seek(session, action, error))
        return false;
    if (inspect_action(session, action)->kind != INSPECT_DRAW)
        return inspect_fail(error, "that is no draw, but a %s",
                            inspect_kind_name(inspect_action(session, action)->kind));
    inspect_observe(session, &observer);
    done = inspect_step(session, NULL, error);
    inspect_observe(session, NULL);
    return done;
}
