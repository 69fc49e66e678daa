/* SPDX-License-Identifier: MIT */
/* Random calls of resources, queries, state blocks and swap chains. Locked memory is written to its last byte. */
#include "tests/runtime/fuzz9.h"

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

/* --- locks ----------------------------------------------------------------------------------- */

/* Bytes of a texel, or of a 4x4 block; 0: not known here. */
static unsigned texel_bytes(D3DFORMAT format, unsigned *block)
{
    *block = 1;
    switch ((DWORD)format) {
    case D3DFMT_DXT1:
        *block = 4;
        return 8;
    case D3DFMT_DXT3:
    case D3DFMT_DXT5:
        *block = 4;
        return 16;
    case D3DFMT_A8R8G8B8:
    case D3DFMT_X8R8G8B8:
    case D3DFMT_A2R10G10B10:
    case D3DFMT_G16R16F:
    case D3DFMT_G16R16:
    case D3DFMT_R32F:
    case D3DFMT_Q8W8V8U8:
        return 4;
    case D3DFMT_R5G6B5:
    case D3DFMT_A1R5G5B5:
    case D3DFMT_R16F:
    case D3DFMT_A4R4G4B4:
    case D3DFMT_V8U8:
    case D3DFMT_A8L8:
    case D3DFMT_L16:
    case D3DFMT_D16_LOCKABLE:
        return 2;
    case D3DFMT_L8:
    case D3DFMT_A8:
    case D3DFMT_P8:
    case D3DFMT_A4L4:
    case D3DFMT_R3G3B2:
        return 1;
    case D3DFMT_A16B16G16R16:
    case D3DFMT_A16B16G16R16F:
        return 8;
    case D3DFMT_A32B32G32R32F:
        return 16;
    default:
        return 0;
    }
}

static void write_rows(uint8_t *bits, INT pitch, unsigned width, unsigned height, D3DFORMAT format)
{
    unsigned block, bytes = texel_bytes(format, &block);

    for (unsigned y = 0; bytes && y < (height + block - 1) / block; y++)
        memcpy(bits + (intptr_t)y * pitch, fuzz_memory + rnd(4096), (size_t)((width + block - 1) / block) * bytes);
}

static DWORD lock_flags(void)
{
    static const DWORD flags[] = {0,
                                  0,
                                  0,
                                  D3DLOCK_READONLY,
                                  D3DLOCK_DISCARD,
                                  D3DLOCK_NOOVERWRITE,
                                  D3DLOCK_NO_DIRTY_UPDATE,
                                  D3DLOCK_NOSYSLOCK,
                                  D3DLOCK_DONOTWAIT};

    return evil() ? odd_dword() : flags[rnd(COUNT(flags))];
}

/* A rectangle that lies inside its resource, or does not. */
static RECT rect_in(unsigned width, unsigned height)
{
    LONG x1 = (LONG)rnd(width), y1 = (LONG)rnd(height);

    if (evil())
        return (RECT){(LONG)odd_dword(), (LONG)odd_dword(), (LONG)odd_dword(), (LONG)odd_dword()};
    return (RECT){x1, y1, x1 + 1 + (LONG)rnd(width - (unsigned)x1), y1 + 1 + (LONG)rnd(height - (unsigned)y1)};
}

static void lock_surface(IDirect3DSurface9 *surface)
{
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT locked = {0, NULL};
    RECT rect;
    const DWORD flags = lock_flags();

    if (FAILED(IDirect3DSurface9_GetDesc(surface, &desc)))
        return;
    if (rnd(2)) {
        if (SUCCEEDED(IDirect3DSurface9_LockRect(surface, evil() && !rnd(8) ? NULL : &locked, NULL, flags)) &&
            locked.pBits)
            write_rows(locked.pBits, locked.Pitch, desc.Width, desc.Height, desc.Format);
    } else {
        rect = rect_in(desc.Width, desc.Height);
        if (SUCCEEDED(IDirect3DSurface9_LockRect(surface, &locked, &rect, flags)) && locked.pBits && rect.left >= 0 &&
            rect.top >= 0 && rect.right <= (LONG)desc.Width && rect.bottom <= (LONG)desc.Height &&
            rect.left < rect.right && rect.top < rect.bottom &&
            !((rect.left | rect.top | rect.right | rect.bottom) & 3))
            write_rows(locked.pBits, locked.Pitch, (unsigned)(rect.right - rect.left),
                       (unsigned)(rect.bottom - rect.top), desc.Format);
    }
    if (rnd(10))
        IDirect3DSurface9_UnlockRect(surface);
}

