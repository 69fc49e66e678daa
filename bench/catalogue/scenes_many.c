/* SPDX-License-Identifier: MIT */
/* Scenes of many small things: blended quads, point sprites, draws with state changes, discarded buffers. */
#include "bench/catalogue/types.h"

#include <stdlib.h>

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);

    if (!memory)
        abort();
    return memory;
}

static void blend(struct canvas *canvas, uint32_t source, uint32_t destination)
{
    canvas->calls->state(canvas, D3DRS_ALPHABLENDENABLE, TRUE);
    canvas->calls->state(canvas, D3DRS_SRCBLEND, source);
    canvas->calls->state(canvas, D3DRS_DESTBLEND, destination);
}

/* Four vertices of a square at x, y; two triangles by the indices 0 1 2, 2 1 3. */
static void put_square(struct vertex_screen v[4], float x, float y, float size, D3DCOLOR color)
{
    for (unsigned i = 0; i < 4; i++) {
        float u = i & 1 ? 1 : 0, w = i & 2 ? 1 : 0;

        v[i] = (struct vertex_screen){x + size * u - 0.5f, y + size * w - 0.5f, 0.5f, 1, color, u, w};
    }
}

static void use_squares(struct canvas *canvas, unsigned squares)
{
    uint16_t *list = allocate(squares * 6 * sizeof(*list));

    for (unsigned i = 0; i < squares * 6; i++) {
        static const uint16_t corners[6] = {0, 1, 2, 2, 1, 3};

        list[i] = (uint16_t)(i / 6 * 4 + corners[i % 6]);
    }
    canvas->calls->use_indices(canvas, canvas->calls->create_indices(canvas, list, squares * 6));
    free(list);
}

/* --- blended quads ------------------------------------------------------------------------ */

#define QUADS     4000
#define QUAD_SIZE 64

/* An integer from 0 to `range` - QUAD_SIZE that is not a multiple of 8. */
static float random_place(uint32_t *seed, unsigned range)
{
    unsigned at = (unsigned)(random_float(seed) * (float)(range - QUAD_SIZE));

    return (float)(at % 8 ? at : at + 3);
}

void quads_create(struct canvas *canvas)
{
    struct vertex_screen *v = allocate(QUADS * 4 * sizeof(*v));
    uint32_t seed = 5;

    for (unsigned i = 0; i < QUADS; i++) {
        float x = random_place(&seed, canvas->width), y = random_place(&seed, canvas->height);

        put_square(v + 4 * i, x, y, QUAD_SIZE,
                   color_rgba(0.3f + 0.7f * random_float(&seed), 0.3f + 0.7f * random_float(&seed), 1, 0.8f));
    }
    canvas->calls->use_vertices(
        canvas, canvas->calls->create_vertices(canvas, v, QUADS * 4 * sizeof(*v), VERTEX_SCREEN_FVF), sizeof(*v));
    free(v);
    use_squares(canvas, QUADS);
    canvas_filter(canvas, 0, D3DTEXF_LINEAR, D3DTEXF_NONE);
    canvas_stage(canvas, 0, D3DTOP_MODULATE, canvas->calls->create_texture(canvas, D3DFMT_A8R8G8B8, 128, 1, fill_spot));
    blend(canvas, D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA);
    canvas->calls->use_format(canvas, VERTEX_SCREEN_FVF);
}

void quads_draw(struct canvas *canvas, unsigned frame)
{
    canvas_clear(canvas, 0xff101830, frame);
    canvas->calls->draw_indexed(canvas, D3DPT_TRIANGLELIST, 0, QUADS * 4, QUADS * 2);
}

/* --- point sprites -------------------------------------------------------------------------- */

#define POINTS 20000

void points_create(struct canvas *canvas)
{
    struct vertex_color *v = allocate(POINTS * sizeof(*v));
    D3DMATRIX one = matrix_identity(), view = matrix_look_at(v3(0, 2.5f, -4), v3(0, 0, 0));
    D3DMATRIX projection = matrix_perspective(0.8f, (float)canvas->width / (float)canvas->height, 0.5f, 50);
    uint32_t seed = 11;

    for (unsigned i = 0; i < POINTS; i++) {
        float a = random_float(&seed) * 2 * pi, r = 0.3f + 2.2f * random_float(&seed);

        v[i].place = v3(r * cosf(a + r), 0.5f * random_float(&seed) / r, r * sinf(a + r));
        v[i].color = color_rgba(0.25f * r / 2.5f, 0.1f, 0.35f - 0.1f * r, 1);
    }
    canvas->calls->use_vertices(
        canvas, canvas->calls->create_vertices(canvas, v, POINTS * sizeof(*v), VERTEX_COLOR_FVF), sizeof(*v));
    free(v);
    canvas->calls->transform(canvas, D3DTS_WORLD, &one.m[0][0]);
    canvas->calls->transform(canvas, D3DTS_VIEW, &view.m[0][0]);
    canvas->calls->transform(canvas, D3DTS_PROJECTION, &projection.m[0][0]);
    canvas_filter(canvas, 0, D3DTEXF_LINEAR, D3DTEXF_NONE);
    canvas_stage(canvas, 0, D3DTOP_MODULATE, canvas->calls->create_texture(canvas, D3DFMT_A8R8G8B8, 32, 1, fill_spot));
    canvas->calls->state(canvas, D3DRS_POINTSPRITEENABLE, TRUE);
    canvas->calls->state(canvas, D3DRS_POINTSIZE, canvas_float(8));
    blend(canvas, D3DBLEND_ONE, D3DBLEND_ONE);
    canvas->calls->use_format(canvas, VERTEX_COLOR_FVF);
}

