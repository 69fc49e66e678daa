/* SPDX-License-Identifier: MIT */
/* All locks of Direct3D 9 (tests/runtime/locks.h). */
#include "tests/runtime/locks.h"
#include "tests/runtime/program9.h"

static HWND window;
static IDirect3DDevice9 *device;
static IDirect3DSurface9 *back;
static IDirect3DVertexBuffer9 *squares;

static IDirect3DTexture9 *texture_of(const struct locks_case *c, DWORD pool)
{
    IDirect3DTexture9 *texture = NULL;

    IDirect3DDevice9_CreateTexture(device, LOCKS_TEXELS, LOCKS_TEXELS, 1, c->usage, (D3DFORMAT)c->format, (D3DPOOL)pool,
                                   &texture, NULL);
    return texture;
}

static void *create(const struct locks_case *c)
{
    void *object = NULL;

    switch (c->kind) {
    case LOCKS_VERTICES:
        IDirect3DDevice9_CreateVertexBuffer(device, LOCKS_CORNERS * sizeof(struct locks_vertex), c->usage, 0,
                                            (D3DPOOL)c->pool, (IDirect3DVertexBuffer9 **)&object, NULL);
        break;
    case LOCKS_INDICES:
        IDirect3DDevice9_CreateIndexBuffer(device, 6 * sizeof(uint16_t), c->usage, D3DFMT_INDEX16, (D3DPOOL)c->pool,
                                           (IDirect3DIndexBuffer9 **)&object, NULL);
        break;
    case LOCKS_TEXTURE:
        return texture_of(c, c->pool);
    case LOCKS_CUBE:
        IDirect3DDevice9_CreateCubeTexture(device, LOCKS_TEXELS, 1, c->usage, (D3DFORMAT)c->format, (D3DPOOL)c->pool,
                                           (IDirect3DCubeTexture9 **)&object, NULL);
        break;
    case LOCKS_VOLUME:
        IDirect3DDevice9_CreateVolumeTexture(device, LOCKS_TEXELS, LOCKS_TEXELS, 2, 1, c->usage, (D3DFORMAT)c->format,
                                             (D3DPOOL)c->pool, (IDirect3DVolumeTexture9 **)&object, NULL);
        break;
    case LOCKS_PLAIN:
        IDirect3DDevice9_CreateOffscreenPlainSurface(device, LOCKS_TEXELS, LOCKS_TEXELS, (D3DFORMAT)c->format,
                                                     (D3DPOOL)c->pool, (IDirect3DSurface9 **)&object, NULL);
        break;
    case LOCKS_TARGET:
        IDirect3DDevice9_CreateRenderTarget(device, LOCKS_TEXELS, LOCKS_TEXELS, (D3DFORMAT)c->format,
                                            D3DMULTISAMPLE_NONE, 0, TRUE, (IDirect3DSurface9 **)&object, NULL);
        break;
    default:
        IDirect3DSurface9_AddRef(back);
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
static IDirect3DSurface9 *surface_of(const struct locks_case *c, void *object)
{
    IDirect3DSurface9 *surface = NULL;

    if (c->kind == LOCKS_TEXTURE)
        IDirect3DTexture9_GetSurfaceLevel((IDirect3DTexture9 *)object, 0, &surface);
    else if (c->kind == LOCKS_CUBE)
        IDirect3DCubeTexture9_GetCubeMapSurface((IDirect3DCubeTexture9 *)object, D3DCUBEMAP_FACE_NEGATIVE_X, 0,
                                                &surface);
    if (c->kind >= LOCKS_PLAIN) {
        surface = object;
        IDirect3DSurface9_AddRef(surface);
    }
    return surface;
}

static bool lock_surface(const struct locks_case *c, IDirect3DSurface9 *surface, DWORD flags,
                         struct locks_memory *memory)
{
    D3DLOCKED_RECT locked = {0};

    if (c->by_dc)
        return SUCCEEDED(IDirect3DSurface9_GetDC(surface, &memory->dc));
    if (FAILED(IDirect3DSurface9_LockRect(surface, &locked, NULL, flags)))
        return false;
    memory->bits = locked.pBits;
    memory->pitch = (size_t)locked.Pitch;
    return true;
}

static bool lock(const struct locks_case *c, void *object, DWORD flags, struct locks_memory *memory)
{
    IDirect3DSurface9 *surface;
    D3DLOCKED_BOX box = {0};
    bool done;

    *memory = (struct locks_memory){0};
    switch (c->kind) {
    case LOCKS_VERTICES:
        return SUCCEEDED(
            IDirect3DVertexBuffer9_Lock((IDirect3DVertexBuffer9 *)object, 0, 0, (void **)&memory->bits, flags));
    case LOCKS_INDICES:
        return SUCCEEDED(
            IDirect3DIndexBuffer9_Lock((IDirect3DIndexBuffer9 *)object, 0, 0, (void **)&memory->bits, flags));
    case LOCKS_VOLUME:
        if (FAILED(IDirect3DVolumeTexture9_LockBox((IDirect3DVolumeTexture9 *)object, 0, &box, NULL, flags)))
            return false;
        *memory = (struct locks_memory){box.pBits, (size_t)box.RowPitch, (size_t)box.SlicePitch, NULL};
        return true;
    default:
        surface = surface_of(c, object);
        done = surface && lock_surface(c, surface, flags, memory);
        if (surface)
            IDirect3DSurface9_Release(surface);
        return done;
    }
}

static void unlock(const struct locks_case *c, void *object, struct locks_memory *memory)
{
    IDirect3DSurface9 *surface = surface_of(c, object);

    if (c->kind == LOCKS_VERTICES)
        IDirect3DVertexBuffer9_Unlock((IDirect3DVertexBuffer9 *)object);
    else if (c->kind == LOCKS_INDICES)
        IDirect3DIndexBuffer9_Unlock((IDirect3DIndexBuffer9 *)object);
    else if (c->kind == LOCKS_VOLUME)
        IDirect3DVolumeTexture9_UnlockBox((IDirect3DVolumeTexture9 *)object, 0);
    else if (surface && c->by_dc)
        IDirect3DSurface9_ReleaseDC(surface, memory->dc);
    else if (surface)
        IDirect3DSurface9_UnlockRect(surface);
    memory->dc = NULL;
    if (surface)
        IDirect3DSurface9_Release(surface);
}

/* --- drawing ------------------------------------------------------------------------------------------ */

static void draw_picture(IDirect3DBaseTexture9 *texture, bool direction)
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
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_TEX1 | D3DFVF_TEXCOORDSIZE3(0));
    IDirect3DDevice9_SetTexture(device, 0, texture);
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
    IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
    IDirect3DDevice9_SetTexture(device, 0, NULL);
}

