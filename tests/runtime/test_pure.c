/* SPDX-License-Identifier: MIT */
/* Pure devices: everything that they leave to the driver (states, state blocks, products of matrices, rectangles of
 * clears) has the same results as on a device that does it in the runtime. Each script draws on both; the pictures must
 * be the same, and must not be empty. */
#include "tests/runtime/program.h"

#include <stdlib.h>

#define PURE_DEVICE (D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_PUREDEVICE)
#define CELL        40 /* pixels; a script draws into one cell after another */

struct vertex {
    float x, y, z;
    DWORD color;
    float u, v;
};
#define VERTEX_FVF (D3DFVF_XYZ | D3DFVF_DIFFUSE | D3DFVF_TEX1)

static unsigned cell;
static IDirect3DTexture8 *textures[2];
static IDirect3DVertexBuffer8 *buffers[2];
static IDirect3DIndexBuffer8 *indices;
static const D3DMATRIX identity = {.m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

static const DWORD declaration[] = {D3DVSD_STREAM(0),
                                    D3DVSD_REG(0, D3DVSDT_FLOAT3),
                                    D3DVSD_REG(1, D3DVSDT_D3DCOLOR),
                                    D3DVSD_REG(2, D3DVSDT_FLOAT2),
                                    D3DVSD_CONST(3, 1),
                                    0x3e800000,
                                    0,
                                    0,
                                    0x3f800000,
                                    D3DVSD_END()};
/* vs_1_1: oPos = v0 + c0, oD0 = v1 * c1 + c2 + c3, oT0 = v2 */
static const DWORD vertex_code[] = {
    0xfffe0101, 0x00000002, 0xc00f0000, 0x90e40000, 0xa0e40000, 0x00000005, 0x800f0000,
    0x90e40001, 0xa0e40001, 0x00000002, 0x800f0000, 0x80e40000, 0xa0e40002, 0x00000002,
    0xd00f0000, 0x80e40000, 0xa0e40003, 0x00000001, 0xe00f0000, 0x90e40002, 0x0000ffff,
};
/* ps_1_1: def c1 = (0, 0.25, 0, 0); r0 = v0 * c0 + c1 */
static const DWORD pixel_code[] = {
    0xffff0101, 0x00000051, 0xa00f0001, 0x00000000, 0x3e800000, 0x00000000, 0x00000000,
    0x00000004, 0x800f0000, 0x90e40000, 0xa0e40000, 0xa0e40001, 0x0000ffff,
};

/* --- a device with everything ------------------------------------------------------------- */

static void fill_texture(IDirect3DTexture8 *texture, uint32_t a, uint32_t b)
{
    D3DLOCKED_RECT locked;

    CHECK_HR(IDirect3DTexture8_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    for (unsigned i = 0; i < 16; i++)
        ((uint32_t *)((uint8_t *)locked.pBits + i / 4 * locked.Pitch))[i % 4] = (i ^ i / 4) & 1 ? a : b;
    CHECK_HR(IDirect3DTexture8_UnlockRect(texture, 0), D3D_OK);
}

static void fill_buffer(IDirect3DVertexBuffer8 *buffer, float size, DWORD color)
{
    struct vertex *v;

    CHECK_HR(IDirect3DVertexBuffer8_Lock(buffer, 0, 0, (BYTE **)&v, 0), D3D_OK);
    for (unsigned i = 0; i < 4; i++, v++)
        *v = (struct vertex){i & 1 ? size : -size, i & 2 ? -size : size, 0.5f, color, i & 1 ? 1 : 0, i & 2 ? 1 : 0};
    CHECK_HR(IDirect3DVertexBuffer8_Unlock(buffer), D3D_OK);
}

static void make_resources(IDirect3DDevice8 *device)
{
    static const WORD list[6] = {0, 1, 2, 2, 1, 3};
    BYTE *data;

    for (unsigned i = 0; i < 2; i++) {
        CHECK_HR(IDirect3DDevice8_CreateTexture(device, 4, 4, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &textures[i]),
                 D3D_OK);
        fill_texture(textures[i], i ? 0xff00ff : 0xffff00, i ? 0x404040 : 0x0000ff);
        CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, 4 * sizeof(struct vertex), 0, VERTEX_FVF, D3DPOOL_MANAGED,
                                                     &buffers[i]),
                 D3D_OK);
        fill_buffer(buffers[i], i ? 0.5f : 0.9f, i ? 0xff80c0ff : 0xffff8040);
    }
    CHECK_HR(IDirect3DDevice8_CreateIndexBuffer(device, sizeof(list), 0, D3DFMT_INDEX16, D3DPOOL_MANAGED, &indices),
             D3D_OK);
    CHECK_HR(IDirect3DIndexBuffer8_Lock(indices, 0, 0, &data, 0), D3D_OK);
    memcpy(data, list, sizeof(list));
    CHECK_HR(IDirect3DIndexBuffer8_Unlock(indices), D3D_OK);
}

