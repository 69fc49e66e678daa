/* SPDX-License-Identifier: MIT */
/* Vertex and index buffers: managed ones and the driver's copy of them, vertices from ProcessVertices, locks that reach
 * beyond the end. */
#include "tests/runtime/program.h"

#include <stdlib.h>

#define FVF (D3DFVF_XYZRHW | D3DFVF_DIFFUSE)

struct vertex {
    float x, y, z, rhw;
    DWORD color;
};

static HWND window;
static IDirect3DDevice8 *device;

static bool set_up(DWORD flags)
{
    window = open_window();
    device = open_device(window, flags, NULL);
    if (!device)
        return false;
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, FVF), D3D_OK);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    return true;
}

static void tear_down(void)
{
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    IDirect3DDevice8_SetStreamSource(device, 0, NULL, 0);
    IDirect3DDevice8_SetIndices(device, NULL, 0);
    close_device(device, window);
}

static IDirect3DVertexBuffer8 *make_vertices(UINT count, DWORD usage, D3DPOOL pool)
{
    IDirect3DVertexBuffer8 *buffer = NULL;

    CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, count * sizeof(struct vertex), usage, FVF, pool, &buffer),
             D3D_OK);
    return buffer;
}

static IDirect3DIndexBuffer8 *make_indices(UINT count, D3DPOOL pool)
{
    IDirect3DIndexBuffer8 *buffer = NULL;

    CHECK_HR(IDirect3DDevice8_CreateIndexBuffer(device, count * 2, 0, D3DFMT_INDEX16, pool, &buffer), D3D_OK);
    return buffer;
}

/* A square of 10 pixels, in row `row` and column `column` of the picture, as a strip. */
static void put_square(struct vertex *v, unsigned column, unsigned row, DWORD color)
{
    for (unsigned i = 0; i < 4; i++)
        v[i] = (struct vertex){(float)(column + (i & 1)) * 10, (float)(row + (i >> 1)) * 10, 0.5f, 1, color};
}

static uint32_t square(const uint32_t *pixels, unsigned column, unsigned row)
{
    return pixels[(row * 10 + 5) * WIDTH + column * 10 + 5];
}

/* --- managed buffers ------------------------------------------------------------------------ */

/* One buffer is rewritten before each draw of a scene: each draw uses the contents of that moment. */
static void rewritten(void)
{
    static const D3DPOOL pools[] = {D3DPOOL_MANAGED, D3DPOOL_SYSTEMMEM, D3DPOOL_DEFAULT};
    uint32_t *pixels;

    if (!set_up(0))
        return;
    for (unsigned p = 0; p < 3; p++) {
        IDirect3DVertexBuffer8 *buffer = make_vertices(8, 0, pools[p]);
        IDirect3DIndexBuffer8 *indices = make_indices(8, pools[p]);
        struct vertex *v;
        WORD *index;
        CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, buffer, sizeof(struct vertex)), D3D_OK);
        CHECK_HR(IDirect3DDevice8_SetIndices(device, indices, 0), D3D_OK);
        for (unsigned i = 0; i < 64; i++) {
            unsigned half = i & 1 ? 4 : 0; /* two places alternately, only one of them locked */
            CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, half * sizeof(*v), 4 * sizeof(*v), (BYTE **)&v, 0), D3D_OK);
            put_square(v, i, p, 0xff000100 + i);
            CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
            CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, half, 2), D3D_OK);
            CHECK_HR(IDirect3DIndexBuffer8_Lock(indices, half * 2, 8, (BYTE **)&index, 0), D3D_OK);
            for (unsigned k = 0; k < 4; k++)
                index[k] = (WORD)(half + (i & 2 ? k : 3 - k));
            CHECK_HR(IDirect3DIndexBuffer8_Unlock(indices), D3D_OK);
            CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, (BYTE **)&v, 0), D3D_OK);
            put_square(v + half, i, 10 + p, 0xff000200 + i);
            CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
            CHECK_HR(IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLESTRIP, half, 4, half, 2), D3D_OK);
        }
        IDirect3DVertexBuffer8_Release(buffer);
        IDirect3DIndexBuffer8_Release(indices);
    }
    pixels = read_target(device);
    for (unsigned i = 0; i < 3 * 64; i++) {
        if (square(pixels, i % 64, i / 64) != 0x000100 + i % 64 ||
            square(pixels, i % 64, 10 + i / 64) != 0x000200 + i % 64)
            failed(__FILE__, __LINE__, "pool %u, draw %u: %06lx, %06lx", pools[i / 64], i % 64,
                   (unsigned long)square(pixels, i % 64, i / 64), (unsigned long)square(pixels, i % 64, 10 + i / 64));
    }
    free(pixels);
    tear_down();
}

