/* SPDX-License-Identifier: MIT */
/* All locks of Direct3D 8 (tests/runtime/locks.h). */
#include "tests/runtime/locks.h"
#include "tests/runtime/program.h"

static HWND window;
static IDirect3DDevice8 *device;
static IDirect3DSurface8 *back;
static IDirect3DVertexBuffer8 *squares;

static void *create(const struct locks_case *c)
{
    void *object = NULL;

    switch (c->kind) {
    case LOCKS_VERTICES:
        IDirect3DDevice8_CreateVertexBuffer(device, LOCKS_CORNERS * sizeof(struct locks_vertex), c->usage, 0,
                                            (D3DPOOL)c->pool, (IDirect3DVertexBuffer8 **)&object);
        break;
    case LOCKS_INDICES:
        IDirect3DDevice8_CreateIndexBuffer(device, 6 * sizeof(uint16_t), c->usage, D3DFMT_INDEX16, (D3DPOOL)c->pool,
                                           (IDirect3DIndexBuffer8 **)&object);
        break;
    case LOCKS_TEXTURE:
        IDirect3DDevice8_CreateTexture(device, LOCKS_TEXELS, LOCKS_TEXELS, 1, c->usage, (D3DFORMAT)c->format,
                                       (D3DPOOL)c->pool, (IDirect3DTexture8 **)&object);
        break;
    case LOCKS_CUBE:
        IDirect3DDevice8_CreateCubeTexture(device, LOCKS_TEXELS, 1, c->usage, (D3DFORMAT)c->format, (D3DPOOL)c->pool,
                                           (IDirect3DCubeTexture8 **)&object);
        break;
    case LOCKS_VOLUME:
        IDirect3DDevice8_CreateVolumeTexture(device, LOCKS_TEXELS, LOCKS_TEXELS, 2, 1, c->usage, (D3DFORMAT)c->format,
                                             (D3DPOOL)c->pool, (IDirect3DVolumeTexture8 **)&object);
        break;
    case LOCKS_PLAIN: /* of the back buffer's format, as a copy has it; it lies in system memory */
        if (c->pool == D3DPOOL_SYSTEMMEM && c->format == D3DFMT_X8R8G8B8)
            IDirect3DDevice8_CreateImageSurface(device, LOCKS_TEXELS, LOCKS_TEXELS, (D3DFORMAT)c->format,
                                                (IDirect3DSurface8 **)&object);
        break;
    case LOCKS_TARGET:
        IDirect3DDevice8_CreateRenderTarget(device, LOCKS_TEXELS, LOCKS_TEXELS, (D3DFORMAT)c->format,
                                            D3DMULTISAMPLE_NONE, TRUE, (IDirect3DSurface8 **)&object);
        break;
    default:
        IDirect3DSurface8_AddRef(back);
        return back;
    }
    return object;
}

static void release(const struct locks_case *c, void *object)
{
    IUnknown *unknown = object;

    (void)c;
    unknown->lpVtbl->Release(unknown);
}

/* The surface that is locked, with a reference; NULL: it has none. */
static IDirect3DSurface8 *surface_of(const struct locks_case *c, void *object)
{
    IDirect3DSurface8 *surface = NULL;

    if (c->kind == LOCKS_TEXTURE)
        IDirect3DTexture8_GetSurfaceLevel((IDirect3DTexture8 *)object, 0, &surface);
    else if (c->kind == LOCKS_CUBE)
        IDirect3DCubeTexture8_GetCubeMapSurface((IDirect3DCubeTexture8 *)object, D3DCUBEMAP_FACE_NEGATIVE_X, 0,
                                                &surface);
    if (c->kind >= LOCKS_PLAIN) {
        surface = object;
        IDirect3DSurface8_AddRef(surface);
    }
    return surface;
}