static void free_resources(void)
{
    for (unsigned i = 0; i < 2; i++) {
        IDirect3DTexture8_Release(textures[i]);
        IDirect3DVertexBuffer8_Release(buffers[i]);
    }
    IDirect3DIndexBuffer8_Release(indices);
}

/* States all scripts begin with: unlit, the colour of the vertices. */
static void begin(IDirect3DDevice8 *device)
{
    cell = 0;
    IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff102030, 1, 0);
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF);
    IDirect3DDevice8_SetStreamSource(device, 0, buffers[0], sizeof(struct vertex));
    IDirect3DDevice8_SetIndices(device, indices, 0);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
}

/* Draws the square into the next cell, or the square that a block has set. */
static void draw_here(IDirect3DDevice8 *device)
{
    CHECK_HR(IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 4, 0, 2), D3D_OK);
}

static void next_cell(IDirect3DDevice8 *device)
{
    const unsigned columns = WIDTH / CELL;
    D3DVIEWPORT8 viewport = {cell % columns * CELL, cell / columns * CELL, CELL, CELL, 0, 1};

    CHECK_HR(IDirect3DDevice8_SetViewport(device, &viewport), D3D_OK);
    cell++;
}

static void draw(IDirect3DDevice8 *device)
{
    next_cell(device);
    draw_here(device);
}

/* --- both kinds of device ------------------------------------------------------------------- */

static uint32_t *play(DWORD flags, void (*script)(IDirect3DDevice8 *device))
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_device(window, flags, NULL);
    uint32_t *pixels;

    if (!device)
        return NULL;
    make_resources(device);
    begin(device);
    script(device);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    pixels = read_target(device);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    IDirect3DDevice8_SetTexture(device, 0, NULL);
    IDirect3DDevice8_SetStreamSource(device, 0, NULL, 0);
    IDirect3DDevice8_SetIndices(device, NULL, 0);
    free_resources();
    close_device(device, window);
    return pixels;
}

/* The cells in which the pictures differ; at least `covered` pixels are drawn. */
static void compare(void (*script)(IDirect3DDevice8 *device), unsigned covered)
{
    uint32_t *expected = play(D3DCREATE_HARDWARE_VERTEXPROCESSING, script), *got = play(PURE_DEVICE, script);
    unsigned different = 0, drawn = 0, first = 0;

    if (!expected || !got)
        return;
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        drawn += expected[i] != 0x102030;
        if (expected[i] != got[i] && !different++)
            first = i;
    }
    if (different)
        failed(__FILE__, __LINE__, "%u pixels differ, the first in cell %u: %06lx, not %06lx", different,
               first / WIDTH / CELL * (WIDTH / CELL) + first % WIDTH / CELL, (unsigned long)got[first],
               (unsigned long)expected[first]);
    if (drawn < covered)
        failed(__FILE__, __LINE__, "%u pixels are drawn to, not %u", drawn, covered);
    free(expected);
    free(got);
}

/* --- recorded blocks -------------------------------------------------------------------------- */

static void factor(IDirect3DDevice8 *device, DWORD color)
{
    IDirect3DDevice8_SetRenderState(device, D3DRS_TEXTUREFACTOR, color);
}

