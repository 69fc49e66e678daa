/* SPDX-License-Identifier: MIT */
/* Scenes dominated by vertices and small triangles: a lit mesh, a grid with programs. */
#include "bench/catalogue/types.h"

#include <stdlib.h>

static const uint32_t bumps_vertex[] = {
#include "bench/catalogue/shaders/bumps.vsa.h"
};
static const uint32_t bumps_pixel[] = {
#include "bench/catalogue/shaders/bumps.psa.h"
};

struct vertex_lit {
    struct vec3 place, normal;
};
#define VERTEX_LIT_FVF (D3DFVF_XYZ | D3DFVF_NORMAL)

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);

    if (!memory)
        abort();
    return memory;
}

static D3DMATRIX projection_of(const struct canvas *canvas)
{
    return matrix_perspective(0.8f, (float)canvas->width / (float)canvas->height, 0.5f, 50);
}

/* Half the width and the height of the camera's view at the distance `z`. */
static void view_size(const struct canvas *canvas, float z, float *across, float *up)
{
    *up = tanf(0.4f) * z;
    *across = *up * (float)canvas->width / (float)canvas->height;
}

/* Two triangles of each quad of a grid whose rows have `columns` + 1 vertices; front faces look towards -z. */
static unsigned use_grid(struct canvas *canvas, unsigned columns, unsigned rows)
{
    uint16_t *list = allocate(columns * rows * 6 * sizeof(*list)), *at = list;
    unsigned buffer;

    for (unsigned y = 0; y < rows; y++) {
        for (unsigned x = 0; x < columns; x++) {
            uint16_t a = (uint16_t)(y * (columns + 1) + x), b = (uint16_t)(a + columns + 1);
            const uint16_t quad[6] = {a, (uint16_t)(a + 1), b, b, (uint16_t)(a + 1), (uint16_t)(b + 1)};

            for (unsigned k = 0; k < 6; k++)
                *at++ = quad[k];
        }
    }
    buffer = canvas->calls->create_indices(canvas, list, columns * rows * 6);
    canvas->calls->use_indices(canvas, buffer);
    free(list);
    return buffer;
}

static void set_camera(struct canvas *canvas)
{
    D3DMATRIX one = matrix_identity(), projection = projection_of(canvas);

    canvas->calls->transform(canvas, D3DTS_WORLD, &one.m[0][0]);
    canvas->calls->transform(canvas, D3DTS_VIEW, &one.m[0][0]);
    canvas->calls->transform(canvas, D3DTS_PROJECTION, &projection.m[0][0]);
}

/* A directional light and two point lights. */
static void set_lights(struct canvas *canvas)
{
    static const float white[4] = {1, 1, 1, 1}, grey[4] = {0.2f, 0.2f, 0.2f, 1};
    static const struct canvas_light lights[3] = {
        {.type = D3DLIGHT_DIRECTIONAL, .diffuse = {0.6f, 0.5f, 0.4f}, .direction = {0.5f, -0.6f, 0.6f}},
        {.type = D3DLIGHT_POINT,
         .diffuse = {0.2f, 0.4f, 1},
         .place = {-1.2f, 0.6f, 2.6f},
         .range = 20,
         .attenuation = {0.3f, 0.6f, 0}},
        {.type = D3DLIGHT_POINT,
         .diffuse = {1, 0.3f, 0.2f},
         .place = {1.2f, -0.5f, 2.6f},
         .range = 20,
         .attenuation = {0.3f, 0.6f, 0}},
    };

    for (unsigned i = 0; i < COUNT(lights); i++)
        canvas->calls->light(canvas, i, &lights[i]);
    canvas->calls->material(canvas, white, grey);
    canvas->calls->state(canvas, D3DRS_LIGHTING, TRUE);
    canvas->calls->state(canvas, D3DRS_AMBIENT, 0xff303030);
    canvas->calls->state(canvas, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL);
    canvas->calls->state(canvas, D3DRS_AMBIENTMATERIALSOURCE, D3DMCS_MATERIAL);
    canvas->calls->state(canvas, D3DRS_CULLMODE, D3DCULL_CCW);
    canvas->calls->state(canvas, D3DRS_ZENABLE, TRUE);
}