/* By way of a texture in the default pool. */
static void draw_copy(const struct locks_case *c, void *object)
{
    struct locks_case other = *c;
    void *copy;

    other.pool = D3DPOOL_DEFAULT;
    other.usage = 0;
    copy = create(&other);
    if (copy && SUCCEEDED(IDirect3DDevice9_UpdateTexture(device, (IDirect3DBaseTexture9 *)object,
                                                         (IDirect3DBaseTexture9 *)copy)))
        draw_picture((IDirect3DBaseTexture9 *)copy, c->kind == LOCKS_CUBE);
    if (copy)
        release(&other, copy);
}

static void draw_surface(const struct locks_case *c, IDirect3DSurface9 *surface, unsigned x, unsigned y)
{
    const RECT to = {(LONG)x, (LONG)y, (LONG)(x + LOCKS_CELL), (LONG)(y + LOCKS_CELL)};
    IDirect3DSurface9 *copy = NULL;

    if (c->pool == D3DPOOL_DEFAULT) {
        IDirect3DDevice9_StretchRect(device, surface, NULL, back, &to, D3DTEXF_POINT);
        return;
    }
    IDirect3DDevice9_CreateOffscreenPlainSurface(device, LOCKS_TEXELS, LOCKS_TEXELS, (D3DFORMAT)c->format,
                                                 D3DPOOL_DEFAULT, &copy, NULL);
    if (copy && SUCCEEDED(IDirect3DDevice9_UpdateSurface(device, surface, NULL, copy, NULL)))
        IDirect3DDevice9_StretchRect(device, copy, NULL, back, &to, D3DTEXF_POINT);
    if (copy)
        IDirect3DSurface9_Release(copy);
}

