/* SPDX-License-Identifier: MIT */
/*
 * The temple: stones, their reflection in the floor, their shadows on it. Objects that are far away or only seen in the
 * mirror have fewer triangles; the shadows of static objects are flattened once, when the temple is built.
 */
#include "examples/landscape.h"

#define COLUMN_COUNT     10
#define SIDES            40   /* of everything around the whole temple */
#define SHADOW_TRIANGLES 1024 /* at most */

static const float floor_hole = 2.4f, column_height = 5.2f, ring_height = 1.05f;

/* Nearer columns show their flutes; beyond, a column is less than twenty pixels wide. */
static const float fine_column_distance = 22;

static const float shadow_height = 0.03f; /* above the floor */

static struct {
    struct shape floor, floor_outline, rim, rim_base;
    struct shape column, far_column, ring, mirror_ring, steps, mirror_steps, sphere, mirror_sphere;
    struct shape pedestal, mirror_pedestal, disc;
    IDirect3DVertexBuffer8 *shadow;
    unsigned shadow_triangles;
} temple;

/* --- shapes ------------------------------------------------------------------------------ */

/* Except under the steps. */
static struct vec3 floor_surface(float u, float v)
{
    float r = temple_radius + (floor_hole - temple_radius) * v;

    return v3(r * cosf(2 * pi * u), 0, r * sinf(2 * pi * u));
}

static struct vec3 rim_surface(float u, float v)
{
    float r = temple_radius + 0.35f - 0.35f * v * v;

    return v3(r * cosf(2 * pi * u), v * 3 - 3, r * sinf(2 * pi * u));
}

/* Around the axis: a polygon of radii and heights. */
static struct vec3 turned(const float (*profile)[2], unsigned sides, float u, float v)
{
    float t = v * (float)sides;
    unsigned i = t >= (float)sides ? sides - 1 : (unsigned)t;
    float r = profile[i][0] + (profile[i + 1][0] - profile[i][0]) * (t - (float)i);
    float y = profile[i][1] + (profile[i + 1][1] - profile[i][1]) * (t - (float)i);

    return v3(r * cosf(2 * pi * u), y, r * sinf(2 * pi * u));
}

static struct vec3 steps_surface(float u, float v)
{
    static const float profile[5][2] = {{2.6f, 0}, {2.6f, 0.3f}, {2.1f, 0.3f}, {2.1f, 0.6f}, {0, 0.6f}};

    return turned(profile, 4, u, v);
}

static struct vec3 ring_surface(float u, float v)
{
    static const float profile[6][2] = {{9.3f, 0},           {10.7f, 0}, {10.7f, 0.75f}, {11.1f, ring_height},
                                        {9.3f, ring_height}, {9.3f, 0}};

    return v3_add(turned(profile, 5, u, v), v3(0, column_height, 0));
}

/* Slightly swelling shaft between a round base and a flared capital. */
static float column_radius(float v, float flute)
{
    float r = 0.46f - 0.07f * v + 0.03f * sinf(pi * v);

    if (v < 0.07f)
        return r + 0.20f * cosf(v / 0.07f * pi / 2);
    if (v > 0.92f)
        return r + 0.32f * (v - 0.92f) / 0.08f;
    return r - flute;
}

static struct vec3 column_surface(float u, float v)
{
    float a = 2 * pi * u, r = column_radius(v, 0.05f * fabsf(cosf(a * 4)));

    return v3(r * cosf(a), v * column_height, r * sinf(a));
}

/* As wide as the fluted column on average. */
static struct vec3 smooth_column_surface(float u, float v)
{
    float a = 2 * pi * u, r = column_radius(v, 0.033f);

    return v3(r * cosf(a), v * column_height, r * sinf(a));
}

static struct vec3 sphere_surface(float u, float v)
{
    float a = -2 * pi * u, polar = pi * v;

    return v3(cosf(a) * sinf(polar), cosf(polar), sinf(a) * sinf(polar));
}

static float pedestal_radius(float v)
{
    return 0.35f + 0.5f * powf(fabsf(v * 2 - 1), 3);
}

static struct vec3 pedestal_surface(float u, float v)
{
    float r = pedestal_radius(v);

