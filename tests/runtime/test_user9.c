/* SPDX-License-Identifier: MIT */
/*
 * Indexed draws from user memory with indices outside of the range of vertices that the call states. The runtime only
 * takes the vertices of that range, so the others read as 0 (docs/reference/device-state.md, section 1). The oracle
 * draws the same without indices, with zeros in place of those vertices.
 */
#include "tests/random.h"
#include "tests/runtime/program9.h"

#include <stdlib.h>

#define DRAWS    12 /* in one picture; most of them in one call to the driver */
#define VERTICES 24 /* vertices that the program has in addition to the stated range */
#define INDICES  12

struct vertex {
    float x, y, z;
    DWORD diffuse;
    float u[4]; /* read by none, but part of the stride in some draws */
};

struct user_draw {
    struct vertex vertex[VERTICES];
    UINT stride; /* of the vertices as they are sent: without u, or with it */
    UINT min_index, vertex_count, primitives;
    D3DPRIMITIVETYPE type;
    uint32_t index[INDICES];
    bool indexed, wide;
};

static HWND window;
static IDirect3DDevice9 *device;
static UINT index_count(const struct user_draw *draw)
{
    return draw->type == D3DPT_TRIANGLELIST ? draw->primitives * 3 : draw->primitives + 2;
}

static uint32_t stray_index(const struct user_draw *draw)
{
    const uint32_t end = draw->min_index + draw->vertex_count;
    const uint32_t strays[] = {end, end + random_below(4), random_below(draw->min_index + 1),
                               VERTICES + random_below(200),
                               draw->wide ? 0xffffffffu - random_below(3) : 0xffffu - random_below(3)};

    return strays[random_below(sizeof(strays) / sizeof(strays[0]))]; /* the third may be the lowest that is promised */
}

static struct user_draw random_draw(unsigned strays_in_8)
{
    struct user_draw draw = {.stride = random_below(4) ? offsetof(struct vertex, u) : sizeof(struct vertex),
                             .min_index = random_below(8),
                             .vertex_count = 1 + random_below(12),
                             .type = random_below(2) ? D3DPT_TRIANGLELIST : D3DPT_TRIANGLESTRIP,
                             .indexed = random_below(5) != 0,
                             .wide = random_below(2)};

    draw.primitives = 1 + random_below(draw.type == D3DPT_TRIANGLELIST ? INDICES / 3 : INDICES - 2);
    for (unsigned i = 0; i < VERTICES; i++)
        draw.vertex[i] = (struct vertex){(float)random_below(2001) / 1000 - 1,
                                         (float)random_below(2001) / 1000 - 1,
                                         (float)random_below(1001) / 1000,
                                         0xff000000 | random_below(0x1000000),
                                         {9, 9, 9, 9}};
    for (unsigned i = 0; i < INDICES; i++)
        draw.index[i] =
            random_below(8) < strays_in_8 ? stray_index(&draw) : draw.min_index + random_below(draw.vertex_count);
    return draw;
}

/* Whole consecutive vertices, `stride` bytes apart. */
static void put_vertex(uint8_t *memory, const struct user_draw *draw, unsigned at, const struct vertex *vertex)
{
    memcpy(memory + at * draw->stride, vertex, draw->stride);
}

static void draw_as_given(const struct user_draw *draw)
{
    uint8_t vertices[VERTICES * sizeof(struct vertex)];
    uint16_t narrow[INDICES];

    for (unsigned i = 0; i < VERTICES; i++)
        put_vertex(vertices, draw, i, &draw->vertex[i]);
    for (unsigned i = 0; i < INDICES; i++)
        narrow[i] = (uint16_t)draw->index[i];
    if (draw->indexed)
        CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitiveUP(
                     device, draw->type, draw->min_index, draw->vertex_count, draw->primitives,
                     draw->wide ? (const void *)draw->index : narrow, draw->wide ? D3DFMT_INDEX32 : D3DFMT_INDEX16,
                     vertices, draw->stride),
                 D3D_OK);
    else
        CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, draw->type, draw->primitives, vertices, draw->stride),
                 D3D_OK);
}

static void draw_in_full(const struct user_draw *draw)
{
    static const struct vertex zero;
    uint8_t vertices[VERTICES * sizeof(struct vertex)];

    for (unsigned i = 0; i < index_count(draw); i++) {
        const uint32_t index = draw->indexed ? draw->index[i] : i;
        const bool promised = !draw->indexed || index - draw->min_index < draw->vertex_count;

        put_vertex(vertices, draw, i, promised ? &draw->vertex[index] : &zero);
    }
    CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, draw->type, draw->primitives, vertices, draw->stride), D3D_OK);
}

static uint32_t *picture_of(const struct user_draw *draws, void (*draw)(const struct user_draw *))
{
    clear9(device, 0x405060);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
    for (unsigned i = 0; i < DRAWS; i++)
        draw(&draws[i]);
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    return read_target9(device);
}

static void indices_beyond_their_promise(void)
{
    static struct user_draw draws[DRAWS];

    window = open_window();
    device = open_device9(window, false, 0, NULL);
    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE), D3D_OK);
    CHECK_HR(IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE), D3D_OK);
    for (unsigned round = 0; round < 40; round++) {
        uint32_t *given, *full;

        random_seed = round;
        for (unsigned i = 0; i < DRAWS; i++)
            draws[i] = random_draw(round % 4); /* of eight indices; none in every fourth picture */
        given = picture_of(draws, draw_as_given);
        full = picture_of(draws, draw_in_full);
        if (memcmp(given, full, WIDTH * HEIGHT * sizeof(*given)))
            failed(__FILE__, __LINE__, "picture %u differs", round);
        free(given);
        free(full);
    }
    close_device9(device, window);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"indices_beyond_their_promise", indices_beyond_their_promise}};

    return run_tests(tests, 1, argc, argv);
}
