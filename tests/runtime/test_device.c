/* SPDX-License-Identifier: MIT */
/* Creation flags and their consequences: pure devices, vertex processing, the floating-point unit, threads; texture
 * memory and the resource manager. */
#include "tests/runtime/program.h"

#include <stdlib.h>
#include <xmmintrin.h>

static void flags(void)
{
    static const struct {
        DWORD flags;
        HRESULT expected;
    } cases[] = {
        {0, D3DERR_INVALIDCALL},
        {D3DCREATE_MULTITHREADED, D3DERR_INVALIDCALL},
        {D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_HARDWARE_VERTEXPROCESSING, D3DERR_INVALIDCALL},
        {D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_MIXED_VERTEXPROCESSING, D3DERR_INVALIDCALL},
        {D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_PUREDEVICE, D3DERR_INVALIDCALL},
        {D3DCREATE_MIXED_VERTEXPROCESSING | D3DCREATE_PUREDEVICE, D3DERR_INVALIDCALL},
        {D3DCREATE_PUREDEVICE, D3DERR_INVALIDCALL},
        {D3DCREATE_SOFTWARE_VERTEXPROCESSING, D3D_OK},
        {D3DCREATE_MIXED_VERTEXPROCESSING, D3D_OK},
        {D3DCREATE_HARDWARE_VERTEXPROCESSING, D3D_OK},
        {D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_PUREDEVICE, D3D_OK},
        {D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_MULTITHREADED | D3DCREATE_FPU_PRESERVE, D3D_OK},
    };
    HWND window = open_window();
    IDirect3D8 *d3d = Direct3DCreate8(D3D_SDK_VERSION);

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        D3DPRESENT_PARAMETERS p = windowed(window);
        D3DDEVICE_CREATION_PARAMETERS created;
        IDirect3DDevice8 *device = NULL;
        HRESULT hr = IDirect3D8_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, window, cases[i].flags, &p, &device);
        if (hr != cases[i].expected)
            failed(__FILE__, __LINE__, "flags %lx: %08lx", (unsigned long)cases[i].flags, (unsigned long)hr);
        if (FAILED(hr))
            continue;
        CHECK_HR(IDirect3DDevice8_GetCreationParameters(device, &created), D3D_OK);
        CHECK_EQUAL(created.BehaviorFlags, cases[i].flags);
        close_device(device, NULL);
    }
    IDirect3D8_Release(d3d);
    DestroyWindow(window);
}

/* State that a pure device keeps only in the driver cannot be read; bindings and targets can. */
static void pure(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_device(window, D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_PUREDEVICE, NULL);
    IDirect3DBaseTexture8 *texture;
    IDirect3DVertexBuffer8 *buffer;
    D3DVIEWPORT8 viewport;
    D3DMATERIAL8 material;
    D3DMATRIX matrix;
    D3DLIGHT8 light;
    D3DCLIPSTATUS8 status;
    float values[4];
    DWORD value;
    BOOL enabled;
    UINT stride;

    if (!device)
        return;
#define REFUSED(call) CHECK_HR(IDirect3DDevice8_##call, D3DERR_INVALIDCALL)
    REFUSED(GetRenderState(device, D3DRS_ZENABLE, &value));
    REFUSED(GetTextureStageState(device, 0, D3DTSS_COLOROP, &value));
    REFUSED(GetTransform(device, D3DTS_VIEW, &matrix));
    REFUSED(GetMaterial(device, &material));
    REFUSED(GetLight(device, 0, &light));
    REFUSED(GetLightEnable(device, 0, &enabled));
    REFUSED(GetClipPlane(device, 0, values));
    REFUSED(GetClipStatus(device, &status));
    REFUSED(GetVertexShaderConstant(device, 0, values, 1));
    REFUSED(GetPixelShaderConstant(device, 0, values, 1));
    CHECK_HR(IDirect3DDevice8_GetViewport(device, &viewport), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetTexture(device, 0, &texture), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetStreamSource(device, 0, &buffer, &stride), D3D_OK);
    CHECK_HR(IDirect3DDevice8_GetVertexShader(device, &value), D3D_OK);
    close_device(device, window);
}

/* --- the floating-point unit ------------------------------------------------------------- */

static WORD get_x87(void)
{
    WORD mode;

    __asm__ volatile("fnstcw %0" : "=m"(mode));
    return mode;
}

static void set_x87(WORD mode)
{
    __asm__ volatile("fldcw %0" : : "m"(mode));
}

