/* SPDX-License-Identifier: MIT */
/* The henge's models: stones shaped from boxes, the ground around them, grass, the crystal. */
#include "examples/henge.h"

#include <stdlib.h>
#include <string.h>

/* Directions in 16 bits, as version 9 reads them. */
struct vertex {
    struct vec3 position;
    int16_t normal[4], tangent[4]; /* handedness in the last of `tangent` */
    float u, v, occlusion;
};

static const D3DVERTEXELEMENT9 vertex_elements[] = {
    {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
    {0, 12, D3DDECLTYPE_SHORT4N, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_NORMAL, 0},
    {0, 20, D3DDECLTYPE_SHORT4N, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TANGENT, 0},
    {0, 28, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
    D3DDECL_END(),
};

/* A model under construction; 16 bits number its vertices. */
struct mesh {
    struct vertex vertices[40000];
    uint16_t indices[200000];
    unsigned vertex_count, index_count;
};

static struct mesh *mesh_create(void)
{
    struct mesh *mesh = calloc(1, sizeof(*mesh));

    if (!mesh)
        fail("memory for a mesh", E_OUTOFMEMORY);
    return mesh;
}

static struct model mesh_finish(IDirect3DDevice9 *device, struct mesh *mesh)
{
    struct model model = {
        .vertices = make_vertices(device, mesh->vertices, mesh->vertex_count * (unsigned)sizeof(struct vertex)),
        .indices = make_indices(device, mesh->indices, mesh->index_count),
        .declaration = make_declaration(device, vertex_elements),
        .stride = sizeof(struct vertex),
        .vertex_count = mesh->vertex_count,
        .triangle_count = mesh->index_count / 3,
    };

    free(mesh);
    return model;
}

static void pack_direction(int16_t packed[4], struct vec3 direction, float w)
{
    packed[0] = (int16_t)(direction.x * 32767);
    packed[1] = (int16_t)(direction.y * 32767);
    packed[2] = (int16_t)(direction.z * 32767);
    packed[3] = (int16_t)(w * 32767);
}

/* Clockwise seen from where `outside` points to. */
static void put_triangle(struct mesh *mesh, unsigned a, unsigned b, unsigned c, struct vec3 outside)
{
    const struct vertex *v = mesh->vertices;
    struct vec3 ab = v3_sub(v[b].position, v[a].position), ac = v3_sub(v[c].position, v[a].position);
    bool turned = v3_dot(v3_cross(ab, ac), outside) < 0;
    uint16_t *to = mesh->indices + mesh->index_count;

    to[0] = (uint16_t)a;
    to[1] = (uint16_t)(turned ? c : b);
    to[2] = (uint16_t)(turned ? b : c);
    mesh->index_count += 3;
}

/* --- stones ------------------------------------------------------------------------------------------- */

#define STONE_STEPS 9 /* quads along each edge of a face */

struct stone {
    struct vec3 place, half; /* of its middle; half its size */
    float yaw, lean;
};

/* The places of the stones: two rings, fallen stones, and the altar. */
#define OUTER_COUNT 15
#define MAX_STONES  60
static struct stone stones[MAX_STONES];
static unsigned stone_count;

static float random_between(uint32_t *seed, float low, float high)
{
    return low + (high - low) * random_float(seed);
}

static void put_stone(struct vec3 place, struct vec3 half, float yaw, float lean)
{
    if (stone_count < MAX_STONES)
        stones[stone_count++] = (struct stone){place, half, yaw, lean};
}

static void put_upright(float angle, float radius, float height, float width, uint32_t *seed)
{
    struct vec3 place = v3(sinf(angle) * radius, 0, cosf(angle) * radius);

    place.y = ground_height(place.x, place.z) + height / 2 - 0.35f;
    put_stone(place, v3(width / 2, height / 2 + 0.2f, 0.42f), angle, random_between(seed, -0.03f, 0.03f));
}

/* On two uprights of this height, whose middles lie `span` apart. */
static void put_lintel(float angle, float radius, float height, float span)
{
    struct vec3 place = v3(sinf(angle) * radius, height + 0.12f, cosf(angle) * radius);

    place.y += ground_height(place.x, place.z);
    put_stone(place, v3(span / 2 + 0.55f, 0.4f, 0.5f), angle, 0);
}

static void place_stones(void)
{
    /* of the outer ring: 2 is standing and carries a lintel to the next, 1 is standing, 0 is missing, 3 is broken */
    static const uint8_t outer[OUTER_COUNT] = {2, 2, 1, 0, 2, 1, 3, 0, 2, 1, 0, 2, 2, 1, 1};
    const float step = 2 * pi / OUTER_COUNT, radius = 9.2f, span = 2 * radius * sinf(step / 2);
    uint32_t seed = 77;

    stone_count = 0;
    for (unsigned i = 0; i < OUTER_COUNT; i++) {
        float angle = step * ((float)i + 0.5f), height = outer[i] == 3 ? 1.9f : 4.1f;

        if (outer[i])
            put_upright(angle, radius, height, random_between(&seed, 1.5f, 1.9f), &seed);
        if (outer[i] == 2)
            put_lintel(angle + step / 2, radius * cosf(step / 2), 4.1f, span);
    }
    for (int side = -1; side <= 1; side++) {
        float angle = (float)side * 1.25f, spread = 0.27f;

        put_upright(angle - spread, 5.0f, 5.3f, 1.5f, &seed);
        put_upright(angle + spread, 5.0f, 5.3f, 1.5f, &seed);
        put_lintel(angle, 4.85f, 5.3f, 10 * sinf(spread));
    }
    for (unsigned i = 0; i < 5; i++) {
        float angle = 2.2f + 0.55f * (float)i, r = random_between(&seed, 5.5f, 12.5f);
        struct vec3 place = v3(sinf(angle) * r, 0, cosf(angle) * r);

        place.y = ground_height(place.x, place.z) + 0.15f;
        put_stone(place, v3(random_between(&seed, 0.8f, 1.6f), 0.42f, 0.55f), random_between(&seed, 0, 6), 0.1f);
    }
    put_stone(v3(0, ground_height(0, 0) + 0.35f, 0), v3(1.25f, 0.55f, 0.7f), 0.2f, 0);
}

/* -1..1, the same on every face that meets in a point. */
static float noise3(struct vec3 p)
{
    return (noise2(p.x + 7, p.y + 31, 0) + noise2(p.y + 53, p.z + 11, 0) + noise2(p.z + 5, p.x + 71, 0)) / 1.5f - 1;
}

/* From a cube's surface to the stone's: edges are rounded, the stone narrows upwards, and weather has worn it. */
static struct vec3 stone_surface(const struct stone *stone, struct vec3 cube, float seed)
{
    float x = cube.x * cube.x, y = cube.y * cube.y, z = cube.z * cube.z;
    float round = powf(x * x * x * x * x + y * y * y * y * y + z * z * z * z * z, -1 / 10.0f);
    float taper = 1 - 0.07f * (1 + cube.y), wear;
    struct vec3 p = v3(cube.x * round * taper * stone->half.x, cube.y * round * stone->half.y,
                       cube.z * round * taper * stone->half.z);
    float c = cosf(stone->yaw), s = sinf(stone->yaw);

    wear = 0.14f * noise3(v3_add(v3_scale(p, 0.9f), v3(seed, seed, seed))) +
           0.05f * noise3(v3_add(v3_scale(p, 2.7f), v3(seed, 0, seed)));
    p = v3_add(p, v3_scale(v3_normal(cube), wear));
    p.x += stone->lean * p.y;
    return v3_add(stone->place, v3(p.x * c + p.z * s, p.y, p.z * c - p.x * s));
}

/* Sums of the normals of the faces around each place, over all faces of the box. */
static void smooth_normals(const struct mesh *mesh, unsigned first, unsigned first_index, struct vec3 *normals)
{
    const struct vertex *v = mesh->vertices;

    for (unsigned i = first_index; i < mesh->index_count; i += 3) {
        const uint16_t *t = mesh->indices + i;
        struct vec3 n =
            v3_cross(v3_sub(v[t[1]].position, v[t[0]].position), v3_sub(v[t[2]].position, v[t[0]].position));

        for (unsigned k = 0; k < 3; k++)
            normals[t[k] - first] = v3_add(normals[t[k] - first], n);
    }
}

/* Vertices at the same place on an edge of the box share a normal. */
static struct vec3 shared_normal(const struct mesh *mesh, unsigned first, const struct vec3 *normals, unsigned which)
{
    struct vec3 sum = {0, 0, 0};

    for (unsigned i = first; i < mesh->vertex_count; i++)
        if (!memcmp(&mesh->vertices[i].position, &mesh->vertices[which].position, sizeof(struct vec3)))
            sum = v3_add(sum, normals[i - first]);
    return v3_normal(sum);
}

static float axis_of(struct vec3 v, unsigned axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static struct vec3 unit(unsigned axis, float length)
{
    return v3(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

static void put_face(struct mesh *mesh, const struct stone *stone, unsigned axis, float side, float seed)
{
    const unsigned along_u = axis == 0 ? 2 : 0, along_v = axis == 1 ? 2 : 1, first = mesh->vertex_count;
    const float scale = 0.42f;
    struct vec3 outside;

    for (unsigned row = 0; row <= STONE_STEPS; row++) {
        for (unsigned column = 0; column <= STONE_STEPS; column++) {
            float a = (float)column * 2 / STONE_STEPS - 1, b = (float)row * 2 / STONE_STEPS - 1;
            struct vec3 cube = v3_add(unit(axis, side), v3_add(unit(along_u, a), unit(along_v, b)));
            struct vertex *v = &mesh->vertices[mesh->vertex_count++];
            float above;

            v->position = stone_surface(stone, cube, seed);
            v->u = a * axis_of(stone->half, along_u) * scale + seed * 0.37f;
            v->v = b * axis_of(stone->half, along_v) * scale + seed * 0.53f;
            above = v->position.y - ground_height(v->position.x, v->position.z);
            v->occlusion = fminf(fmaxf(0.35f + 0.65f * above / 1.3f, 0.35f), 1);
        }
    }
    outside = v3_sub(stone_surface(stone, unit(axis, side), seed), stone->place);
    for (unsigned row = 0; row < STONE_STEPS; row++) {
        for (unsigned column = 0; column < STONE_STEPS; column++) {
            unsigned a = first + row * (STONE_STEPS + 1) + column, b = a + STONE_STEPS + 1;

            put_triangle(mesh, a, b, a + 1, outside);
            put_triangle(mesh, a + 1, b, b + 1, outside);
        }
    }
}

/* The directions in which the face's coordinates grow, at one of its vertices. */
static void face_tangent(struct mesh *mesh, const struct stone *stone, unsigned axis, unsigned which,
                         struct vec3 normal)
{
    float c = cosf(stone->yaw), s = sinf(stone->yaw);
    struct vec3 u = axis == 0 ? v3(s, 0, c) : v3(c, 0, -s), v = axis == 1 ? v3(s, 0, c) : v3(0, 1, 0);
    struct vec3 tangent = v3_normal(v3_sub(u, v3_scale(normal, v3_dot(u, normal))));
    float handedness = v3_dot(v3_cross(normal, tangent), v) < 0 ? -1 : 1;

    pack_direction(mesh->vertices[which].normal, normal, 0);
    pack_direction(mesh->vertices[which].tangent, tangent, handedness);
}

static void put_stone_mesh(struct mesh *mesh, const struct stone *stone, float seed)
{
    enum { FACE = (STONE_STEPS + 1) * (STONE_STEPS + 1) };
    const unsigned first = mesh->vertex_count, first_index = mesh->index_count;
    struct vec3 normals[6 * FACE];

    for (unsigned face = 0; face < 6; face++)
        put_face(mesh, stone, face / 2, face & 1 ? 1 : -1, seed);
    memset(normals, 0, sizeof(normals));
    smooth_normals(mesh, first, first_index, normals);
    for (unsigned i = first; i < mesh->vertex_count; i++)
        face_tangent(mesh, stone, (i - first) / FACE / 2, i, shared_normal(mesh, first, normals, i));
}

struct model stones_create(IDirect3DDevice9 *device)
{
    struct mesh *mesh = mesh_create();

    place_stones();
    for (unsigned i = 0; i < stone_count; i++)
        put_stone_mesh(mesh, &stones[i], (float)i * 1.7f);
    return mesh_finish(device, mesh);
}

/* --- ground ------------------------------------------------------------------------------------------------ */

#define GROUND_COLUMNS 128
#define GROUND_RINGS   84
#define NEAR_RINGS     60

float ground_height(float x, float z)
{
    float r = sqrtf(x * x + z * z), away = fminf(fmaxf((r - 55) / 200, 0), 1);
    float knolls = (fractal_noise(x * 0.07f + 50, z * 0.07f + 50, 0, 3) - 0.5f) * 1.1f;
    float hills = fractal_noise(x * 0.0085f + 9.3f, z * 0.0085f + 3.1f, 0, 5);

    return knolls + away * (hills * 92 - 14);
}

/* Darker at the foot of the stones. */
static float ground_occlusion(float x, float z)
{
    float light = 1;

    for (unsigned i = 0; i < stone_count; i++) {
        const struct stone *stone = &stones[i];
        float c = cosf(stone->yaw), s = sinf(stone->yaw), dx = x - stone->place.x, dz = z - stone->place.z;
        float a = fmaxf(fabsf(dx * c - dz * s) - stone->half.x, 0),
              b = fmaxf(fabsf(dx * s + dz * c) - stone->half.z, 0);

        if (stone->place.y < 3)
            light *= fminf(0.4f + 0.6f * sqrtf(a * a + b * b) / 1.1f, 1);
    }
    return light;
}

static void put_ground_vertex(struct mesh *mesh, float x, float z)
{
    const float step = 0.3f;
    struct vertex *v = &mesh->vertices[mesh->vertex_count++];
    float h = ground_height(x, z);
    struct vec3 normal = v3_normal(v3(h - ground_height(x + step, z), step, h - ground_height(x, z + step)));
    struct vec3 tangent = v3_normal(v3(normal.y, -normal.x, 0));

    v->position = v3(x, h, z);
    pack_direction(v->normal, normal, 0);
    pack_direction(v->tangent, tangent, -1); /* v grows along z: the normal and x give -z */
    v->u = x * 0.22f;
    v->v = z * 0.22f;
    v->occlusion = ground_occlusion(x, z);
}

struct model ground_create(IDirect3DDevice9 *device)
{
    struct mesh *mesh = mesh_create();
    float r = 0;

    for (unsigned ring = 0; ring <= GROUND_RINGS; ring++) {
        for (unsigned column = 0; column <= GROUND_COLUMNS; column++) {
            float a = (float)(column % GROUND_COLUMNS) * 2 * pi / GROUND_COLUMNS;

            put_ground_vertex(mesh, sinf(a) * r, cosf(a) * r);
        }
        r = ring < NEAR_RINGS ? r + 0.46f : r * 1.125f;
    }
    for (unsigned ring = 0; ring < GROUND_RINGS; ring++) {
        for (unsigned column = 0; column < GROUND_COLUMNS; column++) {
            unsigned a = ring * (GROUND_COLUMNS + 1) + column, b = a + GROUND_COLUMNS + 1;

            put_triangle(mesh, a, b, a + 1, v3(0, 1, 0));
            put_triangle(mesh, a + 1, b, b + 1, v3(0, 1, 0));
        }
    }
    return mesh_finish(device, mesh);
}

/* --- crystal --------------------------------------------------------------------------------------------------- */

/* Two six-sided pyramids base to base; each triangle has its own normal. */
struct model crystal_create(IDirect3DDevice9 *device)
{
    struct mesh *mesh = mesh_create();

    for (unsigned i = 0; i < 12; i++) {
        float a = (float)(i / 2) * pi / 3, b = a + pi / 3;
        const struct vec3 corner[3] = {v3(0, i & 1 ? 0.95f : -0.75f, 0), v3(sinf(a) * 0.36f, 0.12f, cosf(a) * 0.36f),
                                       v3(sinf(b) * 0.36f, 0.12f, cosf(b) * 0.36f)};
        struct vec3 normal = v3_normal(v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0])));

        if (v3_dot(normal, corner[1]) < 0)
            normal = v3_scale(normal, -1);
        for (unsigned k = 0; k < 3; k++) {
            struct vertex *v = &mesh->vertices[mesh->vertex_count++];

            v->position = corner[k];
            pack_direction(v->normal, normal, 0);
        }
        put_triangle(mesh, 3 * i, 3 * i + 1, 3 * i + 2, normal);
    }
    return mesh_finish(device, mesh);
}
