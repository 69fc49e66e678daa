/* SPDX-License-Identifier: MIT */
/*
 * The courtyard's draws: the visible objects of a view or a cascade, sorted so that neighbours share a material and a
 * model, with only the changes between draws set.
 */
#include "examples/courtyard.h"

#include <stdlib.h>

#define LAMPS_AT_ONCE 3 /* as examples/shaders/courtyard_lit.psa has it */

struct draw_list {
    const struct object *objects[MAX_OBJECTS];
    unsigned count;
};

static int compare_draws(const void *a, const void *b)
{
    const struct object *x = *(const struct object *const *)a, *y = *(const struct object *const *)b;

    if (x->material != y->material)
        return x->material < y->material ? -1 : 1;
    if (x->model != y->model)
        return x->model < y->model ? -1 : 1;
    return x < y ? -1 : x > y; /* a fixed order whatever the sorting algorithm */
}

/* For depth-only draws all materials are the same. */
static int compare_casts(const void *a, const void *b)
{
    const struct object *x = *(const struct object *const *)a, *y = *(const struct object *const *)b;

    if (x->model != y->model)
        return x->model < y->model ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void use_model(IDirect3DDevice9 *device, const struct model *model)
{
    IDirect3DDevice9_SetVertexDeclaration(device, model->declaration);
    IDirect3DDevice9_SetStreamSource(device, 0, model->vertices, 0, model->stride);
    IDirect3DDevice9_SetIndices(device, model->indices);
}

static void draw_once(IDirect3DDevice9 *device, const struct model *model)
{
    IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, model->vertex_count, 0,
                                          model->triangle_count);
}

/* --- shadows -------------------------------------------------------------------------------------------- */

static struct draw_list list_casts(const struct objects *objects, const struct view *view,
                                   const struct cascade *cascade)
{
    struct draw_list list = {.count = 0};

    for (unsigned i = 0; i < objects->count; i++)
        if (objects->list[i].casts && courtyard_cascade_sees(view, cascade, &objects->list[i]))
            list.objects[list.count++] = &objects->list[i];
    qsort(list.objects, list.count, sizeof(list.objects[0]), compare_casts);
    return list;
}

static void draw_cascade(IDirect3DDevice9 *device, struct courtyard *scene, const struct view *view,
                         const struct cascade *cascade)
{
    struct draw_list list = list_casts(&scene->objects, view, cascade);

    IDirect3DDevice9_SetViewport(device, &cascade->viewport);
    for (unsigned i = 0; i < list.count; i++) {
        const struct object *object = list.objects[i];
        const struct model *model = &scene->models[object->model].model;
        D3DMATRIX both = matrix_product(&object->world, &cascade->matrix);

        if (i == 0 || object->model != list.objects[i - 1]->model)
            use_model(device, model);
        set_vertex_matrix(device, 0, &both);
        draw_once(device, model);
    }
}

/* Draws only depth, moved away a little, and more on surfaces that the sun grazes, so that lit surfaces do not shadow
 * themselves. */
void courtyard_draw_cascades(IDirect3DDevice9 *device, struct courtyard *scene, const struct view *view)
{
    IDirect3DSurface9 *depth;

    IDirect3DDevice9_SetTexture(device, 2, NULL);
    use_target(device, scene->shadow_color);
    IDirect3DTexture9_GetSurfaceLevel(scene->shadow, 0, &depth);
    IDirect3DDevice9_SetDepthStencilSurface(device, depth);
    IDirect3DSurface9_Release(depth);
    IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1, 0);
    program_use(device, &scene->depth_only);
    set(device, D3DRS_COLORWRITEENABLE, 0);
    set_float(device, D3DRS_DEPTHBIAS, 0.00005f);
    set_float(device, D3DRS_SLOPESCALEDEPTHBIAS, 1.6f);
    for (unsigned i = 0; i < CASCADES; i++)
        draw_cascade(device, scene, view, &view->cascades[i]);
    set_float(device, D3DRS_DEPTHBIAS, 0);
    set_float(device, D3DRS_SLOPESCALEDEPTHBIAS, 0);
    set(device, D3DRS_COLORWRITEENABLE, 15);
}

/* --- constants of a view ------------------------------------------------------------------------------------ */

static void set_pixel_light(IDirect3DDevice9 *device, unsigned number, struct vec3 light, float w)
{
    set_pixel_constant(device, number, light.x, light.y, light.z, w);
}

static void set_cascade_constants(IDirect3DDevice9 *device, const struct view *view)
{
    const struct cascade *c = view->cascades;
    const float turn = 0.46f;

    for (unsigned i = 0; i < CASCADES; i++)
        set_pixel_constant(device, 8 + i, c[i].scale_x, c[i].scale_y, c[i].u, c[i].v);
    set_pixel_constant(device, 11, c[0].filter, c[1].filter, c[2].filter, 0);
    set_pixel_constant(device, 12, c[0].end, c[1].end, c[2].end, 1 / (0.15f * c[2].end));
    set_pixel_constant(device, 13, cosf(turn), sinf(turn), -sinf(turn), cosf(turn));
}

static void set_view_constants(IDirect3DDevice9 *device, const struct view *view)
{
    set_vertex_matrix(device, 7, &view->sun); /* its fourth column is overwritten next */
    set_vertex_constant(device, 10, view->eye.x, view->eye.y, view->eye.z, 0.006f);
    set_vertex_constant(device, 11, 0.03f, 0, 0, 0);
    set_pixel_light(device, 0, courtyard_to_sun(), 0);
    set_pixel_light(device, 1, courtyard_sunlight, 0);
    set_pixel_light(device, 2, v3(0.30f, 0.39f, 0.58f), 0);
    set_pixel_light(device, 3, v3(0.26f, 0.205f, 0.145f), 0);
    set_pixel_light(device, 4, view->eye, 0);
    set_pixel_light(device, 7, courtyard_haze, 0);
    set_cascade_constants(device, view);
}