    return v3(r * cosf(2 * pi * u), 0.6f + v * 1.3f, r * sinf(2 * pi * u));
}

/* For the ring, the mirror shows its lower and inner sides. */
static bool ring_is_mirrored(const struct vec3 corner[4])
{
    float lowest = corner[0].y, least = 100;

    for (unsigned i = 0; i < 4; i++) {
        lowest = fminf(lowest, corner[i].y);
        least = fminf(least, sqrtf(corner[i].x * corner[i].x + corner[i].z * corner[i].z));
    }
    return lowest < column_height + 0.1f && least < 10;
}

/* The vertical faces of the steps. */
static bool step_is_mirrored(const struct vec3 corner[4])
{
    return fabsf(corner[0].y - corner[1].y) > 0.01f;
}

/* --- shadows: silhouettes -------------------------------------------------------------------
 * A turned body's shadow is that of a board through its axis, across the light. */

static struct vec3 board(float u, float width, float height)
{
    struct vec3 across = v3_normal(v3(sun.z, 0, -sun.x));

    return v3_add(v3_scale(across, width * (2 * u - 1)), v3(0, height, 0));
}

static struct vec3 column_board(float u, float v)
{
    return board(u, column_radius(v, 0.033f), v * column_height);
}

static struct vec3 pedestal_board(float u, float v)
{
    return board(u, pedestal_radius(v), 0.6f + v * 1.3f);
}

/* The circle of a sphere that the light sees. */
static struct vec3 disc_surface(float u, float v)
{
    struct vec3 across = board(1, 1, 0), up = v3_cross(v3_normal(sun), across);
    float a = (v - 0.5f) * pi;

    return v3_add(v3_scale(across, cosf(a) * (2 * u - 1)), v3_scale(up, sinf(a)));
}

static D3DMATRIX column_matrix(unsigned index)
{
    float a = (float)index * 2 * pi / COLUMN_COUNT - 0.576f;

    return matrix_translation(cosf(a) * 10, 0, sinf(a) * 10);
}

static D3DMATRIX shadow_matrix(void)
{
    return matrix_shadow(v3_scale(v3_normal(sun), -1), shadow_height);
}

static struct vec3 transformed(struct vec3 p, const D3DMATRIX *m)
{
    return v3(p.x * m->_11 + p.y * m->_21 + p.z * m->_31 + m->_41, p.x * m->_12 + p.y * m->_22 + p.z * m->_32 + m->_42,
              p.x * m->_13 + p.y * m->_23 + p.z * m->_33 + m->_43);
}

/* No part of the triangle is on the floor, as a circle around it shows. */
static bool misses_floor(const struct vec3 p[3])
{
    struct vec3 center = v3_scale(v3_add(p[0], v3_add(p[1], p[2])), 1 / 3.0f);
    float radius = 0;

    center.y = shadow_height;
    for (unsigned i = 0; i < 3; i++) {
        struct vec3 d = v3_sub(p[i], center);

        radius = fmaxf(radius, sqrtf(v3_dot(d, d)));
    }
    return sqrtf(center.x * center.x + center.z * center.z) - radius > temple_radius;
}

/* Flattens the parts of a surface that face the sun (of a board: everything) and appends them to the shadow. */
static void cast(const struct surface *surface, bool solid, const D3DMATRIX *world, struct vec3 *shadow)
{
    struct shape_vertex vertices[256];
    uint16_t indices[1024];
    unsigned count = shape_fill_indices(surface->columns, surface->rows, indices);
    D3DMATRIX flat = shadow_matrix();

    flat = matrix_product(world, &flat);
    shape_fill(surface, vertices);
    for (unsigned i = 0; i < count; i += 3) {
        struct vec3 *out = shadow + 3 * temple.shadow_triangles, p[3];

        for (unsigned k = 0; k < 3; k++) {
            p[k] = vertices[indices[i + k]].position;
            out[k] = transformed(p[k], &flat);
        }
        if (solid && v3_dot(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])), sun) <= 0)
            continue;
        if (!misses_floor(out) && temple.shadow_triangles + 1 < SHADOW_TRIANGLES)
            temple.shadow_triangles++;
    }
}

/* Where a column bends, and between for the lights that pass it. */
static const float column_rows[] = {0, 1 / 7.0f, 0.45f, 6 / 7.0f, 1};