static void recorded_script(IDirect3DDevice8 *device)
{
    DWORD block = 0, other = 0;

    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
    factor(device, 0xff00ff00);
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    factor(device, 0xffff0000);
    IDirect3DDevice8_SetRenderState(device, D3DRS_SHADEMODE, D3DSHADE_FLAT);
    IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)textures[0]);
    IDirect3DDevice8_SetStreamSource(device, 0, buffers[1], sizeof(struct vertex));
    draw(device); /* draws continue as if nothing were recorded; the viewport is recorded */
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &block), D3D_OK);
    cell = 1;
    draw(device); /* green: nothing has been set */
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    draw_here(device); /* red, small, in cell 0 */
    draw(device);
    factor(device, 0xffff0000); /* the value that the block has set already */
    draw(device);
    factor(device, 0xff00ff00); /* the value that the runtime set last */
    draw(device);
    IDirect3DDevice8_SetStreamSource(device, 0, buffers[0], sizeof(struct vertex));
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    draw(device); /* the texture of the block */
    IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)textures[1]);
    factor(device, 0xff112233);
    CHECK_HR(IDirect3DDevice8_CaptureStateBlock(device, block), D3D_OK);
    IDirect3DDevice8_SetTexture(device, 0, NULL);
    factor(device, 0xffffffff);
    next_cell(device);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK); /* captured: the earlier cell, too */
    draw(device);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    draw(device);
    /* a second one, and the first one gone */
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    factor(device, 0xffabcdef);
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &other), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, other), D3D_OK);
    draw(device);
    CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, other), D3D_OK);
}

static void recorded(void)
{
    compare(recorded_script, 6000);
}

/* --- contents of blocks ---------------------------------------------------------------------- */

static void set_shaders(IDirect3DDevice8 *device, DWORD vertex, DWORD pixel, float green)
{
    const float constants[3][4] = {{0.1f, 0, 0, 0.5f}, {0.5f, green, 1, 1}, {0, 0, 0.25f, 0}};
    const float factor[4] = {1, 0.5f, green, 1};

    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, vertex), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, pixel), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShaderConstant(device, 0, constants, 3), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetPixelShaderConstant(device, 0, factor, 1), D3D_OK);
}

static void shaders_script(IDirect3DDevice8 *device)
{
    static const float other[4] = {0.75f, 0, 0.5f, 1};
    DWORD vertex = 0, pixel = 0, block = 0, all = 0, of_vertices = 0, of_pixels = 0;

    CHECK_HR(IDirect3DDevice8_CreateVertexShader(device, declaration, vertex_code, &vertex, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreatePixelShader(device, pixel_code, &pixel), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    set_shaders(device, vertex, pixel, 0.25f);
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &block), D3D_OK);
    draw(device);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    draw(device);
    set_shaders(device, vertex, 0, 1);
    CHECK_HR(IDirect3DDevice8_SetVertexShaderConstant(device, 3, other, 1), D3D_OK); /* not the declaration's */
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, pixel), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetPixelShaderConstant(device, 1, other, 1), D3D_OK); /* not the program's */
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &all), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_VERTEXSTATE, &of_vertices), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_PIXELSTATE, &of_pixels), D3D_OK);
    draw(device);
    set_shaders(device, VERTEX_FVF, 0, 0);
    draw(device);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, of_vertices), D3D_OK);
    draw(device);
    set_shaders(device, VERTEX_FVF, 0, 0);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, of_pixels), D3D_OK);
    draw(device);
    set_shaders(device, VERTEX_FVF, 0, 0);
    next_cell(device);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, all), D3D_OK);
    draw(device);
    /* no shader at all, and streams that are bound before and after */
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CaptureStateBlock(device, of_vertices), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetPixelShader(device, 0), D3D_OK);
    draw(device);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, of_vertices), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 4, 0, 2), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, VERTEX_FVF), D3D_OK);
    draw(device);
    CHECK_HR(IDirect3DDevice8_DeleteVertexShader(device, vertex), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DeletePixelShader(device, pixel), D3D_OK);
}

static void shaders(void)
{
    compare(shaders_script, 6000);
}

