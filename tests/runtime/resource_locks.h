/* SPDX-License-Identifier: MIT */
/*
 * The functions of struct resource_api that the two versions share except for the names of interfaces: surfaces, locks
 * and unlocks. A file defines RESOURCE_FACE(Surface), the interface of its version, and RESOURCE_METHOD(Surface, LockRect),
 * a call of one of its methods, and includes this once.
 */
static IUnknown *surface(const struct resource_desc *d, IUnknown *object)
{
    RESOURCE_FACE(Surface) *surface = NULL;

    switch (d->kind) {
    case RESOURCE_VERTICES:
    case RESOURCE_INDICES:
    case RESOURCE_VOLUME:
        return NULL;
    case RESOURCE_TEXTURE:
        RESOURCE_METHOD(Texture, GetSurfaceLevel)((RESOURCE_FACE(Texture) *)object, 0, &surface);
        return (IUnknown *)surface;
    case RESOURCE_CUBE:
        RESOURCE_METHOD(CubeTexture, GetCubeMapSurface)
        ((RESOURCE_FACE(CubeTexture) *)object, (D3DCUBEMAP_FACES)d->face, 0, &surface);
        return (IUnknown *)surface;
    default:
        IUnknown_AddRef(object);
        return object;
    }
}

static HRESULT lock_volume(RESOURCE_FACE(VolumeTexture) * volume, DWORD flags, struct resource_memory *memory)
{
    D3DLOCKED_BOX box = {0};
    const HRESULT hr = RESOURCE_METHOD(VolumeTexture, LockBox)(volume, 0, &box, NULL, flags);

    *memory = (struct resource_memory){box.pBits, box.RowPitch, box.SlicePitch};
    return hr;
}

static HRESULT lock_surface(IUnknown *locked, DWORD flags, struct resource_memory *memory)
{
    D3DLOCKED_RECT rect = {0};
    HRESULT hr = E_FAIL;

    if (locked) {
        hr = RESOURCE_METHOD(Surface, LockRect)((RESOURCE_FACE(Surface) *)locked, &rect, NULL, flags);
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
        return RESOURCE_METHOD(VertexBuffer, Lock)((RESOURCE_FACE(VertexBuffer) *)object, 0, 0, (void *)&memory->bits,
                                                   flags);
    case RESOURCE_INDICES:
        return RESOURCE_METHOD(IndexBuffer, Lock)((RESOURCE_FACE(IndexBuffer) *)object, 0, 0, (void *)&memory->bits,
                                                  flags);
    case RESOURCE_VOLUME:
        return lock_volume((RESOURCE_FACE(VolumeTexture) *)object, flags, memory);
    default:
        return lock_surface(surface(d, object), flags, memory);
    }
}

static void unlock(const struct resource_desc *d, IUnknown *object)
{
    IUnknown *locked;

    switch (d->kind) {
    case RESOURCE_VERTICES:
        RESOURCE_METHOD(VertexBuffer, Unlock)((RESOURCE_FACE(VertexBuffer) *)object);
        break;
    case RESOURCE_INDICES:
        RESOURCE_METHOD(IndexBuffer, Unlock)((RESOURCE_FACE(IndexBuffer) *)object);
        break;
    case RESOURCE_VOLUME:
        RESOURCE_METHOD(VolumeTexture, UnlockBox)((RESOURCE_FACE(VolumeTexture) *)object, 0);
        break;
    default:
        locked = surface(d, object);
        RESOURCE_METHOD(Surface, UnlockRect)((RESOURCE_FACE(Surface) *)locked);
        IUnknown_Release(locked);
    }
}