static void create_shadow(IDirect3DDevice8 *device)
{
    static const struct surface column = {.position = column_board, .columns = 1, .rows = 4, .row_at = column_rows};
    static const struct surface pedestal = {.position = pedestal_board, .columns = 1, .rows = 6};
    static const struct surface ring = {.position = ring_surface, .columns = 28, .rows = 5};
    static const struct surface steps = {.position = steps_surface, .columns = 24, .rows = 4};
    static struct vec3 shadow[3 * SHADOW_TRIANGLES];
    D3DMATRIX world = matrix_identity();

    temple.shadow_triangles = 0;
    cast(&ring, true, &world, shadow);
    cast(&steps, true, &world, shadow);
    cast(&pedestal, false, &world, shadow);
    for (unsigned i = 0; i < COLUMN_COUNT; i++) {
        world = column_matrix(i);
        cast(&column, false, &world, shadow);
    }
    temple.shadow = make_vertices(device, shadow, 3 * temple.shadow_triangles * (unsigned)sizeof(*shadow), D3DFVF_XYZ);
}

void temple_create(IDirect3DDevice8 *device)
{
    /* The wall above water, and below it. */
    static const float rim_rows[] = {0.3f, 0.7f, 1};
    const struct {
        struct shape *shape;
        struct surface surface;
    } shapes[] = {
        {&temple.floor, {floor_surface, NULL, SIDES, 4, 1, 1, 0.25f, NULL, NULL}},
        {&temple.floor_outline, {floor_surface, NULL, SIDES, 1, 1, 1, 0, NULL, NULL}},
        {&temple.rim, {rim_surface, NULL, SIDES, 1, 20, 1, 0, rim_rows + 1, NULL}},
        {&temple.rim_base, {rim_surface, NULL, SIDES, 1, 20, 1, 0, rim_rows, NULL}},
        {&temple.column, {column_surface, NULL, 10, 4, 1, 3, 0, column_rows, NULL}},
        {&temple.far_column, {smooth_column_surface, NULL, 7, 4, 1, 3, 0, column_rows, NULL}},
        {&temple.ring, {ring_surface, NULL, SIDES, 5, 12, 1, 0, NULL, NULL}},
        {&temple.mirror_ring, {ring_surface, NULL, 24, 5, 12, 1, 0, NULL, ring_is_mirrored}},
        {&temple.steps, {steps_surface, NULL, 24, 8, 6, 1, 0, NULL, NULL}},
        {&temple.mirror_steps, {steps_surface, NULL, 20, 4, 6, 1, 0, NULL, step_is_mirrored}},
        {&temple.sphere, {sphere_surface, NULL, 20, 12, 1, 1, 0, NULL, NULL}},
        {&temple.mirror_sphere, {sphere_surface, NULL, 14, 8, 1, 1, 0, NULL, NULL}},
        {&temple.pedestal, {pedestal_surface, NULL, 14, 6, 2, 1, 0, NULL, NULL}},
        {&temple.mirror_pedestal, {pedestal_surface, NULL, 8, 4, 2, 1, 0, NULL, NULL}},
        {&temple.disc, {disc_surface, NULL, 1, 8, 1, 1, 0, NULL, NULL}},
    };

    for (unsigned i = 0; i < COUNT(shapes); i++)
        *shapes[i].shape = shape_create(device, &shapes[i].surface);
    create_shadow(device);
}

void temple_destroy(void)
{
    struct shape *const shapes[] = {
        &temple.floor,      &temple.floor_outline, &temple.rim,         &temple.rim_base,        &temple.column,
        &temple.far_column, &temple.ring,          &temple.mirror_ring, &temple.steps,           &temple.mirror_steps,
        &temple.sphere,     &temple.mirror_sphere, &temple.pedestal,    &temple.mirror_pedestal, &temple.disc,
    };

    for (unsigned i = 0; i < COUNT(shapes); i++)
        shape_destroy(shapes[i]);
    IDirect3DVertexBuffer8_Release(temple.shadow);
}

/* --- drawing ----------------------------------------------------------------------------- */

