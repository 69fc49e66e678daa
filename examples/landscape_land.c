/* SPDX-License-Identifier: MIT */
/*
 * The land: terrain in patches, trees in clusters, and the lake. Patches and clusters are drawn only where they may be
 * visible. The sun does not move and each tree has a single normal, so that the light is part of the vertices.
 */
#include "examples/landscape.h"

#include <stdlib.h>
#include <string.h>

#define PATCH_CELLS    6 /* a side */
#define PATCH_VERTICES ((PATCH_CELLS + 1) * (PATCH_CELLS + 1))
#define PATCHES        6 /* a side */
#define CELLS          (PATCHES * PATCH_CELLS)
#define TREE_COUNT     240
#define TREE_VERTICES  6 /* a hexagon */
#define TREE_INDICES   12
#define CLUSTER_TREES  15
#define CLUSTERS       (TREE_COUNT / CLUSTER_TREES)
#define LAKE_SECTORS   40
#define LAKE_RINGS     3

struct bounds {
    struct vec3 center;
    float radius;
};

struct patch {
    struct bounds bounds;
    unsigned first_index, dry, wet; /* triangles: those above water come first */
};

static struct {
    IDirect3DVertexBuffer8 *vertices, *tree_vertices;
    IDirect3DIndexBuffer8 *indices, *tree_indices;
    struct patch patches[PATCHES * PATCHES];
    struct bounds clusters[CLUSTERS];
    struct shape shore_water;
    uint16_t lake_indices[6 * LAKE_RINGS * LAKE_SECTORS];
} land;

/* At this distance the grain is finer than a pixel: only its mean would remain, which changes nothing. */
static const float grain_distance = 60;

static const D3DCOLOR bed_color = 0xffc9b083;
static const D3DCOLORVALUE water_color = {0.62f, 0.72f, 0.86f, 0.66f};
static const float water_shine = 0.45f, waves = 0.14f;  /* textures to a unit */
static const float long_waves = 0.37f;                  /* times that */
static const float bed_height = -2, lake_inner = 12.1f; /* inside the wall */
static const float deep_radius = 26;                    /* up to there the ground is deep and uniform */
static const float shore_radius = 80;

/* --- terrain ----------------------------------------------------------------------------- */

static struct vec3 terrain_surface(float u, float v)
{
    float x = (u - 0.5f) * 2 * world_size, z = (v - 0.5f) * 2 * world_size;

    return v3(x, height_at(x, z), z);
}

static struct bounds bounds_of(const struct shape_vertex *vertices, unsigned count)
{
    struct bounds bounds = {{0, 0, 0}, 0};

    for (unsigned i = 0; i < count; i++)
        bounds.center = v3_add(bounds.center, v3_scale(vertices[i].position, 1 / (float)count));
    for (unsigned i = 0; i < count; i++) {
        struct vec3 d = v3_sub(vertices[i].position, bounds.center);

        bounds.radius = fmaxf(bounds.radius, sqrtf(v3_dot(d, d)));
    }
    return bounds;
}

static float flat_radius(struct vec3 p)
{
    return sqrtf(p.x * p.x + p.z * p.z);
}

/* The patch's indices above water, then those of visible lake bed: deep water is opaque. Returns where the next patch's
 * indices begin. */
static uint16_t *fill_patch(struct patch *patch, const struct shape_vertex *vertices, unsigned first_vertex,
                            uint16_t *indices)
{
    uint16_t cells[PATCH_CELLS * PATCH_CELLS * 6], *out = indices;
    unsigned count = shape_fill_indices(PATCH_CELLS, PATCH_CELLS, cells);

    for (unsigned wet = 0; wet < 2; wet++) {
        for (unsigned cell = 0; cell < count; cell += 6) {
            bool below = true, deep = true;

            for (unsigned i = 0; i < 6; i++) {
                struct vec3 p = vertices[cells[cell + i]].position;

                below = below && p.y < water_level;
                deep = deep && flat_radius(p) < deep_radius - 0.5f;
            }
            for (unsigned i = 0; i < 6 && below == wet && !deep; i++)
                *out++ = (uint16_t)(first_vertex + cells[cell + i]);
        }
        *(wet ? &patch->wet : &patch->dry) = (unsigned)(out - indices) / 3;
    }
    patch->wet -= patch->dry;
    patch->bounds = bounds_of(vertices, PATCH_VERTICES);
    return out;
}