#define X87_DEFAULT 0x037f /* all exceptions masked, extended precision */
#define X87_SINGLE  0x007f

static void fpu(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device;

    set_x87(X87_DEFAULT);
    device = open_device(window, D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_FPU_PRESERVE, NULL);
    CHECK_EQUAL(get_x87(), X87_DEFAULT);
    close_device(device, NULL);
    device = open_device(window, 0, NULL);
    CHECK_EQUAL(get_x87() & 0xf3f, X87_SINGLE & 0xf3f);
    set_x87(X87_DEFAULT);
    close_device(device, window);
    CHECK_EQUAL(get_x87(), X87_DEFAULT);
}

static uint32_t *draw_lit(IDirect3DDevice8 *device)
{
    static const struct {
        float x, y, z, nx, ny, nz;
    } triangle[3] = {
        {-0.9f, -0.8f, 0.3f, 0.1f, 0.3f, -0.7f}, {0.13f, 0.91f, 0.7f, 0, 0, -1}, {0.77f, -0.61f, 0.5f, 1, 0, 0}};
    D3DLIGHT8 light = {.Type = D3DLIGHT_POINT,
                       .Diffuse = {0.9f, 0.7f, 0.3f, 1},
                       .Position = {0.3f, 0.1f, -1.3f},
                       .Range = 10,
                       .Attenuation1 = 0.7f};
    D3DMATERIAL8 material = {.Diffuse = {1, 1, 1, 1}};

    IDirect3DDevice8_SetLight(device, 0, &light);
    IDirect3DDevice8_LightEnable(device, 0, TRUE);
    IDirect3DDevice8_SetMaterial(device, &material);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_NORMAL);
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff001020, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, triangle, sizeof(triangle[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    return read_target(device);
}

/* Whatever mode a program computes in, pictures are the same, and afterwards the program has its mode back. */
static void float_modes(void)
{
    static const struct {
        WORD x87;
        unsigned sse;
    } modes[] = {
        {X87_SINGLE, 0x1f80},        /* the usual ones */
        {0x0c7f, 0x7f80},            /* towards zero */
        {0x0b7f, 0x5f80},            /* up, extended */
        {0x077f, 0x3f80 | 0x8040},   /* down, denormals flushed */
        {0x0372, 0x1f80 & ~0x0680u}, /* exceptions for invalid operations, divisions by zero, overflows */
    };
    HWND window = open_window();
    IDirect3DDevice8 *device = open_device(window, D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_FPU_PRESERVE, NULL);
    uint32_t *expected, *got;
    unsigned covered = 0;

    if (!device)
        return;
    expected = draw_lit(device);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        covered += expected[i] != 0x001020;
    CHECK(covered > 10000);
    for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        set_x87(modes[i].x87);
        _mm_setcsr(modes[i].sse);
        got = draw_lit(device);
        CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
        if (get_x87() != modes[i].x87 || (_mm_getcsr() & 0xffc0) != (modes[i].sse & 0xffc0))
            failed(__FILE__, __LINE__, "mode %u is %x, %x", i, get_x87(), _mm_getcsr());
        _mm_setcsr(0x1f80);
        set_x87(X87_DEFAULT);
        if (memcmp(got, expected, WIDTH * HEIGHT * 4))
            failed(__FILE__, __LINE__, "mode %u changes the picture", i);
        free(got);
    }
    free(expected);
    close_device(device, window);
}

/* --- threads ------------------------------------------------------------------------------- */

struct worker {
    IDirect3DDevice8 *device;
    unsigned wrong;
};

/* Loads textures while the other thread draws. */
static DWORD WINAPI load_textures(void *argument)
{
    struct worker *worker = argument;

    for (unsigned i = 0; i < 300; i++) {
        IDirect3DTexture8 *texture = NULL;
        D3DLOCKED_RECT locked;
        D3DMATRIX matrix;
        if (FAILED(IDirect3DDevice8_CreateTexture(worker->device, 16, 16, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED,
                                                  &texture))) {
            worker->wrong++;
            continue;
        }
        worker->wrong += FAILED(IDirect3DTexture8_LockRect(texture, 0, &locked, NULL, 0));
        memset(locked.pBits, (int)i, 64);
        IDirect3DTexture8_UnlockRect(texture, 0);
        IDirect3DTexture8_PreLoad(texture);
        IDirect3DDevice8_SetTexture(worker->device, 3, (IDirect3DBaseTexture8 *)texture);
        worker->wrong += FAILED(IDirect3DDevice8_GetTransform(worker->device, D3DTS_WORLD, &matrix));
        IDirect3DDevice8_SetTexture(worker->device, 3, NULL);
        IDirect3DTexture8_Release(texture);
    }
    return 0;
}