/* Programs draw while a lock is held: the draw uses what has been written by then. Reading changes nothing, and sees
 * everything. */
static void locked_and_drawn(void)
{
    IDirect3DVertexBuffer8 *buffer, *other;
    struct vertex *v, *again;

    if (!set_up(0))
        return;
    buffer = make_vertices(4, 0, D3DPOOL_MANAGED);
    other = make_vertices(4, 0, D3DPOOL_MANAGED);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(other, 0, 0, (BYTE **)&again, 0), D3D_OK);
    put_square(again, 5, 5, 0xff445566);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(other), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, buffer, sizeof(*v)), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, (BYTE **)&v, 0), D3D_OK);
    put_square(v, 1, 1, 0xff112233);
    CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 15, 15), 0x112233);
    put_square(v, 2, 2, 0xff332211);
    CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 25, 25), 0x332211);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, (BYTE **)&again, D3DLOCK_READONLY), D3D_OK); /* nested */
    CHECK(again == v && again->color == 0xff332211);
    put_square(v, 3, 3, 0xff778899);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 35, 35), 0x778899);
    /* the other buffer has never been drawn with; the priority moves with it */
    CHECK_EQUAL(IDirect3DVertexBuffer8_SetPriority(other, 7), 0);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, other, sizeof(*v)), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 55, 55), 0x445566);
    CHECK_EQUAL(IDirect3DVertexBuffer8_SetPriority(other, 9), 7);
    IDirect3DVertexBuffer8_Release(buffer);
    IDirect3DVertexBuffer8_Release(other);
    tear_down();
}

/* --- transformed vertices --------------------------------------------------------------------- */

/* The result of ProcessVertices is drawn from any place in the buffer, with indices and without, and so are vertices
 * with which the program has replaced it. */
static void transformed(D3DPOOL pool, DWORD flags)
{
    static const struct {
        float x, y, z;
        DWORD color;
    } source[4] = {
        {-1, 1, 0.5f, 0xff00ff00}, {0, 1, 0.5f, 0xff00ff00}, {-1, 0, 0.5f, 0xff00ff00}, {0, 0, 0.5f, 0xff00ff00}};
    static const WORD list[8] = {9, 9, 3, 2, 1, 3, 1, 0};
    IDirect3DVertexBuffer8 *from = NULL, *to;
    IDirect3DIndexBuffer8 *indices;
    struct vertex *v;
    BYTE *data;

    if (!set_up(flags))
        return;
    to = make_vertices(12, 0, pool);
    indices = make_indices(8, pool);
    CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, sizeof(source), 0, D3DFVF_XYZ | D3DFVF_DIFFUSE, pool, &from),
             D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(from, 0, 0, &data, 0), D3D_OK);
    memcpy(data, source, sizeof(source));
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(from), D3D_OK);
    CHECK_HR(IDirect3DIndexBuffer8_Lock(indices, 0, 0, &data, 0), D3D_OK);
    memcpy(data, list, sizeof(list));
    CHECK_HR(IDirect3DIndexBuffer8_Unlock(indices), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_DIFFUSE), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, from, sizeof(source[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ProcessVertices(device, 0, 5, 4, to, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, FVF), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, to, sizeof(*v)), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 5, 2), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 10, 10), 0x00ff00);
    CHECK_EQUAL(read_pixel(device, 310, 230), 0x00ff00);
    CHECK_EQUAL(read_pixel(device, 330, 250), 0);
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff0000ff, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetIndices(device, indices, 5), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 4, 2, 2), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 300, 10), 0x00ff00);
    CHECK_EQUAL(read_pixel(device, 310, 230), 0x00ff00);
    CHECK_EQUAL(read_pixel(device, 10, 100), 0x0000ff); /* of neither triangle */
    /* the program itself does it again, from the same places */
    CHECK_HR(IDirect3DVertexBuffer8_Lock(to, 5 * sizeof(*v), 4 * sizeof(*v), (BYTE **)&v, 0), D3D_OK);
    CHECK(v[3].x == 320 && v[3].y == 240);
    put_square(v, 40, 30, 0xffff0000);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(to), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 5, 2), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 405, 305), 0xff0000);
    /* a vertex format that is not in pixels reads the same bytes as untransformed vertices */
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, from, sizeof(source[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_DIFFUSE), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 310, 230), 0x00ff00);
    IDirect3DVertexBuffer8_Release(from);
    IDirect3DVertexBuffer8_Release(to);
    IDirect3DIndexBuffer8_Release(indices);
    tear_down();
}