/* --- a lit mesh --------------------------------------------------------------------------- */

#define MESH_SIDE  512
#define MESH_DRAWS 8
#define MESH_ROWS  (MESH_SIDE / MESH_DRAWS)

/* Waves around the distance 4; the mesh covers the target. */
static struct vertex_lit wave_vertex(float x, float y)
{
    const float height = 0.08f, across = 7, up = 9;
    struct vec3 slope =
        v3(height * across * cosf(across * x) * cosf(up * y), -height * up * sinf(across * x) * sinf(up * y), -1);

    return (struct vertex_lit){v3(x, y, 4 + height * sinf(across * x) * cosf(up * y)), v3_normal(slope)};
}

void mesh_create(struct canvas *canvas)
{
    const unsigned count = (MESH_SIDE + 1) * (MESH_SIDE + 1);
    struct vertex_lit *v = allocate(count * sizeof(*v));
    float across, up;

    view_size(canvas, 4.1f, &across, &up);
    for (unsigned i = 0; i < count; i++)
        v[i] = wave_vertex(across * ((float)(i % (MESH_SIDE + 1)) * 2 / MESH_SIDE - 1),
                           up * (1 - (float)(i / (MESH_SIDE + 1)) * 2 / MESH_SIDE));
    canvas->calls->use_vertices(canvas, canvas->calls->create_vertices(canvas, v, count * sizeof(*v), VERTEX_LIT_FVF),
                                sizeof(*v));
    free(v);
    use_grid(canvas, MESH_SIDE, MESH_ROWS);
    set_camera(canvas);
    set_lights(canvas);
    canvas->calls->use_format(canvas, VERTEX_LIT_FVF);
}

void mesh_draw(struct canvas *canvas, unsigned frame)
{
    canvas_clear(canvas, 0xff182028, frame);
    for (unsigned i = 0; i < MESH_DRAWS; i++)
        canvas->calls->draw_indexed(canvas, D3DPT_TRIANGLELIST, i * MESH_ROWS * (MESH_SIDE + 1),
                                    (MESH_ROWS + 1) * (MESH_SIDE + 1), MESH_SIDE * MESH_ROWS * 2);
}

/* --- patches of equal triangles ------------------------------------------------------------- */

#define PATCH_COLUMNS 100
#define PATCH_ROWS    50
#define PATCHES_WIDE  4
#define PATCHES_HIGH  6

static unsigned patch_count;

/* Patches fill the view from left to right and from the top down, each about 160x80 pixels of 640x480; then the next
 * layer follows in front of them. */
static struct vertex_lit patch_vertex(unsigned patch, unsigned vertex, float across, float up, float nearer)
{
    float x = (float)(patch % PATCHES_WIDE) + (float)(vertex % (PATCH_COLUMNS + 1)) / PATCH_COLUMNS;
    float y = (float)(patch / PATCHES_WIDE % PATCHES_HIGH) + (float)(vertex / (PATCH_COLUMNS + 1)) / PATCH_ROWS;
    struct vertex_lit v = wave_vertex(across * (x * 2 / PATCHES_WIDE - 1), up * (1 - y * 2 / PATCHES_HIGH));

    v.place.z = 4 - nearer * (float)(patch / (PATCHES_WIDE * PATCHES_HIGH));
    return v;
}

void catalogue_create_patches(struct canvas *canvas, unsigned triangles)
{
    const unsigned each = (PATCH_COLUMNS + 1) * (PATCH_ROWS + 1);
    struct vertex_lit *v;
    float across, up;

    patch_count = triangles / CATALOGUE_PATCH_TRIANGLES;
    v = allocate(patch_count * each * sizeof(*v));
    view_size(canvas, 3.9f, &across, &up);
    for (unsigned i = 0; i < patch_count * each; i++)
        v[i] = patch_vertex(i / each, i % each, across, up, 0.001f);
    canvas->calls->use_vertices(
        canvas, canvas->calls->create_vertices(canvas, v, patch_count * each * sizeof(*v), VERTEX_LIT_FVF), sizeof(*v));
    free(v);
    use_grid(canvas, PATCH_COLUMNS, PATCH_ROWS);
    set_camera(canvas);
    set_lights(canvas);
    canvas->calls->use_format(canvas, VERTEX_LIT_FVF);
}