static void threads(void)
{
    HWND window = open_window();
    struct worker worker = {open_device(window, D3DCREATE_HARDWARE_VERTEXPROCESSING | D3DCREATE_MULTITHREADED, NULL),
                            0};
    uint32_t *expected, *got;
    HANDLE thread;

    if (!worker.device)
        return;
    expected = draw_lit(worker.device);
    thread = CreateThread(NULL, 0, load_textures, &worker, 0, NULL);
    while (WaitForSingleObject(thread, 0) == WAIT_TIMEOUT) {
        got = draw_lit(worker.device);
        if (memcmp(got, expected, WIDTH * HEIGHT * 4))
            failed(__FILE__, __LINE__, "another picture");
        free(got);
        pump();
    }
    CloseHandle(thread);
    CHECK_EQUAL(worker.wrong, 0);
    free(expected);
    close_device(worker.device, window);
}

/* --- memory ---------------------------------------------------------------------------------- */

#define MEGABYTE (1u << 20)

/* 512 x 512, one colour; a megabyte. */
static IDirect3DTexture8 *make_texture(IDirect3DDevice8 *device, uint32_t argb)
{
    IDirect3DTexture8 *texture = NULL;
    D3DLOCKED_RECT locked;

    CHECK_HR(IDirect3DDevice8_CreateTexture(device, 512, 512, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture),
             D3D_OK);
    CHECK_HR(IDirect3DTexture8_LockRect(texture, 0, &locked, NULL, 0), D3D_OK);
    for (unsigned y = 0; y < 512; y++)
        for (unsigned x = 0; x < 512; x++)
            memcpy((uint8_t *)locked.pBits + y * locked.Pitch + 4 * x, &argb, 4);
    CHECK_HR(IDirect3DTexture8_UnlockRect(texture, 0), D3D_OK);
    return texture;
}

static uint32_t draw_texture(IDirect3DDevice8 *device, IDirect3DTexture8 *texture)
{
    static const float quad[4][6] = {
        {0, 0, 0, 1, 0, 0}, {512, 0, 0, 1, 1, 0}, {0, 480, 0, 1, 0, 1}, {512, 480, 0, 1, 1, 1}};

    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)texture), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZRHW | D3DFVF_TEX1), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, sizeof(quad[0])), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetTexture(device, 0, NULL), D3D_OK);
    return read_pixel(device, 200, 200);
}

/* The manager evicts the least important textures, no more than requested, and brings them back with data written
 * meanwhile. */
static void resource_manager(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_device(window, 0, NULL);
    static const uint32_t colors[3] = {0xff112233, 0xff445566, 0xff778899};
    IDirect3DTexture8 *textures[3];
    D3DLOCKED_RECT locked;
    RECT corner = {190, 200, 210, 220}; /* under pixel 200, 200 of the picture */
    UINT before, all, some;

    if (!device)
        return;
    before = IDirect3DDevice8_GetAvailableTextureMem(device);
    CHECK(before > 64 * MEGABYTE && before % MEGABYTE == 0);
    for (unsigned i = 0; i < 3; i++) {
        textures[i] = make_texture(device, colors[i]);
        CHECK_EQUAL(draw_texture(device, textures[i]), colors[i] & 0xffffff);
    }
    all = IDirect3DDevice8_GetAvailableTextureMem(device);
    CHECK_EQUAL(before - all, 3 * MEGABYTE);
    IDirect3DTexture8_SetPriority(textures[1], 5);
    CHECK_HR(IDirect3DDevice8_ResourceManagerDiscardBytes(device, MEGABYTE + 1), D3D_OK); /* two of them */
    some = IDirect3DDevice8_GetAvailableTextureMem(device);
    CHECK_EQUAL(some - all, 2 * MEGABYTE);
    CHECK_EQUAL(draw_texture(device, textures[1]), colors[1] & 0xffffff); /* was kept: costs nothing */
    CHECK_EQUAL(IDirect3DDevice8_GetAvailableTextureMem(device), some);
    CHECK_HR(IDirect3DDevice8_ResourceManagerDiscardBytes(device, 0), D3D_OK);
    CHECK_EQUAL(IDirect3DDevice8_GetAvailableTextureMem(device), before);
    /* written while evicted, and only in part */
    CHECK_HR(IDirect3DTexture8_LockRect(textures[0], 0, &locked, &corner, 0), D3D_OK);
    for (unsigned y = 0; y < 20; y++)
        memset((uint8_t *)locked.pBits + y * locked.Pitch, 0xaa, 80);
    CHECK_HR(IDirect3DTexture8_UnlockRect(textures[0], 0), D3D_OK);
    CHECK_EQUAL(draw_texture(device, textures[0]), 0xaaaaaa);
    CHECK_EQUAL(read_pixel(device, 20, 20), colors[0] & 0xffffff);
    CHECK_EQUAL(draw_texture(device, textures[2]), colors[2] & 0xffffff);
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQUAL(IDirect3DTexture8_Release(textures[i]), 0);
    close_device(device, window);
}