static void create_terrain(IDirect3DDevice8 *device)
{
    static const struct surface surface = {
        .position = terrain_surface, .columns = CELLS, .rows = CELLS, .repeat_u = 1, .repeat_v = 1};
    static struct shape_vertex grid[(CELLS + 1) * (CELLS + 1)];
    static struct shape_vertex vertices[PATCHES * PATCHES * PATCH_VERTICES];
    static uint16_t indices[CELLS * CELLS * 6];
    uint16_t *end = indices;

    shape_fill(&surface, grid);
    for (unsigned i = 0; i < PATCHES * PATCHES; i++) {
        unsigned first = i * PATCH_VERTICES;

        for (unsigned k = 0; k < PATCH_VERTICES; k++) {
            unsigned column = i % PATCHES * PATCH_CELLS + k % (PATCH_CELLS + 1);
            unsigned row = i / PATCHES * PATCH_CELLS + k / (PATCH_CELLS + 1);

            vertices[first + k] = grid[row * (CELLS + 1) + column];
        }
        land.patches[i].first_index = (unsigned)(end - indices);
        end = fill_patch(&land.patches[i], vertices + first, first, end);
    }
    land.vertices = make_vertices(device, vertices, sizeof(vertices), SHAPE_FVF);
    land.indices = make_indices(device, indices, (unsigned)(end - indices));
}

static void draw_patch(IDirect3DDevice8 *device, const struct patch *patch, unsigned first, unsigned triangles)
{
    unsigned index = (unsigned)(patch - land.patches);

    if (triangles)
        IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, index * PATCH_VERTICES, PATCH_VERTICES,
                                              patch->first_index + 3 * first, triangles);
}

struct seen_patch {
    const struct patch *patch;
    float distance; /* of its nearest point, at least */
};

/* The patches that may be visible, the nearest first: the pixels that they hide are rejected early. */
static unsigned find_patches(const struct view *view, struct seen_patch *seen)
{
    unsigned count = 0;

    for (unsigned i = 0; i < COUNT(land.patches); i++) {
        const struct patch *patch = &land.patches[i];
        struct vec3 d = v3_sub(patch->bounds.center, view->eye);
        float distance = sqrtf(v3_dot(d, d)) - patch->bounds.radius;
        unsigned at = count;

        if (!view_sees(view, patch->bounds.center, patch->bounds.radius))
            continue;
        for (; at && seen[at - 1].distance > distance; at--)
            seen[at] = seen[at - 1];
        seen[at] = (struct seen_patch){patch, distance};
        count++;
    }
    return count;
}

/* Stage 1 multiplies near and dry ground by a fine grain, whose coordinates are those of stage 0 enlarged. */
static void draw_terrain(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures)
{
    struct seen_patch seen[COUNT(land.patches)];
    unsigned count = find_patches(view, seen), near_count = 0;
    D3DMATRIX world = matrix_identity();

    while (near_count < count && seen[near_count].distance < grain_distance)
        near_count++;
    use_material(device, (D3DCOLORVALUE){1, 1, 1, 1}, 0, 0);
    use_texture(device, textures->ground, false);
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetVertexShader(device, SHAPE_FVF);
    IDirect3DDevice8_SetStreamSource(device, 0, land.vertices, sizeof(struct shape_vertex));
    IDirect3DDevice8_SetIndices(device, land.indices, 0);
    set_second_layer(device, textures->detail);
    set_texture_matrix(device, 1, 48, 0, 0);
    for (unsigned i = 0; i < near_count; i++)
        draw_patch(device, seen[i].patch, 0, seen[i].patch->dry);
    clear_texture_matrix(device, 1);
    set_second_layer(device, NULL);
    for (unsigned i = 0; i < count; i++) {
        const struct patch *patch = seen[i].patch;
        unsigned drawn = i < near_count ? patch->dry : 0;

        draw_patch(device, patch, drawn, patch->dry + patch->wet - drawn);
    }
}

