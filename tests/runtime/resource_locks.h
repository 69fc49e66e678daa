/* SPDX-License-Identifier: MIT */
/*
 * The functions of struct resource_api that the two versions share except for the names of interfaces: surfaces, locks,
 * unlocks and updates. A file includes program.h or program9.h, and then this once.
 */
static IUnknown *surface(const struct resource_desc *d, IUnknown *object)
{
    D3D_FACE(Surface) *surface = NULL;

    switch (d->kind) {
    case RESOURCE_VERTICES:
    case RESOURCE_INDICES:
    case RESOURCE_VOLUME:
        return NULL;
    case RESOURCE_TEXTURE:
        D3D_CALL(Texture, GetSurfaceLevel)((D3D_FACE(Texture) *)object, 0, &surface);
        return (IUnknown *)surface;
    case RESOURCE_CUBE:
        D3D_CALL(CubeTexture, GetCubeMapSurface)
        ((D3D_FACE(CubeTexture) *)object, (D3DCUBEMAP_FACES)d->face, 0, &surface);
        return (IUnknown *)surface;
    default:
        IUnknown_AddRef(object);
        return object;
    }
}

static HRESULT lock_volume(D3D_FACE(VolumeTexture) *volume, DWORD flags, struct resource_memory *memory)
{
    D3DLOCKED_BOX box = {0};
    const HRESULT hr = D3D_CALL(VolumeTexture, LockBox)(volume, 0, &box, NULL, flags);

    *memory = (struct resource_memory){box.pBits, box.RowPitch, box.SlicePitch};
    return hr;
}

static HRESULT lock_surface(IUnknown *locked, DWORD flags, struct resource_memory *memory)
{
    D3DLOCKED_RECT rect = {0};
    HRESULT hr = E_FAIL;

    if (locked) {
        hr = D3D_CALL(Surface, LockRect)((D3D_FACE(Surface) *)locked, &rect, NULL, flags);
        IUnknown_Release(locked);
    }
    *memory = (struct resource_memory){rect.pBits, rect.Pitch, 0};
    return hr;
}

static HRESULT lock(const struct resource_desc *d, IUnknown *object, DWORD flags, struct resource_memory *memory)
{
    *memory = (struct resource_memory){NULL, 0, 0};
    switch (d->kind) {
    case RESOURCE_VERTICES:
        return D3D_CALL(VertexBuffer, Lock)((D3D_FACE(VertexBuffer) *)object, 0, 0, (void *)&memory->bits, flags);
    case RESOURCE_INDICES:
        return D3D_CALL(IndexBuffer, Lock)((D3D_FACE(IndexBuffer) *)object, 0, 0, (void *)&memory->bits, flags);
    case RESOURCE_VOLUME:
        return lock_volume((D3D_FACE(VolumeTexture) *)object, flags, memory);
    default:
        return lock_surface(surface(d, object), flags, memory);
    }
}

static void unlock(const struct resource_desc *d, IUnknown *object)
{
    IUnknown *locked;

    switch (d->kind) {
    case RESOURCE_VERTICES:
        D3D_CALL(VertexBuffer, Unlock)((D3D_FACE(VertexBuffer) *)object);
        break;
    case RESOURCE_INDICES:
        D3D_CALL(IndexBuffer, Unlock)((D3D_FACE(IndexBuffer) *)object);
        break;
    case RESOURCE_VOLUME:
        D3D_CALL(VolumeTexture, UnlockBox)((D3D_FACE(VolumeTexture) *)object, 0);
        break;
    default:
        locked = surface(d, object);
        D3D_CALL(Surface, UnlockRect)((D3D_FACE(Surface) *)locked);
        IUnknown_Release(locked);
    }
}

static HRESULT update(void *device, IUnknown *from, IUnknown *to)
{
    return D3D_CALL(Device, UpdateTexture)((D3D_FACE(Device) *)device, (D3D_FACE(BaseTexture) *)from,
                                           (D3D_FACE(BaseTexture) *)to);
}