static void set_light(IDirect3DDevice8 *device, DWORD index, float red)
{
    D3DLIGHT8 light = {.Type = D3DLIGHT_DIRECTIONAL, .Diffuse = {red, 0.5f, 0.25f, 1}, .Direction = {0, 0, 1}};

    CHECK_HR(IDirect3DDevice8_SetLight(device, index, &light), D3D_OK);
    CHECK_HR(IDirect3DDevice8_LightEnable(device, index, TRUE), D3D_OK);
}

/* Lights, material, clip planes, matrices. */
static void fixed_script(IDirect3DDevice8 *device)
{
    static const struct {
        float x, y, z, nx, ny, nz;
    } triangle[3] = {{-0.9f, -0.9f, 0.5f, 0, 0, -1}, {0, 0.9f, 0.5f, 0, 0, -1}, {0.9f, -0.9f, 0.5f, 0, 0, -1}};
    static const float plane[4] = {1, 0, 0, 0};
    const D3DMATRIX half = {.m = {{0.5f, 0, 0, 0}, {0, 0.5f, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    const D3DMATRIX move = {.m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0.5f, 0, 0, 1}}};
    D3DMATERIAL8 material = {.Diffuse = {1, 1, 1, 1}};
    DWORD block = 0, all = 0;
#define TRIANGLE()                                                                                               \
    do {                                                                                                         \
        next_cell(device);                                                                                       \
        CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof(triangle[0])), \
                 D3D_OK);                                                                                        \
    } while (0)

    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, TRUE);
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_NORMAL);
    IDirect3DDevice8_SetMaterial(device, &material);
    set_light(device, 3, 0.125f);
    TRIANGLE();
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &all), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    set_light(device, 3, 1);
    set_light(device, 7, 0.25f); /* one the device does not have */
    material.Diffuse.g = 0.5f;
    IDirect3DDevice8_SetMaterial(device, &material);
    IDirect3DDevice8_SetClipPlane(device, 0, plane);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CLIPPLANEENABLE, 1);
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &half);
    /* not recorded in the original runtime */
    CHECK_HR(IDirect3DDevice8_MultiplyTransform(device, D3DTS_VIEW, &move), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &block), D3D_OK);
    TRIANGLE();
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    TRIANGLE();
    CHECK_HR(IDirect3DDevice8_MultiplyTransform(device, D3DTS_WORLD, &move), D3D_OK);
    TRIANGLE();
    CHECK_HR(IDirect3DDevice8_MultiplyTransform(device, D3DTS_WORLD, &half), D3D_OK);
    TRIANGLE();
    IDirect3DDevice8_SetTransform(device, D3DTS_WORLD, &half); /* as the block had it */
    TRIANGLE();
    IDirect3DDevice8_SetTransform(device, D3DTS_VIEW, &identity);
    TRIANGLE();
    CHECK_HR(IDirect3DDevice8_LightEnable(device, 3, FALSE), D3D_OK);
    TRIANGLE();
    CHECK_HR(IDirect3DDevice8_CaptureStateBlock(device, block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, all), D3D_OK);
    TRIANGLE();
    set_light(device, 3, 0.125f); /* as it is */
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    TRIANGLE();
}

static void fixed_function(void)
{
    compare(fixed_script, 2000);
}

/* --- clears ------------------------------------------------------------------------------------- */

static void clear(IDirect3DDevice8 *device, DWORD count, const D3DRECT *rects, DWORD color)
{
    CHECK_HR(IDirect3DDevice8_Clear(device, count, rects, D3DCLEAR_TARGET, color, 1, 0), D3D_OK);
}

#define MANY 3000