/* A ring of vertices: NOOVERWRITE after the vertices in use, DISCARD when the buffer is full; every square is drawn. */
static void dynamic_buffer(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_device(window, 0, NULL);
    IDirect3DVertexBuffer8 *buffer;
    uint32_t *pixels;
    unsigned at = 0, missing = 0;

    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, 10 * 4 * 20, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY,
                                                 D3DFVF_XYZRHW | D3DFVF_DIFFUSE, D3DPOOL_DEFAULT, &buffer),
             D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetStreamSource(device, 0, buffer, 20), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
    for (unsigned i = 0; i < 64 * 48; i++) {
        float x = (float)(i % 64 * 10), y = (float)(i / 64 * 10);
        struct {
            float x, y, z, w;
            DWORD color;
        } * v;
        DWORD color = 0xff000001 + i;
        CHECK_HR(
            IDirect3DVertexBuffer8_Lock(buffer, at * 80, 80, (BYTE **)&v, at ? D3DLOCK_NOOVERWRITE : D3DLOCK_DISCARD),
            D3D_OK);
        for (unsigned c = 0; c < 4; c++, v++) {
            v->x = x + (c & 1 ? 10 : 0);
            v->y = y + (c & 2 ? 10 : 0);
            v->z = 0;
            v->w = 1;
            v->color = color;
        }
        IDirect3DVertexBuffer8_Unlock(buffer);
        CHECK_HR(IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, at * 4, 2), D3D_OK);
        at = (at + 1) % 10;
    }
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    pixels = read_target(device);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        missing += pixels[i] != i / WIDTH / 10 * 64 + i % WIDTH / 10 + 1;
    CHECK_EQUAL(missing, 0);
    free(pixels);
    IDirect3DDevice8_SetStreamSource(device, 0, NULL, 0);
    IDirect3DVertexBuffer8_Release(buffer);
    close_device(device, window);
}

/* A block of all states holds the current palette, a recorded block the recorded one. */
static void palettes_in_blocks(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_device(window, 0, NULL);
    PALETTEENTRY entries[256];
    DWORD all, recorded;
    UINT number;

    if (!device)
        return;
    memset(entries, 0xff, sizeof(entries));
    CHECK_HR(IDirect3DDevice8_SetPaletteEntries(device, 3, entries), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetPaletteEntries(device, 7, entries), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetCurrentTexturePalette(device, 3), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateStateBlock(device, D3DSBT_ALL, &all), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_SetCurrentTexturePalette(device, 7), D3D_OK);
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &recorded), D3D_OK);
    IDirect3DDevice8_GetCurrentTexturePalette(device, &number);
    CHECK_EQUAL(number, 3);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, recorded), D3D_OK);
    IDirect3DDevice8_GetCurrentTexturePalette(device, &number);
    CHECK_EQUAL(number, 7);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, all), D3D_OK);
    IDirect3DDevice8_GetCurrentTexturePalette(device, &number);
    CHECK_EQUAL(number, 3);
    close_device(device, window);
}

/* Commands in D3DRS_POINTSIZE (docs/extensions.md): a value that the state already has is dropped, also by a state
 * block, so the sequence that always works is the command and then a size. */
static IDirect3DTexture8 *make_plain(IDirect3DDevice8 *device, unsigned size, DWORD usage, D3DFORMAT format)
{
    IDirect3DTexture8 *texture = NULL;

    CHECK_HR(IDirect3DDevice8_CreateTexture(device, size, size, 1, usage, format, D3DPOOL_DEFAULT, &texture), D3D_OK);
    return texture;
}

static void command(IDirect3DDevice8 *device, char letter)
{
    IDirect3DDevice8_SetRenderState(device, D3DRS_POINTSIZE, MAKEFOURCC('S', 'F', letter, '0'));
}