void catalogue_draw_patches(struct canvas *canvas, unsigned frame)
{
    const unsigned each = (PATCH_COLUMNS + 1) * (PATCH_ROWS + 1);

    canvas_clear(canvas, 0xff182028, frame);
    for (unsigned i = 0; i < patch_count; i++)
        canvas->calls->draw_indexed(canvas, D3DPT_TRIANGLELIST, i * each, each, CATALOGUE_PATCH_TRIANGLES);
}

/* --- a grid lit through a normal map ------------------------------------------------------------ */

#define GRID_SIDE   64
#define GRID_LAYERS 4

struct vertex_bumps {
    struct vec3 place, normal, tangent;
    float u, v;
};

static const struct canvas_input bumps_inputs[] = {{0, 3, 0}, {1, 3, 3}, {2, 3, 6}, {3, 2, 5}};
static unsigned bumps_program;

void bumps_create(struct canvas *canvas)
{
    static const struct canvas_program program = {bumps_vertex, bumps_pixel, bumps_inputs, COUNT(bumps_inputs)};
    static const float ambient[1][4] = {{0.15f, 0.15f, 0.2f, 0}};
    struct vertex_bumps *v = allocate((GRID_SIDE + 1) * (GRID_SIDE + 1) * sizeof(*v));
    float across, up;

    view_size(canvas, 4.1f, &across, &up);
    for (unsigned i = 0; i < (GRID_SIDE + 1) * (GRID_SIDE + 1); i++) {
        float u = (float)(i % (GRID_SIDE + 1)) / GRID_SIDE, w = (float)(i / (GRID_SIDE + 1)) / GRID_SIDE;
        struct vertex_lit lit = wave_vertex(across * (u * 2 - 1), up * (1 - w * 2));
        struct vec3 n = lit.normal, t = v3_normal(v3_sub(v3(1, 0, 0), v3_scale(n, n.x)));

        v[i] = (struct vertex_bumps){lit.place, n, t, 2 * u, 2 * w};
    }
    canvas->calls->use_vertices(
        canvas, canvas->calls->create_vertices(canvas, v, (GRID_SIDE + 1) * (GRID_SIDE + 1) * sizeof(*v), 0),
        sizeof(*v));
    free(v);
    use_grid(canvas, GRID_SIDE, GRID_SIDE);
    for (unsigned stage = 0; stage < 2; stage++) {
        canvas_filter(canvas, stage, D3DTEXF_LINEAR, D3DTEXF_NONE);
        canvas->calls->use_texture(
            canvas, stage,
            canvas->calls->create_texture(canvas, D3DFMT_A8R8G8B8, 256, 1, stage ? fill_marble : fill_normals));
    }
    bumps_program = canvas->calls->create_program(canvas, &program);
    canvas->calls->use_program(canvas, bumps_program);
    canvas->calls->constants(canvas, true, 0, ambient, 1);
}

void bumps_draw(struct canvas *canvas, unsigned frame)
{
    D3DMATRIX projection = projection_of(canvas);
    float constants[6][4] = {{0}, {0}, {0}, {0}, {0, 0, 0, 0}, {0.5f, 1, 0, 0}};

    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            constants[i][j] = projection.m[j][i];
    canvas_clear(canvas, 0xff000000, frame);
    for (unsigned layer = 0; layer < GRID_LAYERS; layer++) {
        float a = 0.05f * (float)(frame % 16) + (float)layer;

        constants[4][0] = cosf(a);
        constants[4][1] = sinf(a);
        constants[4][2] = 3;
        canvas->calls->constants(canvas, false, 0, (const float(*)[4])constants, 6);
        canvas->calls->draw_indexed(canvas, D3DPT_TRIANGLELIST, 0, (GRID_SIDE + 1) * (GRID_SIDE + 1),
                                    GRID_SIDE * GRID_SIDE * 2);
    }
}