void points_draw(struct canvas *canvas, unsigned frame)
{
    canvas_clear(canvas, 0xff000008, frame);
    canvas->calls->draw(canvas, D3DPT_POINTLIST, 0, POINTS);
}

/* --- draws ------------------------------------------------------------------------------------ */

#define COLUMNS 160
#define ROWS    125

/* The canvas numbers its objects from 1 on. */
#define TEXTURES 2

void states_create(struct canvas *canvas)
{
    struct vertex_screen *v = allocate(COLUMNS * ROWS * 4 * sizeof(*v));

    for (unsigned i = 0; i < COLUMNS * ROWS; i++) {
        unsigned x = i % COLUMNS * canvas->width / COLUMNS, y = i / COLUMNS * canvas->height / ROWS;

        put_square(v + 4 * i, (float)x, (float)y, 4, 0xffffffff);
    }
    canvas->calls->use_vertices(
        canvas, canvas->calls->create_vertices(canvas, v, COLUMNS * ROWS * 4 * sizeof(*v), VERTEX_SCREEN_FVF),
        sizeof(*v));
    free(v);
    canvas_filter(canvas, 0, D3DTEXF_LINEAR, D3DTEXF_NONE);
    canvas_stage(canvas, 0, D3DTOP_MODULATE,
                 canvas->calls->create_texture(canvas, D3DFMT_A8R8G8B8, 16, 1, fill_marble));
    canvas->calls->create_texture(canvas, D3DFMT_A8R8G8B8, 16, 1, fill_checker);
    canvas->calls->stage_state(canvas, 0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    canvas->calls->use_format(canvas, VERTEX_SCREEN_FVF);
}

/* No two neighbouring draws have the same factor or the same texture. */
void states_draw(struct canvas *canvas, unsigned frame)
{
    canvas_clear(canvas, 0xff202020, frame);
    for (unsigned i = 0; i < COLUMNS * ROWS; i++) {
        canvas->calls->state(canvas, D3DRS_TEXTUREFACTOR, 0xff404040 + (i + frame % 16) % 160 * 0x010100);
        canvas->calls->use_texture(canvas, 0, 1 + i % TEXTURES);
        canvas->calls->draw(canvas, D3DPT_TRIANGLESTRIP, i * 4, 2);
    }
}

/* --- discarded buffers --------------------------------------------------------------------------- */

#define DISCARDS      10
#define DISCARD_QUADS 2500
#define DISCARD_SIDE  50
#define DISCARD_FVF   (D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_SPECULAR | D3DFVF_TEX1)

struct vertex_discard {
    float x, y, z, rhw;
    D3DCOLOR color, specular;
    float u, v;
};

static unsigned discarded;

void discard_create(struct canvas *canvas)
{
    discarded =
        canvas->calls->create_vertices(canvas, NULL, DISCARD_QUADS * 4 * sizeof(struct vertex_discard), DISCARD_FVF);
    canvas->calls->use_vertices(canvas, discarded, sizeof(struct vertex_discard));
    use_squares(canvas, DISCARD_QUADS);
    canvas->calls->use_format(canvas, DISCARD_FVF);
}

/* Squares of 8x8, 32 pixels per triangle; the grid moves right and down in every round. */
static void write_squares(struct vertex_discard *v, float left, float top, D3DCOLOR color)
{
    for (unsigned i = 0; i < DISCARD_QUADS; i++) {
        float x = left + (float)(i % DISCARD_SIDE) * 9, y = top + (float)(i / DISCARD_SIDE) * 8;

        for (unsigned k = 0; k < 4; k++, v++)
            *v = (struct vertex_discard){x + (k & 1 ? 8 : 0), y + (k & 2 ? 8 : 0), 0.5f, 1, color + 0x000400 * k + i, 0,
                                         k & 1 ? 1 : 0,       k & 2 ? 1 : 0};
    }
}

void discard_draw(struct canvas *canvas, unsigned frame)
{
    canvas_clear(canvas, 0xff201020, frame);
    for (unsigned round = 0; round < DISCARDS; round++) {
        struct vertex_discard *v = canvas->calls->lock(canvas, discarded);

        if (!v)
            return;
        write_squares(v, 16.25f * (float)round + 0.25f * (float)(frame % 16), 7.5f * (float)round,
                      0xff403020 + 0x140800 * round);
        canvas->calls->unlock(canvas, discarded);
        canvas->calls->draw_indexed(canvas, D3DPT_TRIANGLELIST, 0, DISCARD_QUADS * 4, DISCARD_QUADS * 2);
    }
}