static void set_size(IDirect3DDevice8 *device)
{
    IDirect3DDevice8_SetRenderState(device, D3DRS_POINTSIZE, 0x3f800000);
}

/* Marks the whole map; leaves a size in the state. */
static void mark(IDirect3DDevice8 *device, IDirect3DTexture8 *texture)
{
    static const struct {
        float x, y, z, w, u, v;
    } corners[4] = {{0, 0, 0, 1, 0, 0}, {WIDTH, 0, 0, 1, 1, 0}, {0, HEIGHT, 0, 1, 0, 1}, {WIDTH, HEIGHT, 0, 1, 1, 1}};

    set_size(device);
    IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)texture);
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZRHW | D3DFVF_TEX1);
    IDirect3DDevice8_BeginScene(device);
    CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0])), D3D_OK);
    IDirect3DDevice8_EndScene(device);
}

/* Is anything in the map? Asks without waiting; then the state has the size of points. */
static bool is_marked(IDirect3DDevice8 *device, IDirect3DTexture8 *bytes)
{
    const DWORD donotwait = 0x4000;
    D3DLOCKED_RECT locked = {0};
    bool marked = false;
    HRESULT hr;

    IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)bytes);
    command(device, 'Q');
    do
        hr = IDirect3DTexture8_LockRect(bytes, 0, &locked, NULL, D3DLOCK_READONLY | donotwait);
    while (hr == (HRESULT)0x8876021c); /* D3DERR_WASSTILLDRAWING */
    CHECK_HR(hr, D3D_OK);
    if (SUCCEEDED(hr)) {
        marked = *(const BYTE *)locked.pBits != 0;
        IDirect3DTexture8_UnlockRect(bytes, 0);
    }
    set_size(device);
    return marked;
}

static void feedback_commands(void)
{
    HWND window = open_window();
    IDirect3DDevice8 *device = open_device(window, 0, NULL);
    IDirect3DTexture8 *map, *texture, *bytes;
    DWORD block;

    if (!device)
        return;
    map = make_plain(device, 16, 0, (D3DFORMAT)MAKEFOURCC('F', 'U', '2', '2'));
    texture = make_plain(device, 16, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8);
    bytes = make_plain(device, 4, D3DUSAGE_DYNAMIC, D3DFMT_L8);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLORARG1, D3DTA_TEXTURE);
    IDirect3DDevice8_SetTexture(device, 0, (IDirect3DBaseTexture8 *)map);
    command(device, 'B');
    command(device, 'C');
    CHECK(!is_marked(device, bytes));
    mark(device, texture);
    CHECK(is_marked(device, bytes));
    /* command, size, command, size: each command works */
    for (unsigned i = 0; i < 2; i++) {
        mark(device, texture);
        command(device, 'C');
        set_size(device);
        CHECK(!is_marked(device, bytes));
    }
    /* a block that recorded a command executes it, if the state has another value */
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    command(device, 'C');
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &block), D3D_OK);
    for (unsigned i = 0; i < 2; i++) {
        mark(device, texture);
        CHECK(is_marked(device, bytes));
        CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
        CHECK(!is_marked(device, bytes));
    }
    IDirect3DDevice8_DeleteStateBlock(device, block);
    /* a block that recorded a size after the command has only the size */
    CHECK_HR(IDirect3DDevice8_BeginStateBlock(device), D3D_OK);
    command(device, 'C');
    set_size(device);
    CHECK_HR(IDirect3DDevice8_EndStateBlock(device, &block), D3D_OK);
    mark(device, texture);
    CHECK_HR(IDirect3DDevice8_ApplyStateBlock(device, block), D3D_OK);
    CHECK(is_marked(device, bytes));
    IDirect3DDevice8_DeleteStateBlock(device, block);
    IDirect3DDevice8_SetTexture(device, 0, NULL);
    IDirect3DTexture8_Release(map);
    IDirect3DTexture8_Release(texture);
    IDirect3DTexture8_Release(bytes);
    close_device(device, window);
}

static const struct test tests[] = {
    {"device_flags", flags},
    {"device_pure", pure},
    {"device_fpu", fpu},
    {"device_float_modes", float_modes},
    {"device_threads", threads},
    {"device_resource_manager", resource_manager},
    {"device_dynamic_buffer", dynamic_buffer},
    {"device_palettes_in_blocks", palettes_in_blocks},
    {"device_feedback_commands", feedback_commands},
};

int main(int argc, char **argv)
{
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
