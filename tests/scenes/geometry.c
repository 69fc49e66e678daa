/* SPDX-License-Identifier: MIT */
/*
 * Draws: soups and meshes of triangles, lines, points, patches; from user memory or from buffers that are rewritten
 * while scenes wait, with indices or without.
 */
#include "tests/scenes/scenes.h"

#include <string.h>

#define PIXELS    (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX2)
#define WORLD     (D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX2)
#define MAX_WORDS 12     /* of a vertex of either */
#define MAX_AREA  100000 /* pixels of a draw, about: scenes are drawn without SIMD, too */

struct mesh {
    uint32_t fvf;
    unsigned words;
    unsigned vertex_count, index_count;
    float z, slope; /* depth of the draw, and how much it varies */
    bool level;     /* it does not */
    bool odd;       /* some of its vertices may have strange floats */
    uint32_t color;
    bool one_color;
    float texels; /* the range of coordinates */
    float vertices[SCENE_MAX_VERTICES * MAX_WORDS];
    uint16_t indices[SCENE_MAX_VERTICES];
};

/* --- vertices ----------------------------------------------------------------------------------------- */

static void begin_mesh(struct scene *s, struct mesh *mesh, bool world)
{
    static const float depths[] = {0.2f, 0.3f, 0.5f, 0.5f, 0.8f, 1.0f};

    mesh->fvf = world ? WORLD : PIXELS;
    mesh->words = world ? 12 : 10;
    mesh->vertex_count = mesh->index_count = 0;
    mesh->z = chance(s, 50) ? depths[below(s, ARRAY_COUNT(depths))] : fraction(s);
    mesh->level = chance(s, 40);
    mesh->slope = mesh->level ? 0 : chance(s, 70) ? 0.2f : 1.5f;
    mesh->odd = has(s, STRANGE_FLOATS) && chance(s, 40);
    mesh->color = scene_random(s) | (chance(s, 50) ? 0xff000000 : 0);
    mesh->one_color = chance(s, 30);
    mesh->texels = chance(s, 50) ? 1 : chance(s, 50) ? 0.2f : 6;
}

/* Only few vertices of a draw are odd, so that the others stay visible. */
static void make_odd(struct scene *s, const struct mesh *mesh, float *floats, unsigned count)
{
    if (mesh->odd && chance(s, 20))
        any_floats(s, floats, count);
}

/* At a pixel of the target. */
static void add_vertex(struct scene *s, struct mesh *mesh, float x, float y)
{
    float *v = mesh->vertices + mesh->vertex_count * mesh->words;
    const uint32_t colors[2] = {mesh->one_color ? mesh->color : scene_random(s), scene_random(s)};
    const float z = mesh->z + (mesh->level ? 0 : mesh->slope * (fraction(s) - 0.5f));
    const float u = mesh->texels * x / (float)s->width, t = mesh->texels * y / (float)s->height;

    if (mesh->vertex_count == SCENE_MAX_VERTICES)
        return;
    mesh->vertex_count++;
    if (mesh->fvf == PIXELS) {
        float head[4] = {x, y, z < 0 ? 0 : z > 1 ? 1 : z, mesh->level ? 1 : 0.2f + fraction(s)};

        make_odd(s, mesh, head, 4);
        memcpy(v, head, sizeof(head));
        v += 4;
    } else {
        float head[6] = {2 * x / (float)s->width - 1, 1 - 2 * y / (float)s->height, z,
                         fraction(s) - 0.5f,          fraction(s) - 0.5f,           -1};

        make_odd(s, mesh, head, 6);
        memcpy(v, head, sizeof(head));
        v += 6;
    }
    float coordinates[4] = {u, t, t + 0.1f * fraction(s), 1 - u};

    make_odd(s, mesh, coordinates, 4);
    memcpy(v, colors, sizeof(colors));
    memcpy(v + 2, coordinates, sizeof(coordinates));
}

static float place(struct scene *s, unsigned size)
{
    return (float)below(s, (size + 80) * 16) / 16.0f - 40.0f;
}

/* Separate triangles (lines, points) of one size class. Returns their number. */
static unsigned make_soup(struct scene *s, struct mesh *mesh, unsigned corners)
{
    static const float sizes[] = {3, 12, 40, 40, 150, 700};
    const float size = sizes[below(s, ARRAY_COUNT(sizes))];
    const unsigned most = BASE_MAX(1u, (unsigned)(MAX_AREA / (size * size / 2 + 4)));
    const unsigned any = chance(s, 50) ? 1 + below(s, 8) : 1 + below(s, 400);
    /* sometimes enough for several threads to process them (hal/vertex/group.c) */
    const unsigned wanted = any > 360 ? SCENE_MAX_VERTICES : any;
    const unsigned count = BASE_MIN(BASE_MIN(most, wanted), SCENE_MAX_VERTICES / corners);

    for (unsigned n = 0; n < count; n++) {
        const float x = place(s, s->width), y = place(s, s->height);
        for (unsigned c = 0; c < corners; c++)
            add_vertex(s, mesh, x + size * (fraction(s) - 0.5f), y + size * (fraction(s) - 0.5f));
    }
    return count;
}