/* --- trees ------------------------------------------------------------------------------- */

struct tree {
    float angle, x, z, size;
};

static int by_angle(const void *a, const void *b)
{
    float difference = ((const struct tree *)a)->angle - ((const struct tree *)b)->angle;

    return (difference > 0) - (difference < 0);
}

/* All trees are seen from across the lake, so a tree is one hexagon that faces the lake. The hexagon fits the leaves: a
 * rectangle would have twice as many pixels to test alpha in. */
static void put_tree(struct shape_vertex *out, const struct tree *tree)
{
    static const float corners[TREE_VERTICES][2] = {{-0.4f, 0},   {0.4f, 0},  {-0.7f, 0.4f},
                                                    {0.7f, 0.4f}, {-0.3f, 1}, {0.3f, 1}};
    const struct vec3 normal = v3_normal(v3_add(v3_normal(sun), v3(0, 0.9f, 0)));
    float ground = height_at(tree->x, tree->z) - 0.15f;
    struct vec3 side = v3(-sinf(tree->angle), 0, cosf(tree->angle));

    for (unsigned i = 0; i < TREE_VERTICES; i++) {
        float across = corners[i][0], up = corners[i][1];

        out[i].position =
            v3_add(v3(tree->x, ground + up * tree->size * 1.7f, tree->z), v3_scale(side, across * tree->size * 0.36f));
        out[i].normal = normal;
        out[i].color = sunlit(0xffffffff, normal);
        out[i].u = across * 0.5f + 0.5f;
        out[i].v = 1 - up;
    }
}

static void find_places(struct tree *trees)
{
    uint32_t seed = 7;

    for (unsigned i = 0; i < TREE_COUNT;) {
        float a = random_float(&seed) * 2 * pi, r = 30 + 45 * random_float(&seed);
        float x = r * cosf(a), z = r * sinf(a), h = height_at(x, z);
        float size = 1.6f + 2.0f * random_float(&seed);

        if (h > 0 && h < 8 && noise2(x * 0.12f, z * 0.12f, 0) > 0.45f)
            trees[i++] = (struct tree){a, x, z, size};
    }
    qsort(trees, TREE_COUNT, sizeof(*trees), by_angle);
}

static void create_trees(IDirect3DDevice8 *device)
{
    static struct tree trees[TREE_COUNT];
    static struct shape_vertex vertices[TREE_COUNT * TREE_VERTICES];
    static uint16_t indices[TREE_COUNT * TREE_INDICES];
    const unsigned cluster = CLUSTER_TREES * TREE_VERTICES;

    find_places(trees);
    for (unsigned i = 0; i < TREE_COUNT; i++) {
        put_tree(vertices + TREE_VERTICES * i, &trees[i]);
        shape_fill_indices(1, 2, indices + TREE_INDICES * i);
        for (unsigned k = 0; k < TREE_INDICES; k++)
            indices[TREE_INDICES * i + k] += (uint16_t)(TREE_VERTICES * i);
    }
    for (unsigned i = 0; i < CLUSTERS; i++)
        land.clusters[i] = bounds_of(vertices + cluster * i, cluster);
    land.tree_vertices = make_vertices(device, vertices, sizeof(vertices), SHAPE_FVF);
    land.tree_indices = make_indices(device, indices, COUNT(indices));
}