static bool lock_surface(IDirect3DSurface8 *surface, DWORD flags, struct locks_memory *memory)
{
    D3DLOCKED_RECT locked = {0};

    if (FAILED(IDirect3DSurface8_LockRect(surface, &locked, NULL, flags)))
        return false;
    memory->bits = locked.pBits;
    memory->pitch = (size_t)locked.Pitch;
    return true;
}

static bool lock(const struct locks_case *c, void *object, DWORD flags, struct locks_memory *memory)
{
    IDirect3DSurface8 *surface;
    D3DLOCKED_BOX box = {0};
    bool done;

    *memory = (struct locks_memory){0};
    if (c->by_dc) /* which Direct3D 9 has brought */
        return false;
    switch (c->kind) {
    case LOCKS_VERTICES:
        return SUCCEEDED(IDirect3DVertexBuffer8_Lock((IDirect3DVertexBuffer8 *)object, 0, 0, &memory->bits, flags));
    case LOCKS_INDICES:
        return SUCCEEDED(IDirect3DIndexBuffer8_Lock((IDirect3DIndexBuffer8 *)object, 0, 0, &memory->bits, flags));
    case LOCKS_VOLUME:
        if (FAILED(IDirect3DVolumeTexture8_LockBox((IDirect3DVolumeTexture8 *)object, 0, &box, NULL, flags)))
            return false;
        *memory = (struct locks_memory){box.pBits, (size_t)box.RowPitch, (size_t)box.SlicePitch, NULL};
        return true;
    default:
        surface = surface_of(c, object);
        done = surface && lock_surface(surface, flags, memory);
        if (surface)
            IDirect3DSurface8_Release(surface);
        return done;
    }
}

static void unlock(const struct locks_case *c, void *object, struct locks_memory *memory)
{
    IDirect3DSurface8 *surface = surface_of(c, object);

    if (c->kind == LOCKS_VERTICES)
        IDirect3DVertexBuffer8_Unlock((IDirect3DVertexBuffer8 *)object);
    else if (c->kind == LOCKS_INDICES)
        IDirect3DIndexBuffer8_Unlock((IDirect3DIndexBuffer8 *)object);
    else if (c->kind == LOCKS_VOLUME)
        IDirect3DVolumeTexture8_UnlockBox((IDirect3DVolumeTexture8 *)object, 0);
    else if (surface)
        IDirect3DSurface8_UnlockRect(surface);
    (void)memory;
    if (surface)
        IDirect3DSurface8_Release(surface);
}

/* --- drawing ------------------------------------------------------------------------------------------ */

static void draw_picture(IDirect3DBaseTexture8 *texture, bool direction)
{
    struct {
        float x, y, z, u, v, w;
    } corners[LOCKS_CORNERS];

    /* of cubes the face -X, of volumes between the slices */
    for (unsigned i = 0; i < LOCKS_CORNERS; i++) {
        const float u = i & 1 ? 1 : 0, v = i & 2 ? 1 : 0;
        corners[i].x = 2 * u - 1;
        corners[i].y = 1 - 2 * v;
        corners[i].z = 0.5f;
        corners[i].u = direction ? -1 : u;
        corners[i].v = direction ? (1 - 2 * v) / 2 : v;
        corners[i].w = direction ? (2 * u - 1) / 2 : 0.5f;
    }
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0));
    IDirect3DDevice8_SetTexture(device, 0, texture);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
    IDirect3DDevice8_SetTexture(device, 0, NULL);
}

/* By way of a texture in the default pool. */
static void draw_copy(const struct locks_case *c, void *object)
{
    struct locks_case other = *c;
    void *copy;

    other.pool = D3DPOOL_DEFAULT;
    other.usage = 0;
    copy = create(&other);
    if (copy && SUCCEEDED(IDirect3DDevice8_UpdateTexture(device, (IDirect3DBaseTexture8 *)object,
                                                         (IDirect3DBaseTexture8 *)copy)))
        draw_picture((IDirect3DBaseTexture8 *)copy, c->kind == LOCKS_CUBE);
    if (copy)
        release(&other, copy);
}