static void surface_lock(struct fuzz_device *d)
{
    IDirect3DSurface9 *surface = fuzz_self(FUZZ_SURFACE);

    (void)d;
    if (surface)
        lock_surface(surface);
}

static void surface_unlock(struct fuzz_device *d)
{
    IDirect3DSurface9 *surface = fuzz_self(FUZZ_SURFACE);
    IDirect3DTexture9 *texture = fuzz_self(FUZZ_TEXTURE);

    (void)d;
    if (surface)
        IDirect3DSurface9_UnlockRect(surface);
    if (texture)
        IDirect3DTexture9_UnlockRect(texture, some(8));
}

static void surface_dc(struct fuzz_device *d)
{
    IDirect3DSurface9 *surface = fuzz_self(FUZZ_SURFACE);
    HDC dc = NULL;

    (void)d;
    if (!surface)
        return;
    if (SUCCEEDED(IDirect3DSurface9_GetDC(surface, evil() && !rnd(8) ? NULL : &dc)) && dc)
        Rectangle(dc, 0, 0, 20, 20);
    if (rnd(6))
        IDirect3DSurface9_ReleaseDC(surface, evil() ? (HDC)(UINT_PTR)odd_dword() : dc);
}

static void surface_container(struct fuzz_device *d)
{
    IDirect3DSurface9 *surface = fuzz_self(FUZZ_SURFACE);
    static const GUID *const ids[] = {&IID_IUnknown, &IID_IDirect3DTexture9, &IID_IDirect3DDevice9,
                                      &IID_IDirect3DSwapChain9, &IID_IDirect3DCubeTexture9};
    void *container = NULL;

    (void)d;
    if (surface &&
        SUCCEEDED(
            IDirect3DSurface9_GetContainer(surface, ids[rnd(COUNT(ids))], evil() && !rnd(8) ? NULL : &container)) &&
        container)
        IUnknown_Release((IUnknown *)container);
}

/* --- textures -------------------------------------------------------------------------------------- */

static void texture_lock(struct fuzz_device *d)
{
    IDirect3DTexture9 *texture = fuzz_self(FUZZ_TEXTURE);
    D3DLOCKED_RECT locked = {0, NULL};
    D3DSURFACE_DESC desc;
    UINT level = some(4);

    (void)d;
    if (!texture)
        return;
    if (SUCCEEDED(IDirect3DTexture9_LockRect(texture, level, &locked, NULL, lock_flags())) && locked.pBits &&
        SUCCEEDED(IDirect3DTexture9_GetLevelDesc(texture, level, &desc)))
        write_rows(locked.pBits, locked.Pitch, desc.Width, desc.Height, desc.Format);
    if (rnd(10))
        IDirect3DTexture9_UnlockRect(texture, evil() ? some(4) : level);
}

static void texture_level(struct fuzz_device *d)
{
    IDirect3DTexture9 *texture = fuzz_self(FUZZ_TEXTURE);
    IDirect3DSurface9 *out = NULL;

    (void)d;
    if (texture)
        IDirect3DTexture9_GetSurfaceLevel(texture, some(4), evil() && !rnd(8) ? NULL : &out);
    fuzz_take(FUZZ_SURFACE, out);
}

static void texture_dirty(struct fuzz_device *d)
{
    IDirect3DTexture9 *texture = fuzz_self(FUZZ_TEXTURE);
    RECT rect = rect_in(64, 64);

    (void)d;
    if (texture)
        IDirect3DTexture9_AddDirtyRect(texture, rnd(2) ? &rect : NULL);
}