/* --- lamps ---------------------------------------------------------------------------------------------------- */

struct near_lamps {
    uint8_t lamps[LAMPS_AT_ONCE];
    unsigned count;
};

static float lamp_distance(const struct lamp *lamp, const struct object *object)
{
    struct vec3 d = v3_sub(lamp->place, object->center);

    return sqrtf(v3_dot(d, d));
}

/* The lights that reach the object, nearest first. */
static struct near_lamps find_lamps(const struct objects *objects, const struct object *object)
{
    struct near_lamps found = {.count = 0};
    float distances[LAMPS_AT_ONCE];

    for (unsigned i = 0; i < objects->lamp_count; i++) {
        float distance = lamp_distance(&objects->lamps[i], object);
        unsigned at = found.count;

        if (distance > objects->lamps[i].range + object->radius)
            continue;
        while (at > 0 && distances[at - 1] > distance)
            at--;
        if (at == LAMPS_AT_ONCE)
            continue;
        found.count += found.count < LAMPS_AT_ONCE;
        for (unsigned k = found.count - 1; k > at; k--) {
            found.lamps[k] = found.lamps[k - 1];
            distances[k] = distances[k - 1];
        }
        found.lamps[at] = (uint8_t)i;
        distances[at] = distance;
    }
    return found;
}

static bool same_lamps(const struct near_lamps *a, const struct near_lamps *b)
{
    bool same = a->count == b->count;

    for (unsigned i = 0; same && i < a->count; i++)
        same = a->lamps[i] == b->lamps[i];
    return same;
}

/* The shader skips unlit lamps by static branches. */
static void use_lamps(IDirect3DDevice9 *device, const struct objects *objects, const struct near_lamps *near_lamps)
{
    BOOL lit[LAMPS_AT_ONCE];

    for (unsigned i = 0; i < LAMPS_AT_ONCE; i++) {
        lit[i] = i < near_lamps->count;
        if (lit[i]) {
            const struct lamp *lamp = &objects->lamps[near_lamps->lamps[i]];

            set_pixel_light(device, 14 + 2 * i, lamp->place, 1 / (lamp->range * lamp->range));
            set_pixel_light(device, 15 + 2 * i, lamp->color, 0);
        }
    }
    IDirect3DDevice9_SetPixelShaderConstantB(device, 0, lit, LAMPS_AT_ONCE);
}

/* --- scene -------------------------------------------------------------------------------------------------------- */

static struct draw_list list_draws(const struct objects *objects, const struct view *view)
{
    struct draw_list list = {.count = 0};

    for (unsigned i = 0; i < objects->count; i++)
        if (courtyard_view_sees(view, &objects->list[i]))
            list.objects[list.count++] = &objects->list[i];
    qsort(list.objects, list.count, sizeof(list.objects[0]), compare_draws);
    return list;
}

static void use_samplers(IDirect3DDevice9 *device, const struct courtyard *scene)
{
    use_texture(device, 0, NULL, D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    use_texture(device, 1, NULL, D3DTADDRESS_WRAP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    use_texture(device, 2, scene->shadow, D3DTADDRESS_CLAMP, D3DTEXF_LINEAR, D3DTEXF_NONE);
    use_texture(device, 3, NULL, D3DTADDRESS_CLAMP, D3DTEXF_LINEAR, D3DTEXF_LINEAR);
    IDirect3DDevice9_SetTexture(device, 3, (IDirect3DBaseTexture9 *)scene->surroundings);
}

static void set_object_matrices(IDirect3DDevice9 *device, const struct object *object, const struct view *view)
{
    D3DMATRIX both = matrix_product(&object->world, &view->both);
    float rows[7][4];

    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            rows[i][j] = both.m[j][i];
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 4; j++)
            rows[4 + i][j] = object->world.m[j][i];
    IDirect3DDevice9_SetVertexShaderConstantF(device, 0, rows[0], 7);
}

void courtyard_draw_objects(IDirect3DDevice9 *device, struct courtyard *scene, const struct view *view)
{
    struct draw_list list = list_draws(&scene->objects, view);
    struct near_lamps lit = {.count = LAMPS_AT_ONCE + 1};

    program_use(device, &scene->lit);
    use_samplers(device, scene);
    set_view_constants(device, view);
    IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_SRGBTEXTURE, TRUE); /* textures are sRGB, lighting is linear */
    for (unsigned i = 0; i < list.count; i++) {
        const struct object *object = list.objects[i], *before = i ? list.objects[i - 1] : NULL;
        struct near_lamps lamps = find_lamps(&scene->objects, object);

        if (!before || object->material != before->material)
            courtyard_material_use(device, &scene->materials, object->material);
        if (!before || object->material != before->material || object->light != before->light)
            courtyard_material_constants(device, object->material, object->light);
        if (!before || object->model != before->model)
            use_model(device, &scene->models[object->model].model);
        if (!same_lamps(&lamps, &lit))
            use_lamps(device, &scene->objects, &lamps);
        lit = lamps;
        set_object_matrices(device, object, view);
        draw_once(device, &scene->models[object->model].model);
    }
    IDirect3DDevice9_SetSamplerState(device, 0, D3DSAMP_SRGBTEXTURE, FALSE);
}