static void draw_surface(IDirect3DSurface8 *surface, unsigned x, unsigned y)
{
    const RECT all = {0, 0, LOCKS_TEXELS, LOCKS_TEXELS};
    const POINT to = {(LONG)x, (LONG)y};

    IDirect3DDevice8_CopyRects(device, surface, &all, 1, back, &to);
}

static void draw_buffer(const struct locks_case *c, void *object)
{
    IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZ | D3DFVF_DIFFUSE);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    IDirect3DDevice8_SetStreamSource(device, 0, c->kind == LOCKS_VERTICES ? (IDirect3DVertexBuffer8 *)object : squares,
                                     sizeof(struct locks_vertex));
    if (c->kind == LOCKS_VERTICES) {
        IDirect3DDevice8_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2);
        return;
    }
    IDirect3DDevice8_SetIndices(device, (IDirect3DIndexBuffer8 *)object, 0);
    IDirect3DDevice8_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, LOCKS_SQUARES * LOCKS_CORNERS, 0, 2);
    IDirect3DDevice8_SetIndices(device, NULL, 0);
}

static void draw(const struct locks_case *c, void *object, unsigned x, unsigned y)
{
    const D3DVIEWPORT8 cell = {x, y, LOCKS_CELL, LOCKS_CELL, 0, 1};

    IDirect3DDevice8_SetViewport(device, &cell);
    if (c->kind == LOCKS_VERTICES || c->kind == LOCKS_INDICES)
        draw_buffer(c, object);
    else if (c->kind >= LOCKS_PLAIN)
        draw_surface((IDirect3DSurface8 *)object, x, y);
    else if (c->pool == D3DPOOL_SYSTEMMEM)
        draw_copy(c, object);
    else
        draw_picture((IDirect3DBaseTexture8 *)object, c->kind == LOCKS_CUBE);
}

/* --- the program ---------------------------------------------------------------------------------------- */

static void clear(uint32_t rgb)
{
    const D3DVIEWPORT8 all = {0, 0, WIDTH, HEIGHT, 0, 1};

    IDirect3DDevice8_SetViewport(device, &all);
    CHECK_HR(IDirect3DDevice8_Clear(device, 0, NULL, D3DCLEAR_TARGET, rgb, 1, 0), D3D_OK);
    CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
}

static uint32_t *read(void)
{
    return read_target(device);
}

static void show(void)
{
    CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    CHECK_HR(IDirect3DDevice8_Present(device, NULL, NULL, NULL, NULL), D3D_OK);
    pump();
}

static void all_locks(void)
{
    static const struct locks_api api = {create, release, lock, unlock, draw, clear, read, show};
    D3DPRESENT_PARAMETERS params;
    struct locks_memory memory;
    struct locks_case c = {.kind = LOCKS_VERTICES};

    window = open_window();
    params = windowed(window);
    params.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    device = open_device(window, 0, &params);
    if (!device)
        return;
    CHECK_HR(IDirect3DDevice8_GetBackBuffer(device, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    CHECK_HR(IDirect3DDevice8_CreateVertexBuffer(device, LOCKS_SQUARES * LOCKS_CORNERS * sizeof(struct locks_vertex), 0,
                                                 0, D3DPOOL_MANAGED, &squares),
             D3D_OK);
    CHECK(lock(&c, squares, 0, &memory));
    for (unsigned i = 0; i < LOCKS_SQUARES; i++)
        locks_square((struct locks_vertex *)(void *)memory.bits + i * LOCKS_CORNERS, i);
    unlock(&c, squares, &memory);
    IDirect3DDevice8_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice8_SetRenderState(device, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice8_SetTextureStageState(device, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    locks_run(&api);
    IDirect3DVertexBuffer8_Release(squares);
    IDirect3DSurface8_Release(back);
    close_device(device, window);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"all locks", all_locks}};

    return run_tests(tests, 1, argc, argv);
}