static void cube_face(struct fuzz_device *d)
{
    IDirect3DCubeTexture9 *texture = fuzz_self(FUZZ_CUBE);
    IDirect3DSurface9 *out = NULL;
    RECT rect = rect_in(32, 32);
    D3DLOCKED_RECT locked;

    (void)d;
    if (!texture)
        return;
    IDirect3DCubeTexture9_GetCubeMapSurface(texture, (D3DCUBEMAP_FACES)some(6), some(3),
                                            evil() && !rnd(8) ? NULL : &out);
    IDirect3DCubeTexture9_AddDirtyRect(texture, (D3DCUBEMAP_FACES)some(6), rnd(2) ? &rect : NULL);
    if (rnd(4) == 0)
        IDirect3DCubeTexture9_LockRect(texture, (D3DCUBEMAP_FACES)some(6), some(3), &locked, NULL, lock_flags());
    if (rnd(4) == 0)
        IDirect3DCubeTexture9_UnlockRect(texture, (D3DCUBEMAP_FACES)some(6), some(3));
    if (out && rnd(2))
        lock_surface(out);
    fuzz_take(FUZZ_SURFACE, out);
}

static void write_box(const D3DLOCKED_BOX *locked, const D3DVOLUME_DESC *desc)
{
    for (unsigned z = 0; z < desc->Depth; z++)
        write_rows((uint8_t *)locked->pBits + (intptr_t)z * locked->SlicePitch, locked->RowPitch, desc->Width,
                   desc->Height, desc->Format);
}

static void volume_lock(struct fuzz_device *d)
{
    IDirect3DVolumeTexture9 *texture = fuzz_self(FUZZ_VOLUME_TEXTURE);
    D3DBOX box = {rnd(4), rnd(4), 4 + rnd(4), 4 + rnd(4), rnd(2), 2 + rnd(3)};
    D3DLOCKED_BOX locked = {0, 0, NULL};
    IDirect3DVolume9 *out = NULL;
    D3DVOLUME_DESC desc;
    UINT level = some(3);

    (void)d;
    if (!texture)
        return;
    if (evil())
        memcpy(&box, fuzz_memory + rnd(4096), sizeof(box));
    if (rnd(2)) {
        if (SUCCEEDED(IDirect3DVolumeTexture9_LockBox(texture, level, &locked, NULL, lock_flags())) && locked.pBits &&
            SUCCEEDED(IDirect3DVolumeTexture9_GetLevelDesc(texture, level, &desc)))
            write_box(&locked, &desc);
    } else {
        IDirect3DVolumeTexture9_LockBox(texture, level, &locked, &box, lock_flags());
    }
    if (rnd(10))
        IDirect3DVolumeTexture9_UnlockBox(texture, level);
    IDirect3DVolumeTexture9_AddDirtyBox(texture, rnd(2) ? &box : NULL);
    IDirect3DVolumeTexture9_GetVolumeLevel(texture, some(3), evil() && !rnd(8) ? NULL : &out);
    fuzz_take(FUZZ_VOLUME, out);
}

static void level_lock(struct fuzz_device *d)
{
    IDirect3DVolume9 *volume = fuzz_self(FUZZ_VOLUME);
    D3DLOCKED_BOX locked = {0, 0, NULL};
    D3DVOLUME_DESC desc;

    (void)d;
    if (!volume)
        return;
    if (SUCCEEDED(IDirect3DVolume9_GetDesc(volume, &desc)) &&
        SUCCEEDED(IDirect3DVolume9_LockBox(volume, &locked, NULL, lock_flags())) && locked.pBits)
        write_box(&locked, &desc);
    if (rnd(10))
        IDirect3DVolume9_UnlockBox(volume);
}

static void base_texture(struct fuzz_device *d)
{
    IDirect3DBaseTexture9 *texture = fuzz_any_texture();

    (void)d;
    if (!texture)
        return;
    switch (rnd(5)) {
    case 0:
        IDirect3DBaseTexture9_SetLOD(texture, some(5));
        break;
    case 1:
        IDirect3DBaseTexture9_SetAutoGenFilterType(texture, (D3DTEXTUREFILTERTYPE)some(9));
        break;
    case 2:
        IDirect3DBaseTexture9_GenerateMipSubLevels(texture);
        break;
    case 3:
        IDirect3DBaseTexture9_SetPriority(texture, odd_dword());
        break;
    default:
        IDirect3DBaseTexture9_PreLoad(texture);
    }
}

/* --- buffers ------------------------------------------------------------------------------------------ */