static void draw_trees(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures)
{
    const unsigned vertices = CLUSTER_TREES * TREE_VERTICES, indices = CLUSTER_TREES * TREE_INDICES;

    use_texture(device, textures->leaves, false);
    set(device, D3DRS_LIGHTING, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_NONE);
    set(device, D3DRS_ALPHATESTENABLE, TRUE);
    set(device, D3DRS_ALPHAFUNC, D3DCMP_GREATEREQUAL);
    set(device, D3DRS_ALPHAREF, 0x80);
    IDirect3DDevice8_SetStreamSource(device, 0, land.tree_vertices, sizeof(struct shape_vertex));
    IDirect3DDevice8_SetIndices(device, land.tree_indices, 0);
    for (unsigned i = 0; i < CLUSTERS; i++)
        if (view_sees(view, land.clusters[i].center, land.clusters[i].radius))
            IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, i * vertices, vertices, i * indices,
                                                  indices / 3);
    set(device, D3DRS_ALPHATESTENABLE, FALSE);
    set(device, D3DRS_CULLMODE, D3DCULL_CCW);
    set(device, D3DRS_LIGHTING, TRUE);
}

/* --- lake -------------------------------------------------------------------------------- */

/*
 * Where the temple's wall is seen under it, and where the shore is, the water is blended over them. Everywhere else the
 * bed below would look the same: a texture stage mixes in its colour, the water is drawn opaque, and nothing is drawn
 * beneath.
 */

/* The distance from the centre, in a direction, up to which the view through the surface ends on the wall: seen from
 * the eye, the wall's foot is a circle on the surface. */
static float clear_radius(const struct view *view, float x, float z)
{
    float t = (view->eye.y - water_level) / (view->eye.y - bed_height);
    float radius = (temple_radius + 0.2f) * t, to_x = view->eye.x * (1 - t), to_z = view->eye.z * (1 - t);
    float along = to_x * x + to_z * z, across = to_x * z - to_z * x;

    return fmaxf(along + sqrtf(radius * radius - across * across), lake_inner);
}

/* Rings of vertices from the edge of the shore to the inside of the wall. */
static void fill_lake(const struct view *view, struct shape_vertex *vertices)
{
    for (unsigned i = 0; i <= LAKE_SECTORS; i++) {
        float a = (float)i * 2 * pi / LAKE_SECTORS, x = cosf(a), z = sinf(a);
        const float radius[LAKE_RINGS + 1] = {deep_radius, 19, clear_radius(view, x, z), lake_inner};

        for (unsigned ring = 0; ring <= LAKE_RINGS; ring++) {
            struct vec3 p = v3(x * radius[ring], water_level, z * radius[ring]);

            vertices[ring * (LAKE_SECTORS + 1) + i] =
                (struct shape_vertex){p, v3(0, 1, 0), 0xffffffff, p.x * waves, p.z * waves};
        }
    }
}

static struct vec3 shore_surface(float u, float v)
{
    float r = shore_radius + (deep_radius - shore_radius) * v;

    return v3(r * cosf(2 * pi * u), water_level, r * sinf(2 * pi * u));
}

static bool has_water(const struct vec3 corner[4])
{
    const unsigned steps = 8;

    for (unsigned i = 0; i <= steps * steps + 2 * steps; i++) {
        float s = (float)(i % (steps + 1)) / (float)steps;
        float t = (float)(i / (steps + 1)) / (float)steps;
        struct vec3 a = v3_add(v3_scale(corner[0], 1 - s), v3_scale(corner[2], s));
        struct vec3 b = v3_add(v3_scale(corner[1], 1 - s), v3_scale(corner[3], s));
        struct vec3 p = v3_add(v3_scale(a, 1 - t), v3_scale(b, t));

        if (height_at(p.x, p.z) < water_level + 0.3f)
            return true;
    }
    return false;
}

static void create_lake(IDirect3DDevice8 *device)
{
    const struct surface shore = {
        .position = shore_surface, .columns = LAKE_SECTORS, .rows = 5, .planar = waves, .keep = has_water};

    land.shore_water = shape_create(device, &shore);
    shape_fill_indices(LAKE_SECTORS, LAKE_RINGS, land.lake_indices);
}

/* Two layers of the same waves drift across each other: the long ones at stage 1. */
static void use_waves(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures)
{
    float t = (float)view->frame * 0.0015f;

    use_texture(device, textures->wave, false);
    set_texture_matrix(device, 0, 1, t, t * 0.7f);
    set_second_layer(device, textures->wave);
    set_texture_matrix(device, 1, long_waves, -t, t);
    set(device, D3DRS_SPECULARENABLE, TRUE);
}

