/* SPDX-License-Identifier: MIT */
/* Sizes and counts of Direct3D 9 near 2^31 and 2^32. */
#include "tests/runtime/program9.h"

#include "tests/runtime/huge.h"

static IDirect3DDevice9 *device;

static HRESULT create(const struct huge_size *s, void **object)
{
    const D3DFORMAT format = (D3DFORMAT)s->format;
    const D3DPOOL pool = (D3DPOOL)s->pool;

    switch (s->kind) {
    case HUGE_VERTICES:
        return IDirect3DDevice9_CreateVertexBuffer(device, s->width, s->usage, 0, pool, (void *)object, NULL);
    case HUGE_INDICES:
        return IDirect3DDevice9_CreateIndexBuffer(device, s->width, s->usage, format, pool, (void *)object, NULL);
    case HUGE_TEXTURE:
        return IDirect3DDevice9_CreateTexture(device, s->width, s->height, s->levels, s->usage, format, pool,
                                              (void *)object, NULL);
    case HUGE_CUBE:
        return IDirect3DDevice9_CreateCubeTexture(device, s->width, s->levels, s->usage, format, pool, (void *)object,
                                                  NULL);
    case HUGE_VOLUME:
        return IDirect3DDevice9_CreateVolumeTexture(device, s->width, s->height, s->depth, s->levels, s->usage, format,
                                                    pool, (void *)object, NULL);
    default:
        return IDirect3DDevice9_CreateOffscreenPlainSurface(device, s->width, s->height, format, pool, (void *)object,
                                                            NULL);
    }
}

static HRESULT lock(const struct huge_size *s, void *object, struct huge_lock *lock)
{
    D3DLOCKED_RECT rect = {0, NULL};
    D3DLOCKED_BOX box = {0, 0, NULL};
    HRESULT hr;

    switch (s->kind) {
    case HUGE_VERTICES:
        return IDirect3DVertexBuffer9_Lock((IDirect3DVertexBuffer9 *)object, 0, 0, (void **)&lock->bits, 0);
    case HUGE_INDICES:
        return IDirect3DIndexBuffer9_Lock((IDirect3DIndexBuffer9 *)object, 0, 0, (void **)&lock->bits, 0);
    case HUGE_TEXTURE:
        hr = IDirect3DTexture9_LockRect((IDirect3DTexture9 *)object, 0, &rect, NULL, 0);
        break;
    case HUGE_CUBE:
        hr = IDirect3DCubeTexture9_LockRect((IDirect3DCubeTexture9 *)object, D3DCUBEMAP_FACE_NEGATIVE_Z, 0, &rect, NULL,
                                            0);
        break;
    case HUGE_VOLUME:
        hr = IDirect3DVolumeTexture9_LockBox((IDirect3DVolumeTexture9 *)object, 0, &box, NULL, 0);
        *lock = (struct huge_lock){box.pBits, box.RowPitch, box.SlicePitch};
        return hr;
    default:
        hr = IDirect3DSurface9_LockRect((IDirect3DSurface9 *)object, &rect, NULL, 0);
        break;
    }
    *lock = (struct huge_lock){rect.pBits, rect.Pitch, 0};
    return hr;
}

static void unlock(const struct huge_size *s, void *object)
{
    switch (s->kind) {
    case HUGE_VERTICES:
        IDirect3DVertexBuffer9_Unlock((IDirect3DVertexBuffer9 *)object);
        break;
    case HUGE_INDICES:
        IDirect3DIndexBuffer9_Unlock((IDirect3DIndexBuffer9 *)object);
        break;
    case HUGE_TEXTURE:
        IDirect3DTexture9_UnlockRect((IDirect3DTexture9 *)object, 0);
        break;
    case HUGE_CUBE:
        IDirect3DCubeTexture9_UnlockRect((IDirect3DCubeTexture9 *)object, D3DCUBEMAP_FACE_NEGATIVE_Z, 0);
        break;
    case HUGE_VOLUME:
        IDirect3DVolumeTexture9_UnlockBox((IDirect3DVolumeTexture9 *)object, 0);
        break;
    default:
        IDirect3DSurface9_UnlockRect((IDirect3DSurface9 *)object);
        break;
    }
}

static const struct huge_version version = {"d3d9.dll", create, lock, unlock};

static void huge9_resources(void)
{
    HWND window = open_window();

    device = open_device9(window, false, 0, NULL);
    if (device)
        huge_try(&version);
    close_device9(device, window);
}

/* Counts whose bytes are few in 32 bits: nothing may be drawn from the few that are there. */
static void huge9_draws(void)
{
    static const float vertices[64][4] = {{0, 0, 0, 1}};
    static const WORD indices[64] = {0};
    HWND window = open_window();

    device = open_device9(window, false, 0, NULL);
    if (device) {
        CHECK_HR(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW), D3D_OK);
        CHECK_HR(IDirect3DDevice9_BeginScene(device), D3D_OK);
        /* 2^28 vertices of 16 bytes; 2^26 of 64 and a few */
        CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_POINTLIST, 0x10000000, vertices, 16), E_OUTOFMEMORY);
        CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_LINESTRIP, 0x4000000, vertices, 64), E_OUTOFMEMORY);
        CHECK_HR(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, vertices, 0x55555556), E_OUTOFMEMORY);
        /* 2^30 + 2 indices of four bytes; three indices of 2^28 vertices */
        CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, 3, 0x15555556, indices,
                                                         D3DFMT_INDEX32, vertices, 16),
                 E_OUTOFMEMORY);
        CHECK_HR(IDirect3DDevice9_DrawIndexedPrimitiveUP(device, D3DPT_POINTLIST, 0, 0x10000000, 3, indices,
                                                         D3DFMT_INDEX16, vertices, 16),
                 E_OUTOFMEMORY);
        CHECK_HR(IDirect3DDevice9_EndScene(device), D3D_OK);
    }
    close_device9(device, window);
}

static void huge9_private_data(void)
{
    static const GUID id = {1, 2, 3, {4}};
    static const DWORD sizes[] = {0xffffffff, 0xfffffff0, 0xffffffd0, 0xffffff00, 0x80000000};
    HWND window = open_window();
    IDirect3DTexture9 *texture = NULL;

    device = open_device9(window, false, 0, NULL);
    if (device) {
        CHECK_HR(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL),
                 D3D_OK);
        for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
            CHECK_HR(IDirect3DTexture9_SetPrivateData(texture, &id, &id, sizes[i], 0), E_OUTOFMEMORY);
        IDirect3DTexture9_Release(texture);
    }
    close_device9(device, window);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"huge9_resources", huge9_resources}, {"huge9_draws", huge9_draws}, {"huge9_private_data", huge9_private_data}};

    huge_watch(&version);
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