static void vertex_lock(struct fuzz_device *d)
{
    IDirect3DVertexBuffer9 *buffer = fuzz_self(FUZZ_VERTICES);
    D3DVERTEXBUFFER_DESC desc;
    void *data = NULL;
    UINT from, bytes;

    (void)d;
    if (!buffer || FAILED(IDirect3DVertexBuffer9_GetDesc(buffer, &desc)))
        return;
    from = rnd(3) ? 0 : evil() ? odd_dword() : rnd(desc.Size);
    bytes = rnd(3) ? 0 : evil() ? odd_dword() : rnd(desc.Size - (from < desc.Size ? from : 0));
    if (SUCCEEDED(IDirect3DVertexBuffer9_Lock(buffer, from, bytes, evil() && !rnd(8) ? NULL : &data, lock_flags())) &&
        data && from < desc.Size) {
        bytes = bytes && bytes <= desc.Size - from ? bytes : desc.Size - from;
        memcpy(data, fuzz_memory, min(bytes, FUZZ_MEMORY));
        ((uint8_t *)data)[bytes - 1] = 0x3f;
    }
    if (rnd(10))
        IDirect3DVertexBuffer9_Unlock(buffer);
}

static void index_lock(struct fuzz_device *d)
{
    IDirect3DIndexBuffer9 *buffer = fuzz_self(FUZZ_INDICES);
    D3DINDEXBUFFER_DESC desc;
    uint16_t *data = NULL;

    (void)d;
    if (!buffer || FAILED(IDirect3DIndexBuffer9_GetDesc(buffer, &desc)))
        return;
    if (SUCCEEDED(IDirect3DIndexBuffer9_Lock(buffer, 0, 0, evil() && !rnd(8) ? NULL : (void **)&data, lock_flags())) &&
        data)
        for (unsigned i = 0; i < desc.Size / 2; i++)
            data[i] = (uint16_t)(rnd(8) ? rnd(32) : rnd32());
    if (rnd(10))
        IDirect3DIndexBuffer9_Unlock(buffer);
}

/* --- all of them ------------------------------------------------------------------------------------------ */

static void *any_resource(void)
{
    static const uint8_t kinds[] = {FUZZ_TEXTURE, FUZZ_CUBE,     FUZZ_VOLUME_TEXTURE, FUZZ_SURFACE,
                                    FUZZ_VOLUME,  FUZZ_VERTICES, FUZZ_INDICES};

    return fuzz_self((enum fuzz_kind)kinds[rnd(COUNT(kinds))]);
}

/* IDirect3DVolume9 has these methods at the same places. */
static void resource_data(struct fuzz_device *d)
{
    IDirect3DResource9 *resource = any_resource();
    GUID id = {rnd(3), 0, 0, {0}};
    uint8_t data[300];
    DWORD bytes = rnd(300);

    (void)d;
    if (!resource)
        return;
    switch (rnd(4)) {
    case 0:
        IDirect3DResource9_SetPrivateData(resource, &id, evil() && !rnd(4) ? NULL : fuzz_memory, bytes,
                                          evil() ? odd_dword() & ~(DWORD)D3DSPD_IUNKNOWN : 0);
        break;
    case 1:
        IDirect3DResource9_SetPrivateData(resource, &id, resource, evil() ? bytes : sizeof(void *), D3DSPD_IUNKNOWN);
        IDirect3DResource9_FreePrivateData(resource, &id); /* it would hold itself */
        break;
    case 2:
        memset(data, 0, sizeof(data));
        if (SUCCEEDED(IDirect3DResource9_GetPrivateData(resource, &id, rnd(4) ? data : NULL,
                                                        evil() && !rnd(8) ? NULL : &bytes)))
            fuzz_memory[0] ^= data[0];
        break;
    default:
        IDirect3DResource9_FreePrivateData(resource, &id);
    }
}