static void leave_waves(IDirect3DDevice8 *device)
{
    set(device, D3DRS_SPECULARENABLE, FALSE);
    set_second_layer(device, NULL);
    clear_texture_matrix(device, 0);
    clear_texture_matrix(device, 1);
}

static void draw_rings(IDirect3DDevice8 *device, const struct view *view, unsigned first, unsigned count)
{
    struct shape_vertex vertices[(LAKE_RINGS + 1) * (LAKE_SECTORS + 1)];
    D3DMATRIX world = matrix_identity();

    fill_lake(view, vertices);
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &world);
    IDirect3DDevice8_SetVertexShader(device, SHAPE_FVF);
    IDirect3DDevice8_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, first * (LAKE_SECTORS + 1),
                                            (count + 1) * (LAKE_SECTORS + 1), 2 * count * LAKE_SECTORS,
                                            land.lake_indices + 6 * first * LAKE_SECTORS, D3DFMT_INDEX16, vertices,
                                            sizeof(vertices[0]));
}

static void draw_deep_water(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures)
{
    DWORD alpha = (DWORD)(water_color.a * 255 + 0.5f);

    use_material(device, water_color, water_shine * water_color.a, 24);
    use_waves(device, view, textures);
    set(device, D3DRS_TEXTUREFACTOR, alpha << 24 | (sunlit(bed_color, v3(0, 1, 0)) & 0xffffff));
    set_stage(device, 2, D3DTSS_COLOROP, D3DTOP_BLENDFACTORALPHA);
    set_stage(device, 2, D3DTSS_COLORARG1, D3DTA_CURRENT);
    set_stage(device, 2, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    draw_rings(device, view, 0, LAKE_RINGS - 1);
    set_stage(device, 2, D3DTSS_COLOROP, D3DTOP_DISABLE);
    leave_waves(device);
}

/* So far away that the short waves have one brightness: the long waves are enough. */
static void draw_shore_water(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures)
{
    const float mean = 2 * 0.655f; /* of the texture's green, doubled as by the second layer */
    D3DCOLORVALUE color = water_color;
    D3DMATRIX world = matrix_identity();
    float t = (float)view->frame * 0.0015f;

    color.r *= mean * 0.96f, color.g *= mean, color.b *= mean * 1.02f;
    use_material(device, color, water_shine, 24);
    use_texture(device, textures->wave, false);
    set_texture_matrix(device, 0, long_waves, -t, t);
    set(device, D3DRS_SPECULARENABLE, TRUE);
    shape_draw(device, &land.shore_water, &world);
    set(device, D3DRS_SPECULARENABLE, FALSE);
    clear_texture_matrix(device, 0);
}

void lake_draw(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures)
{
    set_blend(device, true);
    draw_shore_water(device, view, textures);
    set(device, D3DRS_FOGENABLE, FALSE); /* before the temple */
    use_material(device, water_color, water_shine, 24);
    use_waves(device, view, textures);
    draw_rings(device, view, LAKE_RINGS - 1, 1);
    set_blend(device, false);
    leave_waves(device);
}

/* --- all of it --------------------------------------------------------------------------- */

void land_draw(IDirect3DDevice8 *device, const struct view *view, const struct textures *textures)
{
    draw_deep_water(device, view, textures);
    draw_terrain(device, view, textures);
    draw_trees(device, view, textures);
}

void land_create(IDirect3DDevice8 *device)
{
    create_terrain(device);
    create_trees(device);
    create_lake(device);
}

void land_destroy(void)
{
    shape_destroy(&land.shore_water);
    IDirect3DVertexBuffer8_Release(land.vertices);
    IDirect3DIndexBuffer8_Release(land.indices);
    IDirect3DVertexBuffer8_Release(land.tree_vertices);
    IDirect3DIndexBuffer8_Release(land.tree_indices);
}