static void clear_script(IDirect3DDevice8 *device)
{
    static const D3DRECT rects[] = {{10, 10, 60, 40},     {300, 5, 200, 60},    {-50, 100, 20, 120},
                                    {600, 440, 700, 600}, {100, 100, 101, 101}, {200, 200, 200, 300},
                                    {90, 250, 130, 290}};
    const D3DVIEWPORT8 small = {100, 200, 300, 150, 0, 1}, whole = {0, 0, WIDTH, HEIGHT, 0, 1};
    D3DRECT *many = calloc(MANY, sizeof(*many));

    clear(device, sizeof(rects) / sizeof(rects[0]), rects, 0xffff0000);
    CHECK_HR(IDirect3DDevice8_SetViewport(device, &small), D3D_OK);
    clear(device, 0, NULL, 0xff00ff00);
    clear(device, sizeof(rects) / sizeof(rects[0]), rects, 0xff0000ff);
    clear(device, 0, rects, 0xffffffff); /* no rectangle: no clear */
    CHECK_HR(IDirect3DDevice8_SetViewport(device, &whole), D3D_OK);
    for (LONG i = 0; i < MANY; i++)
        many[i] = (D3DRECT){i % 100 * 6, 300 + i / 100 * 6, i % 100 * 6 + 3, 300 + i / 100 * 6 + 3};
    clear(device, MANY, many, 0xff808080);
    free(many);
    clear(device, 1, (const D3DRECT[]){{0, 400, WIDTH, 410}}, 0xff202020);
}

static void clears(void)
{
    uint32_t *pixels = play(PURE_DEVICE, clear_script);
    unsigned gray = 0;

    if (!pixels)
        return;
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        gray += pixels[i] == 0x808080;
    CHECK_EQUAL(pixels[20 * WIDTH + 20], 0xff0000);
    CHECK_EQUAL(pixels[110 * WIDTH + 10], 0xff0000);
    CHECK_EQUAL(pixels[270 * WIDTH + 110], 0x0000ff);
    CHECK_EQUAL(pixels[270 * WIDTH + 95], 0xff0000); /* outside of the viewport */
    CHECK_EQUAL(pixels[210 * WIDTH + 250], 0x00ff00);
    CHECK(gray > 20000);
    free(pixels);
    compare(clear_script, 60000);
}

/* --- refusals, reset ------------------------------------------------------------------------------ */

/* Calls that the documentation says a pure device does not have; a Reset deletes the blocks. */
static void reset(void)
{
    HWND window = open_window();
    D3DPRESENT_PARAMETERS params = windowed(window);
    IDirect3DDevice8 *device = open_device(window, PURE_DEVICE, NULL);
    D3DCLIPSTATUS8 status = {0, 0};
    DWORD block = 0, other = 0;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_SetClipStatus(device, &status), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, (D3DSTATEBLOCKTYPE)4, &other), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_CaptureStateBlock(device, block + 1), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_Reset(device, &params), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &other), D3DERR_INVALIDCALL);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3DERR_INVALIDCALL);
    make_resources(device);
    begin(device);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &block), D3D_OK);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    draw(device);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    CHECK_EQUAL(read_pixel(device, CELL / 2, CELL / 2), 0xff8040);
    free_resources();
    close_device(device, window); /* blocks hold resources; they go with the device */
}

#define BLOCK_COUNT 5000

/* A driver has room for some hundreds of full blocks; one block too many does no other harm. */
static void many_blocks(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_device(window, PURE_DEVICE, NULL);
    static DWORD blocks[BLOCK_COUNT];
    unsigned count = 0;
    HRESULT hr = D3D_OK;

    if (!device)
        return;
    make_resources(device);
    begin(device);
    while (count < BLOCK_COUNT && SUCCEEDED(hr)) {
        hr = IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &blocks[count]);
        count += SUCCEEDED(hr);
    }
    CHECK(count >= 500);
    if (count < BLOCK_COUNT)
        CHECK_HR(hr, E_OUTOFMEMORY);
    draw(device);
    for (unsigned i = 0; i < count; i++)
        CHECK_HR(IDirect3DDevice8_DeleteStateBlock(device, blocks[i]), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &blocks[0]), D3D_OK);
    draw(device);
    CHECK_EQUAL(read_pixel(device, CELL / 2, CELL / 2), 0xff8040);
    CHECK_EQUAL(read_pixel(device, CELL + CELL / 2, CELL / 2), 0xff8040);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    IDirect3DDevice8_SetStreamSource(device, 0, NULL, 0);
    IDirect3DDevice8_SetIndices(device, NULL, 0);
    free_resources();
    close_device(device, window);
}

static const struct test tests[] = {
    {"pure_recorded", recorded}, {"pure_shaders", shaders}, {"pure_fixed_function", fixed_function},
    {"pure_clears", clears},     {"pure_reset", reset},     {"pure_many_blocks", many_blocks},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