static void transformed_by_hardware(void)
{
    transformed(D3DPOOL_DEFAULT, 0);
    transformed(D3DPOOL_MANAGED, 0);
}

static void transformed_by_software(void)
{
    transformed(D3DPOOL_SYSTEMMEM, D3DCREATE_SOFTWARE_VERTEXPROCESSING);
    transformed(D3DPOOL_MANAGED, D3DCREATE_MIXED_VERTEXPROCESSING);
}

/* --- locks beyond the end ----------------------------------------------------------------------- */

static void beyond(D3DPOOL pool)
{
    IDirect3DVertexBuffer8 *buffer;
    IDirect3DIndexBuffer8 *indices;
    BYTE *data = NULL, *whole = NULL;

    if (!set_up(0))
        return;
    CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, 100, 0, 0, pool, &buffer), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &whole, 0), D3D_OK);
    for (unsigned i = 0; i < 100; i++)
        whole[i] = (BYTE)i;
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    /* half inside: that half belongs to the buffer */
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 90, 20, &data, 0), D3D_OK);
    CHECK(data && data[0] == 90 && data[9] == 99);
    if (data)
        memset(data, 0xee, 20);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &whole, 0), D3D_OK);
    CHECK(whole[89] == 89 && whole[90] == 0xee && whole[99] == 0xee);
    /* together with a lock of everything: data written by either is kept */
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 95, 1000, &data, 0), D3D_OK);
    whole[96] = 1;
    if (data) {
        data[2] = 2;
        memset(data + 5, 0xaa, 995);
    }
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 100, &whole, D3DLOCK_READONLY), D3D_OK);
    CHECK(whole[95] == 0xee && whole[96] == 1 && whole[97] == 2 && whole[98] == 0xee);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    /* entirely beyond the end; size 0 means the size that the program assumes */
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 200, 0, &data, 0), D3D_OK);
    if (data)
        memset(data, 0x55, 200);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0xfffffff0, 64, &data, D3DLOCK_DISCARD), D3D_OK);
    if (data)
        memset(data, 0x55, 64);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    if (data)
        memset(data, 0x66, 64); /* late */
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 80, 40, &data, D3DLOCK_READONLY), D3D_OK);
    CHECK(data && data[0] == 80 && data[9] == 89 && data[10] == 0xee);
    if (data)
        data[0] = 7; /* must not be written */
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &whole, 0), D3D_OK);
    CHECK(whole[0] == 0 && whole[80] == 80 && whole[96] == 1);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    /* more than any program means */
    CHECK(FAILED(IDirect3DVertexBuffer8_Lock(buffer, 0, 0xffffffff, &data, 0)) && !data);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, NULL, 0), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, &whole, 0), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    CHECK_EQUAL(IDirect3DVertexBuffer8_Release(buffer), 0);
    indices = make_indices(6, pool);
    CHECK_HR(IDirect3DIndexBuffer8_Lock(indices, 8, 16, &data, 0), D3D_OK); /* locked to the end of its life */
    CHECK_EQUAL(IDirect3DIndexBuffer8_Release(indices), 0);
    tear_down();
}

static void beyond_the_end(void)
{
    beyond(D3DPOOL_DEFAULT);
    beyond(D3DPOOL_MANAGED);
    beyond(D3DPOOL_SYSTEMMEM);
}

/* Data written under such a lock is drawn. */
static void beyond_is_drawn(void)
{
    IDirect3DVertexBuffer8 *buffer;
    struct vertex *v = NULL;

    if (!set_up(0))
        return;
    buffer = make_vertices(4, 0, D3DPOOL_MANAGED);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, buffer, sizeof(*v)), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 5 * sizeof(*v), (BYTE **)&v, 0), D3D_OK);
    if (v) {
        put_square(v, 3, 3, 0xff123456);
        v[4] = v[0];
    }
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2), D3D_OK);
    CHECK_EQUAL(read_pixel(device, 35, 35), 0x123456);
    IDirect3DVertexBuffer8_Release(buffer);
    tear_down();
}

static const struct test tests[] = {
    {"buffers_rewritten", rewritten},
    {"buffers_locked_and_drawn", locked_and_drawn},
    {"buffers_transformed_by_hardware", transformed_by_hardware},
    {"buffers_transformed_by_software", transformed_by_software},
    {"buffers_beyond_the_end", beyond_the_end},
    {"buffers_beyond_is_drawn", beyond_is_drawn},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