static void resource_ask(struct fuzz_device *d)
{
    IUnknown *unknown = any_resource();
    static const GUID *const ids[] = {&IID_IUnknown,          &IID_IDirect3DResource9, &IID_IDirect3DBaseTexture9,
                                      &IID_IDirect3DTexture9, &IID_IDirect3DSurface9,  &IID_IDirect3DDevice9};
    void *out = NULL;

    (void)d;
    if (!unknown)
        return;
    IUnknown_AddRef(unknown);
    if (SUCCEEDED(IUnknown_QueryInterface(unknown, ids[rnd(COUNT(ids))], &out)) && out)
        IUnknown_Release((IUnknown *)out);
    IUnknown_Release(unknown);
}

static void drop(struct fuzz_device *d)
{
    (void)d;
    fuzz_drop((enum fuzz_kind)rnd(FUZZ_KINDS));
}

/* --- queries, state blocks, swap chains ---------------------------------------------------------------------- */

static void query_issue(struct fuzz_device *d)
{
    IDirect3DQuery9 *query = fuzz_self(FUZZ_QUERY);

    (void)d;
    if (query)
        IDirect3DQuery9_Issue(query, evil() ? odd_dword() : rnd(2) ? D3DISSUE_BEGIN : D3DISSUE_END);
}

static void query_data(struct fuzz_device *d)
{
    IDirect3DQuery9 *query = fuzz_self(FUZZ_QUERY);
    uint8_t data[512];

    (void)d;
    if (query)
        IDirect3DQuery9_GetData(query, rnd(4) ? data : NULL, rnd(4) ? IDirect3DQuery9_GetDataSize(query) : rnd(512),
                                evil() ? odd_dword() : rnd(2));
}

static void block_use(struct fuzz_device *d)
{
    IDirect3DStateBlock9 *block = fuzz_self(FUZZ_BLOCK);

    (void)d;
    if (!block)
        return;
    if (rnd(2))
        IDirect3DStateBlock9_Apply(block);
    else
        IDirect3DStateBlock9_Capture(block);
}

static void chain_use(struct fuzz_device *d)
{
    IDirect3DSwapChain9 *chain = fuzz_self(FUZZ_CHAIN);
    IDirect3DSurface9 *out = NULL;
    D3DPRESENT_PARAMETERS p;
    D3DDISPLAYMODE mode;
    RECT rect = rect_in(64, 64);

    (void)d;
    if (!chain)
        return;
    switch (rnd(5)) {
    case 0:
        IDirect3DSwapChain9_GetBackBuffer(chain, some(3), (D3DBACKBUFFER_TYPE)some(2), evil() && !rnd(8) ? NULL : &out);
        fuzz_take(FUZZ_SURFACE, out);
        break;
    case 1:
        IDirect3DSwapChain9_Present(chain, rnd(4) ? NULL : &rect, rnd(4) ? NULL : &rect,
                                    rnd(2) ? NULL : fuzz_any_window(), NULL, evil() ? odd_dword() : 0);
        break;
    case 2:
        IDirect3DSwapChain9_GetFrontBufferData(chain, fuzz_any(FUZZ_SURFACE));
        break;
    case 3:
        IDirect3DSwapChain9_GetPresentParameters(chain, evil() && !rnd(8) ? NULL : &p);
        break;
    default:
        IDirect3DSwapChain9_GetDisplayMode(chain, evil() && !rnd(8) ? NULL : &mode);
    }
}

const struct fuzz_call fuzz_resources[] = {
    {"LockRect of a surface", 6, surface_lock},
    {"UnlockRect", 2, surface_unlock},
    {"GetDC", 2, surface_dc},
    {"GetContainer", 1, surface_container},
    {"LockRect of a texture", 6, texture_lock},
    {"GetSurfaceLevel", 4, texture_level},
    {"AddDirtyRect", 1, texture_dirty},
    {"cube texture", 3, cube_face},
    {"LockBox of a texture", 3, volume_lock},
    {"LockBox of a volume", 1, level_lock},
    {"IDirect3DBaseTexture9", 3, base_texture},
    {"Lock of a vertex buffer", 5, vertex_lock},
    {"Lock of an index buffer", 4, index_lock},
    {"private data", 2, resource_data},
    {"QueryInterface", 1, resource_ask},
    {"Release", 8, drop},
    {"Issue", 5, query_issue},
    {"GetData", 4, query_data},
    {"state block", 4, block_use},
    {"swap chain", 4, chain_use},
};
const unsigned fuzz_resource_count = COUNT(fuzz_resources);
