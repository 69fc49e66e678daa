/* SPDX-License-Identifier: MIT */
/* The courtyard's models: boxes with bevelled edges, profiles turned about an axis, and an arch, each assembled from a
 * few such parts. */
#include "examples/courtyard.h"

#include <stdlib.h>

/* Directions in 16 bits, as version 9 reads them. */
struct vertex {
    struct vec3 position;
    int16_t normal[4], tangent[4]; /* handedness in the last of `tangent` */
    float u, v;
};

static const D3DVERTEXELEMENT9 vertex_elements[] = {
    {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
    {0, 12, D3DDECLTYPE_SHORT4N, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_NORMAL, 0},
    {0, 20, D3DDECLTYPE_SHORT4N, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TANGENT, 0},
    {0, 28, D3DDECLTYPE_FLOAT2, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
    D3DDECL_END(),
};

/* A model under construction. */
struct mesh {
    struct vertex vertices[6000];
    uint16_t indices[24000];
    unsigned vertex_count, index_count;
};

/* A place on a surface, and the directions in which its coordinates grow. */
struct spot {
    struct vec3 position, normal, along_u, along_v;
    float u, v;
};

static void pack_direction(int16_t packed[4], struct vec3 direction, float w)
{
    packed[0] = (int16_t)(direction.x * 32767);
    packed[1] = (int16_t)(direction.y * 32767);
    packed[2] = (int16_t)(direction.z * 32767);
    packed[3] = (int16_t)(w * 32767);
}

static struct vec3 normal_of(const struct mesh *mesh, unsigned vertex)
{
    const int16_t *n = mesh->vertices[vertex].normal;

    return v3(n[0], n[1], n[2]);
}

static unsigned put_vertex(struct mesh *mesh, const struct spot *spot)
{
    struct vertex *v = &mesh->vertices[mesh->vertex_count];
    struct vec3 n = v3_normal(spot->normal);
    struct vec3 t = v3_normal(v3_sub(spot->along_u, v3_scale(n, v3_dot(spot->along_u, n))));

    if (mesh->vertex_count == COUNT(mesh->vertices))
        fail("a mesh of so many vertices", E_OUTOFMEMORY);
    v->position = spot->position;
    v->u = spot->u;
    v->v = spot->v;
    pack_direction(v->normal, n, 0);
    pack_direction(v->tangent, t, v3_dot(v3_cross(n, t), spot->along_v) < 0 ? -1 : 1);
    return mesh->vertex_count++;
}

/* Clockwise seen from where its normals point to. */
static void put_triangle(struct mesh *mesh, unsigned a, unsigned b, unsigned c)
{
    const struct vertex *v = mesh->vertices;
    struct vec3 ab = v3_sub(v[b].position, v[a].position), ac = v3_sub(v[c].position, v[a].position);
    struct vec3 outside = v3_add(normal_of(mesh, a), v3_add(normal_of(mesh, b), normal_of(mesh, c)));
    float side = v3_dot(v3_cross(ab, ac), outside);
    uint16_t *to = mesh->indices + mesh->index_count;

    if (side == 0)
        return; /* at a pole */
    if (mesh->index_count + 3 > COUNT(mesh->indices))
        fail("a mesh of so many triangles", E_OUTOFMEMORY);
    to[0] = (uint16_t)a;
    to[1] = (uint16_t)(side < 0 ? c : b);
    to[2] = (uint16_t)(side < 0 ? b : c);
    mesh->index_count += 3;
}

/* Rows of vertices from `first` on, of `columns` quads each. */
static void put_quads(struct mesh *mesh, unsigned first, unsigned columns, unsigned rows)
{
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned column = 0; column < columns; column++) {
            unsigned a = first + row * (columns + 1) + column, b = a + columns + 1;

            put_triangle(mesh, a, b, a + 1);
            put_triangle(mesh, a + 1, b, b + 1);
        }
    }
}

/* --- boxes -------------------------------------------------------------------------------------------- */