/* A wavy grid whose triangles share their corners: with indices. Returns the number of triangles. */
static unsigned make_grid(struct scene *s, struct mesh *mesh)
{
    unsigned columns = 2 + below(s, 14), rows = 2 + below(s, 14);
    const float left = place(s, s->width / 2), top = place(s, s->height / 2);

    if (columns > 13 && rows > 6) { /* the most that there is room for: several threads make it */
        columns = 32;
        rows = SCENE_MAX_VERTICES / 6 / columns;
    }
    const float width = (float)(20 + below(s, s->width)) / (float)columns,
                height = (float)(20 + below(s, s->height)) / (float)rows;
    unsigned count = 0;

    for (unsigned y = 0; y <= rows; y++)
        for (unsigned x = 0; x <= columns; x++)
            add_vertex(s, mesh, left + width * ((float)x + 0.4f * fraction(s)),
                       top + height * ((float)y + 0.4f * fraction(s)));
    for (unsigned y = 0; y < rows; y++) {
        for (unsigned x = 0; x < columns; x++, count += 2) {
            const uint16_t corner = (uint16_t)(y * (columns + 1) + x), under = (uint16_t)(corner + columns + 1);
            const uint16_t six[6] = {corner, (uint16_t)(corner + 1), under,
                                     under,  (uint16_t)(corner + 1), (uint16_t)(under + 1)};

            memcpy(mesh->indices + mesh->index_count, six, sizeof(six));
            mesh->index_count += 6;
        }
    }
    return count;
}

/* Sprites: upright rectangles of two triangles each, at whole pixels or anywhere. Returns the number of triangles. */
static unsigned make_sprites(struct scene *s, struct mesh *mesh)
{
    static const uint8_t orders[][6] = {{0, 1, 2, 2, 1, 3}, {0, 1, 3, 0, 3, 2}, {1, 3, 2, 1, 2, 0}};
    static const float sizes[] = {8, 13, 32, 64, 100, 300};
    const float width = sizes[below(s, ARRAY_COUNT(sizes))], height = sizes[below(s, ARRAY_COUNT(sizes))];
    const unsigned count = 1 + below(s, BASE_MIN(60u, (unsigned)(MAX_AREA / (width * height)) + 1));
    const float grid = chance(s, 50) ? 1 : 16;

    mesh->level = true;
    mesh->one_color = chance(s, 75);
    for (unsigned n = 0; n < count; n++) {
        const uint8_t *order = orders[below(s, ARRAY_COUNT(orders))];
        const float x = (float)(int)(place(s, s->width) * grid) / grid,
                    y = (float)(int)(place(s, s->height) * grid) / grid;

        for (unsigned c = 0; c < 4; c++)
            add_vertex(s, mesh, x + (float)(c & 1) * width, y + (float)(c >> 1) * height);
        for (unsigned c = 0; c < 6; c++)
            mesh->indices[mesh->index_count++] = (uint16_t)(4 * n + order[c]);
    }
    return 2 * count;
}

/* A strip or a fan of few large triangles. Returns their number. */
static unsigned make_strip(struct scene *s, struct mesh *mesh)
{
    const unsigned count = 1 + below(s, 6);
    const float x = place(s, s->width), y = place(s, s->height);

    for (unsigned n = 0; n < count + 2; n++)
        add_vertex(s, mesh, x + 200 * (fraction(s) - 0.5f), y + 200 * (fraction(s) - 0.5f));
    return count;
}

/* The whole target, which programs often cover at the beginning and end of a frame. */
static unsigned make_screen(struct scene *s, struct mesh *mesh)
{
    const float w = (float)s->width, h = (float)s->height;

    mesh->level = true;
    add_vertex(s, mesh, -0.5f, -0.5f);
    add_vertex(s, mesh, w - 0.5f, -0.5f);
    add_vertex(s, mesh, -0.5f, h - 0.5f);
    add_vertex(s, mesh, w - 0.5f, h - 0.5f);
    return 2;
}

/* --- draws --------------------------------------------------------------------------------------------- */