static void draw_buffer(const struct locks_case *c, void *object)
{
    IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ | D3DFVF_DIFFUSE);
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLOROP, D3DTOP_SELECTARG2);
    IDirect3DDevice9_SetStreamSource(device, 0, c->kind == LOCKS_VERTICES ? (IDirect3DVertexBuffer9 *)object : squares,
                                     0, sizeof(struct locks_vertex));
    if (c->kind == LOCKS_VERTICES) {
        IDirect3DDevice9_DrawPrimitive(device, D3DPT_TRIANGLESTRIP, 0, 2);
        return;
    }
    IDirect3DDevice9_SetIndices(device, (IDirect3DIndexBuffer9 *)object);
    IDirect3DDevice9_DrawIndexedPrimitive(device, D3DPT_TRIANGLELIST, 0, 0, LOCKS_SQUARES * LOCKS_CORNERS, 0, 2);
    IDirect3DDevice9_SetIndices(device, NULL);
}

static void draw(const struct locks_case *c, void *object, unsigned x, unsigned y)
{
    const D3DVIEWPORT9 cell = {x, y, LOCKS_CELL, LOCKS_CELL, 0, 1};

    IDirect3DDevice9_SetViewport(device, &cell);
    if (c->kind == LOCKS_VERTICES || c->kind == LOCKS_INDICES)
        draw_buffer(c, object);
    else if (c->kind >= LOCKS_PLAIN)
        draw_surface(c, object, x, y);
    else if (c->pool == D3DPOOL_SYSTEMMEM)
        draw_copy(c, object);
    else
        draw_picture((IDirect3DBaseTexture9 *)object, c->kind == LOCKS_CUBE);
}

/* --- the program ---------------------------------------------------------------------------------------- */

static void clear(uint32_t rgb)
{
    const D3DVIEWPORT9 all = {0, 0, WIDTH, HEIGHT, 0, 1};

    IDirect3DDevice9_SetViewport(device, &all);
    clear9(device, rgb);
    CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
}

static uint32_t *read(void)
{
    return read_target9(device);
}

static void show(void)
{
    CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    present9(device);
}

static void all_locks(void)
{
    static const struct locks_api api = {create, release, lock, unlock, draw, clear, read, show};
    D3DPRESENT_PARAMETERS params;
    struct locks_memory memory;
    struct locks_case c = {.kind = LOCKS_VERTICES};

    window = open_window();
    params = windowed9(window);
    params.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
    device = open_device9(window, false, 0, &params);
    if (!device)
        return;
    CHECK_HR(IDirect3DDevice9_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back), D3D_OK);
    CHECK_HR(IDirect3DDevice9_CreateVertexBuffer(device, LOCKS_SQUARES * LOCKS_CORNERS * sizeof(struct locks_vertex), 0,
                                                 0, D3DPOOL_MANAGED, &squares, NULL),
             D3D_OK);
    CHECK(lock(&c, squares, 0, &memory));
    for (unsigned i = 0; i < LOCKS_SQUARES; i++)
        locks_square((struct locks_vertex *)(void *)memory.bits + i * LOCKS_CORNERS, i);
    unlock(&c, squares, &memory);
    IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
    IDirect3DDevice9_SetRenderState(device, D3DRS_ZENABLE, FALSE);
    IDirect3DDevice9_SetTextureStageState(device, 0, D3DTSS_COLORARG2, D3DTA_DIFFUSE);
    locks_run(&api);
    IDirect3DVertexBuffer9_Release(squares);
    IDirect3DSurface9_Release(back);
    close_device9(device, window);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {{"all locks", all_locks}};

    return run_tests(tests, 1, argc, argv);
}
