/* SPDX-License-Identifier: MIT */
/* Sizes and counts of Direct3D 8 near 2^31 and 2^32. */
#include "tests/runtime/program.h"

#include "tests/runtime/huge.h"

static IDirect3DDevice8 *device;

static HRESULT create(const struct huge_size *s, void **object)
{
    const D3DFORMAT format = (D3DFORMAT)s->format;
    const D3DPOOL pool = (D3DPOOL)s->pool;

    switch (s->kind) {
    case HUGE_VERTICES:
        return IDirect3DDevice8_CreateVertexBuffer(device, s->width, s->usage, 0, pool, (void *)object);
    case HUGE_INDICES:
        return IDirect3DDevice8_CreateIndexBuffer(device, s->width, s->usage, format, pool, (void *)object);
    case HUGE_TEXTURE:
        return IDirect3DDevice8_CreateTexture(device, s->width, s->height, s->levels, s->usage, format, pool,
                                              (void *)object);
    case HUGE_CUBE:
        return IDirect3DDevice8_CreateCubeTexture(device, s->width, s->levels, s->usage, format, pool, (void *)object);
    case HUGE_VOLUME:
        return IDirect3DDevice8_CreateVolumeTexture(device, s->width, s->height, s->depth, s->levels, s->usage, format,
                                                    pool, (void *)object);
    default:
        return IDirect3DDevice8_CreateImageSurface(device, s->width, s->height, format, (void *)object);
    }
}

static HRESULT lock(const struct huge_size *s, void *object, struct huge_lock *lock)
{
    D3DLOCKED_RECT rect = {0, NULL};
    D3DLOCKED_BOX box = {0, 0, NULL};
    HRESULT hr;

    switch (s->kind) {
    case HUGE_VERTICES:
        return IDirect3DVertexBuffer8_Lock((IDirect3DVertexBuffer8 *)object, 0, 0, &lock->bits, 0);
    case HUGE_INDICES:
        return IDirect3DIndexBuffer8_Lock((IDirect3DIndexBuffer8 *)object, 0, 0, &lock->bits, 0);
    case HUGE_TEXTURE:
        hr = IDirect3DTexture8_LockRect((IDirect3DTexture8 *)object, 0, &rect, NULL, 0);
        break;
    case HUGE_CUBE:
        hr = IDirect3DCubeTexture8_LockRect((IDirect3DCubeTexture8 *)object, D3DCUBEMAP_FACE_NEGATIVE_Z, 0, &rect, NULL,
                                            0);
        break;
    case HUGE_VOLUME:
        hr = IDirect3DVolumeTexture8_LockBox((IDirect3DVolumeTexture8 *)object, 0, &box, NULL, 0);
        *lock = (struct huge_lock){box.pBits, box.RowPitch, box.SlicePitch};
        return hr;
    default:
        hr = IDirect3DSurface8_LockRect((IDirect3DSurface8 *)object, &rect, NULL, 0);
        break;
    }
    *lock = (struct huge_lock){rect.pBits, rect.Pitch, 0};
    return hr;
}

static void unlock(const struct huge_size *s, void *object)
{
    switch (s->kind) {
    case HUGE_VERTICES:
        IDirect3DVertexBuffer8_Unlock((IDirect3DVertexBuffer8 *)object);
        break;
    case HUGE_INDICES:
        IDirect3DIndexBuffer8_Unlock((IDirect3DIndexBuffer8 *)object);
        break;
    case HUGE_TEXTURE:
        IDirect3DTexture8_UnlockRect((IDirect3DTexture8 *)object, 0);
        break;
    case HUGE_CUBE:
        IDirect3DCubeTexture8_UnlockRect((IDirect3DCubeTexture8 *)object, D3DCUBEMAP_FACE_NEGATIVE_Z, 0);
        break;
    case HUGE_VOLUME:
        IDirect3DVolumeTexture8_UnlockBox((IDirect3DVolumeTexture8 *)object, 0);
        break;
    default:
        IDirect3DSurface8_UnlockRect((IDirect3DSurface8 *)object);
        break;
    }
}

static const struct huge_version version = {"d3d8.dll", create, lock, unlock};

static void huge8_resources(void)
{
    HWND window = open_window();

    device = open_device(window, 0, NULL);
    if (device)
        huge_try(&version);
    close_device(device, window);
}

/* Counts whose bytes are few in 32 bits: nothing may be drawn from the few that are there. */
static void huge8_draws(void)
{
    static const float vertices[64][4] = {{0, 0, 0, 1}};
    static const WORD indices[64] = {0};
    HWND window = open_window();

    device = open_device(window, 0, NULL);
    if (device) {
        CHECK_HR(IDirect3DDevice8_SetVertexShader(device, D3DFVF_XYZRHW), D3D_OK);
        CHECK_HR(IDirect3DDevice8_BeginScene(device), D3D_OK);
        /* 2^28 vertices of 16 bytes; 2^26 of 64 and a few */
        CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_POINTLIST, 0x10000000, vertices, 16), E_OUTOFMEMORY);
        CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_LINESTRIP, 0x4000000, vertices, 64), E_OUTOFMEMORY);
        CHECK_HR(IDirect3DDevice8_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, vertices, 0x55555556), E_OUTOFMEMORY);
        /* 2^30 + 2 indices of four bytes; three indices of 2^28 vertices */
        CHECK_HR(IDirect3DDevice8_DrawIndexedPrimitiveUP(device, D3DPT_TRIANGLELIST, 0, 3, 0x15555556, indices,
                                                         D3DFMT_INDEX32, vertices, 16),
                 E_OUTOFMEMORY);
        CHECK_HR(IDirect3DDevice8_DrawIndexedPrimitiveUP(device, D3DPT_POINTLIST, 0, 0x10000000, 3, indices,
                                                         D3DFMT_INDEX16, vertices, 16),
                 E_OUTOFMEMORY);
        CHECK_HR(IDirect3DDevice8_EndScene(device), D3D_OK);
    }
    close_device(device, window);
}

static void huge8_private_data(void)
{
    static const GUID id = {1, 2, 3, {4}};
    static const DWORD sizes[] = {0xffffffff, 0xfffffff0, 0xffffffd0, 0xffffff00, 0x80000000};
    HWND window = open_window();
    IDirect3DTexture8 *texture = NULL;

    device = open_device(window, 0, NULL);
    if (device) {
        CHECK_HR(IDirect3DDevice8_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture),
                 D3D_OK);
        for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
            CHECK_HR(IDirect3DTexture8_SetPrivateData(texture, &id, &id, sizes[i], 0), E_OUTOFMEMORY);
        IDirect3DTexture8_Release(texture);
    }
    close_device(device, window);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        {"huge8_resources", huge8_resources}, {"huge8_draws", huge8_draws}, {"huge8_private_data", huge8_private_data}};

    huge_watch(&version);
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