static void use_flat_color(IDirect3DDevice8 *device, D3DCOLOR color)
{
    use_texture(device, NULL, false);
    set(device, D3DRS_TEXTUREFACTOR, color);
    set_stage(device, 0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    set_stage(device, 0, D3DTSS_ALPHAARG2, D3DTA_TFACTOR);
}

static void leave_flat_color(IDirect3DDevice8 *device)
{
    set_stage(device, 0, D3DTSS_COLORARG2, D3DTA_CURRENT);
    set_stage(device, 0, D3DTSS_ALPHAARG2, D3DTA_CURRENT);
}

static D3DMATRIX sphere_matrix(const struct view *view)
{
    D3DMATRIX size = matrix_scaling(1.45f, 1.45f, 1.45f);
    D3DMATRIX place = matrix_translation(0, 3.5f + 0.12f * sinf((float)view->frame * 0.03f), 0);

    return matrix_product(&size, &place);
}

static void use_stone(IDirect3DDevice8 *device, const struct textures *textures)
{
    use_texture(device, textures->marble, false);
    use_material(device, (D3DCOLORVALUE){1, 1, 1, 1}, 0, 0);
}

/* The mean colour of marble: under water and in the mirror its veins are not visible. */
static void use_plain_stone(IDirect3DDevice8 *device)
{
    use_texture(device, NULL, false);
    use_material(device, (D3DCOLORVALUE){0.94f, 0.90f, 0.84f, 1}, 0, 0);
}

/* Coordinates from the reflection vector: u = x / 2 + 1 / 2, v = 1 / 2 - y / 2. */
static void draw_sphere(IDirect3DDevice8 *device, const struct textures *textures, const struct shape *sphere,
                        const D3DMATRIX *world)
{
    D3DMATRIX m = matrix_scaling(0.5f, -0.5f, 1);

    m._41 = m._42 = 0.5f;
    use_texture(device, textures->mirror, false);
    use_material(device, (D3DCOLORVALUE){0.9f, 0.85f, 0.75f, 1}, 0.9f, 40);
    set(device, D3DRS_SPECULARENABLE, TRUE);
    set(device, D3DRS_NORMALIZENORMALS, TRUE); /* its matrix scales */
    IDirect3DDevice8_SetTransform(device, D3DTS_TEXTURE0, &m);
    set_stage(device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT2);
    set_stage(device, 0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR);
    set(device, D3DRS_AMBIENT, 0xffb0b0b0);
    shape_draw(device, sphere, world);
    set(device, D3DRS_AMBIENT, ambient_light);
    set_stage(device, 0, D3DTSS_TEXCOORDINDEX, 0);
    clear_texture_matrix(device, 0);
    set(device, D3DRS_NORMALIZENORMALS, FALSE);
    set(device, D3DRS_SPECULARENABLE, FALSE);
}

struct placed_column {
    D3DMATRIX matrix;
    float distance;
};

/* The nearest first: the pixels that they hide are rejected early. */
static void sort_columns(const struct view *view, struct placed_column *columns)
{
    for (unsigned i = 0; i < COLUMN_COUNT; i++) {
        struct placed_column column = {column_matrix(i), 0};
        float x = column.matrix._41 - view->eye.x, z = column.matrix._43 - view->eye.z;
        unsigned at = i;

        column.distance = sqrtf(x * x + z * z);
        for (; at && columns[at - 1].distance > column.distance; at--)
            columns[at] = columns[at - 1];
        columns[at] = column;
    }
}

static void draw_stones(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures,
                        const struct placed_column *columns)
{
    D3DMATRIX world = matrix_identity(), sphere = sphere_matrix(view);

    use_stone(device, textures);
    light_orbs(device, true);
    shape_draw(device, &temple.ring, &world);
    for (unsigned i = 0; i < COLUMN_COUNT; i++) {
        bool fine = columns[i].distance < fine_column_distance;

        shape_draw(device, fine ? &temple.column : &temple.far_column, &columns[i].matrix);
    }
    shape_draw(device, &temple.pedestal, &world);
    shape_draw(device, &temple.steps, &world);
    draw_sphere(device, textures, &temple.sphere, &sphere);
}

/* The orbs are inside: the wall faces away from them. */
static void draw_rim(IDirect3DDevice8 *device, const struct textures *textures)
{
    D3DMATRIX world = matrix_identity();

    light_orbs(device, false);
    use_stone(device, textures);
    shape_draw(device, &temple.rim, &world);
    use_plain_stone(device);
    shape_draw(device, &temple.rim_base, &world);
    light_orbs(device, true);
}

/* Sets stencil to 1 where the floor is visible between the stones, and paints the mirror's background. The depth there
 * stays at the far end, which leaves room for the mirror. */
static void mark_floor(IDirect3DDevice8 *device)
{
    D3DMATRIX world = matrix_identity();

    set(device, D3DRS_ZWRITEENABLE, FALSE);
    set(device, D3DRS_LIGHTING, FALSE);
    set_stencil(device, D3DCMP_ALWAYS, 1, D3DSTENCILOP_REPLACE);
    use_flat_color(device, haze);
    shape_draw(device, &temple.floor_outline, &world);
    leave_flat_color(device);
    set_stencil(device, D3DCMP_EQUAL, 1, D3DSTENCILOP_KEEP);
    set(device, D3DRS_LIGHTING, TRUE);
    set(device, D3DRS_ZWRITEENABLE, TRUE);
}

/* Three quarters of the visible part is the floor: few triangles show the same. */
static void draw_mirrored(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures,
                          const struct placed_column *columns)
{
    D3DMATRIX mirror = matrix_scaling(1, -1, 1), sphere = sphere_matrix(view);

    set(device, D3DRS_CULLMODE, D3DCULL_CW);
    use_plain_stone(device);
    shape_draw(device, &temple.mirror_steps, &mirror);
    shape_draw(device, &temple.mirror_pedestal, &mirror);
    for (unsigned i = 0; i < COLUMN_COUNT; i++) {
        D3DMATRIX world = matrix_product(&columns[i].matrix, &mirror);

        shape_draw(device, &temple.far_column, &world);
    }
    shape_draw(device, &temple.mirror_ring, &mirror);
    sphere = matrix_product(&sphere, &mirror);
    draw_sphere(device, textures, &temple.mirror_sphere, &sphere);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
}

/* Mirrored objects lie behind the floor, so depth alone decides where they are visible. */
static void draw_floor(IDirect3DDevice8 *device, const struct textures *textures)
{
    D3DMATRIX world = matrix_identity();

    set(device, D3DRS_STENCILENABLE, FALSE);
    use_material(device, (D3DCOLORVALUE){1, 1, 1, 0.76f}, 0, 0);
    use_texture(device, textures->tiles, true);
    set_blend(device, true);
    shape_draw(device, &temple.floor, &world);
    set_blend(device, false);
}

/* The stencil lets each pixel of the floor be darkened once. */
static void draw_shadows(IDirect3DDevice8 *device, const struct view *view)
{
    D3DMATRIX shadow = shadow_matrix(), ball = sphere_matrix(view), world = matrix_identity();

    set(device, D3DRS_LIGHTING, FALSE);
    set(device, D3DRS_ZENABLE, D3DZB_FALSE);   /* the stencil knows where the floor is visible */
    set(device, D3DRS_CULLMODE, D3DCULL_NONE); /* a silhouette has no back */
    set_stencil(device, D3DCMP_EQUAL, 1, D3DSTENCILOP_INCR);
    use_flat_color(device, 0x70201828);
    set_blend(device, true);
    ball = matrix_product(&ball, &shadow);
    shape_draw(device, &temple.disc, &ball);
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ);
    IDirect3DDevice8_SetStreamSource(device, 0, temple.shadow, sizeof(struct vec3));
    IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, temple.shadow_triangles);
    set_blend(device, false);
    leave_flat_color(device);
    set(device, D3DRS_STENCILENABLE, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    set(device, D3DRS_ZENABLE, D3DZB_TRUE);
    set(device, D3DRS_LIGHTING, TRUE);
}

void temple_draw(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures)
{
    struct placed_column columns[COLUMN_COUNT];

    sort_columns(view, columns);
    draw_stones(device, view, textures, columns);
    draw_rim(device, textures);
    mark_floor(device);
    draw_mirrored(device, view, textures, columns);
    draw_floor(device, textures);
    light_orbs(device, false);
    draw_shadows(device, view);
}