/* Sets how vertices are read, and the shader that reads them. */
static void use_vertices(struct scene *s, uint32_t fvf)
{
    const bool shaded = fvf == WORLD && s->vertex_shader < SCENE_PROGRAMS && s->vertex_shaders[s->vertex_shader];
    const uint32_t declaration = 301, function = shaded ? s->vertex_shaders[s->vertex_shader] : 0;

    if (!shaded)
        stage_command(&s->stage, D3DDP2OP_SETVERTEXSHADER, 1, &fvf, sizeof(fvf));
    else
        stage_command(&s->stage, D3DDP2OP_SETVERTEXSHADERDECL, 1, &declaration, sizeof(declaration));
    if (has(s, VERTEX_SHADERS))
        stage_command(&s->stage, D3DDP2OP_SETVERTEXSHADERFUNC, 1, &function, sizeof(function));
}

/* Writes into a buffer that may still be in use: from its beginning, or after its contents. Returns the first
 * element. */
static unsigned write_buffer(struct scene *s, struct client_chain *chain, const void *data, unsigned count,
                             unsigned bytes)
{
    static const uint32_t flags[] = {DDLOCK_DISCARDCONTENTS, DDLOCK_DISCARDCONTENTS, 0};
    const bool behind = s->buffer_at + count <= SCENE_MAX_VERTICES / 2 && chance(s, 50);
    const unsigned first = behind ? s->buffer_at : 0;
    struct client_lock lock;

    if (FAILED(client_lock(client_part(chain, 0), NULL, behind ? DDLOCK_NOOVERWRITE : flags[below(s, 3)], &lock)))
        return 0;
    memcpy(lock.bits + (size_t)first * bytes, data, (size_t)count * bytes);
    client_unlock(client_part(chain, 0));
    return first;
}

static void draw_buffers(struct scene *s, const struct mesh *mesh, D3DPRIMITIVETYPE type, unsigned primitives)
{
    stage_submit(&s->stage);
    const unsigned start = write_buffer(s, s->vertices, mesh->vertices, mesh->vertex_count, 4 * mesh->words);
    const D3DHAL_DP2SETSTREAMSOURCE source = {0, world_handle(s->vertices), 4 * mesh->words};

    s->buffer_at = start + mesh->vertex_count;
    use_vertices(s, mesh->fvf);
    stage_command(&s->stage, D3DDP2OP_SETSTREAMSOURCE, 1, &source, sizeof(source));
    if (!mesh->index_count) {
        const D3DHAL_DP2DRAWPRIMITIVE draw = {type, start, primitives};

        stage_command(&s->stage, D3DDP2OP_DRAWPRIMITIVE, 1, &draw, sizeof(draw));
    } else {
        const D3DHAL_DP2SETINDICES indices = {world_handle(s->indices), 2};
        struct client_lock lock;

        if (SUCCEEDED(client_lock(client_part(s->indices, 0), NULL, DDLOCK_DISCARDCONTENTS, &lock))) {
            memcpy(lock.bits, mesh->indices, 2 * mesh->index_count);
            client_unlock(client_part(s->indices, 0));
        }
        const D3DHAL_DP2DRAWINDEXEDPRIMITIVE draw = {type, (INT)start, 0, mesh->vertex_count, 0, primitives};

        stage_command(&s->stage, D3DDP2OP_SETINDICES, 1, &indices, sizeof(indices));
        stage_command(&s->stage, D3DDP2OP_DRAWINDEXEDPRIMITIVE, 1, &draw, sizeof(draw));
    }
    stage_submit(&s->stage);
}

static void draw_mesh(struct scene *s, const struct mesh *mesh, D3DPRIMITIVETYPE type, unsigned primitives)
{
    if (mesh->index_count || (has(s, BUFFERS) && chance(s, 60))) {
        draw_buffers(s, mesh, type, primitives);
        return;
    }
    use_vertices(s, mesh->fvf);
    stage_draw_vertices(&s->stage, type, primitives, mesh->vertices, mesh->vertex_count, 4 * mesh->words);
}

/* --- patches --------------------------------------------------------------------------------------------- */