static float axis_of(struct vec3 v, unsigned axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static struct vec3 unit(unsigned axis, float length)
{
    return v3(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

static float clamp_to(float value, float limit)
{
    return fminf(fmaxf(value, -limit), limit);
}

/* A point on the surface of a bevelled box: its distance from the inner box is the width of the bevel. */
static struct spot bevelled(struct vec3 at, struct vec3 half, float bevel)
{
    struct vec3 inner =
        v3(clamp_to(at.x, half.x - bevel), clamp_to(at.y, half.y - bevel), clamp_to(at.z, half.z - bevel));
    struct vec3 normal = v3_normal(v3_sub(at, inner));

    return (struct spot){.position = v3_add(inner, v3_scale(normal, bevel)), .normal = normal};
}

/* Coordinates grow by `scale` per metre. */
static void put_face(struct mesh *mesh, struct vec3 center, struct vec3 half, float bevel, float scale, unsigned axis,
                     float side)
{
    const unsigned along_u = axis == 0 ? 2 : 0, along_v = axis == 1 ? 2 : 1, first = mesh->vertex_count;
    const float hu = axis_of(half, along_u), hv = axis_of(half, along_v);
    const float u[4] = {-hu, bevel - hu, hu - bevel, hu}, v[4] = {-hv, bevel - hv, hv - bevel, hv};

    for (unsigned i = 0; i < 16; i++) {
        struct vec3 at =
            v3_add(unit(axis, side * axis_of(half, axis)), v3_add(unit(along_u, u[i % 4]), unit(along_v, v[i / 4])));
        struct spot spot = bevelled(at, half, bevel);

        spot.position = v3_add(spot.position, center);
        spot.along_u = unit(along_u, 1);
        spot.along_v = unit(along_v, axis == 1 ? 1 : -1); /* textures hang from above */
        spot.u = axis_of(spot.position, along_u) * scale;
        spot.v = axis_of(spot.position, along_v) * scale * (axis == 1 ? 1 : -1);
        put_vertex(mesh, &spot);
    }
    put_quads(mesh, first, 3, 3);
}

static void put_box(struct mesh *mesh, struct vec3 center, struct vec3 size, float bevel, float scale)
{
    for (unsigned face = 0; face < 6; face++)
        put_face(mesh, center, v3_scale(size, 0.5f), bevel, scale, face / 2, face & 1 ? 1 : -1);
}

/* --- turned profiles -------------------------------------------------------------------------------------- */

struct profile_point {
    float r, y;
};

/* The normal of the surface between two points of a profile; its outside is on the right of the path. */
static struct profile_point profile_normal(const struct profile_point *a, const struct profile_point *b)
{
    float dr = b->r - a->r, dy = b->y - a->y, length = sqrtf(dr * dr + dy * dy);

    return length > 0 ? (struct profile_point){dy / length, -dr / length} : (struct profile_point){1, 0};
}

/* Two surfaces that meet at an obtuse angle share a normal. */
static struct profile_point joined_normal(struct profile_point own, struct profile_point other)
{
    return own.r * other.r + own.y * other.y > 0.6f ? (struct profile_point){own.r + other.r, own.y + other.y} : own;
}

static void put_ring(struct mesh *mesh, unsigned sides, struct profile_point at, struct profile_point normal,
                     struct profile_point way, float v, float repeat)
{
    for (unsigned side = 0; side <= sides; side++) {
        float a = (float)(side % sides) * 2 * pi / (float)sides, c = cosf(a), s = sinf(a);
        struct spot spot = {.position = v3(c * at.r, at.y, s * at.r),
                            .normal = v3(c * normal.r, normal.y, s * normal.r),
                            .along_u = v3(-s, 0, c),
                            .along_v = v3(-c * way.r, -way.y, -s * way.r),
                            .u = repeat * (float)side / (float)sides,
                            .v = -v};

        put_vertex(mesh, &spot);
    }
}

/* The profile goes upwards on the outside; its texture is repeated around, and by `scale` per metre along the
 * profile. */
static void put_turned(struct mesh *mesh, const struct profile_point *profile, unsigned count, unsigned sides,
                       float repeat, float scale)
{
    float v = 0;

    for (unsigned i = 0; i + 1 < count; i++) {
        const struct profile_point *a = &profile[i], *b = a + 1;
        struct profile_point n = profile_normal(a, b), way = {b->r - a->r, b->y - a->y};
        struct profile_point before = i > 0 ? joined_normal(n, profile_normal(a - 1, a)) : n;
        struct profile_point after = i + 2 < count ? joined_normal(n, profile_normal(b, b + 1)) : n;
        float length = sqrtf(way.r * way.r + way.y * way.y);
        unsigned first = mesh->vertex_count;

        put_ring(mesh, sides, *a, before, way, v, repeat);
        v += length * scale;
        put_ring(mesh, sides, *b, after, way, v, repeat);
        put_quads(mesh, first, sides, 1);
    }
}

/* A circle of radius `r` at a distance from the axis gives a ring; half a circle at distance 0 gives a sphere. */
static void put_round(struct mesh *mesh, float distance, float r, unsigned steps, unsigned sides, float turn,
                      float repeat, float scale)
{
    struct profile_point profile[40];

    for (unsigned i = 0; i <= steps; i++) {
        float a = -pi / 2 + turn * (float)i / (float)steps;

        profile[i] = (struct profile_point){fmaxf(distance + r * cosf(a), 0), r * sinf(a)};
    }
    put_turned(mesh, profile, steps + 1, sides, repeat, scale);
}

/* --- parts of the building ------------------------------------------------------------------------------------ */

static void build_column(struct mesh *mesh)
{
    static const struct profile_point profile[] = {
        {0.36f, 0.22f}, {0.40f, 0.27f}, {0.40f, 0.32f}, {0.36f, 0.37f}, {0.31f, 0.38f}, {0.31f, 0.42f}, {0.34f, 0.45f},
        {0.34f, 0.49f}, {0.30f, 0.52f}, {0.27f, 0.55f}, {0.27f, 1.4f},  {0.25f, 2.2f},  {0.225f, 2.7f}, {0.27f, 2.72f},
        {0.27f, 2.77f}, {0.23f, 2.79f}, {0.24f, 2.86f}, {0.30f, 2.95f}, {0.38f, 3.02f}, {0.40f, 3.05f},
    };

    put_box(mesh, v3(0, 0.11f, 0), v3(0.9f, 0.22f, 0.9f), 0.025f, 0.5f);
    put_turned(mesh, profile, COUNT(profile), 20, 1, 0.5f);
    put_box(mesh, v3(0, 3.12f, 0), v3(0.92f, 0.16f, 0.92f), 0.025f, 0.5f);
}

static void build_pier(struct mesh *mesh)
{
    put_box(mesh, v3(0, 0.15f, 0), v3(1.0f, 0.3f, 1.0f), 0.03f, 0.5f);
    put_box(mesh, v3(0, 2.6f, 0), v3(0.84f, 5.0f, 0.84f), 0.03f, 0.5f);
    put_box(mesh, v3(0, 3.12f, 0), v3(1.0f, 0.16f, 1.0f), 0.03f, 0.5f);
}

#define ARCH_STEPS  16
#define ARCH_HALF   1.5f
#define ARCH_RADIUS 1.08f
#define ARCH_HEIGHT 1.75f
#define ARCH_DEPTH  0.3f

/* The wall above the opening, upright strips from the half circle to the top. */
static void put_arch_front(struct mesh *mesh, float side)
{
    const unsigned first = mesh->vertex_count;

    for (unsigned i = 0; i <= ARCH_STEPS + 2; i++) {
        float a = pi * (1 - (float)(i - 1) / ARCH_STEPS);
        float x = i == 0 ? -ARCH_HALF : i > ARCH_STEPS + 1 ? ARCH_HALF : ARCH_RADIUS * cosf(a);
        float low = i == 0 || i > ARCH_STEPS + 1 ? 0 : ARCH_RADIUS * sinf(a);

        for (unsigned end = 0; end < 2; end++) {
            float y = end ? ARCH_HEIGHT : low;
            struct spot spot = {
                v3(x, y, side * ARCH_DEPTH), v3(0, 0, side), v3(1, 0, 0), v3(0, -1, 0), x * 0.5f, -y * 0.5f};

            put_vertex(mesh, &spot);
        }
    }
    put_quads(mesh, first, 1, ARCH_STEPS + 2);
}

/* A band along the half circle between two edges, each given by a distance from its middle and a depth. */
static void put_arch_band(struct mesh *mesh, struct profile_point a, struct profile_point b, float out, float ahead)
{
    const unsigned first = mesh->vertex_count;

    for (unsigned i = 0; i <= ARCH_STEPS; i++) {
        float angle = pi * (float)i / ARCH_STEPS, c = cosf(angle), s = sinf(angle);

        for (unsigned end = 0; end < 2; end++) {
            struct profile_point p = end ? b : a;
            struct spot spot = {v3(c * p.r, s * p.r, p.y),
                                v3(c * out, s * out, ahead),
                                v3(-s, c, 0),
                                v3(c * (b.r - a.r), s * (b.r - a.r), b.y - a.y),
                                angle * 0.8f,
                                (float)end * 0.2f};

            put_vertex(mesh, &spot);
        }
    }
    put_quads(mesh, first, 1, ARCH_STEPS);
}

static void build_arch(struct mesh *mesh)
{
    const float raised = ARCH_DEPTH + 0.06f, outer = ARCH_RADIUS + 0.24f;

    for (float side = -1; side <= 1; side += 2) {
        struct profile_point inside = {ARCH_RADIUS, side * raised}, outside = {outer, side * raised},
                             back = {outer, side * ARCH_DEPTH};

        put_arch_front(mesh, side);
        put_arch_band(mesh, inside, outside, 0, side);
        put_arch_band(mesh, outside, back, 1, 0);
    }
    put_arch_band(mesh, (struct profile_point){ARCH_RADIUS, -raised}, (struct profile_point){ARCH_RADIUS, raised}, -1,
                  0);
}

static void build_cornice(struct mesh *mesh)
{
    put_box(mesh, v3(0, 0.09f, 0), v3(3, 0.18f, 0.76f), 0.02f, 0.5f);
    put_box(mesh, v3(0, 0.27f, 0), v3(3, 0.18f, 0.96f), 0.03f, 0.5f);
}

static void build_bench(struct mesh *mesh)
{
    put_box(mesh, v3(0, 0.45f, 0), v3(1.7f, 0.12f, 0.5f), 0.02f, 0.5f);
    put_box(mesh, v3(-0.6f, 0.2f, 0), v3(0.2f, 0.4f, 0.4f), 0.02f, 0.5f);
    put_box(mesh, v3(0.6f, 0.2f, 0), v3(0.2f, 0.4f, 0.4f), 0.02f, 0.5f);
}

static void build_pedestal(struct mesh *mesh)
{
    put_box(mesh, v3(0, 0.1f, 0), v3(0.84f, 0.2f, 0.84f), 0.025f, 0.5f);
    put_box(mesh, v3(0, 0.55f, 0), v3(0.62f, 0.8f, 0.62f), 0.02f, 0.5f);
    put_box(mesh, v3(0, 1.0f, 0), v3(0.8f, 0.14f, 0.8f), 0.03f, 0.5f);
}

/* --- things ------------------------------------------------------------------------------------------------------- */

static void build_crate(struct mesh *mesh)
{
    put_box(mesh, v3(0, 0.45f, 0), v3(0.84f, 0.84f, 0.84f), 0.01f, 0.6f);
    for (unsigned i = 0; i < 4; i++) {
        float x = i & 1 ? 0.4f : -0.4f, z = i & 2 ? 0.4f : -0.4f;

        put_box(mesh, v3(x, 0.45f, z), v3(0.12f, 0.9f, 0.12f), 0.012f, 0.6f);
        put_box(mesh, v3(0, i & 1 ? 0.84f : 0.06f, z), v3(0.7f, 0.12f, 0.11f), 0.012f, 0.6f);
        put_box(mesh, v3(x, i & 2 ? 0.84f : 0.06f, 0), v3(0.11f, 0.12f, 0.7f), 0.012f, 0.6f);
    }
}

static float barrel_radius(float y)
{
    float t = y / 0.5f - 1;

    return 0.42f - 0.09f * t * t;
}

static void build_barrel(struct mesh *mesh)
{
    struct profile_point profile[14] = {{0, 0.05f}, {0.3f, 0.05f}};

    for (unsigned i = 0; i < 9; i++) {
        float y = (float)i / 8;

        profile[2 + i] = (struct profile_point){barrel_radius(y), y};
    }
    profile[11] = (struct profile_point){0.29f, 1};
    profile[12] = (struct profile_point){0.29f, 0.95f};
    profile[13] = (struct profile_point){0, 0.95f};
    put_turned(mesh, profile, COUNT(profile), 20, 3, 0.6f);
}

static void build_hoops(struct mesh *mesh)
{
    static const float at[4] = {0.06f, 0.27f, 0.73f, 0.94f};

    for (unsigned i = 0; i < COUNT(at); i++) {
        float low = at[i] - 0.035f, high = at[i] + 0.035f;
        const struct profile_point hoop[4] = {{barrel_radius(low) - 0.01f, low},
                                              {barrel_radius(low) + 0.014f, low},
                                              {barrel_radius(high) + 0.014f, high},
                                              {barrel_radius(high) - 0.01f, high}};

        put_turned(mesh, hoop, COUNT(hoop), 20, 4, 0.6f);
    }
}

static void build_urn(struct mesh *mesh)
{
    static const struct profile_point profile[] = {
        {0, 0},         {0.22f, 0},     {0.24f, 0.04f}, {0.2f, 0.1f},   {0.12f, 0.15f}, {0.13f, 0.2f},  {0.24f, 0.3f},
        {0.34f, 0.45f}, {0.38f, 0.6f},  {0.36f, 0.74f}, {0.28f, 0.86f}, {0.22f, 0.93f}, {0.22f, 0.99f}, {0.3f, 1.05f},
        {0.31f, 1.08f}, {0.27f, 1.08f}, {0.2f, 1.0f},   {0.2f, 0.9f},   {0.3f, 0.7f},   {0, 0.6f},
    };

    put_turned(mesh, profile, COUNT(profile), 24, 2, 0.7f);
}

static void build_basin(struct mesh *mesh)
{
    static const struct profile_point rim[] = {
        {2.3f, 0},     {2.3f, 0.16f}, {2.1f, 0.2f},  {2.05f, 0.5f}, {2.2f, 0.56f},
        {2.2f, 0.66f}, {1.8f, 0.66f}, {1.8f, 0.58f}, {1.86f, 0.1f}, {0, 0.1f},
    };
    static const struct profile_point foot[] = {
        {0.5f, 0.1f}, {0.5f, 0.5f},   {0.4f, 0.56f},  {0.28f, 0.64f}, {0.24f, 1.1f},
        {0.3f, 1.3f}, {0.44f, 1.36f}, {0.44f, 1.46f}, {0, 1.46f},
    };

    put_turned(mesh, rim, COUNT(rim), 40, 7, 0.5f);
    put_turned(mesh, foot, COUNT(foot), 20, 1, 0.5f);
}

/* Flat on the ground, seen from above. */
static void put_square(struct mesh *mesh, float half, unsigned quads, float scale)
{
    const unsigned first = mesh->vertex_count;

    for (unsigned row = 0; row <= quads; row++) {
        for (unsigned column = 0; column <= quads; column++) {
            float x = half * (2 * (float)column / (float)quads - 1), z = half * (2 * (float)row / (float)quads - 1);
            struct spot spot = {v3(x, 0, z), v3(0, 1, 0), v3(1, 0, 0), v3(0, 0, 1), x * scale, z * scale};

            put_vertex(mesh, &spot);
        }
    }
    put_quads(mesh, first, quads, quads);
}

static void build_water(struct mesh *mesh)
{
    static const struct profile_point disc[] = {{1.86f, 0}, {0.2f, 0}};
    const unsigned first = mesh->vertex_count;

    put_turned(mesh, disc, COUNT(disc), 40, 1, 0.5f);
    for (unsigned i = first; i < mesh->vertex_count; i++) { /* waves do not turn about the middle */
        struct vertex *v = &mesh->vertices[i];

        v->u = v->position.x * 0.4f;
        v->v = v->position.z * 0.4f;
        pack_direction(v->tangent, v3(1, 0, 0), -1);
    }
}

/* An arm at the wall that holds a lamp. */
static void build_bracket(struct mesh *mesh)
{
    static const struct profile_point cap[] = {{0, -0.2f},     {0.07f, -0.2f}, {0.07f, -0.16f}, {0.02f, -0.15f},
                                               {0.02f, 0.12f}, {0.2f, 0.12f},  {0.1f, 0.24f},   {0.02f, 0.32f},
                                               {0.02f, 0.62f}, {0, 0.62f}};

    put_turned(mesh, cap, COUNT(cap), 12, 1, 0.6f);
    put_box(mesh, v3(0, 0.6f, 0.35f), v3(0.05f, 0.05f, 0.8f), 0.01f, 0.6f);
    put_box(mesh, v3(0, 0.5f, 0.74f), v3(0.12f, 0.4f, 0.06f), 0.01f, 0.6f);
}

/* Tufts grow out of a slender cone. */
static void build_cypress(struct mesh *mesh)
{
    struct profile_point profile[30] = {{0, 0}, {0.13f, 0}, {0.13f, 0.5f}};

    for (unsigned i = 3; i < COUNT(profile); i++) {
        float t = (float)(i - 3) / (COUNT(profile) - 4), bulge = 1.1f * sqrtf(t * 4) * (1 - t) + 0.12f * (1 - t);

        profile[i] = (struct profile_point){(i & 1 ? 1 : 0.88f) * fminf(bulge, 0.85f), 0.5f + 7.5f * t};
    }
    put_turned(mesh, profile, COUNT(profile), 18, 3, 0.5f);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static void build_ground(struct mesh *mesh)
{
    put_square(mesh, 90, 18, 0.25f);
}

static void build_pavement(struct mesh *mesh)
{
    put_square(mesh, 1.5f, 1, 1 / 3.0f);
}

static void build_walk(struct mesh *mesh)
{
    put_box(mesh, v3(0, -0.1f, -0.3f), v3(3, 0.2f, 3.6f), 0.006f, 1 / 3.0f);
}

static void build_wall(struct mesh *mesh)
{
    put_box(mesh, v3(0, 3.2f, 0), v3(3, 6.4f, 0.4f), 0.01f, 1 / 3.0f);
}

static void build_roof(struct mesh *mesh)
{
    put_box(mesh, v3(0, 0, 0), v3(3, 0.14f, 4.3f), 0.003f, 1 / 3.0f);
}

static void build_parapet(struct mesh *mesh)
{
    put_box(mesh, v3(0, 0.5f, 0), v3(3, 1.0f, 0.45f), 0.03f, 1 / 3.0f);
}

static void build_sphere(struct mesh *mesh)
{
    put_round(mesh, 0, 0.42f, 18, 32, pi, 4, 2);
}

static void build_ring(struct mesh *mesh)
{
    put_round(mesh, 1, 0.05f, 8, 48, 2 * pi, 8, 2);
}

static void (*const builders[MODEL_COUNT])(struct mesh *mesh) = {
    [MODEL_GROUND] = build_ground,   [MODEL_PAVEMENT] = build_pavement, [MODEL_WALK] = build_walk,
    [MODEL_COLUMN] = build_column,   [MODEL_PIER] = build_pier,         [MODEL_ARCH] = build_arch,
    [MODEL_CORNICE] = build_cornice, [MODEL_WALL] = build_wall,         [MODEL_ROOF] = build_roof,
    [MODEL_PARAPET] = build_parapet, [MODEL_PEDESTAL] = build_pedestal, [MODEL_BENCH] = build_bench,
    [MODEL_CRATE] = build_crate,     [MODEL_BARREL] = build_barrel,     [MODEL_HOOPS] = build_hoops,
    [MODEL_URN] = build_urn,         [MODEL_BASIN] = build_basin,       [MODEL_WATER] = build_water,
    [MODEL_SPHERE] = build_sphere,   [MODEL_RING] = build_ring,         [MODEL_BRACKET] = build_bracket,
    [MODEL_CYPRESS] = build_cypress,
};

/* The bounding sphere of the model's bounding box. */
static struct vec3 middle_of(const struct mesh *mesh)
{
    struct vec3 low = mesh->vertices[0].position, high = low;

    for (unsigned i = 1; i < mesh->vertex_count; i++) {
        struct vec3 p = mesh->vertices[i].position;

        low = v3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = v3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    return v3_scale(v3_add(low, high), 0.5f);
}

static struct bounded_model finish(IDirect3DDevice9 *device, const struct mesh *mesh)
{
    struct vec3 center = middle_of(mesh);
    float most = 0;

    for (unsigned i = 0; i < mesh->vertex_count; i++) {
        struct vec3 d = v3_sub(mesh->vertices[i].position, center);

        most = fmaxf(most, v3_dot(d, d));
    }
    return (struct bounded_model){
        .model = {.vertices =
                      make_vertices(device, mesh->vertices, mesh->vertex_count * (unsigned)sizeof(struct vertex)),
                  .indices = make_indices(device, mesh->indices, mesh->index_count),
                  .declaration = make_declaration(device, vertex_elements),
                  .stride = sizeof(struct vertex),
                  .vertex_count = mesh->vertex_count,
                  .triangle_count = mesh->index_count / 3},
        .center = center,
        .radius = sqrtf(most),
    };
}

void courtyard_models_create(IDirect3DDevice9 *device, struct bounded_model models[MODEL_COUNT])
{
    for (unsigned i = 0; i < MODEL_COUNT; i++) {
        struct mesh *mesh = calloc(1, sizeof(*mesh));

        if (!mesh)
            fail("memory for a mesh", E_OUTOFMEMORY);
        builders[i](mesh);
        models[i] = finish(device, mesh);
        free(mesh);
    }
}