/* A rectangle of 4x4 control points, or a triangle of 10; only positions, the rest is generated. */
static void draw_patch(struct scene *s)
{
    const bool triangle = chance(s, 40);
    const uint32_t create[3 + 6] = {401,        6 * 4,      0,          0x20000000, 0x40020000,
                                    0x30000000, 0x60020003, 0x70010007, 0xffffffff};
    const uint32_t handle = 401, none = 0, source[3] = {0, world_handle(s->vertices), 12};
    const float n = any_float(s, 1 + 7 * fraction(s)), left = 2 * fraction(s) - 1.5f, top = 2 * fraction(s) - 1.5f;
    const struct {
        uint32_t handle, flags;
        float segments[4];
        uint32_t info[7];
    } rectangle = {0, 3, {n, n, n, n}, {0, 0, 4, 4, 4, 0, 3}};
    const struct {
        uint32_t handle, flags;
        float segments[3];
        uint32_t info[4];
    } corner = {0, 3, {n, n, n}, {0, 10, 0, 3}};
    float points[16][3];

    for (unsigned i = 0; i < 16; i++) {
        const unsigned row = triangle ? (unsigned)((i > 5) + (i > 2) + (i > 0)) : i / 4;
        const unsigned column = triangle ? i - row * (row + 1) / 2 : i % 4;

        points[i][0] = left + 0.35f * ((float)column + 0.3f * fraction(s));
        points[i][1] = top + 0.35f * ((float)row + 0.3f * fraction(s));
        points[i][2] = 0.2f + 0.5f * fraction(s);
    }
    any_floats(s, points[0], 48);
    stage_submit(&s->stage);
    s->buffer_at = SCENE_MAX_VERTICES; /* from the beginning, for the draw and for the next one */
    write_buffer(s, s->vertices, points, 1, sizeof(points));
    stage_command(&s->stage, D3DDP2OP_CREATEVERTEXSHADER, 1, create, sizeof(create));
    stage_command(&s->stage, D3DDP2OP_SETVERTEXSHADER, 1, &handle, sizeof(handle));
    if (has(s, VERTEX_SHADERS))
        stage_command(&s->stage, D3DDP2OP_SETVERTEXSHADERFUNC, 1, &none, sizeof(none));
    stage_command(&s->stage, D3DDP2OP_SETSTREAMSOURCE, 1, source, sizeof(source));
    if (triangle)
        stage_command(&s->stage, D3DDP2OP_DRAWTRIPATCH, 1, &corner, sizeof(corner));
    else
        stage_command(&s->stage, D3DDP2OP_DRAWRECTPATCH, 1, &rectangle, sizeof(rectangle));
    stage_submit(&s->stage);
    scene_tell(s, "%s patch, %.1f segments", triangle ? "triangle" : "rectangle", (double)n);
}

/* --- one of them ------------------------------------------------------------------------------------------ */

void geometry_draw(struct scene *s)
{
    static struct mesh mesh;
    const bool world = chance(s, has(s, VERTEX_SHADERS) || has(s, PATCHES) || has(s, LIGHTING) ? 70 : 35);
    const bool n_patches = world && has(s, PATCHES) && chance(s, 40);
    const unsigned kind = below(s, 100);
    D3DPRIMITIVETYPE type = D3DPT_TRIANGLELIST;
    const char *what = "triangles";
    unsigned count;

    if (has(s, PATCHES) && chance(s, 35)) {
        draw_patch(s);
        return;
    }
    begin_mesh(s, &mesh, world);
    if (has(s, POINT_SPRITES) && chance(s, 40)) {
        type = D3DPT_POINTLIST;
        what = "points";
        count = make_soup(s, &mesh, 1);
        count = BASE_MIN(count, 100u);
    } else if (has(s, LINES) && chance(s, 45)) {
        const bool strip = chance(s, 40);

        type = strip ? D3DPT_LINESTRIP : D3DPT_LINELIST;
        what = "lines";
        count = make_soup(s, &mesh, 2);
        count = strip ? 2 * count - 1 : count;
    } else if (kind < 45) {
        count = make_soup(s, &mesh, 3);
    } else if (kind < 65) {
        what = "triangles of a mesh";
        count = make_grid(s, &mesh);
    } else if (kind < 80) {
        type = chance(s, 50) ? D3DPT_TRIANGLESTRIP : D3DPT_TRIANGLEFAN;
        what = "triangles of a strip or fan";
        count = make_strip(s, &mesh);
    } else if (kind >= 92) {
        what = "triangles of sprites";
        count = make_sprites(s, &mesh);
    } else {
        type = D3DPT_TRIANGLESTRIP;
        what = "triangles over all";
        count = make_screen(s, &mesh);
    }
    if (n_patches)
        stage_state_float(&s->stage, D3DRS_PATCHSEGMENTS, any_float(s, 2 + 2 * fraction(s)));
    scene_tell(s, "%u %s%s, depth %.2f%s", count, what, world ? "" : " in pixels", (double)mesh.z,
               mesh.level ? "" : " sloping");
    draw_mesh(s, &mesh, type, count);
    if (n_patches) {
        stage_state_float(&s->stage, D3DRS_PATCHSEGMENTS, 1);
        stage_submit(&s->stage);
    }
}
